// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy has, whatever is read.
#pragma once
#include "takeover/forms.hpp"
#include "takeover/source.hpp"

#include <algorithm>
#include <concepts>
#include <memory>
#include <span>
#include <unordered_set>

namespace takeover {

namespace literals {

template <class M>
std::string of(const M& value) {
    if constexpr (std::same_as<M, bool>) return value ? "TRUE" : "FALSE";
    else if constexpr (std::integral<M>) return std::to_string(value);
    else return "NULL";
}

}  // namespace literals

// The table as T reads it: columns that came later, and those of forks, have T's defaults where they lack.
template <class T>
std::string table(db::Foreign& db, const std::string& name) {
    const auto& there = db.columns_of(name);
    const T defaults;
    std::string filled;
    base::for_each_member<T>([&](auto member) {
        const std::string column(base::wire_name(member.name));
        if (std::ranges::find(there, column) == there.end())
            filled += ", " + literals::of(defaults.*member.pointer) + " AS \"" + column + "\"";
    });
    if (filled.empty()) return name + " AS x";
    return "(SELECT t.*" + filled + " FROM " + name + " t) AS x";
}

// Throws Unsuitable: there is no such table, or the first of these columns that it lacks.
void expect_columns(db::Foreign&, const std::string& table, const std::vector<std::string_view>& columns);
// Those that T reads, but for such as came later, or forks do not have.
template <class T>
void expect_table(
    db::Foreign& db, const std::string& table, std::span<const std::string_view> may_lack = {}
) {
    std::vector<std::string_view> columns;
    base::for_each_member<T>([&](auto member) {
        const auto column = base::wire_name(member.name);
        if (std::ranges::find(may_lack, column) == may_lack.end()) columns.push_back(column);
    });
    expect_columns(db, table, columns);
}

// A step of a reader whose steps all get the same, R.
template <class R>
struct StepOf {
    std::string name;
    std::vector<std::string> tables;
    void (*copy)(const R&, const std::string& position, Sink&);
};
template <class R>
std::vector<Step> steps_of(const R& reading, std::vector<StepOf<R>> all) {
    std::vector<Step> out;
    for (auto& [name, tables, copy] : all)
        out.push_back(
            {std::move(name),
             std::move(tables),
             [reading, copy](const std::string& position, Sink& sink) { copy(reading, position, sink); }}
        );
    return out;
}

// "{1,2,3}", as a parameter for "= ANY(CAST($1 AS bigint[]))".
std::string as_array(const std::int64_t* begin, const std::int64_t* end);
// {"a","b"}, as a parameter for "= ANY(CAST($1 AS text[]))".
std::string as_texts(const std::vector<std::string>&);

std::string host_of(std::string_view address);

// Whether following the answers from `from` upwards one comes to `id`. Asked only where one answers what is newer than itself:
// every circle has such a place. `next`: what a post answers; empty: nothing.
template <class Former, class Next>
bool leads_to(Former from, const Former& id, Next next) {
    constexpr int longest = 10'000;
    for (int steps = 0; steps < longest && from != Former{}; ++steps) {
        if (from == id) return true;
        from = next(from);
    }
    return false;
}

// What a post with the number `post` answers, whose own number is `parent`: an answer to what did not come along is one to nobody, and
// one that comes back to itself, too, which is said.
template <class Former, class Next>
MaybeId answered(Id post, MaybeId parent, const Former& answers, const Former& id, Sink& sink, Next next) {
    if (!parent || *parent < post || !leads_to(answers, id, next)) return parent;
    std::string name;
    if constexpr (std::integral<Former>) name = std::to_string(id);
    else name = id;
    sink.refuse("answer", name, "it answers itself by a circle; the post is taken, the answer is not");
    return {};
}

struct Reading {
    db::Foreign& db;
    const base::Site& site;
    const Files& files;
    Choice choice;
    // Hashtags that have been put: a number alone may be of an earlier copy.
    std::shared_ptr<std::unordered_set<std::string>> tags =
        std::make_shared<std::unordered_set<std::string>>();

    // An address of this server.
    bool is_here(std::string_view uri) const { return uri.starts_with(site.public_url + "/"); }

    // What becomes of a row that cannot be read.
    db::Foreign::Refuse refusing(const char* kind, Sink& sink) const {
        return [kind, &sink](const std::string& row, const std::string& why) {
            sink.refuse(kind, row, why);
            sink.numbers.drop(kind, row);
        };
    }

    // Rows of `from` from behind a position on, each as it is read. `behind`: the condition, of which $1 is that position, and the
    // order, which is that of their ids.
    template <class T, class F>
    void each_behind(
        const char* kind, const std::string& from, const std::string& behind, const std::string& position,
        Sink& sink, F f
    ) const {
        db.each<T>(
            from,
            behind,
            {position},
            [&](T row) {
                const auto id = row.id;
                f(std::move(row));
                if constexpr (std::integral<decltype(T::id)>) sink.done(std::to_string(id));
                else sink.done(id);
            },
            refusing(kind, sink)
        );
    }
    // The same in parts, between which more may be asked: f(rows, position before them, position after).
    template <class T, class F>
    void parts_behind(
        const char* kind, const std::string& from, const std::string& behind, std::string position,
        Sink& sink, F f
    ) const {
        const auto part = static_cast<std::int64_t>(choice.chunk);
        for (bool more = true; more;) {
            std::vector<T> rows;
            const auto seen = db.each<T>(
                from,
                behind + " LIMIT " + std::to_string(part),
                {position},
                [&](T row) { rows.push_back(std::move(row)); },
                refusing(kind, sink)
            );
            more = seen.rows == part;
            if (seen.rows == 0) return;
            f(rows, position, seen.last);
            for (std::int64_t n = 0; n < seen.rows; ++n) sink.done(seen.last);
            position = seen.last;
        }
    }

    // By what they are called there. Nothing: it does not come along.
    MaybeId account(const Sink& sink, const std::string& former) const {
        return sink.numbers.find("account", former);
    }
    MaybeId status(const Sink& sink, const std::string& former) const {
        return sink.numbers.find("status", former);
    }
};

// What a statement about `id` ($1) answers first; empty: nothing.
std::string first_text(db::Foreign&, const std::string& sql, const std::string& id);

// A kind of notification as it is stored here, and whether it names a post.
struct NotificationKind {
    const char* here;
    bool of_post;
};
// By the word of Mastodon's API, to which others add theirs. Nothing: it exists there alone.
std::optional<NotificationKind> notification_kind(std::string_view word);
struct FormerNotification {
    std::string id;
    MaybeId to, by, status;
    Time made;
};
// Unless it is older than is asked for, or one of those that it names did not come along.
void put_notification(const FormerNotification&, std::optional<NotificationKind>, const Choice&, Sink&);

// The key that push messages are signed with: base64 of the point and of the number. Refused where they are no pair.
void put_push_key(const std::string& former, const std::string& point, const std::string& number, Sink&);
// Of a subscription: base64, as it is stored here. Nothing: its keys or its address are none.
struct PushKeys {
    std::string p256dh, auth;
};
std::optional<PushKeys> push_keys(
    const std::string& endpoint, const std::string& p256dh, const std::string& auth
);

// A hashtag's number; nothing: its name is none.
MaybeId tag(const Reading&, const std::string& name, Time, Sink&);

// How far somebody has read their home. A post that did not come along, made then, stands for the newest that is older.
MaybeId read_until(const Sink&, const std::string& post, std::optional<Time> made);

// Why a picture or a file did not come along.
std::string problem_of(Files::Found, const std::string& path);

}  // namespace takeover
