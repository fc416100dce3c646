"""Which model drafts for given weights."""

from engine.drafters.block_model import BlockModel
from engine.drafters.eagle_model import EagleModel
from engine.drafters.follower import Follower
from engine.graphs.dflash import DrafterWeights
from engine.load_options import AUTOMATIC, LoadOptions


def follower_of(weights: DrafterWeights, options: LoadOptions = AUTOMATIC) -> Follower:
    """Errors: SlipstreamError when OpenVINO can't prepare it."""
    return (EagleModel if weights.shape.feeds_back else BlockModel)(weights, options)
