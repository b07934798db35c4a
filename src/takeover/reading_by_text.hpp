// SPDX-License-Identifier: AGPL-3.0-or-later
// Of sources whose rows are named by UUIDs, numbers or pairs of those, whichever it is: in the order of these as texts.
#pragma once
#include "takeover/reading.hpp"

namespace takeover {

struct ReadingByText : Reading {
    // Rows of `from`, which calls them x, from behind `position` on.
    template <class T, class F>
    void each(const char* kind, const std::string& from, const std::string& position, Sink& sink, F f) const {
        each_behind<T>(
            kind,
            from,
            "WHERE CAST(x.id AS text) COLLATE \"C\" > $1 ORDER BY CAST(x.id AS text) COLLATE \"C\"",
            position,
            sink,
            std::move(f)
        );
    }
    // The same in parts, for rows that have a UUID: between them more may be asked.
    template <class T, class F>
    void parts(const char* kind, const std::string& from, const std::string& begin, Sink& sink, F f) const {
        const auto position = begin.empty() ? "00000000-0000-0000-0000-000000000000" : begin;
        parts_behind<T>(
            kind,
            from,
            "WHERE x.id > CAST($1 AS uuid) ORDER BY x.id",
            position,
            sink,
            [&](auto& rows, auto&, auto&) { f(rows); }
        );
    }
};

// As others are told: not later than now, whatever is said.
inline Time dated(const Reading& r, Time said) { return std::min(said, r.choice.now); }

// Of a boost, `thread` is what it boosts.
struct KeptPost {
    std::string id, account, thread;
    Time made;
};
DESCRIBE(KeptPost, id, account, thread, made)
struct MetPerson {
    std::string post, account;
};
DESCRIBE(MetPerson, post, account)

// Which posts and people come along: statements, the first three as tables x.
struct WhatIsKept {
    std::string posts, boosts;  // KeptPost
    std::string met;            // MetPerson
    std::span<const char* const> known_people;
};

// Gives all of them their numbers, from the beginning each time: what was given before is given again. People have the row Person,
// with `local`, and come as the table `people` has them; `thread` numbers that of a post.
template <class Person, class Thread>
void give_numbers_to(
    const WhatIsKept& kept, const char* people, Time Person::* made, const std::string& order,
    const Reading& r, Sink& sink, Thread thread
) {
    auto& numbers = sink.numbers;
    const std::string by_time = "ORDER BY x.made, x.id";
    std::unordered_set<std::string> known;
    auto give = [&](const KeptPost& post) {
        numbers.give("status", post.id, dated(r, post.made));
        known.insert(post.account);
        sink.done("");
    };
    r.db.each<KeptPost>(
        kept.posts,
        by_time,
        {},
        [&](const KeptPost& post) {
            give(post);
            thread(post, dated(r, post.made));
        },
        r.refusing("status", sink)
    );
    r.db.each<MetPerson>(
        kept.met,
        "",
        {},
        [&](const MetPerson& one) {
            if (numbers.find("status", one.post)) known.insert(one.account);
        },
        [](auto&, auto&) {}
    );
    for (const auto* sql : kept.known_people)
        r.db.run(sql, {}, [&](const db::Foreign::Row& row) { known.emplace(row[0].value_or("")); });
    r.db.each<KeptPost>(
        kept.boosts,
        by_time,
        {},
        [&](const KeptPost& boost) {
            if (numbers.find("status", boost.thread)) give(boost);
        },
        r.refusing("status", sink)
    );
    r.db.each<Person>(
        people,
        order,
        {},
        [&](const Person& p) {
            if (!p.local && !r.choice.everything && !known.contains(p.id)) return;
            numbers.give("account", p.id, dated(r, p.*made));
            sink.done("");
        },
        r.refusing("account", sink)
    );
}

}  // namespace takeover
