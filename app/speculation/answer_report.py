"""Everything that is known of how an answer was made, in sections of names and figures."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app.speculation import definitions, numbers, words
from app.speculation.trace import Facts, Trace
from app.speculation.worth import speedup_of, why_no_speedup
from engine.metrics import Stats

Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """`stats` as they were when the answer ended; `trace` None where no passes were recorded."""

    stats: Stats
    trace: Trace | None

    @property
    def facts(self) -> Facts:
        return self.trace.facts if self.trace is not None else {}

    def sections(self) -> list[tuple[str, list[Row]]]:
        tr = QCoreApplication.translate
        found = [
            (tr("Report", "Speed"), self._speed()),
            (tr("Report", "Speculation"), self._speculation()),
            (tr("Report", "Context"), self._context()),
            (tr("Report", "Made with"), made_with(self.facts)),
        ]
        return [(title, rows) for title, rows in found if rows]

    def as_text(self) -> str:
        parts = []
        for title, rows in self.sections():
            lines = [f"{name}: {value}".replace("\n", ", ") for name, value in rows]
            parts.append("\n".join([title, *lines]))
        return "\n\n".join(parts).replace("\u00a0", " ").replace("\u202f", " ")

    def as_json(self) -> dict[str, object]:
        runs = self.trace.runs if self.trace is not None else []
        return {"stats": asdict(self.stats), "runs": [dict(facts) for _, facts in runs]}

    def _speed(self) -> list[Row]:
        tr = QCoreApplication.translate
        stats, speedup = self.stats, speedup_of(self.stats)
        names = definitions.figures()
        rows = [
            (tr("Report", "Tokens"), numbers.whole(stats.tokens)),
            (tr("Report", "Speed"), numbers.speed(stats.tokens_per_second)),
            (names["plain"][0], numbers.speed(stats.plain_tokens_per_second)),
        ]
        worth = why_no_speedup(stats, ended=True) if speedup is None else f"{numbers.decimal(speedup, 2)}×"
        rows += [
            (tr("Report", "Speedup"), worth),
            (definitions.details()["ttft"][0], numbers.seconds(stats.ttft_s)),
            (tr("Report", "Time of writing"), numbers.seconds(stats.decode_s)),
        ]
        return rows

    def _speculation(self) -> list[Row]:
        stats, names = self.stats, {**definitions.figures(), **definitions.details()}
        rows = [
            (names["passes"][0], numbers.whole(stats.target_passes)),
            (names["per_pass"][0], numbers.decimal(stats.tokens_per_pass, 2)),
        ]
        if stats.drafted:
            rows += [
                (names["acceptance"][0], words.acceptance(stats)),
                (names["drafted"][0], words.shares(stats)),
            ]
        return rows

    def _context(self) -> list[Row]:
        names = definitions.details()
        rows = [(names["prompt"][0], words.prompt(self.stats.prompt_tokens, None))]
        if self.stats.context_limit:
            rows.append((names["context"][0], words.context(self.stats)))
        return rows


def made_with(facts: Facts) -> list[Row]:
    """Models and settings; only what was recorded."""
    tr = QCoreApplication.translate
    rows = [
        (tr("Report", "Models"), str(facts.get("title") or "")),
        (tr("Report", "Speculation switch"), _switch(str(facts.get("switch") or ""))),
        (tr("Report", "Guesses in a pass"), _draft_tokens(facts)),
        (tr("Report", "Same text without speculation"), _exact(facts.get("exact"))),
    ]
    sampling = facts.get("sampling")
    if isinstance(sampling, Mapping):
        rows += _sampling(sampling)
    rows += [
        (tr("Report", "Longest answer"), _count(facts.get("max_tokens"))),
        (tr("Report", "Begun"), _moment(facts.get("at"))),
    ]
    return [(name, value) for name, value in rows if value]


def _sampling(sampling: Mapping[str, object]) -> list[Row]:
    """Temperature and seed always; the rest where it is not off."""
    tr = QCoreApplication.translate
    off = {
        "top_k": 0,
        "top_p": 1.0,
        "min_p": 0.0,
        "repetition_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
    }
    names = {
        "temperature": tr("Report", "Temperature"),
        "top_k": "Top-k",
        "top_p": "Top-p",
        "min_p": "Min-p",
        "repetition_penalty": tr("Report", "Repetition penalty"),
        "presence_penalty": tr("Report", "Presence penalty"),
        "frequency_penalty": tr("Report", "Frequency penalty"),
        "seed": tr("Report", "Seed"),
    }
    return [
        (name, _plain(sampling[key]))
        for key, name in names.items()
        if key in sampling and sampling[key] != off.get(key)
    ]


def _plain(value: object) -> str:
    return numbers.decimal(value, 2) if isinstance(value, float) else str(value)


def _count(value: object) -> str:
    return numbers.count_of_tokens(value) if isinstance(value, int) else ""


def _switch(mode: str) -> str:
    tr = QCoreApplication.translate
    return {"auto": tr("State", "Auto"), "on": tr("State", "On"), "off": tr("State", "Off")}.get(mode, "")


def _draft_tokens(facts: Facts) -> str:
    fixed = facts.get("draft_tokens")
    if isinstance(fixed, int):
        return numbers.whole(fixed)
    if facts.get("switch") == "auto":
        return QCoreApplication.translate("Report", "as many as pay")
    return ""


def _exact(exact: object) -> str:
    tr = QCoreApplication.translate
    if exact is None:
        return ""
    return tr("Report", "yes, bit for bit") if exact else tr("Report", "not certain on this machine")


def _moment(at: object) -> str:
    moment = QDateTime.fromString(str(at or ""), "yyyy-MM-ddTHH:mm:ssttt")
    return (
        QLocale().toString(moment.toLocalTime(), QLocale.FormatType.ShortFormat) if moment.isValid() else ""
    )
