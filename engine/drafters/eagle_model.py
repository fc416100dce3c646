"""A compiled EAGLE head with its context (see `engine.drafters.follower`)."""

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.drafters.bound_request import BoundRequest, compiled
from engine.drafters.follower import CONTEXT_ROWS, READ_AHEAD, Follower, Step
from engine.graphs.attention import BLOCK
from engine.graphs.dflash import DrafterWeights
from engine.graphs.eagle import build_context, build_first, build_next
from engine.kv_cache import KvCache
from engine.load_options import AUTOMATIC, LoadOptions

Floats = NDArray[np.float32]


class EagleModel(Follower):
    """A draft's first token comes with the context that waits, every further one is a run of `step`."""

    whole = False
    step: "EagleStep"

    def __init__(
        self, weights: DrafterWeights, options: LoadOptions = AUTOMATIC, kv_type: str = "f16"
    ) -> None:
        super().__init__(weights.shape)
        first = compiled(build_first(weights, CONTEXT_ROWS), options, kv_type)
        self.first = _bound(first, weights)
        self._context = BoundRequest(compiled(build_context(weights, CONTEXT_ROWS), options, kv_type))
        self.step = EagleStep(self, _bound(compiled(build_next(weights), options, kv_type), weights))
        others = (self._context.request, self.step.bound.request)
        self.cache = KvCache(self.first.request, first.inputs, BLOCK, self.shape.context, others=others)

    def absorb(self, most: int = 0) -> None:
        queue, done = self.queue, 0
        while queue.waiting - done > most:
            end = min(done + CONTEXT_ROWS, queue.waiting)
            self._enter(self._context, queue.behind[done:end], queue.tokens[done:end])
            self._place(self._context, queue.written + done, CONTEXT_ROWS)
            self._context.run()
            done = end
        queue.read(done)

    def draft(self, anchor: int, drafted: int) -> tuple[Floats, Floats]:
        self.absorb(most=READ_AHEAD)
        first, queue, rows = self.first, self.queue, self.waiting + 1
        self._enter(first, queue.behind, np.append(queue.tokens, anchor))
        first.put("row", np.array([rows - 1], dtype=np.int32))
        # a lone row takes another kernel for attention: one of padding goes with it
        self._place(first, queue.written, max(rows, 2), CONTEXT_ROWS - max(rows, 2))
        first.run()
        queue.read(rows - 1)
        return first.output("logits"), first.output("hidden")

    def run_next(self, bound: BoundRequest, row: int, previous: int, state: Floats) -> None:
        """Row `row` of the draft, after the token `previous`."""
        bound.put("state", state)
        bound.put("input_ids", np.array([previous], dtype=np.int64))
        self._place(bound, self.queue.written + row, 1)
        bound.run()

    def _enter(self, bound: BoundRequest, features: Floats, tokens: NDArray[np.int64]) -> None:
        bound.room("features", (CONTEXT_ROWS, features.shape[1]))[: len(features)] = features
        bound.room("input_ids", (CONTEXT_ROWS,), np.int64)[: len(tokens)] = tokens


class EagleStep(Step):
    """Each run reads the state that the one before it left."""

    def __init__(self, model: EagleModel, bound: BoundRequest) -> None:
        self.bound, self._model = bound, model

    def reset(self) -> None:
        """A draft begins with row 0, which is computed already."""

    def run(self, row: int, previous: int) -> tuple[Floats, float | None]:
        found = self._model.first if row == 0 else self.bound
        if row > 0:
            before = self._model.first if row == 1 else self.bound
            self._model.run_next(self.bound, row, previous, before.output("new_state"))
        sure = float(found.output("confidence")[0, 0]) if self._model.shape.confidence else None
        return found.output("logits")[0], sure


def _bound(model: ov.CompiledModel, weights: DrafterWeights) -> BoundRequest:
    """Its outputs have their places."""
    bound, shape = BoundRequest(model), weights.shape
    for name, width in (("logits", shape.draft_vocab), ("new_state", shape.hidden), ("hidden", shape.hidden)):
        bound.room(name, (1, width))
    return bound
