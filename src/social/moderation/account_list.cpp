// SPDX-License-Identifier: AGPL-3.0-or-later
// One index leads to candidates, chosen by what narrows most; the other conditions are looked at one by one. Candidates come
// in the order of the page, or all at once where they are few.
#include "social/moderation/account_list.hpp"

#include "base/network.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/administering.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace moderation {

namespace {

using base::text::ascii_lowered;

struct AccountFacts {
    AccountId id;
    std::string username, domain, display_name;
    bool suspended = false, silenced = false, sensitized = false, deleting = false;
    std::optional<base::UserId> user;
    std::string email;
    bool approved = true, disabled = false;
    base::RoleId role;
    std::int64_t role_permissions = 0;
    std::optional<AccountId> invited_by;
};
DESCRIBE(
    AccountFacts, id, username, domain, display_name, suspended, silenced, sensitized, deleting, user, email,
    approved, disabled, role, role_permissions, invited_by
)

}  // namespace

// accounts, users, roles, invites and deletions belong to accounts.
const db::Query<AccountFacts> account_facts{
    "account_facts",
    R"(SELECT a.id, a.username, a.domain, a.display_name, a.suspended_at IS NOT NULL AS suspended,
              a.silenced_at IS NOT NULL AS silenced, a.sensitized_at IS NOT NULL AS sensitized,
              EXISTS (SELECT 1 FROM deletions d WHERE d.account_id = a.id) AS deleting,
              u.id AS "user", COALESCE(u.email, '') AS email, COALESCE(u.approved, TRUE) AS approved,
              COALESCE(u.disabled, FALSE) AS disabled, COALESCE(u.role_id, 0) AS role,
              COALESCE(r.permissions, 0) AS role_permissions, i.account_id AS invited_by
       FROM accounts a LEFT JOIN users u ON u.account_id = a.id LEFT JOIN roles r ON r.id = u.role_id
           LEFT JOIN invites i ON i.code = u.invite_code
       WHERE a.id IN LIST($1))"
};

#define IN_ORDER(NAME, ID, FROM)                                                                           \
    const db::Query<AccountId> NAME##_down{                                                                \
        #NAME "_down", "SELECT " ID " FROM " FROM ID " < $1 AND " ID " > $2 ORDER BY " ID " DESC LIMIT $3" \
    };                                                                                                     \
    const db::Query<AccountId> NAME##_up{                                                                  \
        #NAME "_up", "SELECT " ID " FROM " FROM ID " < $1 AND " ID " > $2 ORDER BY " ID " LIMIT $3"        \
    }

IN_ORDER(listed_accounts, "id", "accounts WHERE ");
IN_ORDER(listed_suspended, "id", "accounts WHERE suspended_at IS NOT NULL AND ");
IN_ORDER(listed_silenced, "id", "accounts WHERE silenced_at IS NOT NULL AND ");
IN_ORDER(listed_sensitized, "id", "accounts WHERE sensitized_at IS NOT NULL AND ");
IN_ORDER(listed_users, "account_id", "users WHERE ");
IN_ORDER(listed_pending, "account_id", "users WHERE approved = FALSE AND ");
IN_ORDER(listed_disabled, "account_id", "users WHERE disabled = TRUE AND ");
const db::Query<AccountId> listed_of_domain_down{
    "listed_of_domain_down",
    "SELECT id FROM accounts WHERE domain = $4 AND domain <> '' AND id < $1 AND id > $2 ORDER BY id DESC "
    "LIMIT $3"
};
const db::Query<AccountId> listed_of_domain_up{
    "listed_of_domain_up",
    "SELECT id FROM accounts WHERE domain = $4 AND domain <> '' AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};

// All at once.
const db::Query<AccountId> accounts_with_role{
    "accounts_with_role", "SELECT account_id FROM users WHERE role_id <> -99"
};
const db::Query<AccountId> accounts_of_users{
    "accounts_of_users", "SELECT account_id FROM users WHERE id IN LIST($1)"
};
const db::Query<AccountId> accounts_invited_by{
    "accounts_invited_by",
    R"(SELECT u.account_id FROM invites i JOIN users u ON u.invite_code = i.code AND u.invite_code IS NOT NULL
       WHERE i.account_id = $1 LIMIT 20000)"
};
const db::Query<AccountId> accounts_of_domain_by_name_prefix{
    "accounts_of_domain_by_name_prefix",
    R"(SELECT id FROM accounts WHERE lower(username) >= $1 AND lower(username) < $2 AND domain = $3
       ORDER BY lower(username) LIMIT 2000)",
    R"(SELECT id FROM accounts WHERE lower(username) COLLATE "C" >= $1 AND lower(username) COLLATE "C" < $2
           AND domain = $3
       ORDER BY lower(username) COLLATE "C" LIMIT 2000)"
};
const db::Query<AccountId> accounts_by_email_prefix{
    "accounts_by_email_prefix",
    "SELECT account_id FROM users WHERE email >= $1 AND email < $2 ORDER BY email LIMIT 2000",
    R"(SELECT account_id FROM users WHERE email COLLATE "C" >= $1 AND email COLLATE "C" < $2
       ORDER BY email COLLATE "C" LIMIT 2000)"
};
const db::Query<AccountId> accounts_by_name_prefix{
    "accounts_by_name_prefix",
    R"(SELECT id FROM accounts WHERE lower(username) >= $1 AND lower(username) < $2 ORDER BY lower(username)
       LIMIT 2000)",
    R"(SELECT id FROM accounts WHERE lower(username) COLLATE "C" >= $1 AND lower(username) COLLATE "C" < $2
       ORDER BY lower(username) COLLATE "C" LIMIT 2000)"
};

