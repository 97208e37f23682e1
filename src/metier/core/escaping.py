"""How names, descriptions and locations are written into the text of an agent."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum


class Escape(Enum):
    """How names, descriptions and locations are written into the template."""

    NONE = "none"
    GO_HTML = "go-html"
    XML = "xml"
    JS_HTML = "js-html"  # `&quot;` and `&#39;` for quotes
    ENTITIES = "entities"  # the five characters that XML names, nothing else
    PYTHON_HTML = "python-html"  # `&quot;` and `&#x27;` for quotes
    XML_TEXT = "xml-text"  # `&`, `<` and `>`, as in XML outside of attributes
    HANDLEBARS = "handlebars"  # with `&#x27;`, and the backquote and `=` too
    ATTRIBUTE = "attribute"  # the same without the apostrophe
    JSON = "json"  # as within the quotes of a text in JSON


_GO_HTML = str.maketrans(
    {"&": "&amp;", "'": "&#39;", "<": "&lt;", ">": "&gt;", '"': "&#34;"}
)
_JS_HTML = _GO_HTML | str.maketrans({'"': "&quot;"})
_PYTHON_HTML = _JS_HTML | str.maketrans({"'": "&#x27;"})
_XML_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_XML_NAMED = _JS_HTML | str.maketrans({"'": "&apos;"})
_HANDLEBARS = _JS_HTML | str.maketrans({"'": "&#x27;", "`": "&#x60;", "=": "&#x3D;"})
_ATTRIBUTE = _JS_HTML | str.maketrans({"'": "'"})
# XML 1.0 has no way to write most controls, surrogates and two non-characters; a
# parser turns a bare carriage return into a line feed.
_XML = str.maketrans(
    {
        **{chr(code): "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"},
        **dict.fromkeys((*range(55296, 57344), 65534, 65535), "�"),
        "\r": "&#13;",
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&apos;",
    }
)


def _keep(text: str) -> str:
    return text


def escape_go_html(text: str) -> str:
    """What Go's `html.EscapeString` makes of `text`."""
    return text.translate(_GO_HTML)


def _escape_js_html(text: str) -> str:
    return text.translate(_JS_HTML)


def _escape_entities(text: str) -> str:
    return text.translate(_XML_NAMED)


def _escape_handlebars(text: str) -> str:
    return text.translate(_HANDLEBARS)


def _escape_attribute(text: str) -> str:
    return text.translate(_ATTRIBUTE)


def _escape_python_html(text: str) -> str:
    return text.translate(_PYTHON_HTML)


def _escape_xml_text(text: str) -> str:
    return text.translate(_XML_TEXT)


def escape_xml(text: str) -> str:
    """`text` so that an XML parser gives it back."""
    return text.translate(_XML)


def unescape_xml(text: str) -> str:
    """What `escape_xml` was given, but for the signs that XML cannot write."""
    for sign, entity in _ENTITIES:
        text = text.replace(entity, sign)
    return text


_ENTITIES = (
    ("\r", "&#13;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
    ("'", "&apos;"),
    ("&", "&amp;"),  # the last one: it stands in the others
)


_HALF_PAIRS = re.compile("[\ud800-\udfff]")


def sendable(text: str) -> str:
    """`text` as every provider takes it: for what UTF-8 cannot say there is U+FFFD.

    A path may hold bytes that are no text, and a model may ask for half a pair.
    """
    return _HALF_PAIRS.sub("\ufffd", text)


def escape_json(text: str) -> str:
    """`text` as it stands between the quotes of JSON."""
    import json

    return json.dumps(text, ensure_ascii=False)[1:-1]


ESCAPES: dict[Escape, Callable[[str], str]] = {
    Escape.NONE: _keep,
    Escape.GO_HTML: escape_go_html,
    Escape.XML: escape_xml,
    Escape.JS_HTML: _escape_js_html,
    Escape.ENTITIES: _escape_entities,
    Escape.HANDLEBARS: _escape_handlebars,
    Escape.PYTHON_HTML: _escape_python_html,
    Escape.XML_TEXT: _escape_xml_text,
    Escape.ATTRIBUTE: _escape_attribute,
    Escape.JSON: escape_json,
}
