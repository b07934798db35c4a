# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives that were made to do harm: each is brought along by the command, whose memory, time and traces are looked at."""
import json
import os
import struct
import subprocess
import time
import zipfile

from server import ENVIRONMENT

ME = "https://old.example/users/eve"
EVERYBODY = "https://www.w3.org/ns/activitystreams#Public"
MOST_MEMORY_MB = 250  # of a debug build; the largest of these unpacks to more than a GB
MOST_SECONDS = 120
MB = 1 << 20


def post(number, **more):
    uri = f"{ME}/statuses/{number}"
    note = {"id": uri, "type": "Note", "attributedTo": ME, "published": "2019-03-01T10:00:00Z",
            "to": [EVERYBODY], "cc": [], "content": f"<p>{number}</p>"} | more
    return {"id": uri + "/activity", "type": "Create", "actor": ME, "to": [EVERYBODY], "cc": [], "object": note}


def showing(number, name):
    return post(number, attachment=[{"type": "Document", "mediaType": "image/png", "url": name}])


def outbox(items):
    return json.dumps({"type": "OrderedCollection", "orderedItems": items})


def zipped(path, files, pressed=zipfile.ZIP_DEFLATED):
    """`files`: names, or what zipfile knows of a member, and what is in it: a text, or pieces of one."""
    with zipfile.ZipFile(path, "w", pressed, compresslevel=1) as archive:
        for name, content in files:
            with archive.open(name, "w", force_zip64=True) as member:
                for piece in [content] if isinstance(content, str) else content:
                    member.write(piece if isinstance(piece, bytes) else piece.encode())


def huge_outbox(path):
    """More than a GB of nothing."""
    zipped(path, [("outbox.json", ['{"orderedItems":[', *[b" " * MB] * 1040, "]}"])])


def huge_item(path):
    """A post of 600 MB, and one behind it."""
    zipped(path, [("outbox.json", ['{"orderedItems":[{"x":"', *[b"y" * MB] * 600, '"},', json.dumps(post(1)), "]}"])])


def deep_items(path):
    """Arrays in arrays, two hundred million deep, and 450,000 within a post that is short enough to be read."""
    shallow = '{"type":"Create","object":' + "[" * 450_000 + "]" * 450_000 + "}"
    zipped(path, [("outbox.json", ['{"orderedItems":[', *[b"[" * MB] * 200, *[b"]" * MB] * 200, ",", shallow, ",",
                                   json.dumps(post("deep")), "]}"])])


def bomb(path):
    """A picture of 500 MB of zeros, shown by a thousand posts."""
    zipped(path, [("outbox.json", outbox([showing(number, "media_attachments/files/1.png") for number in range(1000)])),
                  ("media_attachments/files/1.png", [b"\0" * MB] * 500)])


def overlapping(path):
    """20,000 members of different names which are one and the same 4 MB."""
    names = [f"media_attachments/files/{number}.png" for number in range(20_000)]
    zipped(path, [("outbox.json", outbox([showing(number, name) for number, name in enumerate(names)])),
                  ("media_attachments/files/x.png", "x" * (4 * MB))], zipfile.ZIP_STORED)
    archive = path.read_bytes()
    begins = struct.unpack_from("<I", archive, len(archive) - 6)[0]
    with zipfile.ZipFile(path) as read:
        at = read.getinfo("media_attachments/files/x.png").header_offset
        crc = read.getinfo("media_attachments/files/x.png").CRC
        first = read.getinfo("outbox.json")
    directory = [entry("outbox.json", first.header_offset, first.CRC, first.file_size)]
    directory += [entry(name, at, crc, 4 * MB) for name in names]
    ended(path, archive[:begins], directory)


def entry(name, at, crc, size):
    head = struct.pack("<4s6H3I5H2I", b"PK\1\2", 45, 45, 0, 0, 0, 0x21, crc, size, size, len(name), 0, 0, 0, 0, 0, at)
    return head + name.encode()


def ended(path, data, directory, count=None):
    joined = b"".join(directory)
    count = len(directory) if count is None else count
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(joined), len(data), 0)
    path.write_bytes(data + joined + end)


def crowded(path):
    """Half a million members, of which the end of the directory admits 16."""
    ended(path, b"", [entry("outbox.json", 0, 0, 0)] + [entry(f"{number:x}", 0, 0, 0) for number in range(499_999)], 16)