namespace {

// The texts that begin so stand between this and itself with the last of all characters behind it.
std::string beyond(const std::string& prefix) { return prefix + "\xF4\x8F\xBF\xBF"; }

std::string without_at(std::string_view name) {
    if (name.starts_with('@')) name.remove_prefix(1);
    return ascii_lowered(name);
}

bool is_staff(const AccountFacts& a) {
    return (a.role_permissions & (accounts::administrator | accounts::permission::manage_reports)) != 0;
}

bool has_state(const AccountFacts& a, AccountState state) {
    switch (state) {
        case AccountState::active: return !a.suspended && !a.deleting;
        case AccountState::pending: return a.user && !a.approved;
        case AccountState::disabled: return a.user && a.disabled && !a.suspended;
        case AccountState::silenced: return a.silenced;
        case AccountState::suspended: return a.suspended;
        case AccountState::sensitized: return a.sensitized;
    }
    return false;
}

bool begins(std::string_view text, std::string_view with) { return ascii_lowered(text).starts_with(with); }

class Search {
public:
    Search(db::Read& db, const AccountFilter& filter) : db_(db), filter_(filter) {
        if (!filter.by_domain.empty())
            domain_ =
                base::text::normalized_domain(filter.by_domain).value_or(ascii_lowered(filter.by_domain));
        name_ = without_at(filter.username);
        display_name_ = ascii_lowered(filter.display_name);
        email_ = ascii_lowered(filter.email);
        if (!filter.ip.empty()) users_ = from_address();
        few_ = few();
    }

