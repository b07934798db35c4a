// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that a local author wrote on another server and imported. They become posts of this site, are sorted
// by their dates, and notify nobody (docs/decisions/0037-brought-along.md).
#pragma once
#include "social/statuses/remote/remote.hpp"

namespace statuses {

struct ImportedPost {
    AccountId author;
    std::string uri;  // where it was written
    RemoteHtml html;
    std::string text, content_type = "text/plain";  // for editing it
    std::string spoiler_text;
    bool sensitive = false;
    std::optional<std::string> language;
    Visibility visibility = Visibility::direct;
    Time published;
    std::optional<Time> updated;
    StatusId in_reply_to;            // a post of the same author
    std::vector<std::string> tags;   // as written, with or without "#"
    std::vector<MediaId> media;      // not attached to a status yet
    std::optional<RemotePoll> poll;  // has ended
};

// Event: the post may be found by search from now on.
struct BroughtAlong {
    StatusId id;
};
DESCRIBE(BroughtAlong, id)

// Visible only to accounts of this site. Throws Invalid if a medium cannot be attached.
StatusId bring_along(db::Write&, const ImportedPost&);
// Makes these posts visible beyond this site, as their visibility says; nothing is delivered.
void show_elsewhere(db::Write&, const std::vector<StatusId>&);

}  // namespace statuses
