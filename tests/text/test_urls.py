"""Addresses in running text: what is one, where it ends, and what it means."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.text.urls import find_urls

REPO = "https://github.com/o/r"

# (text, addresses in normal form)
CASES = [
    # marks after the address
    (f"Code is at {REPO}.", [REPO]),
    (f"Code is at {REPO}, and free.", [REPO]),
    (f"Code ({REPO}), data.", [REPO]),
    (f"Code: {REPO}!", [REPO]),
    (f"Did you see {REPO}?", [REPO]),
    (f"three tools: {REPO}...", [REPO]),
    (f"three tools: {REPO}…", [REPO]),
    (f"“{REPO}”; ‘{REPO}’", [REPO, REPO]),
    (f"'{REPO}', \"{REPO}\"", [REPO, REPO]),
    (f"«{REPO}»", [REPO]),
    (f"{REPO}'s tests", [REPO]),
    (f"{REPO}: the tool", [REPO]),
    (f"{REPO}; {REPO};", [REPO, REPO]),
    (f"{REPO}†", [REPO]),
    (f"{REPO}¹ and more", [REPO]),
    (f"{REPO}---we", [REPO]),
    (f"{REPO}—we", [REPO]),
    (f"{REPO}–we", [REPO]),
    (f"{REPO}~\\cite{{x}}", [REPO]),
    ("https://github.com/quillworks/tide.js!", ["https://github.com/quillworks/tide.js"]),
    ("https://github.com/tarnlab/dot.files...", ["https://github.com/tarnlab/dot.files"]),
    # brackets
    (f"({REPO})", [REPO]),
    (f"[code: {REPO}]", [REPO]),
    (f"{{{REPO}}}", [REPO]),
    (f"<{REPO}>", [REPO]),
    (f"(see also ({REPO}))", [REPO]),
    (f"{REPO}(our code)", [REPO]),
    (f"{REPO}[3]", [REPO]),
    ("https://heron.github.io/wade_(v2) and", ["https://heron.github.io/wade_(v2)"]),
    ("(https://heron.github.io/wade_(v2))", ["https://heron.github.io/wade_(v2)"]),
    ("https://example.org/kelp(see", ["https://example.org/kelp"]),
    ("https://example.org/a?b[]=1&c=2", ["https://example.org/a?b[]=1&c=2"]),
    # Markdown
    (f"[code]({REPO})", [REPO]),
    (f'[code]({REPO} "The code")', [REPO]),
    (f"[{REPO}]({REPO})", [REPO, REPO]),
    (f"[code]: {REPO}", [REPO]),
    (f"**{REPO}**", [REPO]),
    (f"*{REPO}*", [REPO]),
    (f"_{REPO}_", [REPO]),
    (f"`{REPO}`", [REPO]),
    (f"| {REPO} | x |{REPO}|", [REPO, REPO]),
    ("https://github.com/o/moss\\_net", ["https://github.com/o/moss_net"]),
    ("![badge](https://img.example.org/a.svg)", ["https://img.example.org/a.svg"]),
    # HTML
    (f'<a href="{REPO}">x</a>', [REPO]),
    (f"<a href='{REPO}'>x</a>", [REPO]),
    (f"<a href={REPO}>{REPO}</a>", [REPO, REPO]),
    ("https://example.org/?a=1&amp;b=2", ["https://example.org/?a=1&b=2"]),
    (f"&lt;{REPO}&gt;", [REPO]),
    (f"&quot;{REPO}&quot;,", [REPO]),
    (f"{REPO}&nbsp;and", [REPO]),
    # LaTeX
    (rf"\url{{{REPO}}}.", [REPO]),
    (rf"\url{{{REPO}.}}", [REPO]),
    (rf"\url {{ {REPO} }}", [REPO]),
    (r"\href{https://github.com/o/kelp\_sim}{here}", ["https://github.com/o/kelp_sim"]),
    (r"sorts\footnote{Code at \url{https://github.com/o/r}.} itself", [REPO]),
    (r"\texttt{github.com/o/no\_scheme}", ["https://github.com/o/no_scheme"]),
    (r"{\tt https://github.com/o/r}\,.", [REPO]),
    (r"https://github.com/o/r$^\dagger$", [REPO]),
    (r"https://github.com/o/r\footnote{x}", [REPO]),
    (r"https://github.com/o/r\\ next", [REPO]),
    (r"https://github.com/o/a{\_}b", ["https://github.com/o/a_b"]),
    (r"https://github.com/o/a\textunderscore b", ["https://github.com/o/a_b"]),
    (r"https://example.org/\~{}kim/a", ["https://example.org/~kim/a"]),
    (r"https://example.org/$\sim$kim/a", ["https://example.org/~kim/a"]),
    (r"https://example.org/\textasciitilde kim", ["https://example.org/~kim"]),
    (r"https://example.org/a\%20b\#c\&d", ["https://example.org/a%20b#c&d"]),
    ("\\url{https://github.com/\n  o/r}", [REPO]),
    ("\\url{https://github.com/o/%\n  r}", [REPO]),
    (r"https://github.com/o/\allowbreak r", [REPO]),
    (
        r"\url{https://example.org/a, https://example.org/b}",
        ["https://example.org/a", "https://example.org/b"],
    ),
    # other forms
    ("Clone git@github.com:o/r.git to begin", [REPO]),
    ("ssh://git@github.com:22/o/r.git", [REPO]),
    ("ssh://git@github.com:o/r.git", [REPO]),
    ("git://github.com/o/r.git", [REPO]),
    ("pip install git+https://github.com/o/r.git", [REPO]),
    ("pip install git+https://github.com/o/r.git@v1#egg=x", [REPO]),
    ("pip install git+ssh://git@github.com/o/r.git", [REPO]),
    ("git clone https://name:secret@github.com/o/r", [REPO]),
    ("find it at github.com/o/r", [REPO]),
    ("find it at GitHub.com/o/r", [REPO]),
    ("find it at www.github.com/o/r.", [REPO]),
    ("Code:github.com/o/r", [REPO]),
    ("HTTPS://GITHUB.COM/o/r", [REPO]),
    ("http://www.github.com/o/r/", [REPO]),
    ("page: o.github.io/kelp.", ["https://o.github.io/kelp"]),
    ("page: o.github.io.", ["https://o.github.io"]),
    ("read arxiv.org/abs/2401.00001", ["https://arxiv.org/abs/2401.00001"]),
    ("www.example.org/kelp", ["https://www.example.org/kelp"]),
    ("https://example.org", ["https://example.org"]),
    ("https://example.org/", ["https://example.org"]),
    ("http://example.org:8080/a", ["http://example.org:8080/a"]),
    ("http://127.0.0.1:8000/a", ["http://127.0.0.1:8000/a"]),
    ("ftp://example.org/data.zip", ["ftp://example.org/data.zip"]),
    ("git@github.com/o/r.git", [REPO]),
    (r"https\://github.com/o/r", [REPO]),
    ("__https://github.com/o/r__", [REPO]),
    ("__https://github.com/o/r_s__", [f"{REPO}_s"]),
    ("https://github.com/o/r.We show more", [REPO]),
    ("https://github.com/o/Kelp.Json is", ["https://github.com/o/Kelp.Json"]),
    (f"{REPO}/{REPO}", [REPO, REPO]),
    (f"https://{REPO}", [REPO]),
    ("https://sites.google. com/view/kelp", ["https://sites.google.com/view/kelp"]),
    ("https://github .com/o/r", [REPO]),
    ("https://example. com/o/r", []),
    ("It is at https://example.org. We/they show", ["https://example.org"]),
    (r"$\href{https://github.com/o/r}{\text{code}}$", [REPO]),
    (r"\urlhttps://github.com/o/r.", [REPO]),
    (r"\verb|https://github.com/o/r|", [REPO]),
    (r"https://github.com/o/r\textsuperscript{1}", [REPO]),
    (f"[![CI]({REPO}/ci.svg)]({REPO}/actions)", [f"{REPO}/ci.svg", f"{REPO}/actions"]),
    ("[kelp](https://en.wikipedia.org/wiki/Kelp_(genus)).", ["https://en.wikipedia.org/wiki/Kelp_(genus)"]),
    (f"{REPO}🙂", [REPO]),
    ("https://例え.jp/道", ["https://例え.jp/道"]),
    ("https://user:pw@example.org/a", ["https://example.org/a"]),
    ("https://example.org/#!/a/", ["https://example.org/#!/a/"]),
    ("https://anonymous.4open.science/r/\nkelp-1A2B/", ["https://anonymous.4open.science/r/kelp-1A2B"]),
    ("https://doi.org/10.5281/\nzenodo.1234567", ["https://doi.org/10.5281/zenodo.1234567"]),
    ("https://github.com/tarn-\nlab/moss", ["https://github.com/tarn-lab/moss"]),
    ("https://github.com/o/r/\nexample.org/a", [REPO]),
    ("see https://example.org/a/\nVision-Language Models", ["https://example.org/a"]),
    ("see https://example.org/a/\nstate-of-the-art models", ["https://example.org/a"]),
    (f"{'x' * 250} https://github.com/o/\nmossnet.", ["https://github.com/o"]),
    ("https://example.org/a/\nexample.com/b", ["https://example.org/a"]),
    ("https://github.com/o/r/\nmossnet is", [REPO]),
    ("at https://github.com/o/r/\ntree/main/src/kelp", [f"{REPO}/tree/main/src/kelp"]),
    ("> at https://github.com/o/\n> mossnet.", ["https://github.com/o/mossnet"]),
    (
        "https://web.archive.org/web/2020/https://example.org/a",
        ["https://web.archive.org/web/2020/https://example.org/a"],
    ),
    ("https://example.org/?u=https://example.com/x", ["https://example.org/?u=https://example.com/x"]),
    (f"{REPO},{REPO};{REPO}", [REPO, REPO, REPO]),
    (f"a{REPO}", [REPO]),
    (f"https://example.org/a{REPO}", ["https://example.org/a", REPO]),
    (
        r'{"u": "https:\/\/github.com\/o\/r", "v": "https:\/\/example.org\/?a=1\u0026b=2"}',
        [REPO, "https://example.org/?a=1&b=2"],
    ),
    (r'{"note": "x\ngithub.com/o/r\nhttps://github.com/o/r\n"}', [REPO, REPO]),
    # scripts and marks of other languages
    ("代码见https://github.com/o/r，欢迎。", [REPO]),
    ("代码见https://github.com/o/r。", [REPO]),
    ("代码（https://github.com/o/r）", [REPO]),
    ("代码：github.com/o/r欢迎使用", [REPO]),
    ("「https://github.com/o/r」を公開", [REPO]),
    ("コードはhttps://github.com/o/rで公開", [REPO]),
    ("코드는 https://github.com/o/r에서", [REPO]),
    ("https://zh.wikipedia.org/wiki/论文。", ["https://zh.wikipedia.org/wiki/论文"]),
    ("https://de.wikipedia.org/wiki/Größe,", ["https://de.wikipedia.org/wiki/Größe"]),
    ("https://münchen.example/a", ["https://münchen.example/a"]),
    ("https：//github.com/o/r", [REPO]),
    # what pasting leaves behind
    ("https://github.com/\u200bo/r", [REPO]),
    ("https://github.com/o/r\u200b.", [REPO]),
    ("https://git\u00adhub.com/o/r", []),
    ("https:// github.com/o/r", [REPO]),
    ("https://github.com/ o/r", [REPO]),
    # broken at a line end
    ("at https://github.com/\no/r.", [REPO]),
    ("at https://\ngithub.com/o/r.", [REPO]),
    ("at https://github.com/o/\nmossnet.", ["https://github.com/o/mossnet"]),
    ("at https://github.com/o/\nmossnet for details", ["https://github.com/o/mossnet"]),
    ("at https://github.com/o/moss-\nnet.", ["https://github.com/o/moss-net"]),
    ("at https://github.com/o/moss_\nnet.", ["https://github.com/o/moss_net"]),
    ("at https://github.com/o\n/moss.", ["https://github.com/o/moss"]),
    ("at https://github.com/o/r/tree/main/\nsrc/kelp", ["https://github.com/o/r/tree/main/src/kelp"]),
    ("at https://example.org/a/\nkelp_2.html", ["https://example.org/a/kelp_2.html"]),
    # whole at a line end
    ("see https://github.com/o/\nfor code", ["https://github.com/o"]),
    ("see https://github.com/o/\nWe also", ["https://github.com/o"]),
    ("see https://github.com/o/r\nand more", [REPO]),
    ("see https://example.org/a/\nand more", ["https://example.org/a"]),
    ("see https://example.org/a/\nWe show", ["https://example.org/a"]),
    ("https://github.com/o/\nhttps://github.com/p/", ["https://github.com/o", "https://github.com/p"]),
    ("https://github.com/o/\ngithub.com/p/q", ["https://github.com/o", "https://github.com/p/q"]),
    ("UR  - https://github.com/o/\nER  - ", ["https://github.com/o"]),
    ("url: https://github.com/o/\nname: x", ["https://github.com/o"]),
    ("https://github.com/o/\n\nmossnet", ["https://github.com/o"]),
    ("- https://github.com/o/\n- kelp", ["https://github.com/o"]),
    ("1. https://github.com/o/\n2. kelp", ["https://github.com/o"]),
    # no address
    ("mail a@github.com/x", []),
    ("on github.com alone, or github.com/ as such", []),
    ("foo.github.com/o/r", []),
    ("the year (2024) and a range [3, 5]", []),
    ("and/or, e.g./i.e., 3.5/4", []),
    ("http://", []),
    ("https://x", []),
    ("see http: //", []),
    ("myhttp.com", []),
    ("bash://x.sh/y", []),
    ("file:///etc/passwd javascript:alert(1) data:text/html,x", []),
]


@pytest.mark.parametrize(("text", "urls"), CASES)
def test_every_address_is_found_and_ends_where_it_should(text: str, urls: list[str]) -> None:
    assert [found.url for found in find_urls(text)] == urls


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_the_place_of_an_address_is_that_of_its_characters(text: str) -> None:
    whole = f"Kelp grows.\n\nTides\nturn. {text} The end."
    for found in find_urls(whole):
        assert whole[found.start : found.end] == found.written
        lines = whole.split("\n")
        assert lines[found.line - 1][found.column - 1 :].startswith(found.written.split("\n")[0])


def test_delimiters_of_a_table_end_an_address() -> None:
    row = "kelp,https://example.org/a,2024"
    assert [found.url for found in find_urls(row, stops=",")] == ["https://example.org/a"]
    quoted = '"kelp, or so","https://example.org/a,b",2024'
    assert [found.url for found in find_urls(quoted, stops=",")] == ["https://example.org/a,b"]


PIECES = (
    "https:// http:// git@ www. github.com / . : ( ) [ ] { } < > \\ _ % & amp; ? # = - \n o r .git tree/main "
    "\\url{ \\_ 。 论 é \u200b @ ~ ' \" x.org o.github.io ftp:// \\/ \\u0026 , ;"
)


@given(
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES.split(" ")), max_size=40).map("".join))
)
def test_any_text_gives_addresses_in_order_without_overlap(text: str) -> None:
    found = find_urls(text)
    assert all(text[one.start : one.end] == one.written for one in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(re.match(r"(?:https?|ftp)://[^/\s]", one.url) for one in found)
