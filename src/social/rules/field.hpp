// SPDX-License-Identifier: AGPL-3.0-or-later
// The fields of a post that rules can test: one table for parsing, compiling and documentation.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace rules {

enum class FieldId : std::uint8_t {
    text,
    link_domain,
    links,
    hashtag,
    hashtags,
    mentions,
    local_mentions,
    strangers,
    first_contact,
    language,
    visibility,
    sensitive,
    has_cw,
    media,
    has_poll,
    is_reply,
    reply_to_stranger,
    is_edit,
    author_local,
    author_handle,
    author_age_days,
    author_posts,
    author_followers_here,
    author_bot,
    author_limited,
    author_strikes,
    author_label,
    server_domain,
    server_known_days,
    server_list,
    server_label,
    near_copies,
    near_copies_authors,
    near_copies_servers,
    same_link,
    same_link_authors,
    same_link_servers,
    link_domain_rate,
    hashtag_rate,
    author_rate,
    server_rate,
};

// words: phrases in the text; domains: with subdomains; names: exact texts, ignoring case.
enum class FieldType : std::uint8_t { words, domains, names, number, flag };
// Indexed for all rules at once, read from the post, counted in the window of recent posts, or queried from
// the database.
enum class Cost : std::uint8_t { indexed, cheap, counts, asks };

struct Field {
    FieldId id;
    std::string_view name;
    FieldType type;
    Cost cost;
    std::string_view help;
};

std::span<const Field> fields();  // by FieldId
const Field& field(FieldId);
const Field* find_field(std::string_view name);
std::string_view word(FieldType);
std::string_view operators(FieldType);        // for people
constexpr std::int64_t default_minutes = 60;  // for fields that count recent posts

}  // namespace rules
