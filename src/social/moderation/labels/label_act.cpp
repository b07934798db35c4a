// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/labels/label_act.hpp"

#include "base/json.hpp"
#include "base/text/host.hpp"
#include "social/instance/domain_block.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

namespace {

namespace permission = accounts::permission;
using labels::Bearer, labels::BearerKind, labels::Label, labels::LabelId;

void require_to_define(const accounts::Actor& who) { accounts::require(who, permission::manage_taxonomies); }

void log_label(db::Write& db, const accounts::Actor& who, std::string_view action, const Label& one) {
    log(db,
        who,
        action,
        {"Label", one.id.value, one.name},
        "{\"effect\":\"" + std::string(base::word(one.effect)) + "\"}");
}

// Whose post it is, or whose account; nobody for a server.
base::AccountId owner_of(db::Read& db, const Bearer& one) {
    if (one.kind == BearerKind::account) return {one.id};
    if (one.kind == BearerKind::server) return {};
    const auto status = statuses::find_status(db, {one.id});
    return status ? status->account_id : base::AccountId{};
}

void require_to_label(db::Read& db, const accounts::Actor& who, const Bearer& one) {
    accounts::require(who, permissions_to_label(one.kind));
    if (const auto owner = owner_of(db, one)) accounts::require_above(db, who, owner);
}

Subject subject(db::Read& db, const Bearer& one) {
    switch (one.kind) {
        case BearerKind::account: return {"Account", one.id, name_of(db, {one.id})};
        case BearerKind::status: return {"Status", one.id, "#" + std::to_string(one.id)};
        case BearerKind::server: break;
    }
    return {"Instance", 0, one.domain};
}

Bearer server(db::Read& db, const std::string& given) {
    const auto domain = base::text::normalized_domain(given);
    if (!domain) throw base::Invalid("Validation failed: Domain is not a valid domain name");
    if (instance::is_within(db.site().domain, *domain))
        throw base::Invalid("Validation failed: Domain is that of this server");
    return Bearer::server(*domain);
}

}  // namespace

LabelId create_label(db::Write& db, const accounts::Actor& who, const labels::LabelForm& wanted) {
    require_to_define(who);
    const auto id = labels::create(db, wanted);
    log_label(db, who, "create", labels::label(db, id));
    return id;
}

void change_label(
    db::Write& db, const accounts::Actor& who, LabelId id, const std::optional<std::string>& title,
    std::optional<labels::LabelEffect> effect
) {
    require_to_define(who);
    labels::change(db, id, title, effect);
    log_label(db, who, "update", labels::label(db, id));
}

void delete_label(db::Write& db, const accounts::Actor& who, LabelId id) {
    require_to_define(who);
    const auto known = labels::label(db, id);
    labels::remove(db, id);
    log_label(db, who, "destroy", known);
}

Bearer bearer_of(db::Read& db, const BearerForm& form) {
    const int given = form.account_id.has_value() + form.status_id.has_value() + form.domain.has_value();
    if (given != 1) throw base::Invalid("Name one of account_id, status_id and domain");
    if (form.domain) return server(db, *form.domain);
    if (form.account_id) {
        if (name_of(db, *form.account_id).empty()) throw base::NotFound();
        return Bearer::of(*form.account_id);
    }
    const auto status = statuses::find_status(db, *form.status_id);
    if (!status) throw base::NoSuchStatus();
    return Bearer::of(statuses::original_of(*status));
}

std::int64_t permissions_to_label(BearerKind kind) {
    switch (kind) {
        case BearerKind::account: return permission::manage_users;
        case BearerKind::status: return permission::manage_users | permission::manage_reports;
        case BearerKind::server: break;
    }
    return permission::manage_federation;
}

void put_label(db::Write& db, const accounts::Actor& who, LabelId id, const Bearer& on) {
    const auto label = labels::label(db, id);
    require_to_label(db, who, on);
    if (!labels::put(db, id, on, {labels::UseSource::staff, who.account.value})) return;
    log(db, who, "put_label", subject(db, on), base::json::to_string(label.name));
}

void take_label(db::Write& db, const accounts::Actor& who, LabelId id, const Bearer& from) {
    const auto label = labels::label(db, id);
    require_to_label(db, who, from);
    if (!labels::take(db, id, from)) throw base::NotFound();
    log(db, who, "remove_label", subject(db, from), base::json::to_string(label.name));
}

void forget_labels_of(db::Write& db, const statuses::Deleted& gone) {
    labels::forget_bearer(db, labels::Bearer::of(gone.id));
}

}  // namespace moderation
