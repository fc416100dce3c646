"""`slipstream models`: the model store on the command line."""

import json
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.streams import say
from app.commands.terminal import interruptible, megabytes, progress_line
from engine.errors import SlipstreamError
from engine.models.meter import CancelledError

if TYPE_CHECKING:
    from engine.models.hub_search import Found
    from engine.models.store import ModelStore

Report = tuple[dict[str, Any], list[str]]  # what --json prints, and the same as lines


def run(options: Namespace, store: "ModelStore") -> int:
    report, lines = ACTIONS[options.action](options, store)
    text = json.dumps(report, ensure_ascii=False) if options.json else "\n".join(lines)
    if text:
        say(text)
    damaged = [model["detail"] for model in report.get("models", ()) if not model.get("ok", True)]
    if damaged:
        raise SlipstreamError(" ".join(damaged))
    return 0


def _list(_options: Namespace, store: "ModelStore") -> Report:
    used = store.last_used()
    models = [
        {
            "name": model.name,
            "title": model.title,
            "format": model.format,
            "size_bytes": model.size_bytes,
            "sha256": model.sha256,
            "licence": model.licence,
            "architecture": model.architecture,
            "source": model.source,
            "origin": model.origin,
            "last_used": used.get(model.name),
        }
        for model in store.installed()
    ]
    pairs = [{**asdict(pair), "missing_bytes": store.missing_bytes(pair)} for pair in store.pairs()]
    damaged = [{"name": model.name, "reason": model.reason} for model in store.damaged()]
    notes = [left_out.sentence(pair) for pair, left_out in store.shipped.all_left_out()]
    not_yet = [asdict(each) for each in store.catalogue.not_yet]
    lines = [
        *_model_lines(models),
        *_damaged_lines(damaged),
        "",
        *_pair_lines(pairs),
        *(["", *notes] if notes else []),
        *_not_yet_lines(not_yet),
    ]
    return {"models": models, "pairs": pairs, "damaged": damaged, "notes": notes, "not_yet": not_yet}, lines


def _model_lines(models: list[dict[str, Any]]) -> list[str]:
    if not models:
        return ["No model is installed; fetch one with: slipstream models fetch starter"]
    width = max(len(model["name"]) for model in models)
    rows = [
        f"  {model['name']:<{width}}  {megabytes(model['size_bytes']):>8}"
        f"  {model['format']}, {model['licence']}, {model['sha256'][:12]}"
        + (f", used {model['last_used'][:10]}" if model["last_used"] else "")
        + (f", from {model['origin'].partition('@')[0]}" if model["origin"] else "")
        for model in models
    ]
    return ["Installed models", *rows]


def _damaged_lines(damaged: list[dict[str, str]]) -> list[str]:
    return ["", "Damaged", *(f"  {model['name']}: {model['reason']}" for model in damaged)] if damaged else []


def _pair_lines(pairs: list[dict[str, Any]]) -> list[str]:
    width = max((len(pair["name"]) for pair in pairs), default=0)
    rows = [
        f"  {pair['name']:<{width}}  {pair['title']} "
        f"({megabytes(pair['missing_bytes']) + ' to fetch' if pair['missing_bytes'] else 'ready'})"
        for pair in pairs
    ]
    return ["Pairs", *rows]


def _not_yet_lines(models: list[dict[str, str]]) -> list[str]:
    return ["", "Not yet", *(f"  {model['repo']}: {model['reason']}" for model in models)] if models else []


def _search(options: Namespace, _store: "ModelStore") -> Report:
    from engine.models.hub_search import search

    found = search(options.text)
    lines = [
        f"{each.repo}  ({each.verdict.kind}, {each.licence}{', gated' if each.gated else ''})"
        + (f"\n  does not run: {each.verdict.reason}" if each.verdict.reason else "")
        for each in found
    ]
    return {"found": [_told(each) for each in found]}, lines or ["The hub has no model of that name."]


