// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/profile_entity.hpp"

#include "base/cache.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/posting_defaults.hpp"
#include "social/accounts/users/role.hpp"

namespace accounts {

namespace {

struct RawField {
    std::string name, value;
    std::optional<Time> verified_at;
};
DESCRIBE(RawField, name, value, verified_at)

// The part of `source` that depends on the account's version.
struct AccountSource {
    std::string note;
    std::vector<RawField> fields;
    std::optional<bool> hide_collections, discoverable;
    bool indexable = false;
    base::json::Raw attribution_domains;
};
DESCRIBE(AccountSource, note, fields, hide_collections, discoverable, indexable, attribution_domains)

// The part that belongs to the login, and the role.
struct Login {
    std::optional<std::string> privacy;
    bool locked = false, sensitive = false;
    std::optional<std::string> language;
    std::string quote_policy, reply_policy;
    std::int64_t follow_requests_count = 0;
    base::RoleId role_id;
    std::string role_name, role_color;
    std::int64_t role_permissions = 0, everyones_permissions = 0;
    bool role_highlighted = false;
    std::int64_t role_collection_limit = 0;
};
DESCRIBE(
    Login, privacy, locked, sensitive, language, quote_policy, reply_policy, follow_requests_count, role_id,
    role_name, role_color, role_permissions, everyones_permissions, role_highlighted, role_collection_limit
)

struct LoginSource {
    std::string privacy;
    bool sensitive = false;
    std::optional<std::string> language;
    std::string quote_policy, reply_policy;
    std::int64_t follow_requests_count = 0;
};
DESCRIBE(LoginSource, privacy, sensitive, language, quote_policy, reply_policy, follow_requests_count)

// The account's JSON up to the middle of `source`.
base::Cache<std::string>& kept_openings() {
    static base::Cache<std::string> cache(2 << 20);
    return cache;
}

std::shared_ptr<const std::string> opening(db::Read& db, AccountId id, std::int64_t version) {
    if (auto found = kept_openings().find({id.value, version})) return found;
    auto a = account(db, id);
    AccountSource source{
        a.note, {}, a.hide_collections, a.discoverable, a.indexable, {a.attribution_domains}
    };
    for (const auto& field : fields_of(a))
        source.fields.push_back({field.name, field.value, field.verified_at});
    auto out = render(db, a)->for_viewer(true);
    out.pop_back();
    out += ",\"source\":{";
    const char* separator = "";
    base::json::write_members(out, separator, source);
    auto made = std::make_shared<const std::string>(std::move(out));
    if (db.is_committed()) kept_openings().put({id.value, a.version}, made, made->size());
    return made;
}

}  // namespace

// The table follow_requests belongs to relationships.
const db::Query<Login> login_of_account{
    "login_of_account",
    R"(SELECT u.default_privacy AS privacy, a.locked, u.default_sensitive AS sensitive,
              u.default_language AS language, u.default_quote_policy AS quote_policy,
              u.default_reply_policy AS reply_policy,
              (SELECT count(*) FROM (SELECT 1 FROM follow_requests WHERE target_id = $1 LIMIT 40) x)
                  AS follow_requests_count,
              r.id AS role_id, r.name AS role_name, r.color AS role_color,
              r.permissions AS role_permissions, e.permissions AS everyones_permissions,
              r.highlighted AS role_highlighted,
              r.collection_limit AS role_collection_limit
       FROM users u JOIN accounts a ON a.id = u.account_id JOIN roles r ON r.id = u.role_id
           JOIN roles e ON e.id = -99
       WHERE u.account_id = $1)"
};

base::json::Raw credential_account(db::Read& db, AccountId id, std::int64_t version) {
    auto login = db.one(login_of_account, id);
    base::json::Raw out{*opening(db, id, version)};
    const char* separator = ",";
    base::json::write_members(
        out.text,
        separator,
        LoginSource{
            usual_privacy(login.privacy, login.locked),
            login.sensitive,
            login.language,
            login.quote_policy,
            login.reply_policy,
            login.follow_requests_count
        }
    );
    out.text += "},\"role\":";
    base::json::write(
        out.text,
        RoleEntity{
            login.role_id,
            login.role_name,
            std::to_string(effective_permissions(login.role_permissions, login.everyones_permissions)),
            login.role_color,
            login.role_highlighted,
            login.role_collection_limit
        }
    );
    out.text += '}';
    return out;
}

void describe_credential_account(base::json::Components& all) {
    base::json::ObjectSchema account, source;
    base::json::add_members<AccountSource>(source, all);
    base::json::add_members<LoginSource>(source, all);
    account.add("source", source.text(), true);
    account.add("role", base::json::schema<RoleEntity>(all), true);
    all.put(
        "CredentialAccount", R"({"allOf":[)" + base::json::reference("Account") + "," + account.text() + "]}"
    );
}

}  // namespace accounts