    std::vector<AccountId> next(const base::Range& range, int limit) {
        if (few_) return cut(range, limit);
        return in_order(range, limit);
    }
    bool fits(const AccountFacts& a) const {
        if (domain_ ? a.domain != *domain_
                    : filter_.origin && (*filter_.origin == AccountOrigin::local) != a.domain.empty())
            return false;
        if (filter_.state && !has_state(a, *filter_.state)) return false;
        if (!begins(a.username, name_) || !begins(a.display_name, display_name_)) return false;
        if (!email_.empty() && !(a.user && begins(a.email, email_))) return false;
        if (users_ && !(a.user && users_->contains(*a.user))) return false;
        if (filter_.staff && !is_staff(a)) return false;
        if (!filter_.roles.empty() &&
            !(a.user && std::ranges::find(filter_.roles, a.role) != filter_.roles.end()))
            return false;
        return !filter_.invited_by || a.invited_by == filter_.invited_by;
    }

private:
    std::set<base::UserId> from_address() {
        auto found = accounts::users_from(db_, filter_.ip);
        return {found.begin(), found.end()};
    }
    std::optional<std::vector<AccountId>> few() {
        if (users_) {
            std::vector<base::UserId> users(users_->begin(), users_->end());
            return users.empty() ? std::vector<AccountId>{} : db_.all(accounts_of_users, users);
        }
        if (!email_.empty()) return db_.all(accounts_by_email_prefix, email_, beyond(email_));
        if (filter_.invited_by) return db_.all(accounts_invited_by, *filter_.invited_by);
        bool of_everyone = std::ranges::find(filter_.roles, accounts::everyone) != filter_.roles.end();
        if (filter_.staff || (!filter_.roles.empty() && !of_everyone)) return db_.all(accounts_with_role);
        if (!name_.empty()) return named();
        return std::nullopt;
    }
    // Of one server where that is known, so that those of all others do not take their places.
    std::vector<AccountId> named() {
        if (domain_ || filter_.origin == AccountOrigin::local)
            return db_.all(
                accounts_of_domain_by_name_prefix, name_, beyond(name_), domain_.value_or(std::string())
            );
        return db_.all(accounts_by_name_prefix, name_, beyond(name_));
    }
    std::vector<AccountId> cut(const base::Range& range, int limit) {
        std::vector<AccountId> out;
        for (auto id : *few_)
            if (id.value < range.below && id.value > range.above) out.push_back(id);
        return first_of(std::move(out), range.ascending, limit);
    }
    // Each once, in the order of the page.
    static std::vector<AccountId> first_of(std::vector<AccountId> ids, bool ascending, int limit) {
        if (ascending) std::ranges::sort(ids);
        else std::ranges::sort(ids, std::greater());
        auto same = std::ranges::unique(ids);
        ids.erase(same.begin(), same.end());
        if (ids.size() > static_cast<std::size_t>(limit)) ids.resize(static_cast<std::size_t>(limit));
        return ids;
    }
    std::vector<AccountId> in_order(const base::Range& range, int limit) {
        auto read = [&](const db::Query<AccountId>& down, const db::Query<AccountId>& up) {
            return db_.all(range.ascending ? up : down, range.below, range.above, limit);
        };
        if (domain_)
            return db_.all(
                range.ascending ? listed_of_domain_up : listed_of_domain_down,
                range.below,
                range.above,
                limit,
                *domain_
            );
        switch (filter_.state.value_or(AccountState::active)) {
            case AccountState::pending: return read(listed_pending_down, listed_pending_up);
            case AccountState::disabled: return read(listed_disabled_down, listed_disabled_up);
            case AccountState::silenced: return read(listed_silenced_down, listed_silenced_up);
            case AccountState::suspended: return read(listed_suspended_down, listed_suspended_up);
            case AccountState::sensitized: return read(listed_sensitized_down, listed_sensitized_up);
            case AccountState::active: break;
        }
        bool here = filter_.origin == AccountOrigin::local || !filter_.roles.empty();
        if (!here) return read(listed_accounts_down, listed_accounts_up);
        auto found = read(listed_users_down, listed_users_up);
        if (filter_.state) return found;
        // Whoever has no login any more is suspended.
        auto gone = read(listed_suspended_down, listed_suspended_up);
        found.insert(found.end(), gone.begin(), gone.end());
        return first_of(std::move(found), range.ascending, limit);
    }

    db::Read& db_;
    const AccountFilter& filter_;
    std::optional<std::string> domain_;
    std::string name_, display_name_, email_;
    std::optional<std::set<base::UserId>> users_;
    std::optional<std::vector<AccountId>> few_;
};

}  // namespace

std::vector<AccountId> find_accounts(db::Read& db, const AccountFilter& filter, const base::Range& range) {
    constexpr int chunk = 200, most_chunks = 100;
    Search search(db, filter);
    std::vector<AccountId> out;
    auto left = range;
    for (int i = 0; i < most_chunks && out.size() < static_cast<std::size_t>(range.limit); ++i) {
        auto candidates = search.next(left, chunk);
        if (candidates.empty()) break;
        std::map<AccountId, AccountFacts> known;
        db.each(account_facts, [&](AccountFacts a) { known.emplace(a.id, std::move(a)); }, candidates);
        for (auto id : candidates) {
            auto a = known.find(id);
            if (a == known.end() || !search.fits(a->second)) continue;
            if (out.size() < static_cast<std::size_t>(range.limit)) out.push_back(id);
        }
        (range.ascending ? left.above : left.below) = candidates.back().value;
        if (candidates.size() < chunk) break;
    }
    if (range.ascending) std::ranges::reverse(out);
    return out;
}

}  // namespace moderation
