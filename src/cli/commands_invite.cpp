// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/invite.hpp"

namespace server {

namespace {

constexpr std::int64_t day = 86'400;

struct Made {
    std::string invite_code, url;
};
DESCRIBE(Made, invite_code, url)

struct Shown {
    std::string invite_code, state;
    std::int64_t uses = 0;
    std::optional<std::int64_t> max_uses;
    std::optional<base::Time> expires_at;
    std::optional<std::string> follows;
};
DESCRIBE(Shown, invite_code, state, uses, max_uses, expires_at, follows)

Shown shown(const accounts::Invite& invite, base::Time now) {
    return {
        invite.code,
        invite.valid(now) ? "valid" : "ended",
        invite.uses,
        invite.max_uses,
        invite.expires_at,
        invite.autofollow ? invite.username : std::nullopt
    };
}

}  // namespace

int create_invite(const Settings& settings, const NewInvite& given) {
    auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    auto made = cli.write([&](db::Write& db) {
        accounts::NewInvite invite;
        if (given.uses > 0) invite.max_uses = given.uses;
        if (given.days > 0) invite.expires_at = db.now().plus_seconds(given.days * day);
        if (!given.autofollow.empty()) invite.account = local_account(db, given.autofollow).id;
        invite.autofollow = !given.autofollow.empty();
        auto code = accounts::create_invite(db, invite);
        return Made{code, db.site().public_url + "/invite/" + code};
    });
    if (settings.json) print_json(made);
    else print(made.url);
    return 0;
}

int list_invites(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    std::vector<Shown> all;
    cli.read([&](db::Read& db) {
        for (const auto& invite : accounts::invites(db)) all.push_back(shown(invite, db.now()));
    });
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"CODE", "STATE", "USED", "UNTIL", "FOLLOWS"}};
    for (const auto& one : all)
        rows.push_back(
            {one.invite_code,
             one.state,
             std::to_string(one.uses) + (one.max_uses ? " of " + std::to_string(*one.max_uses) : ""),
             one.expires_at ? base::to_string(*one.expires_at) : "",
             one.follows.value_or("")}
        );
    print_table(rows);
    return 0;
}

int revoke_invite(const Settings& settings, const std::string& code) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    try {
        cli.write([&](db::Write& db) { accounts::revoke_invite(db, code); });
    } catch (const base::NotFound&) {
        throw Refused("There is no invite " + code + "; `dunlin invite list` shows them");
    }
    if (!settings.json) print("Revoked");
    return 0;
}

}  // namespace server
