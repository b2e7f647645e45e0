"""What the names at the root of a repository say: whether there is code."""

import re
from collections.abc import Iterable

NO_CODE = re.compile(
    r"readme(?:[._-].*)?|licen[sc]e(?:[._-].*)?|copying(?:[._-].*)?|notice(?:[._-].*)?|citation\.(?:cff|bib)"
    r"|\.git(?:ignore|attributes|keep|modules|hub)|\.ds_store|\.nojekyll|cname|_config\.yml"
    r"|contributing(?:\..*)?|code_of_conduct(?:\..*)?|security(?:\..*)?|todo(?:\..*)?|changelog(?:\..*)?|authors(?:\..*)?"
    r"|.*\.(?:md|rst|txt|pdf|png|jpe?g|gif|svg|webp|bib|mp4|drawio)"
    r"|assets?|images?|imgs?|figures?|figs?|docs?|media|pics?|pictures?|\.idea|\.vscode",
    re.IGNORECASE,
)
"""Names at a repository's root that are not code."""


def is_readme_only(names: Iterable[str]) -> bool:
    """Return whether none of the names at a repository's root is code.

    >>> is_readme_only(["README.md", "LICENSE", "assets"]), is_readme_only(["README.md", "train.py"])
    (True, False)
    """
    names = list(names)
    return bool(names) and all(NO_CODE.fullmatch(name[:200]) for name in names)
