// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "cli/roles.hpp"

namespace server {

namespace {

// users and accounts are tables of the subject accounts.
struct LoginRow {
    base::AccountId id;
    std::string username, email;
    base::RoleId role_id;
    std::optional<base::Time> confirmed_at;
    bool approved = true, disabled = false;
    std::optional<base::Time> last_active_at;
    base::Time created_at;
    std::int64_t statuses_count = 0, followers_count = 0, following_count = 0;
};
DESCRIBE(
    LoginRow, id, username, email, role_id, confirmed_at, approved, disabled, last_active_at, created_at,
    statuses_count, followers_count, following_count
)

const db::Query<LoginRow> all_logins{
    "all_logins",
    R"(SELECT a.id, a.username, u.email, u.role_id, u.confirmed_at, u.approved, u.disabled, u.last_active_at,
              u.created_at, a.statuses_count, a.followers_count, a.following_count
       FROM users u JOIN accounts a ON a.id = u.account_id ORDER BY u.id)"
};

const db::Query<LoginRow> logins_named{
    "logins_named",
    R"(SELECT a.id, a.username, u.email, u.role_id, u.confirmed_at, u.approved, u.disabled, u.last_active_at,
              u.created_at, a.statuses_count, a.followers_count, a.following_count
       FROM users u JOIN accounts a ON a.id = u.account_id
       WHERE lower(a.username) = lower($1) OR lower(u.email) = lower($1))"
};

struct Login {
    base::AccountId id;
    std::string username, email, role, state;
    bool confirmed = false, approved = true, disabled = false;
    base::Time created_at;
    std::optional<base::Time> last_active_at;
    std::int64_t statuses_count = 0, followers_count = 0, following_count = 0;
};
DESCRIBE(
    Login, id, username, email, role, state, confirmed, approved, disabled, created_at, last_active_at,
    statuses_count, followers_count, following_count
)

std::string state_of(const LoginRow& row) {
    if (row.disabled) return "disabled";
    if (!row.confirmed_at) return "unconfirmed";
    return row.approved ? "active" : "waits for approval";
}

Login login(const LoginRow& row) {
    return {
        row.id,
        row.username,
        row.email,
        word_of(row.role_id),
        state_of(row),
        row.confirmed_at.has_value(),
        row.approved,
        row.disabled,
        row.created_at,
        row.last_active_at,
        row.statuses_count,
        row.followers_count,
        row.following_count,
    };
}

std::string day(base::Time time) { return to_string(base::Date{time.ms}); }

}  // namespace

int list_accounts(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    std::vector<Login> logins;
    cli.read([&](db::Read& db) {
        db.each(all_logins, [&](const LoginRow& row) { logins.push_back(login(row)); });
    });
    if (settings.json) return print_json(logins), 0;
    std::vector<std::vector<std::string>> table{{"NAME", "E-MAIL", "ROLE", "STATE", "SINCE", "POSTS"}};
    for (const auto& one : logins)
        table.push_back(
            {one.username,
             one.email,
             one.role,
             one.state,
             day(one.created_at),
             std::to_string(one.statuses_count)}
        );
    print_table(table);
    return 0;
}

int show_account(const Settings& settings, const std::string& name) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto wanted = name.starts_with('@') ? name.substr(1) : name;
    auto row = cli.read([&](db::Read& db) { return db.maybe(logins_named, wanted); });
    if (!row) throw Refused("There is no login \"" + name + "\"; `dunlin account list` shows them all");
    auto one = login(*row);
    if (settings.json) return print_json(one), 0;
    print_table({
        {"name", one.username},
        {"id", std::to_string(one.id.value)},
        {"e-mail", one.email},
        {"role", one.role},
        {"state", one.state},
        {"since", to_string(one.created_at)},
        {"last seen", one.last_active_at ? day(*one.last_active_at) : "never"},
        {"posts", std::to_string(one.statuses_count)},
        {"followers", std::to_string(one.followers_count)},
        {"following", std::to_string(one.following_count)},
    });
    return 0;
}

}  // namespace server
