// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/resolve.hpp"

#include "social/accounts/account.hpp"

#include <charconv>
#include <vector>

namespace discovery {

namespace {

std::vector<std::string_view> steps(std::string_view path) {
    std::vector<std::string_view> out;
    path = path.substr(0, path.find_first_of("?#"));
    while (!path.empty()) {
        auto end = path.find('/');
        if (end != 0) out.push_back(path.substr(0, end));
        path.remove_prefix(end == path.npos ? path.size() : end + 1);
    }
    return out;
}

std::int64_t number(std::string_view text) {
    std::int64_t n = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc() && end == text.data() + text.size() && n > 0 ? n : 0;
}

}  // namespace

Resolved resolve_local(db::Read& db, std::string_view url) {
    const auto& site = db.site().public_url;
    if (!url.starts_with(site) || url.size() == site.size() || url[site.size()] != '/') return {};
    auto path = steps(url.substr(site.size()));
    if (path.empty()) return {};
    Resolved found;
    std::size_t rest = 1;  // where the steps after the account begin
    if (path[0].starts_with('@')) {
        if (auto account = accounts::find_by_acct(db, path[0].substr(1))) found.account = account->id;
    } else if (path[0] == "ap" && path.size() >= 3 && path[1] == "users") {
        if (auto account = accounts::find_account(db, {number(path[2])})) found.account = account->id;
        rest = 3;
    } else if (path[0] == "users" && path.size() >= 2) {
        if (auto account = accounts::find_by_acct(db, path[1])) found.account = account->id;
        rest = 2;
    }
    if (path.size() > rest && path[rest] == "statuses") ++rest;
    if (!found.account || path.size() == rest) return found;
    return {{}, {number(path[rest])}};
}

}  // namespace discovery
