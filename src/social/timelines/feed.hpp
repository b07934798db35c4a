// SPDX-License-Identifier: AGPL-3.0-or-later
// Fills one page of a timeline: candidates come from a query, the rules that depend on the viewer are decided
// here, and what they take away is fetched again, so that a page is short only at the end.
#pragma once
#include "base/page.hpp"
#include "social/statuses/core/visibility.hpp"

#include <functional>

namespace timelines {

using base::StatusId;
using statuses::Audience;
using statuses::VisibilityFacts;

// What lies between the bounds of a range, in its direction, at most its limit: ids, or the facts themselves where
// the query meets them anyway. `last` is where to go on, when there may be more.
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
// Takes away what the page does not show.
using Sieve = std::function<void(std::vector<VisibilityFacts>&)>;

// Newest first. Where nearly everything is taken away a page is short although there is more, so that nobody makes a
// reader walk through all of it.
std::vector<VisibilityFacts>
fill_by(db::Read&, const Audience&, const base::Range&, const Candidates&, const Sieve&);
// By the rules of feeds. Statuses that mention somebody hidden from the viewer are left out too.
std::vector<VisibilityFacts> fill(
    db::Read&, const Audience&, const base::Range&, const Candidates&, const Keep& = nullptr
);

// The same rule for one status and the many who might be shown it: what it asks for is asked for once, however many look.
class OneForMany {
public:
    OneForMany(db::Read& db, VisibilityFacts status) : db_(db), status_(std::move(status)) {}

    const VisibilityFacts& status() const { return status_; }
    bool shown(const Audience&);  // but for whom only a mention lets read it
    // In which it is, as far as it says so.
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

// What an account wrote, as this viewer may see it (behaviours 11.1, "Account statuses").
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

// The timeline of a link that trends: public posts that show its card, by people who want to be found.

// Throws NotFound unless the link is an approved trend now.
std::vector<VisibilityFacts> linking(db::Read&, const Audience&, const base::Range&, std::string_view url);

}  // namespace timelines
