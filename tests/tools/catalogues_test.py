#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""tools/catalogues.py finds what is wrong with a catalogue, whichever of the three kinds it is of."""
import importlib.util
import json
import pathlib
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "catalogues.py"

LANGUAGES = [{"code": "en", "forms": ["one", "other"]}, {"code": "pl", "forms": ["one", "few", "many", "other"]},
             {"code": "ja", "forms": ["other"]}]
CLIENT = {
    "en": {"send": "Send", "left": "{n, plural, =0 {none left} one {# letter left by {name}} other {# letters left by {name}}}",
           "long": "Nobody has said anything about it yet"},
    "pl": {"send": "Wyślij", "left": "{n, plural, =0 {nic} one {# list od {name}} few {# listy od {name}} many {# listów od {name}}"
           " other {# listu od {name}}}", "long": "Nikt jeszcze nic o tym nie napisał"},
    "ja": {"send": "送信", "left": "{n, plural, =0 {なし} other {{name}から#通}}", "long": "まだ誰も何も言っていません"},
}
REFUSALS = {
    "en": {"Not more than {count} files": "Not more than {count} files"},
    "pl": {"Not more than {count} files": "Najwyżej {count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}"},
    "ja": {"Not more than {count} files": "ファイルは{count}個までです"},
}
WORDS = {
    "en": {"{{POSTS}} posts of <b>{{NAME}}</b>": "{POSTS, plural, one {# post} other {# posts}} of <b>{{NAME}}</b>"},
    "pl": {"{{POSTS}} posts of <b>{{NAME}}</b>": "<b>{{NAME}}</b>: {POSTS, plural, one {# wpis} few {# wpisy} many {# wpisów} other {# wpisu}}"},
    "ja": {"{{POSTS}} posts of <b>{{NAME}}</b>": "<b>{{NAME}}</b>の投稿{{POSTS}}件"},
}
LETTERS, FILES, POSTS = "left", "Not more than {count} files", "{{POSTS}} posts of <b>{{NAME}}</b>"


def tool():
    spec = importlib.util.spec_from_file_location("catalogues", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Catalogues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("languages.json", LANGUAGES)
        for code in ("en", "pl", "ja"):
            self.write(f"locales/{code}/core.json", CLIENT[code])
            self.write(f"locales/{code}.json", REFUSALS[code])
            self.write(f"words/{code}.json", WORDS[code])

    def write(self, name, value):
        path = self.root / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))

    def change(self, name, key, wording):
        values = json.loads((self.root / "web" / name).read_text())
        values.pop(key, None)
        if wording is not None:
            values[key] = wording
        self.write(name, values)

    def found(self):
        return list(tool().problems(self.root))

    def finds(self, what, where):
        found = self.found()
        self.assertEqual(len(found), 1, found)
        self.assertIn(what, found[0])
        self.assertTrue(found[0].startswith("web/" + where), found[0])

    def test_nothing_where_nothing_is_wrong(self):
        self.assertEqual(self.found(), [])

    def test_a_missing_text_in_each_kind(self):
        for name, key in (("locales/pl/core.json", "send"), ("locales/ja.json", FILES), ("words/pl.json", POSTS)):
            self.setUp()
            self.change(name, key, None)
            self.finds(f"lacks {key!r}", name)

    def test_a_text_too_many_in_each_kind(self):
        for name in ("locales/pl/core.json", "locales/ja.json", "words/pl.json"):
            self.setUp()
            self.change(name, "gone", "Nie ma")
            self.finds("has 'gone', which English has not", name)

    def test_other_arguments_in_each_kind(self):
        for name, key, wording in (("locales/ja/core.json", LETTERS, "{n, plural, other {#通}}"),
                                   ("locales/pl.json", FILES, "Najwyżej {liczba} plików"),
                                   ("words/ja.json", POSTS, "<b>{{NAME}}</b>の投稿"),
                                   ("words/ja.json", POSTS, "{{NAME}}の投稿{{POSTS}}件")):
            self.setUp()
            self.change(name, key, wording)
            self.finds("does not fill in what English does", name)

    def test_an_empty_text_in_each_kind(self):
        for name, key in (("locales/pl/core.json", "send"), ("locales/ja.json", FILES), ("words/pl.json", POSTS)):
            self.setUp()
            self.change(name, key, " ")
            self.finds("is empty", name)

    def test_a_missing_file_of_each_kind_and_one_too_many(self):
        for name in ("locales/pl/core.json", "locales/ja.json", "words/pl.json"):
            self.setUp()
            (self.root / "web" / name).unlink()
            self.finds("is missing", name)
        for name in ("locales/tlh/core.json", "locales/tlh.json", "words/tlh.json"):
            self.setUp()
            self.write(name, {})
            self.finds("does not name this language", name)
        self.setUp()
        self.write("locales/pl/staff.json", {})
        self.finds("no such area", "locales/pl/staff.json")

    def test_plurals_that_the_language_would_miss(self):
        self.change("locales/pl/core.json", LETTERS, "{n, plural, one {# list od {name}} other {# listów od {name}}}")
        self.finds("counts without few, many", "locales/pl/core.json")
        self.setUp()
        self.change("words/pl.json", POSTS, "<b>{{NAME}}</b>: {POSTS, plural, one {# wpis} other {# wpisów}}")
        self.finds("counts without few, many", "words/pl.json")
        self.setUp()
        self.change("locales/ja/core.json", LETTERS, "{n, plural, one {{name}から一通} other {{name}から#通}}")
        self.finds("counts with one", "locales/ja/core.json")

    def test_texts_that_cannot_be_read(self):
        for name, key, wording, what in (("locales/pl/core.json", LETTERS, "{n, plural, one {# list od {name}}", "braces"),
                                         ("locales/pl/core.json", "send", "Wyślij }", "braces"),
                                         ("locales/pl.json", FILES, "Nie '{count}'", "apostrophe"),
                                         ("words/pl.json", POSTS, "{{POSTS}} <b>{{NAME}</b>", "braces")):
            self.setUp()
            self.change(name, key, wording)
            self.finds(what, name)
        self.setUp()
        self.write("words/pl.json", '{"a": "b", "a": "c"}')
        self.finds("twice", "words/pl.json")

    def test_english_that_was_left(self):
        self.change("locales/pl/core.json", "long", CLIENT["en"]["long"])
        self.finds("is still English", "locales/pl/core.json")
        self.setUp()
        self.change("locales/pl/core.json", "send", "Send")  # one word may be the same
        self.assertEqual(self.found(), [])


if __name__ == "__main__":
    unittest.main(verbosity=0)
