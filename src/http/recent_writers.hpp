// SPDX-License-Identifier: AGPL-3.0-or-later
// Who has written recently, and which position a replica must have reached for their next read.
#pragma once
#include "base/hash/keyed_hash.hpp"
#include "base/time.hpp"
#include "db/position.hpp"
#include "http/message.hpp"

#include <array>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace http {

class RecentWriters {
public:
    // Call before anything is noted: all nodes of a site must use the same keys.
    void use_secret(std::string_view secret) { hash_ = base::KeyedHash(secret); }

    // The address is noted as well as the token, for callers whose token or session is new. `newest`: the
    // position is unknown, and the writer reads from the primary for one to two minutes.
    void note(const Request&, std::string_view token, db::Position, base::Time now);
    void note(std::uint64_t key, db::Position, base::Time now);
    db::Position seen_by(const Request&, std::string_view token, base::Time now);

    // The key sent to other nodes: the token's, or the address's if there is none.
    std::uint64_t key(const Request&, std::string_view token) const;

private:
    std::uint64_t key(std::string_view kind, std::string_view who) const;

    // Entries of this minute and the previous one. Every read must see the position of what was dropped: a
    // replica has reached it long since, except if entries were dropped because very many write.
    struct Shard {
        std::mutex mutex;
        std::int64_t minute = 0;
        std::unordered_map<std::uint64_t, db::Position> now, before;
        db::Position forgotten;
    };
    static constexpr std::size_t shards = 8, most_of_shard = 8192;
    static void advance(Shard&, std::int64_t minute);
    static void forget_older(Shard&);
    db::Position find(std::uint64_t key, std::int64_t minute);

    base::KeyedHash hash_;
    std::array<Shard, shards> shards_;
};

}  // namespace http
