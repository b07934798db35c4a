#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sorts sources into groups that may be compiled as one file, for builds made once from nothing. Files in which one
uses, in the same namespace or one within it, a name that the other declares for itself alone do not come together, so no
source needs to know of this.

usage: tools/unity.py ROOT SOURCE...    prints "GROUP SOURCE" lines; a source without a line stays alone
"""
import collections
import functools
import pathlib
import re
import sys

MOST = 16

NOISE = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*(?:.|\n)*?\*/')
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
UNSCOPED_ENUM = re.compile(r"\benum\b(?!\s+(?:class|struct)\b)[^;{}()]*\{([^{}]*)\}")
KEYWORDS = set("""alignas auto bool char class const constexpr consteval constinit double enum explicit extern float if inline
int long namespace noexcept operator requires short signed sizeof static struct template thread_local typename union
unsigned using void volatile int64_t size_t uint8_t""".split())


def code(text):
    return NOISE.sub(lambda m: '""' if m[0][0] in "R\"" else "0" if m[0][0] == "'" else " ", text)


def words(text):
    """The words that a name at namespace scope could be meant by."""
    return frozenset(WORD.findall(re.sub(r"(?:\.|->|\b(?:std|json|ranges|mp11|fmt)::)\s*\w+", " ", text)))


def unqualified(text):
    """The words that mean what is looked up from where they stand."""
    return frozenset(re.findall(r"(?<!::)\b[A-Za-z_]\w*", re.sub(r"(?:\.|->)\s*\w+", " ", text)))


def brought(text):
    """Names that are brought to where all that follows sees them, each with what it means there."""
    names = set()
    for said in re.findall(r"^using\s+([\w:\s,]+);", text, re.M):
        for name in said.split(","):
            name = name.strip().removeprefix("::")
            if "::" in name:
                names.add((name.rsplit("::", 1)[1], name))
    return names


SPACE = re.compile(r"\bnamespace\b([\w:\s]*)$|extern\s*\"\"\s*()$")


def by_namespace(text):
    """(namespace, whether only this file sees it, what stands in it) of each piece; "" is what is around all."""
    pieces, open_spaces, depth, start = [], [("", False, -1)], 0, 0

    def take(end):
        pieces.append((*open_spaces[-1][:2], text[start:end]))

    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            around, hidden, at = open_spaces[-1]
            if depth == at + 1 and (space := SPACE.search(text, start, brace.start())):
                take(space.start())
                name = (space[1] or "").strip()
                open_spaces.append(("::".join(filter(None, (around, name))), hidden or not name, depth))
                start = brace.end()
            depth += 1
        else:
            depth -= 1
            if len(open_spaces) > 1 and open_spaces[-1][2] == depth:
                take(brace.start())
                open_spaces.pop()
                start = brace.end()
    take(len(text))
    return pieces


def within(inner, outer):
    return not outer or inner == outer or inner.startswith(outer + "::")


def head_names(head):
    """The name a declaration at namespace scope gives to something, from the text before its body, value or end."""
    head = re.sub(r"\[\[.*?\]\]|alignas\(.*?\)", " ", head)
    if match := re.match(r"\s*(?:template\s*<.*>\s*)?(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(\w+)", head, re.S):
        return {match[1]}
    if match := re.match(r"\s*(?:template\s*<.*>\s*)?using\s+(\w+)\s*=", head, re.S):
        return {match[1]}
    if re.match(r"\s*(using|namespace)\b", head):  # may be said again
        return set()
    names, angles, brackets, value, previous = set(), 0, 0, False, ""
    for token in re.findall(r"[A-Za-z_]\w*|::|[<>(){}\[\]=;,~]", head + ";"):
        if value:  # what stands behind "=" names nothing; another variable may follow
            brackets += (token in "([{") - (token in ")]}")
            value = brackets > 0 or token != ","
        elif token in "<>":
            angles = max(0, angles + (1 if token == "<" else -1))
        elif angles == 0 and token in "([=;,":
            if WORD.fullmatch(previous) and previous not in KEYWORDS and not previous.isupper():
                names.add(previous)
            if token == "(":
                break
            value = token == "="
        previous = token
    return names


USE_OF_MACRO = re.compile(r"\s*[A-Z][A-Z0-9_]+\(\s*(\w*)[^()]*\)")


def own_names(head, hidden):
    """The same, if no other file can mean it: what is hidden, and what is constant or a type or another name."""
    if macro := USE_OF_MACRO.match(head):  # it may declare what it is given, and what follows is a declaration of its own
        return {macro[1]} - {""} | own_names(head[macro.end():], hidden)
    if hidden or re.match(r"\s*(static|const|constexpr|using|typedef|template|struct|class|enum|union)\b", head):
        return head_names(head)
    return set()


def declared(text, hidden):
    """Names that a piece of a namespace declares in it."""
    names = set()
    depth, head = 0, ""
    for token in re.finditer(r"[{};]|[^{};]+", text):
        piece = token[0]
        if piece == "{":
            if depth == 0:
                names |= own_names(head, hidden)
            depth += 1
        elif piece == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                head = "" if re.search(r"\)|^\s*(class|struct|enum|union)\b", head) else head + " "
        elif piece == ";":
            if depth == 0:
                names |= own_names(head, hidden)
                head = ""
        elif depth == 0:
            head += piece
    for values in UNSCOPED_ENUM.findall(text):
        names |= {name for value in values.split(",") for name in WORD.findall(value)[:1]}
    return names


class Text:
    """What a source or header says, by namespace: the words in it, and those of them that are looked up from there."""

    def __init__(self, root, path):
        text = path.read_text(errors="replace")
        bare = code(text)
        self.headers = closure(root, text, path.parent)
        self.macros = set(MACRO.findall(bare))
        self.pieces = by_namespace(re.sub(r"^\s*#(?:[^\n\\]|\\\n|\\.)*", "", bare, flags=re.M))
        self.words, self.unqualified = collections.defaultdict(set), collections.defaultdict(set)
        for space, _, piece in self.pieces:
            self.words[space] |= words(piece)
            self.unqualified[space] |= unqualified(piece)
        # What a macro is made of is used wherever its name stands.
        self.words[""] |= words(" ".join(re.findall(r"^\s*#((?:[^\n\\]|\\\n|\\.)*)", bare, re.M)))


@functools.cache
def header(root, path):
    return Text(root, path)


def closure(root, text, here):
    found = set()
    for name in INCLUDE.findall(text):
        for folder in (root / "src", root / "tests", here):
            if (path := folder / name).is_file():
                path = path.resolve()
                found |= {path} | header(root, path).headers
                break
    return frozenset(found)


class File(Text):
    def __init__(self, root, path):
        super().__init__(root, pathlib.Path(path))
        self.path = path
        self.names = {("", name) for name in self.macros}
        self.brought = set()
        for space, hidden, piece in self.pieces:
            self.names |= {(space, name) for name in declared(piece, hidden)}
            self.brought |= {(space, name, meaning) for name, meaning in brought(piece)}
        # Where it looks names up besides; who looks elsewhere may mean something else by them.
        self.used = {
            (space, name)
            for space, _, piece in self.pieces
            for name in re.findall(r"\busing\s+namespace\s+(?!std::\w*literals)([\w:]+)", piece)
        }

    def look_up(self, index):
        """The headers in which a name that is this file's own, or that it brings, would mean something else."""
        looked_in = {"", *(name for _, name in self.used)}

        def reaches(at, space, name):  # a header finds what it means within its namespace before it looks around all
            return within(at, space) if space or name in self.macros else at in looked_in

        self.named_in = {path for space, name in self.names for at, path in index[0][name] if reaches(at, space, name)}
        self.changed_in = {
            one: {path for at, path in index[1][one[1]] if reaches(at, *one[:2])} for one in self.brought
        }


