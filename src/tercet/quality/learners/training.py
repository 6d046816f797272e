"""scikit-learn's learners, their grids of settings, and what they have learnt as numbers.

    svr                 RBF kernel, the learner of the shared tasks' baseline
    ridge, pls          linear: least squares with a penalty; partial least squares
    extra-trees         extremely randomised trees (as de Souza et al. 2013)
    gradient-boosting   trees, each on what those before it left
    gaussian-process    RBF kernel with noise (as Beck et al. 2013)

Rows are standardised and labels are divided by their deviation before they get here, so that one grid fits all labels.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import Array
from tercet.errors import extra
from tercet.quality.learners.fitted import LearntFunction

Setting = Mapping[str, float]
NEEDS_EXTRA = "Training of quality estimation"

GRIDS: dict[str, dict[str, tuple[float, ...]]] = {
    "svr": {"C": (1, 10), "gamma": (0.001, 0.0034, 0.01, 0.03), "epsilon": (0.1, 0.18)},
    "ridge": {"alpha": (0.1, 1, 10, 100, 1000)},
    "pls": {"components": (1, 2, 3, 5, 8)},
    "extra-trees": {"leaf": (3, 8)},
    "gradient-boosting": {"depth": (2, 3), "rate": (0.05,)},
    "gaussian-process": {"noise": (1,)},
}
MOST_ROWS = {"svr": 8000, "gaussian-process": 1000}  # work grows with the square or the cube of them
TREES = {"extra-trees": 200, "gradient-boosting": 150}


def library() -> Any:
    """scikit-learn with the parts that are used."""
    for part in ("svm", "linear_model", "cross_decomposition", "ensemble", "gaussian_process.kernels"):
        extra(f"sklearn.{part}", "scikit-learn", "learn", NEEDS_EXTRA)
    return sys.modules["sklearn"]


def settings_of(learner: str) -> list[Setting]:
    """Every point of a learner's grid."""
    names = list(GRIDS[learner])
    return [dict(zip(names, point, strict=True)) for point in itertools.product(*GRIDS[learner].values())]


def train_model(learner: str, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    """A trained model of scikit-learn."""
    return _TRAIN[learner](library(), setting, rows, labels, seed)


def export(model: Any) -> LearntFunction:
    """What a model of scikit-learn has learnt."""
    return _EXPORT[type(model).__name__](model)


def fit(learner: str, setting: Setting, rows: Array, labels: Array, seed: int) -> LearntFunction:
    """Train, and keep the numbers only."""
    return export(train_model(learner, setting, rows, labels, seed))


def _svr(sklearn: Any, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    return sklearn.svm.SVR(C=setting["C"], gamma=setting["gamma"], epsilon=setting["epsilon"]).fit(rows, labels)


def _ridge(sklearn: Any, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    return sklearn.linear_model.Ridge(alpha=setting["alpha"]).fit(rows, labels)


def _pls(sklearn: Any, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    components = int(min(setting["components"], rows.shape[1], len(rows) - 1))
    return sklearn.cross_decomposition.PLSRegression(max(components, 1), scale=False).fit(rows, labels)


def _extra_trees(sklearn: Any, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    trees = sklearn.ensemble.ExtraTreesRegressor(
        TREES["extra-trees"], min_samples_leaf=int(setting["leaf"]), random_state=seed, n_jobs=-1
    )
    return trees.fit(rows, labels)


def _boosting(sklearn: Any, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    trees = sklearn.ensemble.GradientBoostingRegressor(
        n_estimators=TREES["gradient-boosting"],
        max_depth=int(setting["depth"]),
        learning_rate=setting["rate"],
        subsample=0.7,
        random_state=seed,
    )
    return trees.fit(rows, labels)


def _process(sklearn: Any, setting: Setting, rows: Array, labels: Array, seed: int) -> Any:
    import warnings

    parts = sklearn.gaussian_process.kernels
    width = float(np.sqrt(rows.shape[1]))
    kernel = parts.ConstantKernel(1.0) * parts.RBF(width) + parts.WhiteKernel(setting["noise"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a width is at the end of its range moves nothing
        return sklearn.gaussian_process.GaussianProcessRegressor(kernel, random_state=seed).fit(rows, labels)


_TRAIN: dict[str, Callable[[Any, Setting, Array, Array, int], Any]] = {
    "svr": _svr,
    "ridge": _ridge,
    "pls": _pls,
    "extra-trees": _extra_trees,
    "gradient-boosting": _boosting,
    "gaussian-process": _process,
}


def _from_svr(model: Any) -> LearntFunction:
    arrays = {"supports": np.array(model.support_vectors_), "coefficients": np.array(model.dual_coef_[0])}
    return LearntFunction("kernel", {"gamma": float(model.gamma), "intercept": float(model.intercept_[0])}, arrays)


def _from_linear(model: Any) -> LearntFunction:
    """By what it predicts for nothing, and for one of each feature."""
    n = int(model.n_features_in_)
    start = float(np.ravel(model.predict(np.zeros((1, n))))[0])
    return LearntFunction("linear", {"intercept": start}, {"weights": np.ravel(model.predict(np.eye(n))) - start})


def _from_process(model: Any) -> LearntFunction:
    scale, width = model.kernel_.k1.k1.constant_value, model.kernel_.k1.k2.length_scale
    arrays = {"supports": np.array(model.X_train_), "coefficients": scale * np.ravel(model.alpha_)}
    return LearntFunction("kernel", {"gamma": float(1 / (2 * width**2)), "intercept": 0.0}, arrays)


def _from_forest(model: Any) -> LearntFunction:
    return _from_trees([tree.tree_ for tree in model.estimators_], 0.0, 1 / len(model.estimators_))


def _from_boosting(model: Any) -> LearntFunction:
    start = float(np.ravel(model.init_.constant_)[0])
    return _from_trees([tree.tree_ for tree in model.estimators_[:, 0]], start, model.learning_rate)


def _from_trees(trees: Sequence[Any], start: float, rate: float) -> LearntFunction:
    leaves = np.concatenate([tree.value[:, 0, 0] for tree in trees])
    return LearntFunction("trees", {"start": start, "rate": float(rate)}, {**flattened(trees), "leaves": leaves})


def flattened(trees: Sequence[Any]) -> dict[str, np.ndarray[Any, Any]]:
    """The nodes of all trees, end to end, without what their leaves say."""
    offsets = np.cumsum([0, *(tree.node_count for tree in trees)])

    def moved(name: str) -> np.ndarray[Any, Any]:
        parts = [getattr(tree, name) for tree in trees]
        return np.concatenate([np.where(p < 0, -1, p + at) for p, at in zip(parts, offsets, strict=False)])

    return {
        "roots": offsets[:-1].astype(np.int64),
        "features": np.concatenate([np.maximum(tree.feature, 0) for tree in trees]).astype(np.int64),
        "thresholds": np.concatenate([tree.threshold for tree in trees]),
        "lefts": moved("children_left").astype(np.int64),
        "rights": moved("children_right").astype(np.int64),
    }


_EXPORT: dict[str, Callable[[Any], LearntFunction]] = {
    "SVR": _from_svr,
    "Ridge": _from_linear,
    "PLSRegression": _from_linear,
    "ExtraTreesRegressor": _from_forest,
    "GradientBoostingRegressor": _from_boosting,
    "GaussianProcessRegressor": _from_process,
}
