"""The API describes itself, without the internet."""

import re

from asgi_call import fetch


def test_the_page_loads_nothing_from_elsewhere(serving):
    reply = fetch(serving().app, "GET", "/docs")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/html")
    page = reply.body.decode()
    assert "://" not in page
    assert not re.search(r"""(src|href)=["']?//""", page)
    assert "default-src 'self'" in reply.headers["content-security-policy"]


def test_the_page_shows_the_document(serving):
    assert 'fetch("openapi.json")' in fetch(serving().app, "GET", "/docs").body.decode()


def test_the_page_never_makes_html_of_text(serving):
    page = fetch(serving().app, "GET", "/docs").body.decode()
    assert "innerHTML" not in page
    assert "document.write" not in page


def test_every_path_of_the_index_exists(serving):
    app = serving().app
    index = fetch(app, "GET", "/").json()
    assert index.pop("name") == "photic"
    assert index.pop("version")
    for path in index.values():
        assert fetch(app, "OPTIONS", path).status == 204
