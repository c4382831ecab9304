"""Completion of words in bash, which cuts them at some signs."""

from __future__ import annotations

from click.shell_completion import BashComplete, CompletionItem, add_completion_class

BREAKS = "=:"  # where bash cuts a word in two, and puts in the last part only


class Bash(BashComplete):
    """Completion of words such as `ignore=col`, which bash hands over in pieces."""

    source_template = BashComplete.source_template.replace(
        "    return 0\n",
        "    [[ ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace\n    return 0\n",
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words as they were typed, and the begun one."""
        words, begun = super().get_completion_args()
        whole = joined_words([*words, begun])
        return whole[:-1], whole[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """What stands behind the last break, as bash keeps what stands before it."""
        cut = max((item.value.rfind(sign) for sign in BREAKS), default=-1) + 1
        typed = cut and cut < len(item.value)  # not of `ignore=`, where nothing follows yet
        return f"{item.type},{item.value[cut:] if typed else item.value}"


def joined_words(words: list[str]) -> list[str]:
    """Words that bash cut at = and :, in one piece again.

    >>> joined_words(["analyze", "--columns", "ignore", "=", "co"])
    ['analyze', '--columns', 'ignore=co']
    """
    whole: list[str] = []
    glued = False
    for word in words:
        sign = bool(word) and set(word) <= set(BREAKS)
        if whole and (sign or glued):
            whole[-1] += word
        else:
            whole.append(word)
        glued = sign
    return whole


def complete_in_bash() -> None:
    """Let click complete so."""
    add_completion_class(Bash)