def index_of(root, files):
    """Where each word stands in the headers: all of them, and those that are looked up from there."""
    every, plain = collections.defaultdict(set), collections.defaultdict(set)
    for path in frozenset().union(*(file.headers for file in files)):
        for index, said in (every, header(root, path).words), (plain, header(root, path).unqualified):
            for space, found in said.items():
                for word in found:
                    index[word].add((space, path))
    return every, plain


def clash(one, other):
    """Whether one of the two, or a header that it brings, uses a name that is the other's own."""
    if one.used != other.used:
        return True

    def meets(mine, theirs):
        return any(
            name in said for space, name in mine.names for at, said in theirs.words.items() if within(at, space)
        ) or not mine.named_in.isdisjoint(theirs.headers - mine.headers)

    def changes(mine, theirs):
        return any(
            any(said[1] in found for at, found in theirs.unqualified.items() if within(at, said[0]))
            or not mine.changed_in[said].isdisjoint(theirs.headers - mine.headers)
            for said in mine.brought - theirs.brought
        )

    return meets(one, other) or meets(other, one) or changes(one, other) or changes(other, one)


def main(root, paths):
    root = pathlib.Path(root)
    files = [File(root, path) for path in sorted(paths)]
    index = index_of(root, files)
    groups = []
    for file in files:
        file.look_up(index)
        for group in groups:
            if len(group) < MOST and not any(clash(one, file) for one in group):
                group.append(file)
                break
        else:
            groups.append([file])
    for number, group in enumerate(groups):
        if len(group) > 1:
            for file in group:
                print(number, file.path)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
