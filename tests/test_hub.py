"""Models from the hub: what a repository holds, what of it runs, and files that come whole or not at all."""

import contextlib
import errno
import json
import threading
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import cli
from engine.errors import SlipstreamError
from engine.models import disk, hub_token
from engine.models.catalogue import Catalogue
from engine.models.choices import choices
from engine.models.download import RefusedError
from engine.models.hub import GatedError
from engine.models.hub_files import HubFile, parse, require_safe
from engine.models.hub_search import search
from engine.models.hub_token import TokenKeeper
from engine.models.hub_verdict import Kind
from engine.models.meter import CancelledError
from engine.models.order import Order, order
from engine.models.store import ModelStore
from tests.fake_hub import REVISION, FakeHub
from tests.fake_registry import FakeRegistry, Fault
from tests.gguf_files import tiny_gguf
from tests.tiny_checkpoints import Folder, write
from tests.tiny_ir import halves, write_ir

REPO = "maker/tiny-GGUF"
BLOB = "0" * 40


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with FakeRegistry() as registry:
        monkeypatch.setenv("HF_ENDPOINT", registry.url)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield FakeHub(registry)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    return tiny_gguf(tmp_path / "tiny.gguf").read_bytes()


def chosen(store: ModelStore, repo: str, label: str = "") -> Order:
    repository = store.look(repo)
    found = choices(repository)
    return order(repository, next(each for each in found if label in ("", each.label)))


def split_gguf(content: bytes) -> dict[str, bytes]:
    return {"README.md": b"hello", "tiny-Q8_0.gguf": content, "tiny-Q4_K_M.gguf": content + b"\0" * 32}


# ------------------------------------------------------------------ what there is


def test_a_search_says_at_once_what_runs_and_why_the_rest_does_not(hub: FakeHub) -> None:
    hub.add("a/known-GGUF", {}, tags=["gguf", "license:mit"], gguf={"architecture": "qwen3"})
    hub.add("b/strange-GGUF", {}, tags=["gguf"], gguf={"architecture": "mamba"})
    hub.add("c/ir", {}, tags=["openvino"], gated="auto", cardData={"license": "apache-2.0"})
    hub.add("d/checkpoint", {}, tags=["safetensors"], config={"model_type": "qwen3_5"})
    hub.add("e/other", {}, tags=["safetensors"], config={"model_type": "bloom"})
    hub.add("f/pictures", {}, tags=["safetensors"], pipeline_tag="text-to-image")
    hub.add("g/Qwen_eagle3", {}, tags=["safetensors"], config={"model_type": "llama"})
    hub.add("h/nothing", {})
    hub.add("../../etc", {}, tags=["gguf"])

    found = {each.repo: each for each in search("tiny")}

    assert [repo for repo, each in found.items() if each.verdict.runs] == [
        "a/known-GGUF",
        "c/ir",
        "d/checkpoint",
    ]
    assert "mamba" in found["b/strange-GGUF"].verdict.reason
    assert "bloom" in found["e/other"].verdict.reason
    assert "text to image" in found["f/pictures"].verdict.reason
    assert "published EAGLE drafter" in found["g/Qwen_eagle3"].verdict.reason
    assert "no GGUF" in found["h/nothing"].verdict.reason
    assert "../../etc" not in found
    assert (found["c/ir"].gated, found["c/ir"].licence, found["a/known-GGUF"].licence) == (
        True,
        "Apache-2.0",
        "MIT",
    )
    assert "search=tiny" in hub.registry.asked[-1].path


def test_an_empty_search_asks_nobody(hub: FakeHub) -> None:
    assert search("  ") == []
    assert hub.registry.asked == []


def test_a_search_that_is_refused_says_why(hub: FakeHub) -> None:
    hub.registry.locked["/api/models"] = "a token that nobody has"
    with pytest.raises(SlipstreamError, match="access token"):
        search("x")
    hub.registry.locked.clear()
    hub.registry.files.clear()
    with pytest.raises(SlipstreamError, match="HTTP 404"):
        search("x")


def test_a_search_without_a_connection_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(SlipstreamError, match="can't be reached"):
        search("x")


