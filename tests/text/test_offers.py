"""Which addresses offer code, and when code is promised without an address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.text.offers import find_code_links

PROMISES = [
    "Code is available.",
    "The code is available.",
    "Our code is publicly available.",
    "Our code will be released.",
    "Code will be released upon acceptance.",
    "Code will be made available.",
    "Code will be made public.",
    "Code will be publicly available soon.",
    "The source code is provided in the supplementary material.",
    "Source code is included in the supplement.",
    "Our source code can be found in the supplementary material.",
    "Our implementation is publicly available.",
    "All code has been released.",
    "The full code is open source.",
    "Code and data are available.",
    "Data and code are available.",
    "Code, data and models will be released.",
    "Code, data, and pretrained models are available online.",
    "Models and code are publicly available.",
    "The dataset and code will be made publicly available.",
    "The code and the dataset used in this paper are available on GitHub.",
    "Our code and models can be downloaded from our project page.",
    "Both the code and the weights are open-sourced.",
    "Code available upon request.",
    "Code is available on request.",
    "Code available.",
    "Code to be released.",
    "Code coming soon.",
    "Code upon acceptance.",
    "We release our code.",
    "We release code and data.",
    "We release the code and models.",
    "We release all code.",
    "We will release our code.",
    "We will release the source code.",
    "We will release code upon publication.",
    "We plan to release our code.",
    "We share our code.",
    "We also share our code and data to foster further research.",
    "We publish our code.",
    "We publicly release the code.",
    "We provide code.",
    "We provide our code in the supplementary material.",
    "We provide the source code.",
    "We provide an open-source implementation.",
    "We provide a PyTorch implementation.",
    "We open-source our code.",
    "We open source our code and checkpoints.",
    "We will open-source our implementation and all checkpoints to help later work.",
    "We make our code available.",
    "We make our code publicly available.",
    "We make code and data public.",
    "To facilitate future research, we make the code publicly available.",
    "To support reproducibility, we release our code and trained models.",
    "For reproducibility, the code is available.",
    "Finally, we release our code, data, and models.",
    "The code for reproducing our experiments is available.",
    "Code to reproduce all experiments is available.",
    "The code used for the experiments will be released.",
    "The code of our method is publicly available.",
    "The codes are available.",
    "The codes will be released.",
    "Our codes are publicly available.",
    "Source codes are available on GitHub.",
    "The codebase is publicly available.",
    "Our code base will be open sourced.",
    "The software is freely available.",
    "Scripts for all experiments are available.",
    "The software library based on PyTorch is publicly available.",
    "An accompanying R package is available.",
    "Our framework is open source.",
    "Our toolkit is fully open-sourced.",
    "Experiments show the gain (code will be released).",
    "Experiments show the gain [code available].",
    "Tides turn; code is available.",
    "Tides turn, and our code is publicly available.",
    "Tides turn. Code is available. Kelp grows.",
    "An implementation of the method is available on GitHub.",
    "Implementation code will be released.",
    "Training and evaluation code is available.",
    r"\textbf{Code} is available.",
    "**Code** is available.",
    "<b>Code</b> is available.",
    "Code\nis available.",
    "Code is shared.",
    "Our code has been uploaded as supplementary material.",
    "The code is attached.",
    "We do not need labels, and our code is available.",
    # other languages
    "代码已开源。",
    "我们的代码将公开。",
    "源代码将在论文接收后发布。",
    "コードは公開されています。",
    "コードを公開する予定である。",
    "코드는 공개될 예정이다.",
    "Der Code ist verfügbar.",
    "Unser Quellcode wird veröffentlicht.",
    "Le code est disponible.",
    "Le code source sera rendu public.",
    "El código está disponible.",
    "O código está disponível.",
    "Il codice è disponibile.",
    "Код доступен.",
    "Исходный код будет опубликован.",
]

NO_PROMISES = [
    "We bound the drift of lamps at sea.",
    "Code is not available.",
    "The code is not publicly available.",
    "Our code will not be released.",
    "Code cannot be released.",
    "No code is available.",
    "We cannot release our code, but we describe each step.",
    "Owing to the licence of the maps we cannot release our code, but we describe each step.",
    "We are unable to share our code.",
    "We do not release code.",
    "We don't release our code.",
    "The code isn't available.",
    "Code is unavailable.",
    "Neither code nor data is available.",
    "Few papers release their code.",
    "Most published methods do not release code.",
    "Most published methods release their code.",
    "Many authors share code.",
    "The code of prior work is rarely available.",
    "Existing code is available but slow.",
    "Their code is available.",
    "When source code is available, static analysis helps.",
    "If the code is available, tests can be run.",
    "We study programs whose source code is available.",
    "We assume that the code is available.",
    "We compare with methods for which code is available.",
    "Large models that write source code fail on tide tables.",
    "Code models are available.",
    "Code generation is widely available.",
    "Code language models have been released.",
    "Code review is provided by people.",
    "A code-mixed corpus is available.",
    "We release a dataset of code.",
    "We release a dataset.",
    "We release a benchmark.",
    "We will release our dataset and checkpoints.",
    "Our dataset is publicly available.",
    "The data are available on request.",
    "We release CodeKelp, a code model.",
    "We publish a code generation benchmark.",
    "We provide a code search benchmark.",
    "Vast amounts of source code are publicly available.",
    "Models trained on code are available.",
    "Models of code are available.",
    "Lines of code are shared between teams.",
    "We construct error-correcting codes of a good rate; the codes are available for every length.",
    "Linear codes are available for every length. The code is provided by a matrix.",
    "Morse code was sent by lamp.",
    "Bar codes are provided on each box.",
    "The genetic code is shared by all life.",
    "Polar codes have been published.",
    "The hash codes are provided to the index.",
    "Sparse codes are obtained by a solver.",
    "Latent codes are shared across views.",
    "Binary code is available to the attacker.",
    "Machine code is provided.",
    "Building codes are published each year.",
    "ICD codes are available for each visit.",
    "The code of conduct is available.",
    "We present an open-source platform that provides training and inference software.",
    "We present KelpLib, an open-source library for tides.",
    "We evaluate open-source models.",
    "Open-source LLMs are available.",
    "The model generates code that is executed.",
    "Programmers share code in repositories.",
    "Students submit code online.",
    "We provide an efficient implementation of the bound.",
    "An implementation in hardware uses less power.",
    "We encode the labels and decode them.",
    "Analog implementation and distributed simulation need a definition.",
    "The bound predicts the performance of NMF code, by running the published algorithms.",
    "The decoder is shared.",
    "Instead of releasing code, we publish pseudo-code.",
    "代码生成模型已公开。",
    "代码尚未公开。",
    "コード生成の研究。",
    "コードは公開されていない。",
    "코드는 공개되지 않았다.",
    "Der Code ist nicht verfügbar.",
    "Le code n'est pas disponible.",
    "El código no está disponible.",
    "Код не доступен.",
]


@pytest.mark.parametrize("text", PROMISES)
def test_code_said_to_be_available_without_address_is_promised(text: str) -> None:
    assert find_code_links(f"Tides turn. {text}").promised


@pytest.mark.parametrize("text", NO_PROMISES)
def test_refusals_and_talk_about_code_are_no_promise(text: str) -> None:
    assert not find_code_links(f"Tides turn. {text}").promised


@pytest.mark.parametrize("text", PROMISES)
def test_no_promise_is_left_where_a_repository_is_given(text: str) -> None:
    assert not find_code_links(f"{text} See https://github.com/o/r.").promised


PIECES = (
    'code |is |available|. |https://github.com/o/r|https://example.org/a|<a href="|">|</a>|\\href{|}|{|}'
    '|\ufffc|\n\n|\n|$^|$|we |release |our |\\url{|**|`|~|not |; |, |(|)|- |。|代码|公开| = {|"software": '
)

U = "https://example.org/kelp"
V = "https://example.org/data"

# (text, whether each address offers code)
OFFERS = [
    (f"Code is available at {U}.", [True]),
    (f"Code available: {U}", [True]),
    (f"Code: {U}", [True]),
    (f"Code and films: {U}", [True]),
    (f"Our code, samples and models are at {U}.", [True]),
    (f"The implementation can be found at {U}.", [True]),
    (f"Source code ({U}) is free.", [True]),
    (f"The code [{U}] is free.", [True]),
    (rf"The code is \href{{{U}}}{{here}}.", [True]),
    (
        rf"A film is on \href{{{V}}}{{this page}} and the code is \href{{{U}}}{{\textbf{{there}}}}.",
        [False, True],
    ),
    (f"[Code]({U})", [True]),
    (f"Visit {U} for code.", [True]),
    (f"See {U} for our code and data.", [True]),
    (f"{U} holds the code.", [True]),
    (f"The code is available. {U}", [True]),
    (f"The code is available. See {U}.", [True]),
    (f"Code is on our project page. Films are many. Project page: {U}", [True]),
    (f"Data: {V}, code: {U}", [False, True]),
    (f"Data at {V} and code at {U}.", [False, True]),
    (f"Code at {U} and data at {V}.", [True, False]),
    (f"Code is at {U} and {V}.", [True, True]),
    (f"代码见{U}。", [True]),
    (f"コードは{U}で公開。", [True]),
    (f"Der Code ist unter {U} verfügbar.", [True]),
    (f"We release code (e.g. for tides) at {U}.", [True]),
    (f"The benchmark can be visualized at {U}.", [False]),
    (f"Films are at {U}.", [False]),
    (f"The dataset is at {U}.", [False]),
    (f"Our models are released at {U}.", [False]),
    (f"Code is not available; films are at {U}.", [False]),
    (f"Our code generation benchmark is at {U}.", [False]),
    (f"Large models write source code. Films: {U}", [False]),
    (f"The error-correcting codes are listed at {U}.", [False]),
    (f"The code of others is bad. See {U}.", [False]),
    ("https://github.com/o/r", [True]),
    ("Films: https://github.com/o/r", [True]),
    ("https://gist.github.com/o/0a1b", [True]),
    ("https://github.com/o", [False]),
    ("Models: https://huggingface.co/o/m", [False]),
    ("Code and models: https://huggingface.co/o/m", [True]),
    ("Code: https://anonymous.4open.science/r/x-1234", [True]),
    ("See https://o.github.io/r.", [False]),
]


@pytest.mark.parametrize(("text", "offers"), OFFERS)
def test_an_address_offers_code_by_its_kind_or_its_part_of_the_sentence(
    text: str, offers: list[bool]
) -> None:
    assert list(find_code_links(text).offers) == offers


def test_what_one_paragraph_says_is_not_true_of_the_next() -> None:
    found = find_code_links(f"The code is on our page.\n\nFilms: {U}")
    assert found.offers == (False,)
    assert found.promised


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        (f"@article{{a,\n  title = {{Code for Kelp}},\n  url = {{{U}}},\n}}", [False]),
        (f"@article{{a,\n  software = {{{U}}},\n  note = {{Films: {V}}},\n}}", [True, False]),
        (f'{{"title":"Code for Kelp","URL":"{U}"}}', [False]),
        (f'{{"software": "{U}", "URL": "{V}"}}', [True, False]),
        (f"TI  - Code for Kelp\nUR  - {U}\nN1  - Code: {V}\n", [False, True]),
        (f"- [Code]({U})\n- [Films]({V})\n", [True, False]),
        (f"| code | {U} |\n| film | {V} |\n", [True, False]),
        (f'<a href="{U}">Code</a>, <a href="{V}">films</a>', [True, False]),
        (f'<ul><li>Code: <a href="{U}">here</a><li>Film: <a href="{V}">there</a></ul>', [True, False]),
    ],
)
def test_what_one_field_says_is_not_true_of_the_next(text: str, offers: list[bool]) -> None:
    assert list(find_code_links(text).offers) == offers


@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=30).map("".join))
def test_each_address_is_judged_whatever_stands_round_it(text: str) -> None:
    found = find_code_links(text)
    assert len(found.offers) == len(found.urls)
