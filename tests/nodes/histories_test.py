#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""The checker of histories refuses what cannot have happened, and nothing else."""
import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from histories import Operation, Pair, Switch, Vote, explains  # noqa: E402

FOLLOWS = lambda *who: frozenset(("follow", one) for one in who)
BLOCKS = lambda *who: frozenset(("block", one) for one in who)


def on(called, ended, **more):
    return Operation("on", called, ended, **more)


def off(called, ended, **more):
    return Operation("off", called, ended, **more)


def pair(kind, who, called, ended, outcome="ok"):
    return Operation(kind, called, ended, outcome, who)


class Possible(unittest.TestCase):
    def test_one_after_the_other(self):
        self.assertTrue(explains(Switch, [on(0, 1), off(2, 3)], False))
        self.assertTrue(explains(Switch, [], False))

    def test_beside_each_other_either_is_the_last(self):
        for end in (True, False):
            self.assertTrue(explains(Switch, [on(0, 3), off(1, 2)], end))

    def test_unanswered_may_have_happened_or_not_and_late(self):
        for end in (True, False):
            self.assertTrue(explains(Switch, [on(0, 1), off(2, None)], end))
        self.assertTrue(explains(Switch, [off(0, None), on(1, 2)], False))

    def test_a_block_ends_follows(self):
        history = [pair("follow", "a", 0, 1), pair("follow", "b", 0, 1), pair("block", "b", 2, 3)]
        self.assertTrue(explains(Pair, history, BLOCKS("b")))
        self.assertTrue(explains(Pair, history + [pair("follow", "a", 4, 5, "refused")], BLOCKS("b")))
        self.assertTrue(explains(Pair, history + [pair("unblock", "b", 4, 5), pair("follow", "a", 6, 7)], FOLLOWS("a")))

    def test_a_follow_beside_a_block_may_be_refused_or_ended(self):
        for outcome in ("ok", "refused"):
            self.assertTrue(explains(Pair, [pair("follow", "a", 0, 3, outcome), pair("block", "b", 1, 2)], BLOCKS("b")))

    def test_one_vote_counts(self):
        self.assertTrue(explains(Vote, [Operation("vote", 0, 2, "ok", value=1), Operation("vote", 1, 3, "refused", value=2)], 1))
        self.assertTrue(explains(Vote, [Operation("vote", 0, None, value=1), Operation("vote", 1, 2, "refused", value=2)], 1))

    def test_what_really_ran_at_random(self):
        chance = random.Random(7)
        for _ in range(200):
            state, operations, time = Pair.begin, [], 0.0
            for _ in range(40):
                time += 1
                operation = pair(chance.choice(["follow", "unfollow", "block", "unblock"]), chance.choice("ab"),
                                 time - chance.random() * 4, time + chance.random() * 4)
                if chance.random() < 0.1:  # it never happened
                    operation.ended = None
                else:
                    state, operation.outcome = Pair.step(state, operation)
                    if chance.random() < 0.1:
                        operation.ended = None
                operations.append(operation)
            self.assertTrue(explains(Pair, operations, state))


class Forged(unittest.TestCase):
    def test_lost(self):
        self.assertFalse(explains(Switch, [on(0, 1)], False))
        self.assertFalse(explains(Switch, [on(0, 1), off(2, 3), on(4, 5)], False))

    def test_undone_by_nobody(self):
        self.assertFalse(explains(Switch, [off(0, None), on(1, 2), on(3, 4)], None))
        self.assertFalse(explains(Switch, [on(0, 1), off(0.5, 2), on(3, 4)], False))

    def test_happened_before_it_was_asked_for(self):
        self.assertFalse(explains(Switch, [off(0, 1), on(2, 3), off(4, 5)], True))
        self.assertFalse(explains(Pair, [pair("follow", "a", 0, 1, "refused"), pair("block", "b", 2, 3)], BLOCKS("b")))

    def test_a_follow_through_a_block(self):
        self.assertFalse(explains(Pair, [pair("block", "b", 0, 1), pair("follow", "a", 2, 3)], BLOCKS("b")))
        self.assertFalse(explains(Pair, [pair("follow", "a", 0, 3), pair("block", "b", 1, 2)], BLOCKS("b") | FOLLOWS("a")))

    def test_refused_for_nothing(self):
        self.assertFalse(explains(Pair, [pair("follow", "a", 0, 1, "refused")], frozenset()))

    def test_a_block_that_leaves_a_follow(self):
        history = [pair("follow", "a", 0, 1), pair("block", "a", 2, 3), pair("unblock", "a", 4, 5)]
        self.assertFalse(explains(Pair, history, FOLLOWS("a")))
        self.assertTrue(explains(Pair, history, frozenset()))

    def test_two_votes(self):
        votes = [Operation("vote", 0, 2, "ok", value=1), Operation("vote", 1, 3, "ok", value=2)]
        for end in (1, 2, None):
            self.assertFalse(explains(Vote, votes, end))

    def test_a_vote_nobody_cast(self):
        self.assertFalse(explains(Vote, [Operation("vote", 0, 1, "refused", value=1)], None))
        self.assertFalse(explains(Vote, [Operation("vote", 0, 1, "ok", value=1)], 2))

    def test_an_unanswered_one_happens_once(self):
        history = [off(0, None), on(1, 2), on(3, 4)]
        self.assertTrue(explains(Switch, history, False))
        self.assertFalse(explains(Switch, [off(0, None), on(1, 2), off(3, 4), on(5, 6), on(7, 8)], None))
        # To be off between two that are on, and again at the end, takes two.
        watched = [Operation("vote", 0, None, value=1), Operation("vote", 1, 2, "ok", value=2)]
        self.assertFalse(explains(Vote, watched, 1))


if __name__ == "__main__":
    unittest.main()
