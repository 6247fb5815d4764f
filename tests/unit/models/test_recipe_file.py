from pathlib import Path

import pytest

from photic.errors import ModelFileError
from photic.models.recipe import InputRecipe, ModelRecipe, OutputRecipe, Provenance
from photic.models.recipe_file import load_recipe, parse_recipe

WHOLE = """
task = "classification"
labels = "labels.txt"
[input]
size = [224, 192]
fit = "crop"
resize = 256
filter = "bicubic"
pixel_range = 1.0
mean = [0.485, 0.456, 0.406]
std = [0.229, 0.224, 0.225]
channels = "BGR"
layout = "NHWC"
orientation = "ignore"
decode = "exact"
[output]
scores = "sigmoid"
[gate]
top1 = 0.5
[provenance]
source = "here"
licence = "MIT"
"""


def parse(input_section: str, head: str = 'labels = "l.txt"') -> ModelRecipe:
    return parse_recipe(f"{head}\n[input]\n{input_section}\n", "m/model.toml")


def test_parses_every_field() -> None:
    assert parse_recipe(WHOLE, "m/model.toml") == ModelRecipe(
        task="classification",
        labels="labels.txt",
        input=InputRecipe(
            size=(224, 192),
            resize=256,
            filter="bicubic",
            mean=(0.485, 0.456, 0.406),
            std=(0.229, 0.224, 0.225),
            channels="BGR",
            layout="NHWC",
            orientation="ignore",
            decode="exact",
        ),
        output=OutputRecipe(scores="sigmoid"),
        gate={"top1": 0.5},
        provenance=Provenance(source="here", licence="MIT"),
    )


@pytest.mark.parametrize(
    "section",
    [
        "size = [224, 224]\nresize = 224",
        "size = [224, 224]\ncrop_fraction = 0.875",
        'size = [192, 320]\nfit = "letterbox"\npad = 0',
        'size = [8, 8]\nfit = "stretch"',
        # Raw levels, as MoveNet and uint8 inputs take them: no slip, though all are <= 1.
        'size = [8, 8]\nfit = "stretch"\npixel_range = 255.0\nmean = [0, 0, 0]\nstd = [1, 1, 1]',
        'size = [8, 8]\nfit = "stretch"\npixel_range = 255\nmean = [103.5, 116.3, 123.7]',
    ],
)
def test_accepts_combinations_that_work(section: str) -> None:
    parse(section)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("resize = 256", "[input] lacks `size`"),
        ("size = [8, 8]\nmen = [1, 1, 1]", "[input] has no field `men`; did you mean `mean`?"),
        ("size = [8, 8]\nresize = 8\nstd = [1, 0, 1]", "std = [1.0, 0.0, 1.0] must be above 0"),
        ("size = [8, 8]\nresize = 8\nstd = [1, -1, 1]", "must be above 0"),
        ("size = [8, 8]", "needs either resize"),
        ("size = [8, 8]", "neither is given"),
        ("size = [8, 8]\nresize = 8\ncrop_fraction = 0.9", "both is given"),
        ("size = [8, 9]\nresize = 8", "resize = 8 is smaller than size = [8, 9]"),
        ("size = [8, 9]\nresize = 8", "use at least 9"),
        ('size = [8, 8]\nfit = "stretch"\nresize = 8', 'no use with fit = "stretch"'),
        ('size = [8, 8]\nfit = "letterbox"\ncrop_fraction = 0.5', 'no use with fit = "letterbox"'),
        ('size = [8, 8]\nfit = "stretch"\npad = 3', 'pad = 3 has no use with fit = "stretch"'),
        ("size = [8, 8]\nresize = 8\npixel_range = 225", "pixel_range = 225 must be 1.0"),
        (
            "size = [8, 8]\nresize = 8\npixel_range = 255\nmean = [0.5, 0.5, 0.5]",
            "about 255 times too large; use pixel_range = 1.0",
        ),
        (
            "size = [8, 8]\nresize = 8\nmean = [123.7, 116.3, 103.5]",
            "mean = [123.7, 116.3, 103.5] is outside of pixel_range = 1; for values in units of",
        ),
        ("size = [8, 8]\nresize = 8\nmean = [nan, 0, 0]", "each a number, and finite"),
        ("size = [0, 8]\nresize = 8", "size = [0, 8] must be a list of 2"),
    ],
)
def test_refuses_contradictions_by_name(section: str, words: str) -> None:
    with pytest.raises(ModelFileError) as caught:
        parse(section)
    message = str(caught.value)
    assert message.startswith("m/model.toml: [input] ")
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("", 'task = "classification" needs labels'),
        ('task = "embedding"\nlabels = "l.txt"', 'labels = "l.txt" has no use'),
        ('task = "pose"', 'task = "pose" is not supported yet; supported: classification, embed'),
        ('task = "detection"', "not supported yet"),
        ('task = "tensor"', "not supported yet"),
        ('task = "clasification"', 'did you mean "classification"?'),
        ('taks = "embedding"', "has no field `taks`; did you mean `task`?"),
        ("labels = [", "not valid TOML"),
    ],
)
def test_refuses_tasks_and_labels_that_cannot_be(head: str, words: str) -> None:
    with pytest.raises(ModelFileError) as caught:
        parse("size = [8, 8]\nresize = 8", head)
    assert words in str(caught.value)


def test_an_embedding_needs_no_labels() -> None:
    assert parse("size = [8, 8]\nresize = 8", 'task = "embedding"').labels == ""


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot read the recipe: No such file"):
        load_recipe(tmp_path / "model.toml")
    (tmp_path / "model.toml").write_bytes(b"# K\xe4fer")
    with pytest.raises(ModelFileError, match="not UTF-8 at byte 3"):
        load_recipe(tmp_path / "model.toml")
