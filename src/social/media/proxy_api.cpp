// SPDX-License-Identifier: AGPL-3.0-or-later
// Remote pictures under local addresses. Only what a row references is ever fetched, and only for clients
// that got its address.
#include "http/route.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/remote_file.hpp"
#include "social/media/copy.hpp"

namespace media {
namespace {

struct Path {
    std::int64_t id = 0;
    http::Param<std::string> v;
};
DESCRIBE(Path, id, v)

struct Named {
    std::string file, small, domain;
    base::AccountId account;
    base::StatusId status;
};
DESCRIBE(Named, file, small, domain, account, status)

}  // namespace

// The tables accounts, custom_emojis and statuses belong to other subjects.
const db::Query<Named> avatar_elsewhere{
    "avatar_elsewhere",
    "SELECT avatar AS file, avatar AS small, domain, id AS account, 0 AS status FROM accounts WHERE id = $1 "
    "AND suspended_at IS NULL"
};
const db::Query<Named> header_elsewhere{
    "header_elsewhere",
    "SELECT header AS file, header AS small, domain, id AS account, 0 AS status FROM accounts WHERE id = $1 "
    "AND suspended_at IS NULL"
};
const db::Query<Named> emoji_elsewhere{
    "emoji_elsewhere",
    "SELECT file, static_file AS small, domain, 0 AS account, 0 AS status FROM custom_emojis WHERE id = $1"
};
const db::Query<Named> media_elsewhere{
    "media_elsewhere",
    R"(SELECT CASE WHEN m.type = 'image' THEN m.file ELSE m.preview END AS file, m.preview AS small, a.domain, a.id AS account,
              m.status_id AS status
       FROM media m JOIN accounts a ON a.id = m.account_id
       WHERE m.id = $1 AND m.status_id IS NOT NULL AND a.suspended_at IS NULL)"
};

namespace {

http::Response picture(
    const base::Ask& ask, db::Read& db, const db::Query<Named>& sql, const Path& path, bool small
) {
    auto named = db.one(sql, path.id);
    const auto& url = small ? named.small : named.file;
    if (!instance::is_elsewhere(url) || *path.v != instance::remote_mark(url)) throw base::NotFound();
    if (instance::limit_on(db, named.domain).reject_media) throw base::NotFound();
    auto copy = find_copy(db, url);
    if (!copy || is_stale(*copy, db.now())) copy = ask(MakeCopy{url, named.account, named.status});
    if (copy->file.empty()) throw base::NotFound();
    http::Response response;
    response.status = 302;
    response.content_type.clear();
    auto file = small && !copy->small.empty() ? copy->small : copy->file;
    response.headers.emplace_back("Location", db.site().media(file));
    response.headers.emplace_back("Cache-Control", "public, max-age=3600");
    return response;
}

http::Response avatar(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, avatar_elsewhere, path, false);
}
http::Response still_avatar(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, avatar_elsewhere, path, true);
}
http::Response header(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, header_elsewhere, path, false);
}
http::Response still_header(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, header_elsewhere, path, true);
}
http::Response emoji(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, emoji_elsewhere, path, false);
}
http::Response still_emoji(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, emoji_elsewhere, path, true);
}
http::Response original(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, media_elsewhere, path, false);
}
http::Response preview(const base::Ask& ask, db::Read& db, const Path& path) {
    return picture(ask, db, media_elsewhere, path, true);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<avatar>      ("/proxy/avatars/:id"),
    http::get<still_avatar>("/proxy/avatars/:id/still"),
    http::get<header>      ("/proxy/headers/:id"),
    http::get<still_header>("/proxy/headers/:id/still"),
    http::get<emoji>       ("/proxy/emojis/:id"),
    http::get<still_emoji> ("/proxy/emojis/:id/still"),
    http::get<original>    ("/proxy/media/:id"),
    http::get<preview>     ("/proxy/media/:id/small"),
};
// clang-format on

}  // namespace

std::span<const http::Route> proxy_routes() { return table; }

}  // namespace media
