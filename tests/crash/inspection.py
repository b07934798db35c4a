# SPDX-License-Identifier: AGPL-3.0-or-later
"""What must be true after the last start, as problems found: [(what is checked, [problem...])...]"""
import collections
import html
import re
import time

PATIENCE = 150  # seconds for jobs that were left over: the lease of who was killed ends after 120


def plain(status):
    return html.unescape(re.sub(r"<[^>]+>", "", status["content"]))


def compare(what, found, expected):
    """Problems, unless both hold the same things, each once."""
    found, expected = collections.Counter(found), collections.Counter(expected)
    problems = [f"{what}: {key} is missing" for key in expected - found]
    return problems + [f"{what}: {key} is there {found[key]} times instead of {expected[key]}" for key in found - expected]


def settled(check):
    """The problems once jobs had time to run."""
    end = time.monotonic() + PATIENCE
    while (problems := check()) and time.monotonic() < end:
        time.sleep(0.3)
    return problems


class Inspection:
    def __init__(self, load):
        self.load = load
        self.star, self.fan = load.star.connect(), load.fan.connect()
        self.clients = {author.name: author.connect() for author in load.authors}
        self.statuses = {a.name: self.clients[a.name].all(f"/api/v1/accounts/{a.id}/statuses?limit=40") for a in load.authors}
        self.by_text = collections.defaultdict(list)
        for statuses in self.statuses.values():
            for status in statuses:
                self.by_text[plain(status)].append(status)
        self.ids = {status["id"] for statuses in self.statuses.values() for status in statuses}
        self.replies = [s["id"] for statuses in self.statuses.values() for s in statuses if s["in_reply_to_id"]]

    def of_kind(self, *kinds):
        return [write for write in self.load.writes if write.kind in kinds]

    def answered_posts(self):
        """every answered post exists exactly once, with the id of the answer"""
        for write in self.of_kind("post", "reply"):
            found = [s["id"] for s in self.by_text[write.text]]
            if write.answer and found != [write.answer["id"]]:
                yield f"{write.text!r} was answered with {write.answer['id']} (asked {write.attempts} times); there is {found or 'none'}"

    def unanswered_posts(self):
        """an unanswered post is there once or not at all, and nothing else is there"""
        for write in self.of_kind("post", "reply"):
            if not write.answer and len(self.by_text[write.text]) > 1:
                yield f"{write.text!r}, asked {write.attempts} times, is there {len(self.by_text[write.text])} times"
        known = {write.text for write in self.of_kind("post", "reply")}
        for text in self.by_text:
            if text not in known and self.by_text[text]:
                yield f"nobody wrote {text!r}"

    def whole_posts(self):
        """every post is whole: its reply, mention and tag"""
        for write in self.of_kind("post", "reply"):
            for status in self.by_text[write.text]:
                reply = write.kind == "reply"
                want = (self.load.root, ["star"], []) if reply else (None, [], ["crash"])
                got = (status["in_reply_to_id"], [m["acct"] for m in status["mentions"]], [t["name"] for t in status["tags"]])
                if got != want:
                    yield f"{write.text!r} has reply, mentions, tags {got} instead of {want}"

    def counts(self):
        """statuses_count of every author"""
        for author in self.load.authors:
            count = self.star.get(f"/api/v1/accounts/{author.id}")["statuses_count"]
            if count != len(self.statuses[author.name]):
                yield f"{author.name} has statuses_count {count} and {len(self.statuses[author.name])} posts"

    def home(self):
        """the follower's home holds every post once, in order"""
        home = [s["id"] for s in self.fan.all("/api/v1/timelines/home?limit=40")]
        yield from compare("home", home, [*self.ids, self.load.root])
        if home != sorted(home, key=int, reverse=True):
            yield "home is not in order"

    def tag(self):
        """the tag timeline holds every tagged post once"""
        tagged = [s["id"] for s in self.star.all("/api/v1/timelines/tag/crash?limit=40")]
        yield from compare("tag", tagged, self.ids - set(self.replies))

    def thread(self):
        """replies_count and context of the post answered to"""
        count = self.star.get(f"/api/v1/statuses/{self.load.root}")["replies_count"]
        if count != len(self.replies):
            yield f"replies_count is {count}, replies are {len(self.replies)}"
        if len(self.replies) <= 4000:  # a context shows 4096
            descendants = self.star.get(f"/api/v1/statuses/{self.load.root}/context")["descendants"]
            yield from compare("context", [s["id"] for s in descendants], self.replies)

    def mentions(self):
        """the mentioned one is notified of every mention once"""
        found = self.star.all("/api/v1/notifications?limit=80&types[]=mention")
        yield from compare("mention", [n["status"]["id"] for n in found], self.replies)

    def favourites(self):
        """favourites: who favoured, the count, the notification"""
        wanted, answered = collections.defaultdict(set), collections.defaultdict(set)
        for write in self.of_kind("favourite"):
            wanted[write.target].add(write.author.id)
            if write.answer:
                answered[write.target].add(write.author.id)
        notified = collections.defaultdict(list)
        for client in self.clients.values():
            for n in client.all("/api/v1/notifications?limit=80&types[]=favourite"):
                notified[n["status"]["id"]].append(n["account"]["id"])
        for target in wanted:
            who = [a["id"] for a in self.star.get(f"/api/v1/statuses/{target}/favourited_by?limit=80")]
            count = self.star.get(f"/api/v1/statuses/{target}")["favourites_count"]
            if not answered[target] <= set(who) <= wanted[target] or len(set(who)) != len(who):
                yield f"{target} is favoured by {who}; answered were {answered[target]}, asked for {wanted[target]}"
            if count != len(who):
                yield f"{target} has favourites_count {count} and is favoured by {len(who)}"
            yield from compare(f"favourite notification of {target}", notified.pop(target, []), who)
        for target in notified:
            yield f"a favourite notification of {target}, which nobody favoured"

    def follows(self):
        """follows: the lists, the counts, the notification"""
        for author in self.load.authors:
            client = self.clients[author.name]
            mine = [w for w in self.of_kind("follow") if w.target == author.id]
            followers = [a["id"] for a in client.all(f"/api/v1/accounts/{author.id}/followers?limit=80")]
            answered = {w.author.id for w in mine if w.answer} | {self.load.fan.id}
            wanted = {w.author.id for w in mine} | {self.load.fan.id}
            if not answered <= set(followers) <= wanted or len(set(followers)) != len(followers):
                yield f"{author.name} is followed by {followers}; answered were {answered}, asked for {wanted}"
            account = client.get(f"/api/v1/accounts/{author.id}")
            if account["followers_count"] != len(followers):
                yield f"{author.name} has followers_count {account['followers_count']} and {len(followers)} followers"
            following = client.all(f"/api/v1/accounts/{author.id}/following?limit=80")
            if account["following_count"] != len(following):
                yield f"{author.name} has following_count {account['following_count']} and follows {len(following)}"
            notified = [n["account"]["id"] for n in client.all("/api/v1/notifications?limit=80&types[]=follow")]
            yield from compare(f"follow notification of {author.name}", notified, followers)

    def refusals(self):
        """no write was refused"""
        return self.load.problems


def inspect(load):
    it = Inspection(load)
    checks = [it.refusals, it.answered_posts, it.unanswered_posts, it.whole_posts, it.counts, it.home, it.tag, it.thread]
    slow = [it.mentions, it.favourites, it.follows]  # notifications are made by jobs
    return [(check.__doc__, list(check())) for check in checks] + \
        [(check.__doc__, settled(lambda check=check: list(check()))) for check in slow]
