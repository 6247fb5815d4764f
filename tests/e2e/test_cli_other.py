"""``photic preprocess``, ``models``, ``config`` and the command itself, as processes."""

import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from oracle.photos import jpeg, photo
from photic import Predictor, __version__
from photic.cpu_budget import plan_cpus
from photic.settings import CpuSettings
from photic.settings_loader import setting_types
from photic_command import COMMAND, clean_environment, error_line, on_a_terminal, run_photic

MODEL = Path(__file__).parents[2] / "src/photic/models/embedded/efficientnet-lite0/1/model.onnx"
RECIPE = 'labels = "imagenet-1k"\n[input]\nsize = [224, 224]\nresize = 256\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("photos")
    (root / "chelsea.jpg").write_bytes(jpeg(photo("chelsea")))
    return root


@pytest.mark.parametrize("exact", [False, True])
def test_preprocess_saves_what_the_model_sees(folder: Path, exact: bool) -> None:
    options = ["--exact"] if exact else []
    done = run_photic("preprocess", "chelsea.jpg", "-o", "row.bin", *options, cwd=folder)
    row = np.load(io.BytesIO((folder / "row.bin").read_bytes()))
    assert (row.shape, row.dtype) == ((3, 224, 224), np.float32)
    low, high = f"{row.min():.6g}", f"{row.max():.6g}"
    assert done.stdout == f"row.bin: [3, 224, 224] float32, from {low} to {high}\n"
    assert done.returncode == 0
    with Predictor() as predictor:
        expected = predictor.preprocess(folder / "chelsea.jpg", exact=exact)
    np.testing.assert_array_equal(row, expected)


def test_preprocess_reads_standard_input(folder: Path, tmp_path: Path) -> None:
    data = (folder / "chelsea.jpg").read_bytes()
    run_photic("preprocess", "-", "-o", tmp_path / "piped.npy", cwd=folder, stdin=data)
    run_photic("preprocess", "chelsea.jpg", "-o", tmp_path / "named.npy", cwd=folder)
    np.testing.assert_array_equal(np.load(tmp_path / "piped.npy"), np.load(tmp_path / "named.npy"))


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (("chelsea.jpg",), "Missing option '-o'", 2),
        (("none.jpg", "-o", "row.npy"), "none.jpg: No such file or directory", 1),
        ((".", "-o", "row.npy"), ".: is a folder, not a regular file", 1),
        (("/dev/zero", "-o", "row.npy"), "/dev/zero: is a device, not a regular file", 1),
        (("chelsea.jpg", "-o", "/dev/full"), "cannot write '/dev/full': No space left", 1),
        (("chelsea.jpg", "-o", "none/row.npy"), "'none/row.npy': No such file or directory", 1),
        (("-", "-o", "row.npy"), "the body is empty", 1),
    ],
)
def test_preprocess_errors(folder: Path, arguments: tuple[str, ...], words: str, code: int) -> None:
    done = run_photic("preprocess", *arguments, cwd=folder)
    assert words in error_line(done)
    assert done.returncode == code
    assert not (folder / "row.npy").exists()


@pytest.fixture
def repository_folder(tmp_path: Path) -> Path:
    """A good model with two versions, a bare one, and one whose recipe has a slip."""
    for name, version in (("good", 1), ("good", 3), ("bare", 2), ("slip", 1)):
        target = tmp_path / name / str(version)
        target.mkdir(parents=True)
        (target / "model.onnx").symlink_to(MODEL)
    (tmp_path / "good" / "model.toml").write_text(RECIPE)
    (tmp_path / "slip" / "model.toml").write_text(f"{RECIPE}men = [0, 0, 0]\n")
    return tmp_path


