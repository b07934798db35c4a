// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/media/focus_api.hpp"
#include "social/media/media_entity.hpp"
#include "social/media/routes.hpp"
#include "social/media/store.hpp"

#include <algorithm>

namespace media {
namespace {

using http::Viewer;

// The reference answers 500 when it cannot read a picture; input must not do that here (decisions 5).
[[noreturn]] void refuse(sandbox::Reason reason) {
    using enum sandbox::Reason;
    switch (reason) {
        case unsupported_type: throw base::Invalid("File type of uploaded media could not be verified");
        case too_large_file: throw base::Invalid("Validation failed: File must be less than 16 MB");
        case too_large_dimensions: throw base::Invalid("Validation failed: File has too many pixels");
        case broken:
        case timeout:
        case crashed: break;
    }
    throw base::Invalid("Error processing thumbnail for uploaded media");
}

struct Form {
    http::Required<http::Upload> file;
    std::optional<std::string> description;
    std::string focus;
};
DESCRIBE(Form, file, description, focus)

Media prepare(const base::Ask& ask, const Viewer& me, const Form& form) {
    Media m;
    m.account_id = me.account;
    if (form.description) m.description = checked_description(*form.description);
    if (auto focus = read_focus(form.focus)) m.focus_x = focus->x, m.focus_y = focus->y;
    const auto& processed = ask(ProcessImage{form.file->file->string(), Kind::attachment, {}});
    if (auto* reason = std::get_if<sandbox::Reason>(&processed)) refuse(*reason);
    const auto& stored = std::get<Stored>(processed);
    m.file = stored.file;
    m.preview = stored.preview;
    m.mime = stored.mime;
    m.width = stored.width;
    m.height = stored.height;
    m.preview_width = stored.preview_width;
    m.preview_height = stored.preview_height;
    m.blurhash = stored.blurhash;
    return m;
}

MediaId upload(db::Write& db, const Media& made) { return create(db, made); }

struct ById {
    MediaId id;
};
DESCRIBE(ById, id)

MediaAttachment show(db::Read& db, const Viewer& me, const ById& path) {
    return entity(db.site(), unattached(db, me.account, path.id));
}

struct Edit {
    MediaId id;
    std::optional<std::string> description;
    std::string focus;
};
DESCRIBE(Edit, id, description, focus)

void edit(db::Write& db, const Viewer& me, const Edit& form) {
    update(db, me.account, form.id, {form.description, read_focus(form.focus)});
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { remove(db, me.account, path.id); }

using http::Throttle;

// Room for a file a little too large and for what surrounds it, so that it is told what is wrong with it.
constexpr std::uint64_t body = sandbox::limits::file_bytes(sandbox::Kind::attachment) + (1 << 20);

// clang-format off
constexpr http::Route table[] = {
    http::post<prepare, upload, show>("/api/v1/media",     "write:media").throttled(Throttle::media).body_limit(body),
    http::post<prepare, upload, show>("/api/v2/media",     "write:media").throttled(Throttle::media).body_limit(body),
    http::get<show>                  ("/api/v1/media/:id", "write:media"),
    http::put<edit, show>            ("/api/v1/media/:id", "write:media"),
    http::patch<edit, show>          ("/api/v1/media/:id", "write:media"),
    http::del<destroy>               ("/api/v1/media/:id", "write:media"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace media
