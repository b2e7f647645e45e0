"""What the files at the root of a repository say: code, a README only, or a web page only."""

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
PAGE = re.compile(
    r"static|css|js|fonts?|favicon.*|robots\.txt|sitemap\.xml|videos?|.*\.(?:html?|css|js)",
    re.IGNORECASE,
)
"""Further names that a repository with nothing but a web page has."""


def is_readme_only(names: Iterable[str]) -> bool:
    """Return whether none of the names at a repository's root is code.

    >>> is_readme_only(["README.md", "LICENSE", "assets"]), is_readme_only(["README.md", "train.py"])
    (True, False)
    """
    names = list(names)
    return bool(names) and all(NO_CODE.fullmatch(name[:200]) for name in names)


def is_page_only(names: Iterable[str]) -> bool:
    """Return whether a repository holds a web page and nothing else.

    >>> is_page_only(["index.html", "static", "README.md"]), is_page_only(["index.html", "model.py"])
    (True, False)
    """
    names = list(names)
    has_page = any(name.lower().startswith("index.htm") for name in names)
    return has_page and all(NO_CODE.fullmatch(name[:200]) or PAGE.fullmatch(name[:200]) for name in names)