def test_preprocess_writes_the_row_to_standard_output(folder: Path, tmp_path: Path) -> None:
    """Finding 16g: `-o -` wrote a file named `-`."""
    run_photic("preprocess", "chelsea.jpg", "-o", tmp_path / "row.npy", cwd=folder)
    with subprocess.Popen(
        [COMMAND, "preprocess", folder / "chelsea.jpg", "-o", "-"],
        cwd=tmp_path,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        data, words = process.communicate(timeout=60)
    assert data == (tmp_path / "row.npy").read_bytes()
    assert words.decode().startswith("standard output: [3, 224, 224] float32, from ")
    assert process.returncode == 0
    assert not (tmp_path / "-").exists()


def test_preprocess_refuses_an_endless_standard_input(folder: Path) -> None:
    """Finding 4."""
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [COMMAND, "preprocess", "-", "-o", "row.npy", "--set", "body.max_bytes=1000000"],
            cwd=folder,
            env=clean_environment(),
            stdin=endless,
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert b"body.max_bytes allows 1000000" in done.stderr
    assert done.returncode == 1


def test_models_lists_all_and_says_what_is_wrong(repository_folder: Path) -> None:
    done = run_photic("models", "--json", "--model-repository", ".", cwd=repository_folder)
    found = {info["name"]: info for info in json.loads(done.stdout)}
    assert list(found) == ["bare", "good", "slip", "efficientnet-lite0"]
    assert found["good"] == {
        "name": "good",
        "versions": [1, 3],
        "location": "good",
        "task": "classification",
        "input": "224 x 224 RGB NCHW",
        "labels": 1000,
    }
    assert found["bare"]["input"] == "input [batch, 3, 224, 224] tensor(float)"
    assert "there is no model.toml" in found["bare"]["problem"]
    assert "did you mean `mean`?" in found["slip"]["problem"]
    assert found["efficientnet-lite0"]["location"] == "embedded"
    assert (done.returncode, done.stderr) == (0, "")


def test_models_as_rows(repository_folder: Path) -> None:
    options = ("--model-repository", ".", "--embedded", "false")
    done = run_photic("models", *options, cwd=repository_folder)
    heading, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert heading == ["Model", "Versions", "Task", "Input", "Labels", "Location", "Problem"]
    good = ["good", "1, 3", "classification", "224 x 224 RGB NCHW", "1000", "good", "-"]
    assert rows[1] == good
    assert len(rows) == 3


def test_models_has_a_cell_for_each_heading(repository_folder: Path) -> None:
    """Finding 5: seven headings stood over six cells."""
    done = run_photic("models", "--model-repository", ".", cwd=repository_folder)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [len(row) for row in rows] == [7] * 5
    problems = {row[0]: (row[5], row[6]) for row in rows[1:]}
    assert problems["bare"][0] == "bare"
    assert "there is no model.toml" in problems["bare"][1]
    assert problems["efficientnet-lite0"] == ("embedded", "-")


def test_models_shows_problems_under_the_table(repository_folder: Path) -> None:
    shown = on_a_terminal("models", "--model-repository", ".", cwd=repository_folder)
    table, *problems = shown.replace("\r", "").split("\nnot served: ")
    assert [problem.split(":")[0] for problem in problems] == ["bare", "slip/model.toml"]
    assert "Problem" not in table
    assert "efficientnet-lite0" in table


def test_an_embedding_has_no_labels_to_count(repository_folder: Path) -> None:
    """Finding 16f: it was said to have 0."""
    recipe = 'task = "embedding"\n[input]\nsize = [224, 224]\nresize = 256\n'
    (repository_folder / "bare" / "model.toml").write_text(recipe)
    options = ("--model-repository", ".")
    [bare, *_] = json.loads(run_photic("models", "--json", *options, cwd=repository_folder).stdout)
    assert (bare["task"], "labels" in bare) == ("embedding", False)
    row = run_photic("models", *options, cwd=repository_folder).stdout.splitlines()[1]
    assert row.split("\t")[4] == "-"


def test_the_output_in_the_documentation_is_real(tmp_path: Path) -> None:
    target = tmp_path / "models" / "my-model" / "1"
    target.mkdir(parents=True)
    (target / "model.onnx").symlink_to(MODEL)
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text()
    shown = page.split("```console\n$ photic models --model-repository models --embedded false\n")[
        1
    ]
    done = run_photic(
        *("models", "--model-repository", "models", "--embedded", "false"), cwd=tmp_path
    )
    assert done.stdout == shown.split("```")[0]


def test_the_only_model_of_a_repository_is_the_default_one(
    folder: Path, repository_folder: Path
) -> None:
    image = folder / "chelsea.jpg"
    several = run_photic("predict", image, "--model-repository", ".", cwd=repository_folder)
    assert "several models, bare, good, slip; choose one with --model" in error_line(several)
    options = ("--model-repository", ".", "--model", "good", "--json")
    named = run_photic("predict", image, *options, cwd=repository_folder)
    assert json.loads(named.stdout)["version"] == 3
    bare = run_photic("predict", image, *options[:3], "bare", cwd=repository_folder)
    assert "a recipe is needed" in error_line(bare)


def test_config_shows_values_and_origins(tmp_path: Path) -> None:
    (tmp_path / "photic.toml").write_text("[server]\nport = 9000\nhost = '0.0.0.0'\n")
    done = run_photic(
        *("config", "--json", "--cpus", "3", "--set", "decode.max_scans=7"),
        cwd=tmp_path,
        PHOTIC_SERVER_HOST="::1",
    )
    report = json.loads(done.stdout)
    shown = {one["name"]: (one["value"], one["origin"]) for one in report["settings"]}
    assert shown.keys() == setting_types().keys()
    assert shown["server.port"] == (9000, "photic.toml")
    assert shown["server.host"] == ("::1", "PHOTIC_SERVER_HOST")
    assert shown["cpu.cpus"] == (3.0, "--cpus")
    assert shown["decode.max_scans"] == (7, "--set")
    assert shown["body.max_images"] == (16, "default")
    plan = report["cpu_plan"]
    assert plan["workers"] == 3
    assert plan["reasons"].keys() < plan.keys()
    assert all(plan["reasons"].values())
    assert report["native"]["libjpeg_turbo"]


def test_config_for_people(tmp_path: Path) -> None:
    done = run_photic("config", cwd=tmp_path)
    assert "server.port\t8000\tdefault" in done.stdout.splitlines()
    plan = plan_cpus(CpuSettings())
    assert f"CPU plan for {plan.share}" in done.stdout.splitlines()
    workers = f"workers\t{plan.workers}\t{plan.reasons.workers}"
    assert workers in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        (
            "[server]\nprot = 1\n",
            "photic.toml: [server] has no setting `prot`; did you mean `port`",
        ),
        ("[server]\nport = 70000\n", "server.port = 70000 (from photic.toml) must be an integer"),
    ],
)
def test_a_bad_setting_is_one_line(tmp_path: Path, toml: str, words: str) -> None:
    (tmp_path / "photic.toml").write_text(toml)
    done = run_photic("config", cwd=tmp_path)
    assert words in error_line(done)
    assert done.returncode == 2


def test_version_and_help(tmp_path: Path) -> None:
    assert run_photic("--version", cwd=tmp_path).stdout.startswith(f"photic {__version__} (")
    assert "predict" in run_photic("--help", cwd=tmp_path).stdout
    alone = run_photic(cwd=tmp_path)
    assert (alone.returncode, "Commands:" in alone.stderr) == (2, True)


@pytest.mark.parametrize("command", ["serve", "predict", "preprocess", "models", "config"])
def test_every_option_is_explained(tmp_path: Path, command: str) -> None:
    done = run_photic(command, "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--config FILE" in done.stdout


def test_an_unknown_command(tmp_path: Path) -> None:
    done = run_photic("predikt", cwd=tmp_path)
    assert error_line(done).startswith("No such command 'predikt'.")
    assert done.returncode == 2
