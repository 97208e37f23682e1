"""The order in which JavaScript's `localeCompare` puts names, as far as names go.

It compares letters first, then accents, then case, small before large. The order of
the characters is that of the Unicode collation for Latin, and by code point beyond.
"""

from __future__ import annotations

from unicodedata import category, normalize

# What is no letter stands before all letters, in this order.
_FIRST = "\t\n\v\f\r\x85\u2028\u2029 _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
_DIGITS, _LETTERS = _FIRST.index("0"), len(_FIRST)
# The letters that are none with an accent.
_LATIN = (
    "aɐɑɒbʙƀɓƃcȼƈɕdɖɗƌȡeɇǝəɛɘɚɜɝɞʚɤfƒgɡɢǥɠʛɣƣhʜƕɦɧiıɪɨɩjȷɉʝɟʄkƙʞlʟƚɫɬɭȴɮƛʎmɱnɴɲƞɳȵŋo"  # noqa: RUF001
    "ɶɔɵɷȣpƥɸqʠɋĸrʀɍɹɺɻɼɽɾɿʁsʂȿʃƪʅʆtŧƫƭʈȶʇuʉɥʮʯɯɰʊvʋʌwʍxyʏɏƴȝzƍƶȥʐʑɀʒƹƺʓþƿƻƨƽƅʔɂʕʡʢʖ"  # noqa: RUF001
)
_RANKS = {char: rank for rank, char in enumerate(_FIRST + _LATIN)}
# Letters that count as others, before case does.
_EXPANDED = str.maketrans(
    dict(zip("ßæœøđðłħĳǆǉǌ", "ss ae oe o d d l h ij dz lj nj".split(), strict=True))
)
# Accents in this order; the others by code point behind them.
_ACCENTS = {
    char: rank
    for rank, char in enumerate(
        "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307"
        "\u0338\u0327\u0328\u0304",
        start=1,
    )
}
_NO_ACCENT = 0
_STROKE = _ACCENTS["\u0338"]

CollationKey = tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...], str]


def locale_key(text: str) -> CollationKey:
    """A key that sorts like `localeCompare` without a locale."""
    primary: list[int] = []
    accents: list[int] = []
    cases: list[bool] = []
    for char in normalize("NFD", text):
        kind = category(char)
        if kind == "Mn":
            accents.append(_ACCENTS.get(char, ord(char)))
            continue
        small = char.lower()
        expanded = small.translate(_EXPANDED)
        for each in expanded:
            if (rank := _rank(each, kind)) is not None:
                primary.append(rank)
                accents.append(_NO_ACCENT)
                cases.append(char != small)
        if expanded != small:
            accents.append(_STROKE)
    return tuple(primary), tuple(accents), tuple(cases), text


def _rank(char: str, kind: str) -> int | None:
    """Where `char` stands among all, None for what does not count at all."""
    rank = _RANKS.get(char)
    if rank is not None:
        return rank
    if kind in ("Cc", "Cf"):
        return None
    if kind[0] in "PSZ":
        return _DIGITS - 1
    return _LETTERS + ord(char)
