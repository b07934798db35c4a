// SPDX-License-Identifier: AGPL-3.0-or-later
// From a link in a new post to its card: pages are asked by jobs, never while somebody waits.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/media/store.hpp"
#include "social/statuses/previews/preview.hpp"

namespace statuses {

struct PreviewWanted {
    StatusId status;
    std::string link;
};
DESCRIBE(PreviewWanted, status, link)

// Pages name this account, and what domains it lists may have changed.
struct AttributionDue {
    AccountId account;
};
DESCRIBE(AttributionDue, account)

// The picture at this address, made anew by the sandbox and kept like an attachment; nothing when there is none.
struct FetchPicture {
    std::string url;
    using Answer = std::optional<media::Stored>;
};
DESCRIBE(FetchPicture, url)

// For server/reactions.cpp.
void want_preview(db::Write&, const Published&);   // at_once
void renew_after_edit(db::Write&, const Edited&);  // at_once
jobs::Change fetch_preview(const base::Ask&, db::Read&, const PreviewWanted&);
void forget_preview(db::Write&, const Deleted&);                       // at_once
void review_attribution(db::Write&, const accounts::ProfileChanged&);  // at_once
void attribute_previews(db::Write&, const AttributionDue&);            // later

// Previews that no post shows any more go, with their pictures, when they were fetched a month ago (old_previews.cpp).
constexpr std::int64_t unused_previews_kept_seconds = 30 * 86'400;
// Periodic. Goes through the previews by id, some hundred at a time, and begins anew a day after it came to the end.
jobs::Change purge_previews(db::Read&);
// So that what rests is looked at now, from the first on.
void begin_with_previews(db::Write&);

}  // namespace statuses
