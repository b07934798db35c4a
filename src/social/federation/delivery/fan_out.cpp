// SPDX-License-Identifier: AGPL-3.0-or-later
// Distributing an activity to the inboxes of all its recipients.
#include "jobs/steps.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/recipients.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/delivery/updates.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

namespace federation {

namespace {

struct Told {
    StatusId id;
    AccountId account_id;
    statuses::Visibility visibility = statuses::Visibility::public_;
    std::int64_t version = 0;
};
DESCRIBE(Told, id, account_id, visibility, version)

}  // namespace

// statuses belongs to statuses. The part of DeliveryScope that every step reads again.
const db::Query<Told> status_to_tell{
    "status_to_tell",
    "SELECT id, account_id, visibility, COALESCE(edited_at, 0) AS version FROM statuses "
    "WHERE id = $1 AND deleted_at IS NULL"
};

namespace {

constexpr std::size_t in_a_step = 500;

// The inboxes of all groups, sorted, each once: followers on one server are spread over all pages.
std::vector<std::string> inboxes_left(db::Read& db, const ActivityFanOut& what) {
    std::set<std::string> found;
    for (const auto& group : what.groups) {
        for (std::optional<RecipientGroup> next = group; next;) {
            auto here = recipient_page(db, *next);
            for (auto& inbox : here.inboxes)
                if (inbox > what.told && inbox != what.except) found.insert(std::move(inbox));
            next = here.rest;
        }
    }
    return {found.begin(), found.end()};
}

// Whether an outdated text may already be queued for an account that must not see the current one.
bool keeps_words(const ActivityFanOut& what, const Told& status) {
    using enum statuses::Visibility;
    return !what.told.empty() && status.visibility != public_ && status.visibility != unlisted;
}

// If a node stopped in the middle of a delivery, or there are hundreds of recipients, some may already have
// received a newer version. So the activity is rewritten with the current state: nobody may receive the older
// one last. That is rare.
void write_as_it_is_now(db::Write& db, ActivityFanOut& what, const std::optional<Told>& status) {
    if (what.profile) {
        const auto account = accounts::find_account(db, what.profile);
        if (!account || account->version == std::exchange(what.version, account->version)) return;
        return record_again(db, what.activity, profile_activity(db, *account));
    }
    const bool tells_words = what.kind == ActivityKind::create || what.kind == ActivityKind::update;
    if (!tells_words || !status || status->version == what.version || keeps_words(what, *status)) return;
    what.version = status->version;
    const StatusActivityWanted wanted{*what.kind, status->id, what.activity};
    record_again(db, what.activity, status_activity(db, wanted, status->account_id, status->visibility));
}

}  // namespace

jobs::Change fan_out_activity(db::Read& db, const ActivityFanOut& what) {
    auto all = std::make_shared<const std::vector<std::string>>(inboxes_left(db, what));
    std::function step = [left = what, all, done = std::size_t{0}](db::Write& write
                         ) mutable -> std::optional<ActivityFanOut> {
        std::optional<Told> status;
        if (left.unless_deleted && !(status = write.maybe(status_to_tell, left.unless_deleted)))
            return std::nullopt;
        if (left.profile && accounts::is_gone(write, left.profile)) return std::nullopt;
        if (!is_recorded(write, left.activity)) return std::nullopt;
        write_as_it_is_now(write, left, status);
        const auto some = std::span(*all).subspan(done, std::min(in_a_step, all->size() - done));
        done += some.size();
        const bool last = done == all->size();
        const auto told = deliver(write, left.activity, {some.begin(), some.end()});
        if (status) remember_recipients(write, status->account_id, status->id, told, last);
        if (last && left.ended) forget_recipients(write, left.ended);
        if (last) return std::nullopt;
        left.told = some.back();
        return left;
    };
    return jobs::Stepwise(std::move(step));
}

}  // namespace federation
