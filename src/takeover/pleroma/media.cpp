// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/pleroma/reading.hpp"

namespace takeover::pleroma {

namespace {

// The first link that it names.
struct Link {
    std::string address, mime;
    std::int64_t width = 0, height = 0;
};
Link link_of(const JsonObject& attachment) {
    Link out;
    out.mime = text(attachment, "mediaType");
    for (const auto* url : list(attachment, "url")) {
        if (url->is_string()) out.address = std::string_view(url->get_string());
        const auto* link = url->if_object();
        if (!link) continue;
        out.address = text(*link, "href");
        if (const auto mime = text(*link, "mediaType"); !mime.empty()) out.mime = mime;
        out.width = as_size(number(*link, "width"));
        out.height = as_size(number(*link, "height"));
        break;
    }
    if (out.width == 0 || out.height == 0) {
        out.width = as_size(number(attachment, "width"));
        out.height = as_size(number(attachment, "height"));
    }
    return out;
}

}  // namespace

std::string media_former(const std::string& address, const JsonObject& attachment) {
    return address + " " + link_of(attachment).address;
}

MaybeId take_medium(
    const Reading& r, const JsonObject& attachment, const std::string& former, Id owner, MaybeId status,
    std::int64_t position, Time created_at, bool local, Sink& sink
) {
    const auto link = link_of(attachment);
    MediaRow row;
    row.created_at = created_at;
    auto& m = row.media;
    m.type = media_type(link.mime);
    m.mime = link.mime.substr(0, 100);
    m.width = link.width;
    m.height = link.height;
    if (const auto hash = text(attachment, "blurhash"); !hash.empty() && hash.size() <= 100)
        m.blurhash = hash;
    if (auto said = text(attachment, "name"); !said.empty()) m.description = std::move(said);
    m.account_id = {owner};
    m.position = position;
    if (status) m.status_id = {*status};
    const auto path = local ? upload_path(r, link.address) : std::nullopt;
    const auto found = path ? take_kept(r, uploads_folder, *path, sink) : Files::Found::missing;
    const bool elsewhere = found == Files::Found::missing && may_lie_elsewhere(r, link.address);
    if (path && !elsewhere) {
        if (found != Files::Found::copied) sink.refuse("file", former, problem_of(found, *path));
        if (found == Files::Found::outside) return std::nullopt;
        m.file = kept_name(uploads_folder, *path);
    } else {
        // Of others, and what lies in a bucket.
        if (!is_address(link.address)) {
            sink.refuse("media", former, "it has no address");
            return std::nullopt;
        }
        m.file = link.address;
    }
    if (m.type == media::Type::image) m.preview = m.file;
    m.id = {sink.numbers.give("media", former, created_at)};
    const auto id = m.id.value;
    sink.put(std::move(row));
    return id;
}

}  // namespace takeover::pleroma
