// SPDX-License-Identifier: AGPL-3.0-or-later
// Fills one page of a timeline: a query provides candidates, the rules that depend on the viewer filter them
// here, and removed ones are replaced by further candidates, so that a page is short only at the end.
#pragma once
#include "base/page.hpp"
#include "social/statuses/core/visibility.hpp"

#include <functional>

namespace timelines {

using base::StatusId;
using statuses::Audience;
using statuses::VisibilityFacts;

// Statuses within a range, in its direction, at most its limit: ids, or the facts if the query reads them
// anyway. `last` is where to continue if there may be more.
struct Batch {
    std::vector<StatusId> ids;
    std::vector<VisibilityFacts> facts;
    std::optional<StatusId> last;
};
using Candidates = std::function<Batch(const base::Range&)>;
inline Batch batch_of(std::vector<StatusId> ids, const base::Range& range) {
    Batch batch{std::move(ids), {}, {}};
    if (batch.ids.size() == static_cast<std::size_t>(range.limit)) batch.last = batch.ids.back();
    return batch;
}
using Keep = std::function<bool(const VisibilityFacts&)>;
// Removes what the page does not show.
using Sieve = std::function<void(std::vector<VisibilityFacts>&)>;

// Newest first. If nearly everything is removed, a page is short although there is more, so that a request
// cannot make a reader scan all of it.
std::vector<VisibilityFacts>
fill_by(db::Read&, const Audience&, const base::Range&, const Candidates&, const Sieve&);
// By the rules of feeds. Statuses that mention an account hidden from the viewer are also left out.
std::vector<VisibilityFacts> fill(
    db::Read&, const Audience&, const base::Range&, const Candidates&, const Keep& = nullptr
);

// The same rule for one status and many viewers: each fact is queried at most once for all of them.
class OneForMany {
public:
    OneForMany(db::Read& db, VisibilityFacts status) : db_(db), status_(std::move(status)) {}

    const VisibilityFacts& status() const { return status_; }
    bool shown(const Audience&);  // except to viewers who may read it only because they are mentioned
    // Its language, if it is given.
    const std::optional<std::string>& language();

private:
    bool mentions_hidden(const Audience&);
    bool from_blocked_domain(const Audience&);

    db::Read& db_;
    const VisibilityFacts status_;
    std::optional<std::vector<base::AccountId>> mentioned_;
    std::optional<std::vector<std::string>> domains_;  // of its authors
    std::optional<std::optional<std::string>> language_;
};

// A range that holds one status.
inline base::Range only(StatusId id) {
    base::Range range;
    range.above = id.value - 1;
    range.below = id.value + 1;
    range.limit = 1;
    return range;
}

base::Cursors feed_cursors(const std::vector<VisibilityFacts>& page);

// Statuses of an account that this viewer may see (behaviours 11.1, "Account statuses").
struct AccountFilter {
    bool only_media = false, exclude_replies = false, exclude_reblogs = false, exclude_direct = false;
    std::string tagged;  // one hashtag; empty: any
    bool exclude_local_only = false;
};

std::vector<VisibilityFacts>
account_statuses(db::Read&, const Audience&, base::AccountId of, const base::Range&, const AccountFilter&);

// What it pinned, the latest pin first; so few that there is one page, of which a range takes its part. An id of a pin
// stands for its place among them.
std::vector<VisibilityFacts>
pinned_statuses(db::Read&, const Audience&, base::AccountId of, const base::Range&, const AccountFilter&);

// The timeline of a trending link: public posts that show its card, by discoverable people.

// Throws NotFound unless the link is an approved trend now.
std::vector<VisibilityFacts> linking(db::Read&, const Audience&, const base::Range&, std::string_view url);

}  // namespace timelines