def climbing(path):
    """Members that would stand outside, links to elsewhere, and posts that show them."""
    link = zipfile.ZipInfo("media_attachments/files/link.png")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    names = ["../../../../tmp/out.png", "/etc/passwd", "media_attachments/files/link.png", "..", "media_attachments/../../x.png"]
    zipped(path, [("outbox.json", outbox([showing(f"climbing{number}", name) for number, name in enumerate(names)])),
                  (names[0], "x"), (names[1], "x"), (link, "/etc/passwd"), (names[4], "x")])


def wrong(path):
    """Posts of strangers, of all dates, of every wrong type, with what no post says."""
    values = [None, True, -1, 10**30, "", "\0", "x" * 5000, [], [[]], {}, {"a": [{"b": None}]}, "<script>", [None] * 1000,
              "https://old.example/" + "x" * 100_000, "9999-99-99T99:99:99Z", "-9999-01-01"]
    members = ["id", "type", "attributedTo", "published", "updated", "to", "cc", "content", "contentMap", "summary", "tag",
               "inReplyTo", "attachment", "oneOf", "sensitive", "source", "localOnly", "endTime", "quote"]
    items = [post(f"{member}{number}", **{member: value}) for member in members for number, value in enumerate(values)]
    poll = [{"type": "Note", "name": "x" * 1000, "replies": {"totalItems": 10**30}}] * 5000
    items += [post("poll", type="Question", oneOf=poll), post("tags", tag=[{"type": "Hashtag", "name": f"#t{i}"} for i in range(5000)]),
              post("long", content="<p>" + "<b>" * 100_000 + "x" * 500_000)]
    items += values + [{"type": "Create", "object": value} for value in values]
    zipped(path, [("outbox.json", outbox(items)), ("actor.json", outbox([]))])


KINDS = [(huge_outbox, 0), (huge_item, 1), (deep_items, 1), (bomb, 0), (overlapping, None), (crowded, 0), (climbing, 5), (wrong, None)]


def hostile_archives(server):
    """[(what is checked, [problem...])...] and figures."""
    server.account("eve")
    outcomes, most, longest = [], 0, (0, "")
    for make, posts in KINDS:
        path = server.folder / "hostile.zip"
        make(path)
        done, memory, seconds = brought(server, path)
        most, longest = max(most, memory), max(longest, (seconds, make.__name__))
        problems = [] if memory <= MOST_MEMORY_MB else [f"{memory:.0f} MB"]
        problems += [] if seconds <= MOST_SECONDS else [f"{seconds:.0f} s"]
        problems += [] if done["status"] in (0, 1, 2) else [f"ended with {done['status']}: {done['said'][-300:]}"]
        problems += [] if posts is None or done.get("posts", 0) == posts else [f"{done} instead of {posts} posts"]
        problems += left_behind(server)
        outcomes.append((f"a hostile archive: {make.__name__}", problems))
    outcomes.append(("the server lives and says nothing", server.errors() + ([] if server.healthy() else ["it is gone"])))
    return outcomes, f"{len(KINDS)} of them, at most {most:.0f} MB and {longest[0]:.1f} s ({longest[1]})"


def brought(server, path):
    """What the command said, its memory in MB and its time."""
    begun = time.monotonic()
    with open(server.folder / "said", "w+") as said:
        command = subprocess.Popen([os.environ["DUNLIN"], "account", "import", "eve", str(path), "--json", *server.where],
                                   env=ENVIRONMENT, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    last = text.strip().splitlines()[-1] if text.strip() else ""
    done = json.loads(last) if last.startswith("{") else {}
    return done | {"status": command.returncode, "said": text}, usage.ru_maxrss / 1024, time.monotonic() - begun


def left_behind(server):
    """Files that nobody will clear away, and those that are too many."""
    media = server.data / "media"
    for _ in range(100):  # a job of the server removes what is released
        kept = list((media / ".archives").glob("*")) + list((media / ".work").glob("*"))
        if not kept:
            break
        time.sleep(0.1)
    used = sum(file.stat().st_size for file in media.rglob("*") if file.is_file())
    outside = [str(file) for file in (server.folder / "out.png", server.folder / "x.png") if file.exists()]
    return [f"{file} is left" for file in kept] + outside + ([f"{used} bytes of media"] if used > 10 * MB else [])
