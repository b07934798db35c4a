// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody types to find statuses (behaviours 11.17): words, "phrases", -exclusions, #hashtags and operators
// (from: has: is: language: before: after: during: in:), as a question to the index.
#pragma once
#include "db/full_text.hpp"
#include "db/session.hpp"

namespace discovery {

using base::AccountId;
using base::Time;

// Facts that stand beside the words of a status in the index.
namespace mark {
inline const std::string any = "_s", open = "_p";  // every status; public, by somebody who lets it be found
inline const std::string authors = "_f";           // begins the mark of who wrote it
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
    bool impossible = false;  // nothing can be found: from: somebody unknown

    bool blank() const { return every.empty() && none.empty() && !restricted; }
    bool restricted = false;  // by time or place, without any word
};

// Throws Invalid when it cannot be understood.
StatusQuery parse_query(db::Read&, AccountId viewer, std::string_view text);

}  // namespace discovery
