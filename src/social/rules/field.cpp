// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/field.hpp"

#include <algorithm>
#include <array>

namespace rules {

namespace {

using enum FieldType;
using enum Cost;

// clang-format off
constexpr std::array table{
    Field{FieldId::text,                  "text",                  words,   indexed, "Words and phrases of the text and its warning, whatever their case, accents and hidden signs; letters of other scripts that look like Latin ones count as those."},
    Field{FieldId::link_domain,           "link.domain",           domains, indexed, "Where a link leads."},
    Field{FieldId::links,                 "links",                 number,  cheap,   "How many links there are, without mentions and hashtags."},
    Field{FieldId::hashtag,               "hashtag",               names,   indexed, "A hashtag, without its sign."},
    Field{FieldId::hashtags,              "hashtags",              number,  cheap,   "How many hashtags there are."},
    Field{FieldId::mentions,              "mentions",              number,  cheap,   "How many people are named, as far as they are known here."},
    Field{FieldId::local_mentions,        "mentions.local",        number,  asks,    "How many of them are of this site."},
    Field{FieldId::strangers,             "mentions.strangers",    number,  asks,    "How many of those of this site never had to do with the author: neither follows nor has answered them, nor was named by them, in the last 40 posts."},
    Field{FieldId::first_contact,         "first_contact",         flag,    asks,    "Whether one of them is such a stranger."},
    Field{FieldId::language,              "language",              names,   cheap,   "The language that the post says it is in, like de."},
    Field{FieldId::visibility,            "visibility",            names,   cheap,   "public, unlisted, private, direct or limited."},
    Field{FieldId::sensitive,             "sensitive",             flag,    cheap,   "Whether its author marked it."},
    Field{FieldId::has_cw,                "has_cw",                flag,    cheap,   "Whether there is a warning."},
    Field{FieldId::media,                 "media",                 number,  cheap,   "How many files are attached."},
    Field{FieldId::has_poll,              "has_poll",              flag,    cheap,   "Whether there is a poll."},
    Field{FieldId::is_reply,              "is_reply",              flag,    cheap,   "Whether it answers a post."},
    Field{FieldId::reply_to_stranger,     "reply_to_stranger",     flag,    asks,    "Whether it answers somebody of this site who never had to do with the author."},
    Field{FieldId::is_edit,               "is_edit",               flag,    cheap,   "Whether it was there before."},
    Field{FieldId::author_local,          "author.local",          flag,    asks,    "Whether the author is of this site."},
    Field{FieldId::author_handle,         "author.handle",         names,   asks,    "The author, like alice or bob@example.com."},
    Field{FieldId::author_age_days,       "author.age_days",       number,  asks,    "Days between the beginning of the account and the post."},
    Field{FieldId::author_posts,          "author.posts",          number,  asks,    "Earlier posts of the author that are here, counted up to 100."},
    Field{FieldId::author_followers_here, "author.followers_here", number,  asks,    "People of this site among the first 1000 who follow the author."},
    Field{FieldId::author_bot,            "author.bot",            flag,    asks,    "Whether the account says that it is a bot."},
    Field{FieldId::author_limited,        "author.limited",        flag,    asks,    "Whether the account is limited here."},
    Field{FieldId::author_strikes,        "author.strikes",        number,  asks,    "What staff decided against the author and still holds."},
    Field{FieldId::author_label,          "author.label",          names,   asks,    "A label of the author, whoever put it there: a rule or the team."},
    Field{FieldId::server_domain,         "server.domain",         domains, asks,    "The author's server; of this site it is empty."},
    Field{FieldId::server_known_days,     "server.known_days",     number,  asks,    "Days between the first account of that server here and the post."},
    Field{FieldId::server_list,           "server.list",           names,   asks,    "The name of a list of servers that was applied here and has that server."},
    Field{FieldId::server_label,          "server.label",          names,   asks,    "A label of the author's server, or of one of the domains above it."},
    Field{FieldId::near_copies,           "near_copies",           number,  counts,  "How many posts say nearly the same, this one included; names, hashtags and links aside. Of fewer than five words it is 1."},
    Field{FieldId::near_copies_authors,   "near_copies.authors",   number,  counts,  "By how many accounts."},
    Field{FieldId::near_copies_servers,   "near_copies.servers",   number,  counts,  "From how many servers."},
    Field{FieldId::same_link,             "same_link",             number,  counts,  "How many posts lead to the same address, this one included; 0 without a link."},
    Field{FieldId::same_link_authors,     "same_link.authors",     number,  counts,  "By how many accounts."},
    Field{FieldId::same_link_servers,     "same_link.servers",     number,  counts,  "From how many servers."},
    Field{FieldId::link_domain_rate,      "link.domain.rate",      number,  counts,  "How many posts lead to the same server."},
    Field{FieldId::hashtag_rate,          "hashtag.rate",          number,  counts,  "How many posts have the same hashtag, of several the most frequent."},
    Field{FieldId::author_rate,           "author.rate",           number,  counts,  "How many posts the author wrote."},
    Field{FieldId::server_rate,           "server.rate",           number,  counts,  "How many posts came from the author's server."},
};
// clang-format on

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].id) != i) return false;
    return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const Field> fields() { return table; }

const Field& field(FieldId id) { return table[static_cast<std::size_t>(id)]; }

const Field* find_field(std::string_view name) {
    auto found = std::ranges::find(table, name, &Field::name);
    return found == table.end() ? nullptr : &*found;
}

std::string_view word(FieldType type) {
    switch (type) {
        case words: return "words";
        case domains: return "domains";
        case names: return "names";
        case number: return "number";
        case flag: return "flag";
    }
    return {};
}

std::string_view operators(FieldType type) {
    switch (type) {
        case words: return "contains_word, near, not";
        case domains:
        case names: return "is, in, not";
        case number: return "is, not, <, >";
        case flag: return "is, not";
    }
    return {};
}

}  // namespace rules
