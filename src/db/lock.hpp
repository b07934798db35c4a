// SPDX-License-Identifier: AGPL-3.0-or-later
// How changes of several nodes exclude each other: with locks while they run, with leases for longer.
//
// A lock is named by a word and the ids or texts that it protects.
//
//     db.lock({db::alone("pair", low, high)});      // exclusive
//     db.lock({db::shared("status", status)});      // excludes exclusive holders, not other sharers
//
// Pass all locks that a rule needs in one call: they are always taken in the same order, which prevents
// deadlocks. Two names may hash to the same key: a lock that is held keeps everybody else out, but one that
// is taken does not prove that the same name is in use.
#pragma once
#include "base/ids.hpp"
#include "db/connection.hpp"

#include <concepts>
#include <string_view>

namespace db {

namespace detail {
constexpr std::uint64_t mix(std::uint64_t hash, std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return (hash ^ 0xff) * 1099511628211U;  // separates the parts
}
template <std::integral Integer>
constexpr std::uint64_t mix(std::uint64_t hash, Integer number) {
    auto x = hash ^ static_cast<std::uint64_t>(number);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}
template <class Tag>
constexpr std::uint64_t mix(std::uint64_t hash, base::Id<Tag> id) {
    return mix(hash, id.value);
}
template <class... About>
constexpr std::int64_t key(std::string_view word, const About&... about) {
    std::uint64_t hash = mix(14695981039346656037U, word);
    ((hash = mix(hash, about)), ...);
    return static_cast<std::int64_t>(hash);
}
}  // namespace detail

template <class... About>
constexpr Lock alone(std::string_view word, const About&... about) {
    return {detail::key(word, about...)};
}
template <class... About>
constexpr Lock shared(std::string_view word, const About&... about) {
    return {detail::key(word, about...), true};
}

// ---- leases ----
//
// Rows of work that several nodes take from one table. The statement that picks rows with FOR UPDATE SKIP
// LOCKED, so that no two nodes pick the same, also writes when the lease ends (leased_until) and who holds it
// (leased_by, Read::node). A lease outlasts the longest possible work, so a live node is never robbed of its
// rows, and the rows of a dead node become free in the end. When a node is known to be gone, its rows are
// freed at once (server/nodes/node_rows.hpp):
//
//     "UPDATE jobs SET leased_until = 0 WHERE " LEASED_BY("$1")
//
// A node that was believed dead may come back, so all such work must tolerate being done twice. '' means
// every node, for a process that has the database to itself.
#define LEASED_BY(node) "leased_until > 0 AND (" node " = '' OR leased_by = " node ")"

}  // namespace db
