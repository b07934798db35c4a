#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Compares the catalogues of all languages in web/languages.json with the English ones: of the client
(web/locales/<language>/<area>.json), of refusals (web/locales/<language>.json) and of pages (web/words/<language>.json).

usage: tools/catalogues.py [LANGUAGE...]    what is wrong with all, or with those named
"""
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGLISH = "en"
SAME_WORDS = 4  # a text of so many words that says the same as in English was left there by mistake


class Broken(Exception):
    pass


def read(path):
    def pairs(found):
        seen = dict(found)
        for key, times in collections.Counter(key for key, _ in found).items():
            if times > 1:
                raise Broken(f"{key!r} stands in it twice")
        return seen

    try:
        return json.loads(path.read_text(), object_pairs_hook=pairs)
    except FileNotFoundError:
        raise Broken("is missing") from None
    except ValueError as e:
        raise Broken(f"is no JSON: {e}") from None


def parse(text):
    """The arguments of an ICU message, and the forms that each of its plurals has."""
    names, plurals, at = set(), [], 0

    def word():
        nonlocal at
        found = re.compile(r"\s*(=?\w+)\s*").match(text, at)
        if not found:
            raise Broken("a name is missing in" if at < len(text) else "braces do not match in")
        at = found.end()
        return found[1]

    def message(inside):
        nonlocal at
        while at < len(text) and text[at] != "}":
            if text[at] == "'" and text[at + 1:at + 2] in ("{", "}", "#"):
                raise Broken("a straight apostrophe hides what follows in")
            if text[at] == "{":
                argument()
            else:
                at += 1
        if inside != (at < len(text)):
            raise Broken("braces do not match in")

    def argument():
        nonlocal at
        at += 1
        name = word()
        names.add(name)
        if text[at:at + 1] == ",":
            at += 1
            kind = word()
            if text[at:at + 1] == ",":
                at += 1
                forms = []
                while not re.compile(r"\s*\}").match(text, at):
                    forms.append(word())
                    if text[at:at + 1] != "{":
                        raise Broken("a case lacks its words in")
                    at += 1
                    message(True)
                    at += 1
                at = text.index("}", at)
                if kind == "plural":
                    plurals.append(forms)
                if "other" not in forms:
                    raise Broken('there is no case "other" in')
        if text[at:at + 1] != "}":
            raise Broken("braces do not match in")
        at += 1

    message(False)
    return names, plurals


def parts_of_page(text):
    """What is filled in and the elements, as often as they stand there; and the forms of plurals."""
    plurals = []

    def one_form(match):
        forms = dict(re.findall(r"(\w+)\s*\{((?:[^{}]|\{\{\w+\}\})*)\}", match[2]))
        if "other" not in forms:
            raise Broken('there is no case "other" in')
        plurals.append(list(forms))
        return forms["other"].replace("#", "{{" + match[1] + "}}")

    text = re.sub(r"\{(\w+), plural,((?:\s*\w+\s*\{(?:[^{}]|\{\{\w+\}\})*\})*)\s*\}", one_form, text)
    parts = re.findall(r"\{\{\w+\}\}|\{\w+\}|</?\w+[^>]*>", text)
    if re.search(r"[{}]", re.sub(r"\{\{\w+\}\}|\{\w+\}", "", text)):
        raise Broken("braces do not match in")
    return collections.Counter(parts), plurals


def said_in_english(text):
    syntax = r"\{\{?\w+\}?\}|<[^>]*>|\w+,\s*\w+,|=?\w+\s*\{"
    return len(re.findall(r"[A-Za-z]{2,}", re.sub(syntax, "", text))) >= SAME_WORDS


def wrong(key, english, wording, forms, parts_of):
    if not isinstance(wording, str):
        return "is no text"
    if not wording.strip() and english.strip():
        return "is empty"
    try:
        parts, plurals = parts_of(wording)
    except Broken as e:
        return f"{e} {wording!r}"
    if parts != parts_of(english)[0]:
        return f"does not fill in what English does: {wording!r}"
    for plural in plurals:
        named = {form for form in plural if not form.startswith("=")}
        # "Posts: #" fits every number; and what is said of none is said of any other number where there is no word for it.
        if named != {"other"} and (lost := set(forms) - named - {"zero"}):
            return f"counts without {', '.join(sorted(lost))}: {wording!r}"
        if more := named - set(forms) - {"many"}:
            return f"counts with {', '.join(sorted(more))}, which the language has not: {wording!r}"
    return None


def compare(path, english, language, parts_of):
    try:
        words = read(path)
    except Broken as e:
        yield str(e)
        return
    for key in english.keys() - words.keys():
        yield f"lacks {key!r}"
    for key in words.keys() - english.keys():
        yield f"has {key!r}, which English has not"
    for key in english.keys() & words.keys():
        if problem := wrong(key, english[key], words[key], language["forms"], parts_of):
            yield f"{key!r} {problem}"
        elif language["code"] != ENGLISH and words[key] == english[key] and said_in_english(english[key]):
            yield f"{key!r} is still English"


def kinds(root):
    """The pattern of the files of each catalogue, and how their texts are read."""
    for area in sorted((root / "web/locales" / ENGLISH).glob("*.json")):
        yield "web/locales/{}/" + area.name, parse
    yield "web/locales/{}.json", parse
    yield "web/words/{}.json", parts_of_page


def strangers(root, codes):
    """Files of languages that are not in the list, and of areas that English has not."""
    areas = {path.name for path in (root / "web/locales" / ENGLISH).glob("*.json")}
    for path in sorted([*(root / "web/locales").rglob("*.json"), *(root / "web/words").glob("*.json")]):
        of_client = path.parent.parent.name == "locales"
        code = path.parent.name if of_client else path.stem
        if code not in codes:
            yield f"{path.relative_to(root)}: web/languages.json does not name this language"
        elif of_client and path.name not in areas:
            yield f"{path.relative_to(root)}: there is no such area"


def problems(root=ROOT, only=()):
    languages = read(root / "web/languages.json")
    codes = [language["code"] for language in languages]
    if codes[:1] != [ENGLISH] or len(set(codes)) != len(codes):
        yield "web/languages.json: English comes first, and each language once"
    yield from strangers(root, codes)
    for pattern, parts_of in kinds(root):
        english = read(root / pattern.format(ENGLISH))
        for language in languages:
            if only and language["code"] not in only:
                continue
            name = pattern.format(language["code"])
            for problem in sorted(compare(root / name, english, language, parts_of)):
                yield f"{name}: {problem}"


def main(only):
    found = list(problems(only=only))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
