// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/percent.hpp"
#include "http/body/params.hpp"
#include "social/former/former.hpp"

#include <map>
#include <optional>

namespace former {

namespace {

struct FormerId {
    std::string former;
    std::int64_t id = 0;
};
DESCRIBE(FormerId, former, id)

}  // namespace

// The kinds that parameters name. Ids of before are one of a kind whatever they name, but for Hollo's, whose people and their
// accounts are the same.
const db::Query<FormerId> ids_of_former{
    "ids_of_former",
    R"(SELECT former, id FROM former_ids
       WHERE kind IN ('account', 'status', 'media', 'notification', 'list', 'filter', 'filter_keyword', 'filter_status',
                      'poll', 'conversation', 'scheduled_status', 'follow', 'report', 'rule', 'announcement')
         AND former IN LIST($1))"
};

namespace {

constexpr std::size_t shortest = 16, longest = 36, most_of_request = 200;

// A word of letters, digits and dashes that is no number.
bool may_be_former(std::string_view text) {
    if (text.size() < shortest || text.size() > longest) return false;
    bool number = true;
    for (char c : text) {
        bool digit = c >= '0' && c <= '9';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!digit && !letter && c != '-') return false;
        number = number && digit;
    }
    return !number;
}

// "home[last_read_id]" is last_read_id, "account_ids[]" is account_ids.
std::string_view own_name(std::string_view name) {
    while (name.ends_with(']')) {
        auto open = name.rfind('[');
        if (open == name.npos) return name;
        auto inside = name.substr(open + 1, name.size() - open - 2);
        if (inside.find_first_not_of("0123456789") != inside.npos) return inside;
        name = name.substr(0, open);
    }
    return name;
}

bool names_ids(std::string_view name) {
    auto own = own_name(name);
    if (own == "client_id") return false;
    return own == "id" || own == "ids" || own == "list" || own.ends_with("_id") || own.ends_with("_ids");
}

constexpr std::string_view crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// The first ten of a ULID's characters are its time.
std::optional<std::int64_t> time_of_ulid(std::string_view text) {
    std::int64_t ms = 0;
    for (char c : text.substr(0, 10)) {
        auto digit = crockford.find(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
        if (digit == crockford.npos) return std::nullopt;
        ms = ms * 32 + static_cast<std::int64_t>(digit);
    }
    return ms;
}

// The first 48 bits of a UUID of version 7.
std::optional<std::int64_t> time_of_uuid(std::string_view text) {
    if (text[8] != '-' || text[13] != '-' || text[14] != '7') return std::nullopt;
    std::int64_t ms = 0;
    for (auto i : {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12}) {
        const int digit = base::text::hex_digit(text[static_cast<std::size_t>(i)]);
        if (digit < 0) return std::nullopt;
        ms = ms * 16 + digit;
    }
    return ms;
}

// 128 bits, of which the first 64 are the time.
std::optional<std::int64_t> time_of_flake(std::string_view text) {
    unsigned __int128 value = 0;
    for (char c : text) {
        auto digit = base62.find(c);
        if (digit == base62.npos) return std::nullopt;
        value = value * 62 + digit;
    }
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value >> 64));
}

std::optional<std::int64_t> time_in(std::string_view text) {
    std::optional<std::int64_t> ms;
    if (text.size() == 26) ms = time_of_ulid(text);
    else if (text.size() == 36) ms = time_of_uuid(text);
    else if (text.size() <= 20) ms = time_of_flake(text);
    constexpr std::int64_t latest = std::int64_t{1} << 47;  // as many as fit above the low bits of an id
    if (!ms || *ms < 0 || *ms >= latest) return std::nullopt;
    return ms;
}

// Below what was made in that time, or above it.
std::optional<std::int64_t> as_cursor(std::string_view name, std::string_view text) {
    const bool below = name == "max_id";
    if (!below && name != "min_id" && name != "since_id") return std::nullopt;
    auto ms = time_in(text);
    if (!ms) return std::nullopt;
    return *ms << 16 | (below ? 0 : 0xFFFF);
}

}  // namespace

void use_own_ids(db::Read& db, http::Params& params) {
    std::vector<std::string> asked;
    for (const auto& entry : params.entries())
        if (!entry.upload && names_ids(entry.name) && may_be_former(entry.value) &&
            asked.size() < most_of_request)
            asked.push_back(entry.value);
    if (asked.empty()) return;
    std::map<std::string, std::int64_t, std::less<>> known;
    for (auto& row : db.all(ids_of_former, asked)) known.emplace(std::move(row.former), row.id);
    params.replace([&](const http::Params::Entry& entry) -> std::optional<std::string> {
        if (entry.upload || !names_ids(entry.name) || !may_be_former(entry.value)) return std::nullopt;
        if (auto found = known.find(entry.value); found != known.end()) return std::to_string(found->second);
        auto cursor = as_cursor(entry.name, entry.value);
        return cursor ? std::optional(std::to_string(*cursor)) : std::nullopt;
    });
}

}  // namespace former
