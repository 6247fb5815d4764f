"""``photic predict`` as a process: right labels, JSON Lines, exit codes, no traceback."""

import json
import os
from pathlib import Path

import pytest
from PIL import Image

from oracle.photos import LABELS, jpeg, photo
from photic_command import error_line, on_a_terminal, run_photic


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos of every kind of name and format, a broken one, and files that are no images."""
    root = tmp_path_factory.mktemp("photos")
    (root / "chelsea.jpg").write_bytes(jpeg(photo("chelsea")))
    (root / "below").mkdir()
    Image.fromarray(photo("coffee")).save(root / "below" / "coffee.png")
    Image.fromarray(photo("rocket")).save(root / "below" / "rocket.WEBP", "WEBP", quality=90)
    (root / "cut.jpg").write_bytes(jpeg(photo("chelsea"))[:9000])
    (root / "notes.txt").write_text("no image")
    (root / ".hidden.jpg").write_bytes(b"no image")
    return root


def json_lines(text: str) -> dict[str, dict[str, object]]:
    lines = [json.loads(line) for line in text.splitlines()]
    return {line.pop("path"): line for line in lines}


@pytest.mark.parametrize("name", LABELS)
def test_names_what_the_photos_show(tmp_path: Path, name: str) -> None:
    (tmp_path / "photo.jpg").write_bytes(jpeg(photo(name)))
    done = run_photic("predict", "photo.jpg", "--top-k", "1", cwd=tmp_path)
    [[path, index, label, score]] = [line.split("\t") for line in done.stdout.splitlines()]
    assert (path, label.split(",")[0]) == ("photo.jpg", LABELS[name])
    assert (0 < float(score) <= 1, index.isdigit()) == (True, True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_gives_json_lines_and_a_bad_file_does_not_stop_the_rest(folder: Path) -> None:
    done = run_photic("predict", "--json", "--top-k", "2", ".", cwd=folder)
    lines = json_lines(done.stdout)
    assert sorted(lines) == ["below/coffee.png", "below/rocket.WEBP", "chelsea.jpg", "cut.jpg"]
    assert lines["cut.jpg"]["error"]["code"] == "truncated"
    assert lines["cut.jpg"]["error"]["status"] == 422
    chelsea = lines["chelsea.jpg"]
    assert chelsea.keys() == {"model", "version", "variant", "predictions"}
    assert (chelsea["model"], chelsea["version"]) == ("efficientnet-lite0", 1)
    assert [one["index"] for one in chelsea["predictions"]] == [282, 285]
    assert lines["below/coffee.png"]["predictions"][0]["label"] == "espresso"
    assert lines["below/rocket.WEBP"]["predictions"][0]["label"].startswith("missile")
    assert (done.returncode, done.stderr) == (1, "")


def test_rows_for_programs_and_errors_on_stderr(folder: Path) -> None:
    done = run_photic("predict", "cut.jpg", "none.jpg", "chelsea.jpg", cwd=folder)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["chelsea.jpg"] * 5
    cut, none = done.stderr.splitlines()
    assert cut.startswith("photic: cut.jpg: truncated: ")
    assert none == "photic: none.jpg: unreadable_file: No such file or directory"
    assert done.returncode == 1


def test_standard_input(folder: Path) -> None:
    data = (folder / "chelsea.jpg").read_bytes()
    done = run_photic("predict", "-", "--json", cwd=folder, stdin=data)
    assert json_lines(done.stdout)["-"]["predictions"][0]["index"] == 282
    assert done.returncode == 0


def test_nothing_on_standard_input(folder: Path) -> None:
    done = run_photic("predict", "-", cwd=folder)
    assert done.stderr.startswith("photic: -: empty: ")
    assert done.returncode == 1


def test_patterns_and_empty_folders(folder: Path, tmp_path: Path) -> None:
    done = run_photic("predict", "--json", f"{folder}/**/c*.???", "*.gif", tmp_path, cwd=folder)
    lines = json_lines(done.stdout)
    found = sorted(Path(path).name for path, line in lines.items() if path.startswith(str(folder)))
    assert found == ["chelsea.jpg", "coffee.png", "cut.jpg"]
    assert lines["*.gif"]["error"]["detail"] == "the pattern matches no file"
    assert "holds no images" in lines[str(tmp_path)]["error"]["detail"]
    assert done.returncode == 1


def test_names_that_are_no_unicode_and_names_that_move_the_cursor(tmp_path: Path) -> None:
    data = jpeg(photo("chelsea"))
    for name in (b"caf\xe9.jpg", b"red\x1b[31m\n.jpg"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(data)
    as_json = run_photic("predict", "--json", ".", cwd=tmp_path)
    assert sorted(json_lines(as_json.stdout)) == ["caf\ufffd.jpg", "red\x1b[31m\n.jpg"]
    rows = run_photic("predict", ".", "--top-k", "1", cwd=tmp_path)
    assert "\x1b" not in rows.stdout
    assert len(rows.stdout.splitlines()) == 2


def test_people_get_a_table(folder: Path) -> None:
    shown = on_a_terminal("predict", "chelsea.jpg", "cut.jpg", cwd=folder)
    assert "tiger cat" in shown
    assert "truncated: " in shown
    assert "Image" in shown
    assert shown.count("chelsea.jpg") == 1


def test_one_image_gets_a_compact_table(folder: Path) -> None:
    shown = on_a_terminal("predict", "chelsea.jpg", "--top-k", "2", cwd=folder)
    heading, *rows = [line.rstrip() for line in shown.splitlines()]
    assert "Label" in heading
    assert [row.split()[0] for row in rows] == ["282", "285"]
    cut = on_a_terminal("predict", "cut.jpg", cwd=folder)
    assert cut.startswith("photic: cut.jpg: truncated: ")
    assert len(cut.splitlines()) == 1


def test_many_images_get_a_progress_bar(folder: Path) -> None:
    few = on_a_terminal("predict", *["chelsea.jpg"] * 3, cwd=folder)
    many = on_a_terminal("predict", *["chelsea.jpg"] * 12, cwd=folder)
    assert ("100%" in few, "100%" in many) == (False, True)


def test_the_shared_embedding_model(folder: Path, shared: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "embed.toml"
    recipe.write_text(
        'task = "embedding"\n[input]\nsize = [224, 224]\nresize = 256\nfilter = "bicubic"\n'
        "pixel_range = 255.0\nmean = [127, 127, 127]\nstd = [128, 128, 128]\n"
    )
    model = shared / "models" / "efficientnet-lite0-embed.onnx"
    options = ("--model", model, "--recipe", recipe)
    done = run_photic("predict", "--json", "chelsea.jpg", *options, cwd=folder)
    line = json_lines(done.stdout)["chelsea.jpg"]
    assert line.keys() == {"model", "version", "variant", "embedding"}
    assert sum(value * value for value in line["embedding"]) == pytest.approx(1.0, abs=1e-4)
    rows = run_photic("predict", "chelsea.jpg", *options, cwd=folder)
    [values] = [line.split("\t")[1].split() for line in rows.stdout.splitlines()]
    assert [float(v) for v in values] == pytest.approx(line["embedding"], abs=1e-4)


EMBEDDED = Path(__file__).parents[2] / "src/photic/models/embedded/efficientnet-lite0/1/model.onnx"


def test_a_bare_file_and_a_repository_answer_alike(folder: Path, tmp_path: Path) -> None:
    bare = run_photic(
        "predict",
        "chelsea.jpg",
        *("--model", EMBEDDED, "--recipe", "efficientnet-lite", "--labels", "imagenet-1k"),
        cwd=folder,
    )
    (tmp_path / "pets").symlink_to(EMBEDDED.parents[1])
    own = run_photic("predict", "chelsea.jpg", "--model-repository", tmp_path, cwd=folder)
    assert bare.stdout == own.stdout != ""
    assert (bare.returncode, own.returncode) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing argument 'PATH...'."),
        (("--jsn", "a.jpg"), "No such option '--jsn'."),
        (("a.jpg", "--top-k", "0"), 'models.top_k = "0" (from --top-k) must be an integer'),
        (("a.jpg", "--top-k", "5000"), "top_k is 5000; it must be from 1 to 1000"),
        (("a.jpg", "--model", "nope"), "there is no model `nope`; known: efficientnet-lite0"),
        (("a.jpg", "--model", "nope.onnx", "--recipe", "clip"), "nope.onnx: cannot read the model"),
        (("a.jpg", "--model", "nope.onnx"), "an ONNX file needs a recipe"),
        (("a.jpg", "--recipe", "imagenet"), "--recipe imagenet needs --model FILE.onnx"),
        (("a.jpg", "--model-repository", "nope"), "no such model repository folder"),
        (("a.jpg", "--config", "nope.toml"), "nope.toml: cannot read the settings"),
        (("a.jpg", "--set", "decode"), "'decode' lacks a '='"),
        (("a.jpg", "--set", "decode.max_pixel=1"), "did you mean `decode.max_pixels`?"),
        (
            ("a.jpg", "--model", str(EMBEDDED), "--recipe", "imagnet", "--labels", "imagenet-1k"),
            "neither a file nor a preset; did you mean `imagenet`?",
        ),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = run_photic("predict", *arguments, cwd=tmp_path)
    assert words in error_line(done)
    assert done.returncode == 2


def test_labels_that_do_not_match_are_refused_with_the_numbers(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("cat\ndog\n")
    options = ("--model", EMBEDDED, "--recipe", "imagenet", "--labels", "two.txt")
    done = run_photic("predict", "a.jpg", *options, cwd=tmp_path)
    assert "the label file has 2 lines but the output has 1000" in error_line(done)
    assert done.returncode == 2


def test_limits_of_the_settings_hold(folder: Path) -> None:
    done = run_photic("predict", "chelsea.jpg", cwd=folder, PHOTIC_DECODE_MAX_PIXELS="1000")
    assert done.stderr.startswith("photic: chelsea.jpg: too_many_pixels: ")
    assert done.returncode == 1
