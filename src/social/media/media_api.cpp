// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/media/focus_api.hpp"
#include "social/media/media_entity.hpp"
#include "social/media/processing.hpp"
#include "social/media/thumbnail.hpp"

namespace media {
namespace {

using http::Viewer;

struct Form {
    http::Required<http::Upload> file;
    std::optional<http::Upload> thumbnail;
    std::optional<std::string> description;
    std::string focus;
};
DESCRIBE(Form, file, thumbnail, description, focus)

// What is to be stored; with `source` if it has to be encoded first.
struct Made {
    Media media;
    std::string source;
};

const std::filesystem::path* path_of(const std::optional<http::Upload>& upload) {
    return upload ? upload->file.get() : nullptr;
}

void take_over(Media& m, const Waiting& waiting) {
    m.type = waiting.type;
    m.width = waiting.width;
    m.height = waiting.height;
    m.frame_rate = waiting.frame_rate;
    m.duration = waiting.duration;
    m.bitrate = waiting.bitrate;
}

Stored made_of(const base::Ask& ask, const Waiting& waiting) {
    const auto& made = ask(Encode{waiting.source});
    if (auto* reason = std::get_if<sandbox::Reason>(&made)) refuse(*reason, true);
    return std::get<Stored>(made);
}

// The v2 API responds before audio and video are encoded, v1 afterwards.
template <bool Whole>
Made prepare(const base::Ask& ask, const Viewer& me, const Form& form) {
    Made out;
    auto& m = out.media;
    m.account_id = me.account;
    if (form.description) m.description = checked_description(*form.description);
    if (auto focus = read_focus(form.focus)) m.focus_x = focus->x, m.focus_y = focus->y;
    const auto& taken = ask(TakeUpload{form.file->file->string()});
    if (auto* unwanted = std::get_if<Unwanted>(&taken)) refuse(unwanted->reason, unwanted->moving);
    if (auto* stored = std::get_if<Stored>(&taken)) take_over(m, *stored);
    else if (const auto& waiting = std::get<Waiting>(taken); Whole) take_over(m, made_of(ask, waiting));
    else take_over(m, waiting), out.source = waiting.source;
    if (m.type == Type::image || m.type == Type::gifv) return out;
    if (auto shown = thumbnail(ask, path_of(form.thumbnail))) show_instead(m, *shown);
    return out;
}

MediaId upload(db::Write& db, const Made& made) {
    return made.source.empty() ? create(db, made.media) : enqueue(db, made.media, made.source);
}

struct ById {
    MediaId id;
};
DESCRIBE(ById, id)

using Shown = http::WithStatus<MediaAttachment>;

template <int Unfinished>
Shown show(db::Read& db, const Viewer& me, const ById& path) {
    auto m = unattached(db, me.account, path.id);
    require_not_failed(m);
    return {m.processing == Processing::complete ? 200 : Unfinished, entity(db.site(), m)};
}

struct Edit {
    MediaId id;
    std::optional<http::Upload> thumbnail;
    std::optional<http::TextOrNull> description;
    std::string focus;
};
DESCRIBE(Edit, id, thumbnail, description, focus)

Changes changes(db::Read& db, const base::Ask& ask, const Viewer& me, const Edit& form) {
    unattached(db, me.account, form.id);
    return {http::text_of(form.description), read_focus(form.focus), thumbnail(ask, path_of(form.thumbnail))};
}

void edit(db::Write& db, const Viewer& me, const Edit& form, const Changes& changes) {
    update(db, me.account, form.id, changes);
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { remove(db, me.account, path.id); }

using http::Throttle;

// Allows for slightly too large files and the form around them, so that the response can tell the error.
constexpr std::uint64_t body = sandbox::limits::video_bytes + (1 << 20);
constexpr std::uint64_t thumbnail_body = sandbox::limits::file_bytes(sandbox::Kind::attachment) + (1 << 20);

// clang-format off
constexpr http::Route table[] = {
    http::post<prepare<true>, upload, show<200>> ("/api/v1/media", "write:media").throttled(Throttle::media).body_limit(body),
    http::post<prepare<false>, upload, show<202>>("/api/v2/media", "write:media").throttled(Throttle::media).body_limit(body),
    http::get<show<206>>                ("/api/v1/media/:id", "write:media"),
    http::put<changes, edit, show<206>>  ("/api/v1/media/:id", "write:media").body_limit(thumbnail_body),
    http::patch<changes, edit, show<206>>("/api/v1/media/:id", "write:media").body_limit(thumbnail_body),
    http::del<destroy>                  ("/api/v1/media/:id", "write:media"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace media
