// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

// What is missing keeps its place, and its description.
MaybeId take_medium(const Reading& r, const Medium& theirs, bool local, Id owner, Id status, Sink& sink) {
    MediaRow row;
    row.created_at = theirs.created;
    auto& m = row.media;
    m.mime = theirs.type.substr(0, 100);
    m.type = media_type(m.mime);
    m.width = as_size(theirs.width);
    m.height = as_size(theirs.height);
    if (theirs.description && !theirs.description->empty()) m.description = theirs.description;
    m.account_id = {owner};
    m.status_id = {status};
    m.position = theirs.position;
    const auto path = local ? path_below(r.storage, theirs.url) : std::nullopt;
    const auto found = path ? take_kept(r, files_folder, *path, sink) : Files::Found::missing;
    if (path && !(found == Files::Found::missing && may_lie_elsewhere(r, theirs.url))) {
        if (found != Files::Found::copied) sink.refuse("file", theirs.id, problem_of(found, *path));
        if (found == Files::Found::outside) return std::nullopt;
        m.file = kept_name(files_folder, *path);
    } else {
        if (!is_address(theirs.url)) {
            sink.refuse("media", theirs.id, "it has no address");
            return std::nullopt;
        }
        m.file = theirs.url;
    }
    if (m.type == media::Type::image) m.preview = m.file;
    if (local && !theirs.thumbnail_cleaned)
        if (const auto still = path_below(r.storage, theirs.thumbnail_url);
            still && take_kept(r, files_folder, *still, sink) == Files::Found::copied) {
            m.preview = kept_name(files_folder, *still);
            m.preview_width = as_size(theirs.thumbnail_width);
            m.preview_height = as_size(theirs.thumbnail_height);
        }
    m.id = {sink.numbers.give("media", theirs.id, theirs.created)};
    const auto id = m.id.value;
    sink.put(std::move(row));
    return id;
}

}  // namespace takeover::hollo
