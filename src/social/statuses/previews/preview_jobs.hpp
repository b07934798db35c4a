// SPDX-License-Identifier: AGPL-3.0-or-later
// From a link in a new post to its card: jobs fetch the pages, so that no request waits for them.
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

// The domains that this account lists may have changed, and pages name it.
struct AttributionDue {
    AccountId account;
};
DESCRIBE(AttributionDue, account)

// The picture at this address, re-encoded by the sandbox and stored like an attachment; nullopt if there is
// none.
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

// Previews that no post shows any more are deleted, with their pictures, a month after they were fetched
// (old_previews.cpp).
constexpr std::int64_t unused_previews_kept_seconds = 30 * 86'400;
// Periodic. Goes through the previews by id, several hundred at a time, and starts again a day after reaching
// the end.
jobs::Change purge_previews(db::Read&);
// Restarts purge_previews() now, from the first preview.
void begin_with_previews(db::Write&);

}  // namespace statuses
