"""The policy stays within what the MANIFEST allows, and names only files that exist."""

from corpus.policy import BY_NAME, OK, SERVED_KINDS, leaves_choice, manifest_word, permitted
from corpus.uploads import UPLOADS, each_upload
from photic.errors import IMAGE_STATUS


@each_upload
def test_every_upload_has_an_answer_that_exists(upload):
    answers = permitted(upload)
    assert answers
    assert answers <= {OK, *IMAGE_STATUS}


def test_the_manifest_is_followed_where_it_leaves_no_choice():
    ours = {upload for upload in UPLOADS if upload.name in BY_NAME or upload.kind in SERVED_KINDS}
    strict = [u for u in UPLOADS if not leaves_choice(u.expected) and u not in ours]
    assert {u.name for u in strict if permitted(u) != {manifest_word(u.expected)}} == set()


def test_pinned_names_exist():
    assert not UPLOADS or set(BY_NAME) <= {upload.name for upload in UPLOADS}