def _told(found: "Found") -> dict[str, Any]:
    told = asdict(found)
    verdict = told.pop("verdict")
    return told | {"kind": verdict["kind"], "runs": found.verdict.runs, "reason": verdict["reason"]}


def _fetch_from_hub(options: Namespace, store: "ModelStore") -> Report:
    """A repository's only model, or the one that --choice names."""
    from engine.models.choices import choices

    repository = store.look(options.name)
    found = choices(repository)
    named = [each for each in found if options.choice is None or each.label.lower() == options.choice.lower()]
    if len(named) != 1:
        labels = ", ".join(f"{each.label} ({megabytes(each.size)})" for each in found)
        problem = f"say which with --choice: {labels}" if found else "it holds no model that Slipstream reads"
        raise SlipstreamError(f"{repository.id} can't be fetched like this: {problem}.")
    if named[0].reason:
        raise SlipstreamError(f"{repository.id} does not run here: {named[0].reason}.")
    wanted = store.order(repository, named[0])
    with progress_line() as progress, interruptible() as cancel:
        store.fetch_order(wanted, progress, cancel)
    return {"fetched": wanted.name}, [f"{wanted.name} is ready."]


def _fetch(options: Namespace, store: "ModelStore") -> Report:
    if "/" in options.name:
        return _fetch_from_hub(options, store)
    with progress_line() as progress, interruptible() as cancel:
        store.fetch(options.name, progress, cancel)
    found = store.shipped.all_left_out()
    notes = [left_out.sentence(pair) for pair, left_out in found if pair.name == options.name]
    return {"fetched": options.name}, [f"{options.name} is ready.", *notes]


def _import(options: Namespace, store: "ModelStore") -> Report:
    with progress_line() as progress, interruptible() as cancel:
        name = store.import_file(Path(options.path), options.name, progress, cancel, options.format)
    return {"imported": name}, [f"Imported as {name}."]


def _formats(options: Namespace, _store: "ModelStore") -> Report:
    from engine.models.importing import formats

    offers = formats(Path(options.path))
    lines = [
        f"{offer.name:8} {megabytes(offer.bytes):>9}"
        + (f"  {1000 * offer.seconds_per_token:6.1f} ms a token" if offer.seconds_per_token else "")
        + ("  (default)" if offer.default else "")
        for offer in offers
    ]
    return {"formats": [asdict(offer) for offer in offers]}, lines


def _pair(options: Namespace, store: "ModelStore") -> Report:
    pair = store.make_pair(options.target, options.draft)
    return {"pair": asdict(pair)}, [f"{pair.name}: {pair.draft} drafts for {pair.target}."]


def _verify(options: Namespace, store: "ModelStore") -> Report:
    names = [options.name] if options.name else [model.name for model in store.installed()]
    models = [_verified(store, name) for name in names] + ([] if options.name else _damaged(store))
    lines = [f"{model['name']}: {model['detail']}" for model in models if model["ok"]]
    return {"models": models}, lines if models else ["No model is installed."]


def _verified(store: "ModelStore", name: str) -> dict[str, Any]:
    try:
        with progress_line() as progress, interruptible() as cancel:
            mended = store.verify(name, progress, cancel)
    except CancelledError:
        raise
    except SlipstreamError as error:
        return {"name": name, "ok": False, "detail": str(error)}
    return {"name": name, "ok": True, "detail": " ".join(["intact.", *mended]) if mended else "intact"}


def _damaged(store: "ModelStore") -> list[dict[str, Any]]:
    return [{"name": model.name, "ok": False, "detail": model.reason} for model in store.damaged()]


def _remove(options: Namespace, store: "ModelStore") -> Report:
    store.remove(options.name)
    return {"removed": options.name}, [f"Removed {options.name}."]


ACTIONS: dict[str, Callable[[Namespace, "ModelStore"], Report]] = {
    "list": _list,
    "search": _search,
    "fetch": _fetch,
    "import": _import,
    "formats": _formats,
    "pair": _pair,
    "verify": _verify,
    "remove": _remove,
}
