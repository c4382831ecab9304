"""What is compared: the columns that name it, or files, folders, keys and crossed labels."""

from __future__ import annotations

from collections.abc import Sequence

from podium.reading.inferring.column_facts import Column, groups
from podium.reading.inferring.field_names import looks_compared
from podium.reading.inferring.scored_tables import Open
from podium.reading.inferring.wide_roles import WideTable
from podium.reading.loading.sources import FILE, FOLDER

_FIRST = ("model", "algorithm", "method", "system", "framework", "agent", "provider", "command")


class Contenders(WideTable):
    """A table of which it is found what it compares."""

    # -- algorithms ---------------------------------------------------------------------------

    def _algorithm(self, scores: list[Column]) -> list[str]:
        if "algorithm" in self.roles:
            return self.roles["algorithm"]
        labels = [c for c in self.free if c.kind in ("text", "outcome") or c.is_whole]
        names = [c for c in labels if c.role == "algorithm" and not c.is_long]
        if not names:
            called = [c for c in labels if c.is_contender and c.kind == "text" and not c.is_long]
            names = [c for c in called if c.role is None] or called
            self.traps += ["named"] if names else []
        if not names:
            return [c.name for c in self._told_by_place(labels)] if scores else []
        names.sort(key=lambda c: _rank(c.words, _FIRST))
        chosen = [names[0]]
        for other in names[1:]:
            _, alone = groups(chosen, self.rows)
            _, both = groups([*chosen, other], self.rows)
            if both > alone and not other.is_text_field:
                chosen.append(other)
                self.open.append(
                    Open(
                        f"whether '{other.name}' is part of the algorithm, as '{names[0].name}' is"
                    )
                )
            else:
                self.reasons[other.name] = f"told by '{chosen[0].name}' already"
        return [c.name for c in chosen]

    def _told_by_place(self, labels: list[Column]) -> list[Column]:
        """What is compared, where no name says it: files, folders, keys, or what is crossed."""
        places = [c for c in self.free if c.name == FILE or c.name.startswith(FOLDER)]
        keys = [c for c in labels if self.loaded.paths.get(c.name, "").endswith("{}")]
        if self.loaded.files > 1 and places:
            folders = [c for c in places if c.name.startswith(FOLDER) and self._is_crossed(c)]
            return (folders or [c for c in places if c.name == FILE] or places)[:1]
        texts = [c for c in labels if c.kind == "text" and not c.is_text_field and not c.is_when]
        texts = [c for c in texts if not c.is_judge and not c.is_where and c.filled.all()]
        texts = [c for c in texts if c.role in (None, "dataset") and 2 <= c.count <= self.rows / 2]
        rows_named = any(c.kind == "text" and c.count == self.rows for c in self.free)
        texts = [] if rows_named else [c for c in texts if self._is_crossed(c)]
        among = [c for c in keys if c.kind == "text"] or keys[:1] or texts
        if not among:
            return []
        among.sort(key=self._unlike_compared)
        if len(among) > 1 or among[0] not in keys:
            self.open.append(Open(f"whether '{among[0].name}' names what is compared"))
        return among[:1]

    def _unlike_compared(self, c: Column) -> tuple[bool, float, int]:
        """Columns in the order in which they may name what is compared, the likeliest first."""
        return c.is_block, -round(looks_compared({*c.cells}), 1), c.count

    def _is_crossed(self, c: Column) -> bool:
        """Whether the values of a column come with the same values of another label."""
        for other in self.free:
            if other is c or other.name == FILE or not (other.kind == "text" or other.is_whole):
                continue
            pairs = groups([c, other], self.rows)[1]
            if other.count > 1 and pairs >= 0.8 * c.count * other.count and pairs < self.rows + 1:
                return True
        return False


def _rank(words: Sequence[str], order: Sequence[str]) -> int:
    return next((i for i, w in enumerate(order) if w in words), len(order))
