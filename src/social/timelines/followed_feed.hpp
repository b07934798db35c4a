// SPDX-License-Identifier: AGPL-3.0-or-later
// Common base of home and list timelines: entries of followed accounts, in the languages selected for each,
// and each status only once even if several accounts boost it. Subclasses provide the entries and the
// membership rule.
#pragma once
#include "social/lists/list.hpp"
#include "social/timelines/feed.hpp"

#include <algorithm>
#include <unordered_map>

namespace timelines {

// Statuses of a range in its direction, complete up to `last`; without it there are no more.
struct Stretch {
    std::vector<VisibilityFacts> entries;
    std::optional<StatusId> last;
};
Stretch stretch_of(std::vector<VisibilityFacts>, const base::Range&);

inline void sort(std::vector<VisibilityFacts>& entries, const base::Range& direction) {
    std::ranges::sort(entries, {}, [&](const VisibilityFacts& f) {
        return direction.ascending ? f.id.value : -f.id.value;
    });
}

class FollowedFeed {
public:
    virtual ~FollowedFeed() = default;
    Batch operator()(const base::Range&);

protected:
    FollowedFeed(db::Read& db, const Audience& audience) : db_(db), audience_(audience) {}

    virtual Stretch stretch(const base::Range&) = 0;  // at most the limit
    // The newest entries below one, for detecting repeats: only the author and what belongs() needs are set.
    virtual std::vector<VisibilityFacts> entries_below(StatusId, int limit);
    virtual bool belongs(const VisibilityFacts&) const = 0;
    virtual bool in_any_language(const VisibilityFacts&) const { return false; }
    // Whether the feed may show one of these originals other than by these boosts.
    virtual bool may_repeat(const std::vector<StatusId>& boosts, const std::vector<StatusId>& originals) = 0;

    db::Read& db_;
    const Audience& audience_;

private:
    const std::vector<std::string>& languages_wanted_of(base::AccountId author) const;
    void note_languages(const std::vector<VisibilityFacts>&);
    bool understood(const VisibilityFacts&) const;
    void note_boosts(const std::vector<VisibilityFacts>&, const base::Range&);
    bool any_may_repeat(const std::vector<VisibilityFacts>&);
    bool repeats(const VisibilityFacts&) const;

    std::vector<VisibilityFacts> feed_;
    std::unordered_map<StatusId, std::string> languages_;
};

// The timeline of a list: what its members wrote and boosted, composed when it is read, so that it is correct
// at once after every change of the list and reaches back to the first status.

// Throws NotFound for a list that is not the viewer's own.
std::vector<VisibilityFacts> list(db::Read&, const Audience&, lists::ListId, const base::Range&);

}  // namespace timelines