def test_quantisations_are_told_apart_and_split_files_belong_together() -> None:
    def file(name: str, size: int = 5) -> HubFile:
        return HubFile(name, size, "a" * 64)

    names = [
        "Q4/m-Q4_K_M-00002-of-00002.gguf",
        "Q4/m-Q4_K_M-00001-of-00002.gguf",
        "m-UD-IQ2_XXS.gguf",
        "m-bf16.gguf",
    ]
    more = ["m-mmproj-f16.gguf", "m-Q8_0-00001-of-00003.gguf", "README.md"]
    told = {"id": "a/m", "sha": REVISION, "siblings": []}
    repository = parse(told)
    object.__setattr__(repository, "files", tuple(file(name) for name in names + more))

    found = {choice.label: choice for choice in choices(repository)}

    assert set(found) == {"Q4_K_M", "UD-IQ2_XXS", "BF16", "Q8_0"}
    assert [each.path[-19:] for each in found["Q4_K_M"].files] == [
        "00001-of-00002.gguf",
        "00002-of-00002.gguf",
    ][:2]
    assert found["Q4_K_M"].size == 10
    assert "missing" in found["Q8_0"].reason


@pytest.mark.parametrize(
    "name",
    [
        "",
        "../x",
        "a/../b",
        "/etc/passwd",
        "a//b",
        "C:\\x",
        "a\\..\\b",
        "a\0b",
        "con",
        "a/NUL.gguf",
        "com1.json",
        "x.",
        "x /y",
        "a:stream",
        "tab\tx",
        "x" * 201,
        "./a",
        "lpt9 .txt",
    ],
)
def test_file_names_that_leave_their_folder_are_refused(name: str) -> None:
    with pytest.raises(SlipstreamError, match="no safe name"):
        require_safe(name)
    told = {"id": "a/m", "sha": REVISION, "siblings": [{"rfilename": name, "size": 1, "blobId": BLOB}]}
    assert parse(told).files == ()


def test_an_order_outlives_the_program_and_a_tampered_one_is_refused(
    hub: FakeHub, content: bytes, tmp_path: Path
) -> None:
    hub.add(REPO, split_gguf(content), tags=["gguf"])
    made = chosen(hub.store(tmp_path), REPO, "Q8_0")
    assert (made.name, made.title, made.files[0].size) == ("tiny-q8_0", "tiny, Q8_0", len(content))

    told = made.told()
    assert Order.parse(told) == made
    with pytest.raises(SlipstreamError):
        Order.parse({**told, "name": "../evil"})
    with pytest.raises(SlipstreamError):
        Order.parse({**told, "files": [{"path": "../../x", "size": 1, "sha256": "a" * 64, "blob": ""}]})
    with pytest.raises(SlipstreamError):
        Order.parse({**told, "repo": "maker/../../x"})


# ------------------------------------------------------------------ one file


def test_a_quantisation_is_fetched_and_says_where_it_is_from(
    hub: FakeHub, content: bytes, tmp_path: Path
) -> None:
    hub.add(REPO, split_gguf(content), tags=["gguf"], cardData={"license": "mit"})
    store = hub.store(tmp_path)

    store.fetch_order(chosen(store, REPO, "Q8_0"))

    (model,) = store.installed()
    assert (model.name, model.source, model.licence) == ("tiny-q8_0", "hub", "MIT")
    assert (model.origin, model.architecture) == (f"{REPO}@{REVISION}", "llama")
    assert (store.path(model.name) / "model.gguf").read_bytes() == content


def test_a_file_that_is_no_model_is_not_installed(hub: FakeHub, tmp_path: Path) -> None:
    hub.add(REPO, {"tiny-Q8_0.gguf": b"not what it says"}, tags=["gguf"])
    store = hub.store(tmp_path)
    with pytest.raises(SlipstreamError):
        store.fetch_order(chosen(store, REPO))
    assert store.installed() == store.damaged() == []


