// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/inbox.hpp"

#include "ap/audience.hpp"
#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/ld_signature.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

namespace {

bool for_everybody(const ap::Activity& activity) {
    auto visibility = ap::visibility_of(activity.audience, "");
    return visibility == ap::Visibility::public_ || visibility == ap::Visibility::unlisted;
}

// The account that is replied to.
AccountId answered(db::Read& db, const ap::Incoming& in) {
    const auto& object = in.activity.object;
    if (in.activity.is("Create")) {
        if (!object.embedded) return {};
        auto parent = statuses::find_by_uri(db, object.embedded["inReplyTo"].id());
        auto known = parent ? statuses::find_status(db, *parent) : std::nullopt;
        return known ? known->account_id : AccountId{};
    }
    auto id = statuses::find_by_uri(db, object.id);
    auto known = id ? statuses::find_status(db, *id) : std::nullopt;
    return known && known->account_id == in.actor ? known->in_reply_to_account_id : AccountId{};
}

bool can_be_passed_on(const Item& item, const ap::Activity& activity) {
    if (activity.has_proof) return true;
    auto document = ap::parse_exactly(item.body);
    if (!document || !document->is_object()) return false;
    auto said = ap::ld::compacted(document->as_object());
    return said && said->says_the_same;
}

bool stands_in_thread(db::Read& db, const std::string& uri) {
    auto id = statuses::find_by_uri(db, uri);
    auto known = id ? statuses::find_status(db, *id) : std::nullopt;
    return known && known->in_reply_to_id && statuses::stands_as_reply(db, *id);
}

}  // namespace

jobs::Change forwarding(db::Read& db, const Item& item, const ap::Incoming& in) {
    const auto& activity = in.activity;
    bool signs = activity.has_signature || activity.has_proof;
    bool of_posts = activity.is("Create") || activity.is("Update") || activity.is("Delete");
    if (!signs || !of_posts || activity.actor != item.signer || !for_everybody(activity)) return {};
    auto author = answered(db, in);
    auto account = author ? accounts::find_account(db, author) : std::nullopt;
    if (!account || !account->local() || account->suspended_at) return {};
    if (!can_be_passed_on(item, activity)) return {};
    OutgoingActivity out;
    out.signer = author;
    out.object = "forwarded " + activity.object.id;
    out.low = true;
    out.body = item.body;
    bool ends = activity.is("Delete");
    return
        [out, author, ends, uri = activity.object.id, from = wide_inbox_of(db, in.actor)](db::Write& write) {
            // Posts are forwarded only if they belong to a thread here; deletions always are.
            if (!ends && !stands_in_thread(write, uri)) return;
            ActivityFanOut way{write.new_id<ActivityId>(), {}, {{Source::followers, author.value}}, from};
            record(write, way.activity, out);
            write.emit(way);
        };
}

}  // namespace federation
