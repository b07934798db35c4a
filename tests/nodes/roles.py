# SPDX-License-Identifier: AGPL-3.0-or-later
"""What nodes do for each other: work is shared, work by the clock is one node's, and nodes may be there for a part only."""
import http.client
import json
import time

from server import Client, Refused
from stage import Ear, psql, within


def work_is_shared(site):
    """A pile of jobs that nobody is woken for is taken by all, and none is done twice."""
    before = [node.metric("dunlin_jobs_done_total") for node in site.nodes]
    counted = lambda: [node.metric("dunlin_jobs_done_total") - was for node, was in zip(site.nodes, before)]
    left = lambda: int(psql("SELECT count(*) FROM jobs WHERE kind = 'continue_fan_out'"))
    piled = 0

    def all_have_some():
        """Keeps the pile from running out: a node looks for what others wrote every few seconds, and one alone may be quick."""
        nonlocal piled
        if left() < 6000:
            psql(f"""INSERT INTO jobs (id, kind, payload, run_at, created_at)
                     SELECT {piled} + n, 'continue_fan_out', '{{"status":"1","after":0,"news":false}}', 0, 0
                     FROM generate_series(1, 6000) n""")
            piled += 6000
        return min(counted()) >= 300

    shared = within(60, all_have_some)
    gone = within(120, lambda: left() == 0)
    within(20, lambda: sum(counted()) >= piled)  # counted when the commit is answered, which is after the row is gone
    done = counted()
    print(f"  of {piled} jobs {[int(n) for n in done]} each", flush=True)
    problems = [] if shared else [f"a node did {min(done):.0f} jobs"]
    problems += [] if gone else ["jobs are left"]
    if not piled <= sum(done) <= piled + 200:
        problems.append(f"{sum(done)} were done in all")
    return problems


def listed(node):
    return json.loads(node.run("nodes", "--json"))


def one_does_work_by_the_clock(site):
    """And when it is killed another one does, and what it had leased for an hour need not wait for that."""
    runs = lambda: [node.metric("dunlin_periodic_runs_total") for node in site.nodes]
    within(30, lambda: sum(run > 0 for run in runs()) == 1)
    before = runs()
    within(60, lambda: max(now - was for was, now in zip(before, runs())) >= 5)  # one would have had time for it
    after = runs()
    busy = [n for n, (was, now) in enumerate(zip(before, after)) if now > was]
    if len(busy) != 1:
        return [f"{len(busy)} nodes did it: {before}, {after}"]
    rest = [node for n, node in enumerate(site.nodes) if n != busy[0]]
    was = sum(node.metric("dunlin_periodic_runs_total") for node in rest)
    leased = 5
    psql(f"""INSERT INTO jobs (id, kind, payload, run_at, created_at, leased_until, leased_by)
             SELECT {leased}, 'unknown', '{{}}', 0, 0, extract(epoch FROM now()) * 1000 + 3600000, name
             FROM nodes ORDER BY started_at, name LIMIT 1""")
    site.nodes[busy[0]].kill()
    begun = time.monotonic()
    if not within(120, lambda: sum(node.metric("dunlin_periodic_runs_total") for node in rest) > was):
        return ["nobody takes over"]
    print(f"  taken over after {time.monotonic() - begun:.0f} s", flush=True)
    if not within(60, lambda: psql(f"SELECT count(*) FROM jobs WHERE id = {leased}") == "0"):
        return ["what it had leased waits"]
    print(f"  and what it had leased done after {time.monotonic() - begun:.0f} s", flush=True)
    site.nodes[busy[0]].start()
    site.meet()
    return []


def is_listed(site):
    """`dunlin nodes` says who is there, and who has gone says so."""
    if not within(30, lambda: len(listed(site.nodes[0])["nodes"]) >= len(site.nodes)):
        return ["not all nodes are listed"]
    text = site.nodes[0].run("nodes")
    problems = [] if text.startswith("NODE") and "web,streaming,jobs" in text else [text]
    last = site.nodes[-1]
    before = {one["name"] for one in listed(site.nodes[0])["nodes"]}
    problems += last.stop()
    after = {one["name"] for one in listed(site.nodes[0])["nodes"]}
    if len(before - after) != 1:
        problems.append(f"{len(before)} nodes were listed before it ended, {len(after)} after")
    last.start()
    site.meet()
    return problems


def status(node, path):
    connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse().status
    connection.close()
    return answer


def each_does_its_part(web, streaming, jobs):
    problems = []
    wanted = [(web, 200, 421), (streaming, 421, 200), (jobs, 421, 421)]
    for number, (node, page, stream) in enumerate(wanted):
        found = (status(node, "/api/v2/instance"), status(node, "/api/v1/streaming/health"), status(node, "/health"))
        if found != (page, stream, 200):
            problems.append(f"node {number} answers {found}")
    account, token = web.account("carol")
    client = Client(web.port, token)
    ear = Ear(streaming, token, ("user", {}))
    post = client.post("/api/v1/statuses", {"status": "for the part of each"})["id"]
    if not ear.has("user", "update", post):
        problems.append("the stream does not hear the post")
    # The index of words is made by jobs, and what has no role for them makes none.
    begun = time.monotonic()
    if not within(60, lambda: psql("SELECT count(*) FROM jobs WHERE run_at < extract(epoch FROM now()) * 1000 - 500") == "0"):
        problems.append("jobs are left")
    print(f"  jobs of a post were done after {(time.monotonic() - begun) * 1000:.0f} ms at most", flush=True)
    if web.metric("dunlin_jobs_done_total") or streaming.metric("dunlin_jobs_done_total"):
        problems.append("who has no such role did jobs")
    try:
        client.ask("DELETE", f"/api/v1/statuses/{post}")
    except Refused as refused:
        problems.append(str(refused))
    if not ear.has("user", "delete", post):
        problems.append("the stream does not hear the end of the post")
    if not within(30, lambda: jobs.metric("dunlin_jobs_done_total") > 0):
        problems.append("who has the role did none")
    return problems
