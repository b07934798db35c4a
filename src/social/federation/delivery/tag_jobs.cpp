// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/status_jobs.hpp"

#include "ap/write.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/documents/collections_ap.hpp"

namespace federation {

const db::Query<bool> is_followed_from_elsewhere{
    "is_followed_from_elsewhere",
    R"(SELECT EXISTS (SELECT 1 FROM follows f JOIN actors t ON t.account_id = f.account_id WHERE f.target_id = $1))"
};

namespace {

namespace uris = base::uris;
namespace write = ap::write;

using Made = write::Activity (*)(std::string, std::string, write::Raw, std::string);

// Pinned posts and featured hashtags are items of the same collection.
template <class Event>
void send_change(db::Write& db, const Event& e, const char* what, Made made) {
    auto account = accounts::find_account(db, e.account);
    if (!account || !account->local() || accounts::is_gone(db, e.account)) return;
    if (!db.one(is_followed_from_elsewhere, e.account)) return;
    auto id = db.new_id<ActivityId>();
    auto actor = accounts::uri_of(db.site(), *account);
    auto tag = write::embedded(featured_tag(db.site(), *account, e.name, e.tag));
    OutgoingActivity out;
    out.signer = e.account;
    out.object = "featured tag " + e.tag + " of " + actor;
    out.body = write::document(
        made(uris::action(actor, what, id.value), actor, tag, uris::featured(actor)), write::of_hashtags
    );
    record(db, id, out);
    db.emit(ActivityFanOut{id, {}, {{Source::followers, e.account.value}}, {}});
}

}  // namespace

void deliver_tag_featured(db::Write& db, const tags::TagFeatured& e) {
    send_change(db, e, "featured_tags", write::add);
}

void deliver_tag_unfeatured(db::Write& db, const tags::TagUnfeatured& e) {
    send_change(db, e, "unfeatured_tags", write::remove);
}

}  // namespace federation
