// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that an author of this site wrote elsewhere and brought along. They are of this site from then on, stand where their
// dates put them, and nobody is told (docs/decisions/0037-brought-along.md).
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
    StatusId in_reply_to;            // a post of theirs
    std::vector<std::string> tags;   // as written, with or without their sign
    std::vector<MediaId> media;      // attached to nothing yet
    std::optional<RemotePoll> poll;  // ended
};

// Event: it can be found from now on.
struct BroughtAlong {
    StatusId id;
};
DESCRIBE(BroughtAlong, id)

// For people of this site alone. Throws Invalid: a medium cannot be attached.
StatusId bring_along(db::Write&, const ImportedPost&);
// These may be seen as their visibility says, by everybody else, too; nothing is sent.
void show_elsewhere(db::Write&, const std::vector<StatusId>&);

}  // namespace statuses
