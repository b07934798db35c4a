// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/tags/tag_entity.hpp"

namespace tags {
namespace {

using http::Viewer;

std::vector<FeaturedTagEntity> own(db::Read& db, const Viewer& me) {
    return entities(db.site(), accounts::account(db, me.account), featured(db, me.account));
}

struct ByAccount {
    AccountId id;
};
DESCRIBE(ByAccount, id)

std::vector<FeaturedTagEntity> of_account(db::Read& db, const std::optional<Viewer>&, const ByAccount& path) {
    auto account = accounts::account(db, path.id);
    if (account.suspended_at) return {};
    return entities(db.site(), account, featured(db, path.id));
}

struct Form {
    http::Param<std::string> name;
};
DESCRIBE(Form, name)

std::string_view name_of(const Form& form) {
    std::string_view name = *form.name;
    if (name.starts_with('#')) name.remove_prefix(1);
    if (!valid_name(name)) throw base::Invalid("Validation failed: Tag is invalid");
    return name;
}

Usage count(db::Read& db, const Viewer& me, const Form& form) { return usage(db, me.account, name_of(form)); }

FeaturedTagId begin(db::Write& db, const Viewer& me, const Form& form, const Usage& so_far) {
    return feature(db, me.account, name_of(form), so_far).id;
}

struct ById {
    FeaturedTagId id;
};
DESCRIBE(ById, id)

FeaturedTagEntity show(db::Read& db, const Viewer& me, const ById& path) {
    auto found = find_featured(db, me.account, path.id);
    if (!found) throw base::NotFound();
    return entities(db.site(), accounts::account(db, me.account), {*found})[0];
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { unfeature(db, me.account, path.id); }

std::vector<TagEntity> suggested(db::Read& db, const Viewer& me) {
    return entities(db, suggestions(db, me.account), me.account);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<own>                 ("/api/v1/featured_tags",              "read:accounts"),
    http::post<count, begin, show> ("/api/v1/featured_tags",              "write:accounts"),
    http::del<destroy>             ("/api/v1/featured_tags/:id",          "write:accounts"),
    http::get<suggested>           ("/api/v1/featured_tags/suggestions",  "read:accounts"),
    http::get<of_account>          ("/api/v1/accounts/:id/featured_tags"),
};
// clang-format on

}  // namespace

std::span<const http::Route> featured_routes() { return table; }

}  // namespace tags
