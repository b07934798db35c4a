// SPDX-License-Identifier: AGPL-3.0-or-later
// Some people and posts of a server that is taken over, with what can be compared of them: as its database has them, asked of its
// tables once more and not by what copies, and as they are here.
#pragma once
#include "base/time.hpp"
#include "social/statuses/core/status.hpp"
#include "takeover/rows.hpp"

#include <optional>
#include <string>
#include <vector>

namespace takeover {

struct PersonSample {
    std::string former, address;  // its id there; as others know it
    std::string username, display_name;
    bool locked = false;
    Time created_at;
    std::int64_t followers = 0, following = 0, posts = 0;
    std::string email, password_hash;  // empty: nobody can sign in
    std::vector<KeyRow> keys;          // whose private halves are not looked at
};

struct PostSample {
    std::string former, address;
    std::string author;
    std::optional<std::string> text;  // as it was typed; nothing: that is not known there
    std::string spoiler_text;
    statuses::Visibility visibility = statuses::Visibility::direct;
    std::string language;
    Time created_at;
    bool edited = false, answers = false;
    std::int64_t favourites = 0, boosts = 0, media = 0, mentions = 0, tags = 0, options = 0;

    // What each source counts by these names.
    template <class Row>
    void count(const Row& row) {
        favourites = row.favourites;
        boosts = row.boosts;
        media = row.media;
        mentions = row.mentions;
        tags = row.tags;
    }
};

struct Samples {
    std::vector<PersonSample> people;
    std::vector<PostSample> posts;
};

}  // namespace takeover
