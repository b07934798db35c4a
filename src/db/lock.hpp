// SPDX-License-Identifier: AGPL-3.0-or-later
// What changes of several nodes keep from each other: for as long as they run, locks; for longer, leases.
//
// A lock is named by a word and the ids or texts that it is about.
//
//     db.lock({db::alone("pair", low, high)});      // nobody else meanwhile
//     db.lock({db::shared("status", status)});      // whoever wants it alone waits; others who share it do not
//
// One call names all that a rule needs: they are taken in one order by everybody. Two names may share a key, so a lock
// says that nobody else is there, never that somebody is.
#pragma once
#include "base/ids.hpp"
#include "db/connection.hpp"

#include <concepts>
#include <string_view>

namespace db {

namespace detail {
constexpr std::uint64_t mix(std::uint64_t hash, std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return (hash ^ 0xff) * 1099511628211U;  // where it ends
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
// Rows of work that several nodes take from one table. Who takes some writes until when they are theirs (leased_until) and
// who they are (leased_by, Read::node) in the statement that picks them, with FOR UPDATE SKIP LOCKED, so that no two take the
// same. The time is longer than the work may take: whoever lives is left in peace, and what somebody had who does not is free
// again at last. Where it is known that a node is gone, what it had is free at once (server/nodes/node_rows.hpp):
//
//     "UPDATE jobs SET leased_until = 0 WHERE " LEASED_BY("$1")
//
// Each kind of work stands being done twice all the same, as a node that was taken for gone may come back. '' is every node,
// for who is alone with the database.
#define LEASED_BY(node) "leased_until > 0 AND (" node " = '' OR leased_by = " node ")"

}  // namespace db