def test_a_proxy_and_a_mirror_are_used(
    hub: FakeHub, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a mirror that only a proxy reaches WHEN searched and fetched from THEN the proxy is asked."""
    hub.add(REPO, split_gguf(content), tags=["gguf"])
    mirror = "http://mirror.invalid"
    hub.registry.files = {mirror + path: data for path, data in hub.registry.files.items()}
    monkeypatch.setenv("HF_ENDPOINT", mirror)
    monkeypatch.setenv("HTTP_PROXY", hub.registry.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert [each.repo for each in search("tiny")] == [REPO]
    store = hub.store(tmp_path)
    store.fetch_order(chosen(store, REPO))
    assert store.is_installed("tiny-q8_0")
    assert all(asked.path.startswith(mirror) for asked in hub.registry.asked)


def test_a_disk_that_becomes_full_keeps_what_is_there(
    hub: FakeHub, tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = hub.store(tmp_path / "home")
    wanted = chosen(store, tiny)

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "sync_file", full)
        with pytest.raises(SlipstreamError, match="disk became full"):
            store.fetch_order(wanted)
    asked = len(hub.registry.asked)
    store.fetch_order(wanted)
    assert len(hub.registry.asked) - asked < len(wanted.files)


def test_a_fetch_cut_at_half_goes_on_from_there(hub: FakeHub, content: bytes, tmp_path: Path) -> None:
    hub.add(REPO, split_gguf(content), tags=["gguf"])
    path = hub.path(REPO, "tiny-Q8_0.gguf")
    half = len(content) // 2
    hub.registry.faults[path].append(Fault(after=half))
    store = hub.store(tmp_path)

    store.fetch_order(chosen(store, REPO, "Q8_0"))

    assert [asked.range for asked in hub.registry.asked_for(path)] == ["", f"bytes={half}-"]
    assert hub.registry.served[path] == len(content)


def test_two_makers_models_of_one_name_are_told_apart(hub: FakeHub, content: bytes, tmp_path: Path) -> None:
    for repo, data in (
        (REPO, content),
        ("other/tiny-GGUF", tiny_gguf(tmp_path / "o.gguf", seed=5).read_bytes()),
    ):
        hub.add(repo, {"tiny-Q8_0.gguf": data}, tags=["gguf"])
    store = hub.store(tmp_path)
    for repo in (REPO, "other/tiny-GGUF", REPO):
        repository = store.look(repo)
        store.fetch_order(store.order(repository, choices(repository)[0]))
    assert [model.name for model in store.installed()] == ["other-tiny-q8_0", "tiny-q8_0"]


# ------------------------------------------------------------------ a folder


@pytest.fixture
def tiny(hub: FakeHub, tmp_path: Path) -> str:
    folder = write(tmp_path / "checkpoint", Folder("llama"))
    (folder / "special_tokens_map.json").write_bytes(b"")  # repositories do hold empty files
    hub.add_folder("maker/tiny", folder, tags=["safetensors"], config={"model_type": "llama"})
    return "maker/tiny"


def test_an_openvino_folder_is_fetched_and_imported(hub: FakeHub, tmp_path: Path) -> None:
    repo = "OpenVINO/tiny-ov"
    hub.add_folder(repo, write_ir(tmp_path / "ir", halves), tags=["openvino"])
    store = hub.store(tmp_path / "home")
    stages: list[str] = []

    store.fetch_order(chosen(store, repo), lambda progress: stages.append(progress.stage))

    (model,) = store.installed()
    assert (model.name, model.source, model.origin) == ("tiny-ov", "hub", f"{repo}@{REVISION}")
    assert stages[0] == "download"
    assert "copy" in stages
    assert not [path for path in (tmp_path / "home/models/.incoming").glob("*") if path.is_dir()]


def test_a_catalogue_model_that_is_a_folder_is_fetched(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    source = {"kind": "hub folder", "repo": tiny, "revision": "main"}
    entry = {"title": "T", "licence": "MIT", "architecture": "llama", "size_bytes": 9, "sha256": None}
    catalogue = {"models": {"t": {**entry, "sources": [source]}}, "pairs": {}}
    store = ModelStore(tmp_path / "home", Catalogue.parse(catalogue))
    store.fetch("t")
    (model,) = store.installed()
    assert (model.name, model.title, model.licence, model.origin) == ("t", "T", "MIT", f"{tiny}@{REVISION}")


def test_of_a_folder_only_the_torn_file_goes_on(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    """GIVEN a folder cut in its largest file WHEN fetched again THEN nothing that had arrived is asked for again."""
    store = hub.store(tmp_path / "home", attempts=1)
    wanted = chosen(store, tiny)
    largest = max(wanted.files, key=lambda file: file.size)
    path = hub.path(tiny, largest.path)
    hub.registry.faults[path].append(Fault(after=largest.size // 2))
    with pytest.raises(SlipstreamError, match=r"model\.safetensors.*what has arrived is kept"):
        store.fetch_order(wanted)
    asked = len(hub.registry.asked)

    store.fetch_order(wanted)

    assert [each.path for each in hub.registry.asked[asked:]] == [path]
    assert hub.registry.asked[-1].range == f"bytes={largest.size // 2}-"
    assert hub.registry.served[path] == largest.size


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_flipped_bit_is_found_and_the_file_fetched_anew(
    hub: FakeHub, tiny: str, tmp_path: Path, name: str
) -> None:
    path = hub.path(tiny, name)
    good = hub.registry.files[path]
    hub.registry.faults[path].append(Fault(body=good[:-1] + bytes([good[-1] ^ 1])))
    store = hub.store(tmp_path / "home")
    wanted = chosen(store, tiny)
    with pytest.raises(SlipstreamError, match="damaged or another file"):
        store.fetch_order(wanted)
    assert store.installed() == []

    store.fetch_order(wanted)
    assert [model.name for model in store.installed()] == ["tiny"]


def test_a_busy_hub_is_asked_again_when_it_says(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    path = hub.path(tiny, "model.safetensors")
    hub.registry.faults[path] += [Fault(status=429, headers=(("Retry-After", "7"),)), Fault(status=503)]
    hub.registry.faults[path] += [Fault(status=503, headers=(("Retry-After", formatdate(0, usegmt=True)),))]
    store = hub.store(tmp_path / "home")
    store.fetch_order(chosen(store, tiny))
    assert sum(hub.waits) >= 7
    assert store.is_installed("tiny")


def test_a_stall_is_left_and_a_cancel_needs_no_answer(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    path = hub.path(tiny, "model.safetensors")
    half = len(hub.registry.files[path]) // 2
    hub.registry.faults[path] += [Fault(after=half, hang=True), Fault(after=10, hang=True)]
    cancel = threading.Event()
    store = hub.store(tmp_path / "home", silence_s=0.3)
    wanted = chosen(store, tiny)
    past = sum(file.size for file in wanted.files) - len(hub.registry.files[path]) + half
    with pytest.raises(CancelledError):
        store.fetch_order(wanted, lambda told: told.done <= past or cancel.set(), cancel)
    hub.registry.faults[path].clear()
    store.fetch_order(wanted)
    assert hub.registry.served[path] == len(hub.registry.files[path])


def test_another_host_sees_no_token(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    hub_token.keeper.set(hub.registry.url, "hf_secret")
    path = hub.path(tiny, "model.safetensors")
    with FakeRegistry() as elsewhere:
        elsewhere.files["/blob"] = hub.registry.files[path]
        hub.registry.redirects[path] = f"{elsewhere.url}/blob"
        store = hub.store(tmp_path / "home")
        store.fetch_order(chosen(store, tiny))
        assert [asked.authorization for asked in elsewhere.asked] == [""]
    assert hub.registry.asked_for(path)[0].authorization == "Bearer hf_secret"


def test_a_full_disk_is_found_before_the_first_byte(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    store = hub.store(tmp_path / "home", free=1000)
    wanted = chosen(store, tiny)
    asked = len(hub.registry.asked)
    with pytest.raises(SlipstreamError, match="disk space"):
        store.fetch_order(wanted)
    assert len(hub.registry.asked) == asked


def test_two_fetches_at_once_bring_the_files_once(hub: FakeHub, tiny: str, tmp_path: Path) -> None:
    path = hub.path(tiny, "model.safetensors")
    hub.registry.faults[path].append(Fault(after=10, hang=True))
    stores = [hub.store(tmp_path / "home"), hub.store(tmp_path / "home")]
    wanted = chosen(stores[0], tiny)
    waits = threading.Event()
    first = threading.Thread(target=stores[0].fetch_order, args=(wanted,))
    first.start()
    while hub.registry.served[path] < 10:
        threading.Event().wait(0.01)
    second = threading.Thread(
        target=stores[1].fetch_order, args=(wanted, lambda told: told.stage != "wait" or waits.set())
    )
    second.start()
    assert waits.wait(20)
    hub.registry.release.set()
    for thread in (first, second):
        thread.join(30)
    assert stores[0].is_installed("tiny")
    assert hub.registry.served[path] == len(hub.registry.files[path])


# ------------------------------------------------------------------ gated models and tokens


def test_a_gated_model_says_what_to_do_and_comes_with_the_token(
    hub: FakeHub, tiny: str, tmp_path: Path
) -> None:
    hub.lock(tiny, "hf_mine")
    store = hub.store(tmp_path / "home")
    wanted = chosen(store, tiny)
    with pytest.raises(GatedError, match=f"{tiny}.*access token") as refused:
        store.fetch_order(wanted)
    assert refused.value.repo == tiny

    assert not hub_token.keeper.set(hub.registry.url, "hf_mine")  # no keyring here: for this run only
    store.fetch_order(wanted)

    assert store.is_installed("tiny")
    kept = [
        path for path in (tmp_path / "home").rglob("*") if path.is_file() and b"hf_mine" in path.read_bytes()
    ]
    assert kept == []


def test_a_gated_single_file_says_the_same(hub: FakeHub, content: bytes, tmp_path: Path) -> None:
    hub.add(REPO, split_gguf(content), tags=["gguf"])
    hub.lock(REPO, "hf_mine")
    store = hub.store(tmp_path)
    with pytest.raises(GatedError, match="access token"):
        store.fetch_order(chosen(store, REPO))


class MemoryKeyring:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


def test_a_token_is_kept_in_the_keyring_for_its_own_hub_only() -> None:
    keyring = MemoryKeyring()
    assert TokenKeeper(lambda: keyring).set("https://hub", " hf_x\n")
    again = TokenKeeper(lambda: keyring)
    assert (again.get("https://hub"), again.get("https://mirror")) == ("hf_x", None)
    again.forget("https://hub")
    assert (keyring.kept, again.get("https://hub")) == ({}, None)


@pytest.mark.parametrize("token", ["", "two words", "hf_\x07", "hf_ü", "x" * 501])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(SlipstreamError, match="no access token"):
        TokenKeeper(MemoryKeyring).set("https://hub", token)


def test_a_choice_that_is_an_openvino_model_names_what_it_lacks() -> None:
    told = {
        "id": "a/m",
        "sha": REVISION,
        "siblings": [
            {"rfilename": name, "size": 1, "blobId": BLOB}
            for name in ("openvino_model.xml", "openvino_model.bin")
        ],
    }
    (only,) = choices(parse(told))
    assert (only.kind, "config.json" in only.reason) == (Kind.OPENVINO, True)


# ------------------------------------------------------------------ the command line


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["models", *arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_command_line_searches_and_fetches(
    hub: FakeHub, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.add(REPO, split_gguf(content), tags=["gguf"], gguf={"architecture": "llama"})
    hub.add("b/strange-GGUF", {}, tags=["gguf"], gguf={"architecture": "mamba"})

    _, out, _ = run(capsys, "search", "tiny")
    assert f"{REPO}  (gguf, not stated)\n" in out
    assert "does not run: its architecture is mamba" in out
    code, _, err = run(capsys, "fetch", REPO)
    assert code == 1
    assert "--choice: Q8_0" in err
    code, out, _ = run(capsys, "fetch", REPO, "--choice", "q8_0", "--json")
    assert (code, json.loads(out)) == (0, {"fetched": "tiny-q8_0"})


# ------------------------------------------------------------------ answers that no honest hub gives

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
FILE = st.fixed_dictionaries(
    {}, optional={"rfilename": JSON, "size": JSON, "blobId": JSON | st.just(BLOB), "lfs": JSON}
)
ANSWER = JSON | st.fixed_dictionaries(
    {},
    optional={"id": JSON, "sha": JSON, "siblings": JSON | st.lists(FILE, max_size=3)}
    | dict.fromkeys(("tags", "gguf", "config", "cardData", "gated"), JSON),
)


@settings(max_examples=120, deadline=None)
@given(ANSWER)
def test_whatever_the_hub_answers_is_a_repository_or_refused(told: object) -> None:
    try:
        repository = parse(told)
    except RefusedError:
        return
    for choice in choices(repository):
        assert all(require_safe(file.path) for file in choice.files)


@settings(max_examples=80, deadline=None)
@given(JSON | st.fixed_dictionaries({"files": JSON | st.lists(FILE, max_size=2), "kind": JSON}))
def test_whatever_a_queue_file_holds_is_an_order_or_refused(told: dict[str, object]) -> None:
    with contextlib.suppress(SlipstreamError, KeyError, TypeError, ValueError, AttributeError):
        Order.parse(told)
