from pathlib import Path

import pytest

from photic.cli.model_options import choose_model
from photic.errors import ModelFileError
from photic.models.repository import embedded_repository
from photic.settings import ModelSettings

EMBEDDED = "efficientnet-lite0"


def add_models(root: Path, *names: str) -> str:
    for name in names:
        (root / name / "1").mkdir(parents=True)
    return str(root)


@pytest.mark.parametrize("wanted", ["", EMBEDDED])
def test_without_a_repository_it_is_the_embedded_one(wanted: str) -> None:
    repository, name = choose_model(ModelSettings(), wanted)
    assert (repository.root, name) == (embedded_repository().root, EMBEDDED)


@pytest.mark.parametrize(
    ("own", "wanted", "name", "embedded"),
    [
        (("pets",), "", "pets", False),
        (("pets", "cars"), "cars", "cars", False),
        (("pets", "cars"), EMBEDDED, EMBEDDED, True),
        (("pets", EMBEDDED), EMBEDDED, EMBEDDED, False),
    ],
)
def test_the_users_models_come_first(
    tmp_path: Path, own: tuple[str, ...], wanted: str, name: str, embedded: bool
) -> None:
    settings = ModelSettings(repository=add_models(tmp_path, *own))
    repository, chosen = choose_model(settings, wanted)
    assert chosen == name
    assert repository.root == (embedded_repository().root if embedded else tmp_path)


def test_several_models_need_a_choice(tmp_path: Path) -> None:
    settings = ModelSettings(repository=add_models(tmp_path, "pets", "cars"))
    with pytest.raises(ModelFileError, match="several models, cars, pets; choose one with --model"):
        choose_model(settings, "")


def test_a_switched_off_embedded_model_is_not_found(tmp_path: Path) -> None:
    settings = ModelSettings(repository=add_models(tmp_path, "pets"), embedded=False)
    repository, _ = choose_model(settings, EMBEDDED)
    assert repository.names() == ("pets",)
