// SPDX-License-Identifier: AGPL-3.0-or-later
// A search query for statuses (behaviours 11.17): words, "phrases", -exclusions, #hashtags and operators
// (from: has: is: language: before: after: during: in:), translated for the index.
#pragma once
#include "db/full_text.hpp"
#include "db/session.hpp"

namespace discovery {

using base::AccountId;
using base::Time;

// Facts that are indexed together with the words of a status.
namespace mark {
inline const std::string any = "_s", open = "_p";  // every status; public and by an indexable author
inline const std::string authors = "_f";           // prefix of the author's mark
std::string of(std::string_view fact);             // "image", "reply", …
std::string by(AccountId);
std::string mentioning(AccountId);
std::string language(std::string_view code);
std::string tag(std::string_view normal_name);
}  // namespace mark

struct StatusQuery {
    std::vector<db::SoughtWords> every, none;
    Time from{}, until{1LL << 46};  // from <= created < until
    bool library = true, open = true;
    bool impossible = false;  // there can be no results, e.g. from: an unknown account

    bool blank() const { return every.empty() && none.empty() && !restricted; }
    bool restricted = false;  // by time or place, without any words
};

// Throws Invalid if it cannot be parsed.
StatusQuery parse_query(db::Read&, AccountId viewer, std::string_view text);

}  // namespace discovery
