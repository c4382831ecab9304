"""Orders read from text: `svm ≈ rpart ≻ nnet ≿ lda`, or `svm ~ rpart > nnet >~ lda`.

    order  =  layer { ("≻" | ">" | "≿" | ">~") layer }      the best layer first
    layer  =  part { ("∥" | "<>") part }              parts that were not compared with each other
    part   =  name { ("≈" | "~" | "=") name }
    name   =  letters, digits and . + : / * @ # % & ! ? $ ^ | - _   or anything in double quotes

What a text can carry. `a ≻ b` claims that a is better, and so does a chain `a ≻ x ≻ b`. Within
a layer none is better; across `∥` nothing is known. `≿` says that the layers before it come first,
but not which pairs across it are significant: it claims none of them. The relation of a text with
`≿` is therefore the smallest that it may have been printed from; the pairs it leaves open are in
`uncompared`, and the layers are kept as they were read (`arrangement`), since the relation alone
would not give them.

Texts with `<`, `≲` and `<~` for `≻`, `≿` and `>~` are read, too: what stands first is better there,
as well. A text with both spellings is refused, since one of them may mean the other direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations

from podium.base.errors import InferenceError
from podium.orders.order import Order
from podium.orders.relations import claimed
from podium.words.phrases import BARE, ESCAPES, quoted

EXAMPLE = "svm ≈ rpart ≻ nnet"
TOKEN = re.compile(
    rf"""\s*(?: "(?P<quoted>(?:[^"\\]|\\.)*)"
              | (?P<bare>{BARE.pattern})
              | (?P<sign><~|>~|<>|[≻≿><≲≈~∥]|(?<!\S)=(?!\S)) )""",
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
MEANT = {escape[1]: character for character, escape in ESCAPES.items()}
ALIKE, APART, BEFORE = ("≈", "~", "="), ("∥", "<>"), ("≻", ">", "<")
FORMER = ("<", "≲", "<~")  # spellings of ≻ and ≿ in texts of earlier versions
HINTS = {
    "≺": "The better algorithm comes first, before a '≻'.",
    '"': 'A double quote is not closed; inside a name it is written \\".',
    "=": "A '=' for ≈ has blanks on both sides; a name with '=' is put in double quotes.",
}


@dataclass(frozen=True)
class _Token:
    text: str
    is_sign: bool


def order(text: str | Order) -> Order:
    """The order that a text such as `svm ≈ rpart ≻ nnet` means; what stands first is better.

    `order(text).text` is the text again, except for blanks and for signs that have several
    spellings.

    Parameters
    ----------
    text : str

    Returns
    -------
    Order

    Examples
    --------
    >>> order('knn ~ "random forest" > lda').groups
    [['knn', 'random forest'], ['lda']]
    """
    if isinstance(text, Order):
        return text
    if not isinstance(text, str) or not text.strip():
        raise InferenceError(f"An order is a text such as '{EXAMPLE}', not {text!r}.")
    tokens = list(_tokens(text))
    _check_alternation(tokens, text)
    _check_one_direction(tokens, text)
    return _order(*_layers(tokens))


def _tokens(text: str) -> Iterator[_Token]:
    end = len(text.rstrip())
    place = 0
    while place < end:
        match = TOKEN.match(text, place)
        if not match:
            raise InferenceError(_unreadable(text, text[place:].lstrip()))
        place = match.end()
        yield _token(match, text)


def _token(match: re.Match[str], text: str) -> _Token:
    if match["quoted"] is not None:
        return _Token(_unescaped(match["quoted"], text), is_sign=False)
    return _Token(match["sign"] or match["bare"], is_sign=match["sign"] is not None)


def _unescaped(inside: str, text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code and int(code, 16) < 0x110000:
            return chr(int(code, 16))
        if code or match[3] not in MEANT:
            raise InferenceError(f"The order '{text}' has an unknown escape: {match[0]}.")
        return MEANT[match[3]]

    return ESCAPE.sub(character, inside)


def _unreadable(text: str, rest: str) -> str:
    hint = HINTS.get(rest[0], "A name with such a sign is put in double quotes.")
    return f"The order '{text}' cannot be read from '{rest}' on. {hint}"


def _check_alternation(tokens: list[_Token], text: str) -> None:
    """Refuse two names or two signs in a row, and a sign at either end."""
    for before, after in zip([None, *tokens], [*tokens, None], strict=True):
        left = before is None or before.is_sign
        right = after is None or after.is_sign
        if left and right:
            sign = before or after
            raise InferenceError(
                f"The order '{text}' lacks a name beside '{sign.text if sign else ''}'. "
                f"An example: {EXAMPLE}."
            )
        if before and after and not left and not right:
            both = quoted(f"{before.text} {after.text}")
            raise InferenceError(
                f"The order '{text}' has no sign between '{before.text}' and '{after.text}'; "
                f"a name with blanks is put in double quotes: {both}."
            )


def _check_one_direction(tokens: list[_Token], text: str) -> None:
    """Refuse `a < b > c`: the best comes first, which one of the two signs would deny."""
    signs = {
        token.text in FORMER
        for token in tokens
        if token.is_sign and token.text not in (*ALIKE, *APART)
    }
    if len(signs) > 1:
        raise InferenceError(
            f"The order '{text}' has both '<' and '>', and the better algorithm always comes "
            f"first: write one of them. An example: {EXAMPLE}."
        )


def _layers(tokens: list[_Token]) -> tuple[list[list[list[str]]], list[bool]]:
    """The names by layers and their parts, and whether `≻` stands between each two layers."""
    layers, strict = [[[tokens[0].text]]], []
    for sign, name in zip(tokens[1::2], tokens[2::2], strict=True):
        if sign.text in ALIKE:
            layers[-1][-1].append(name.text)
        elif sign.text in APART:
            layers[-1].append([name.text])
        else:
            layers.append([[name.text]])
            strict.append(sign.text in BEFORE)
    return layers, strict


def _order(layers: list[list[list[str]]], strict: list[bool]) -> Order:
    groups = [list(chain.from_iterable(parts)) for parts in layers]
    names = list(chain.from_iterable(groups))
    numbers = iter(range(len(names)))
    better = claimed([[next(numbers) for _ in group] for group in groups], strict)
    part = [(n, m) for n, parts in enumerate(layers) for m, part in enumerate(parts) for _ in part]
    open_pairs = {
        (names[i], names[j])
        for i, j in combinations(range(len(names)), 2)
        if part[i] != part[j] and not better[i, j]
    }
    arrangement = tuple(tuple(group) for group in groups)
    return Order(tuple(names), better, None, frozenset(open_pairs), arrangement)
