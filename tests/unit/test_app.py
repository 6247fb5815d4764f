"""Which models are served, and which of them is the default."""

import shutil
from pathlib import Path

import pytest

from photic.app import BareModel, choose_models
from photic.errors import ConfigurationError
from photic.models.repository import embedded_repository
from photic.settings import ModelSettings

EMBEDDED = "efficientnet-lite0"
BUNDLE = embedded_repository().bundle(EMBEDDED)
TOML = BUNDLE.path.parents[1] / "model.toml"


@pytest.fixture
def repository(tmp_path):
    """Makes a repository of models, each with versions, out of the embedded one."""

    def make(**models: tuple[int, ...]) -> str:
        for name, versions in models.items():
            folder = tmp_path / name.replace("_", "-")
            for version in versions:
                (folder / str(version)).mkdir(parents=True)
                (folder / str(version) / "model.onnx").symlink_to(BUNDLE.path)
            for file in ("model.toml", "labels.txt"):
                shutil.copy(TOML.parent / file, folder / file)
        return str(tmp_path)

    return make


def chosen(settings: ModelSettings, bare: BareModel | None = None) -> tuple[set, str]:
    bundles, default = choose_models(settings, bare)
    return {(bundle.name, bundle.version) for bundle in bundles}, default


def test_alone_the_embedded_model_is_the_default():
    assert chosen(ModelSettings()) == ({(EMBEDDED, 1)}, EMBEDDED)


def test_the_only_model_of_the_user_is_the_default(repository):
    settings = ModelSettings(repository=repository(ours=(1, 3)))
    assert chosen(settings) == ({("ours", 1), ("ours", 3), (EMBEDDED, 1)}, "ours")


def test_among_several_of_the_user_the_embedded_one_is(repository):
    settings = ModelSettings(repository=repository(ours=(1,), other=(1,)))
    assert chosen(settings)[1] == EMBEDDED


def test_instead_of_the_embedded_one(repository):
    settings = ModelSettings(repository=repository(ours=(1,)), embedded=False)
    assert chosen(settings) == ({("ours", 1)}, "ours")


def test_the_default_may_be_named(repository):
    settings = ModelSettings(repository=repository(ours=(1,), other=(1,)), default="other")
    assert chosen(settings)[1] == "other"


def test_the_users_model_hides_the_embedded_one_of_the_same_name(repository):
    settings = ModelSettings(repository=repository(efficientnet_lite0=(7,)))
    assert chosen(settings) == ({(EMBEDDED, 7)}, EMBEDDED)


def test_a_bare_model_is_one_of_the_users(tmp_path, repository):
    bare = BareModel(BUNDLE.path, str(TOML), "imagenet-1k")
    names, default = chosen(ModelSettings(), bare)
    assert len(names) == 2
    assert default != EMBEDDED
    with_others = ModelSettings(repository=repository(ours=(1,)))
    assert chosen(with_others, bare)[1] == EMBEDDED


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (ModelSettings(embedded=False), "nothing to serve"),
        (ModelSettings(default="other"), f"'other' is not served; there is: {EMBEDDED}"),
        (ModelSettings(repository="/no/such/folder"), "/no/such/folder"),
    ],
)
def test_what_cannot_be_served(settings, says):
    with pytest.raises(ConfigurationError, match=says):
        choose_models(settings, None)


def test_several_models_and_no_default(repository):
    settings = ModelSettings(repository=repository(ours=(1,), other=(1,)), embedded=False)
    with pytest.raises(ConfigurationError, match=r"models.default .* is not set.*other, ours"):
        choose_models(settings, None)


def test_a_bare_model_named_like_one_of_the_repository(tmp_path, repository):
    root = repository(ours=(1,))
    path = Path(tmp_path / "ours.onnx")
    shutil.copy(BUNDLE.path, path)
    with pytest.raises(ConfigurationError, match="'ours', too; rename the file"):
        choose_models(ModelSettings(repository=root), BareModel(path, str(TOML), "imagenet-1k"))
