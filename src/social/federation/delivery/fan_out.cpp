// SPDX-License-Identifier: AGPL-3.0-or-later
// Activities on their way to the inboxes of all who receive them.
#include "jobs/steps.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/recipients.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/delivery/updates.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <span>

namespace federation {

namespace {

struct Told {
    StatusId id;
    AccountId account_id;
    statuses::Visibility visibility = statuses::Visibility::public_;
    std::optional<Time> edited_at;
};
DESCRIBE(Told, id, account_id, visibility, edited_at)

}  // namespace

// statuses belongs to statuses.
const db::Query<Told> status_to_tell{
    "status_to_tell",
    "SELECT id, account_id, visibility, edited_at FROM statuses WHERE id = $1 AND deleted_at IS NULL"
};

namespace {

constexpr std::size_t in_a_step = 500;

// Of all groups, in the order of their names, each once: followers of one server are all over the pages.
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

struct Rewritten {
    std::optional<Time> edited_at;  // of the status, as it was then
    std::string body;
};

std::string written_again(db::Read& db, ActivityKind kind, const Told& status) {
    return status_activity(db, {kind, status.id}, status.account_id, status.visibility);
}

// Where a node ends with this in its hands, others tell what changed since long before it goes on. Nobody may hear the older
// state last.
std::optional<Rewritten> rewritten(db::Read& db, const ActivityFanOut& what) {
    if (what.profile) {
        const auto account = accounts::find_account(db, what.profile);
        if (!account) return std::nullopt;
        return Rewritten{std::nullopt, profile_activity(db, *account)};
    }
    // That somebody changed a post before all were told of it is rare: current() finds that out.
    if (what.kind != ActivityKind::update) return std::nullopt;
    const auto status = db.maybe(status_to_tell, what.unless_deleted);
    if (!status) return std::nullopt;
    return Rewritten{status->edited_at, written_again(db, ActivityKind::update, *status)};
}

// The body that is to take the place of the recorded one, if any.
std::optional<std::string> current(
    db::Write& db, const ActivityFanOut& what, const std::optional<Told>& status,
    const std::optional<Rewritten>& before
) {
    if (before && (what.profile || before->edited_at == status->edited_at)) return before->body;
    const bool tells_text = what.kind == ActivityKind::create || what.kind == ActivityKind::update;
    if (!tells_text || !status || !status->edited_at) return std::nullopt;
    return written_again(db, *what.kind, *status);
}

}  // namespace

jobs::Change fan_out_activity(db::Read& db, const ActivityFanOut& what) {
    auto all = std::make_shared<const std::vector<std::string>>(inboxes_left(db, what));
    auto before = std::make_shared<const std::optional<Rewritten>>(rewritten(db, what));
    std::function step = [left = what, all, before, done = std::size_t{0}](db::Write& write
                         ) mutable -> std::optional<ActivityFanOut> {
        std::optional<Told> status;
        if (left.unless_deleted && !(status = write.maybe(status_to_tell, left.unless_deleted)))
            return std::nullopt;
        if (!is_recorded(write, left.activity)) return std::nullopt;
        if (done == 0)
            if (const auto body = current(write, left, status, *before))
                record_again(write, left.activity, *body);
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
