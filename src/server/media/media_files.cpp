// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/media/media_files.hpp"

#include "base/log.hpp"
#include "http/errors.hpp"
#include "server/files.hpp"
#include "social/former/former.hpp"

#include <sys/stat.h>

namespace server {

namespace {

constexpr std::string_view unknown_type = "application/octet-stream";

// Long enough to view a page, and identical for all requests within an hour, so that browsers can cache it.
constexpr int presigned_seconds = 2 * 3600;
constexpr std::int64_t hour_ms = 3'600'000;

bool reads(const http::Request& request) {
    return request.method == http::Method::get || request.method == http::Method::head;
}

bool is_medium(std::string_view type) {
    return type.starts_with("image/") || type.starts_with("audio/") || type.starts_with("video/");
}

http::Response from(std::filesystem::path file, std::string_view name) {
    http::Response response;
    // Uploads taken over from another server may be of any type; only media are shown inline.
    const bool shown = !name.starts_with("former/") || is_medium(content_type_of(name));
    response.content_type = shown ? content_type_of(name) : unknown_type;
    response.file = http::FileBody{std::move(file)};
    // A changed file gets a new name.
    response.headers.emplace_back("Cache-Control", "public, max-age=31536000, immutable");
    response.headers.emplace_back("Content-Security-Policy", "default-src 'none'; form-action 'none'");
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    response.headers.emplace_back("Access-Control-Allow-Origin", "*");
    if (response.content_type == unknown_type)
        response.headers.emplace_back("Content-Disposition", "attachment");
    return response;
}

http::Response redirect(std::string address) {
    http::Response response;
    response.status = 302;
    response.content_type.clear();
    response.headers.emplace_back("Location", std::move(address));
    response.headers.emplace_back("Cache-Control", "public, max-age=3600");
    response.headers.emplace_back("Access-Control-Allow-Origin", "*");
    return response;
}

bool is_file(const std::filesystem::path& path) {
    struct stat facts{};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

std::optional<std::string> MediaFiles::kept_from_before(std::string_view path) const {
    if (!former::took_over()) return std::nullopt;
    constexpr std::string_view own = "/media/";
    bool known = path.starts_with(own);
    for (auto folder : {"/system/", "/fileserver/", "/emoji/", "/assets/"})
        known = known || path.starts_with(folder);
    if (!known || !stays_inside(path.substr(1))) return std::nullopt;
    // Pleroma, Mitra and Hollo use the same path as we do.
    if (path.starts_with(own) && is_file(folder_ / path.substr(own.size()))) return std::nullopt;
    auto name = "former" + std::string(path);
    return is_file(folder_ / name) ? std::optional(std::move(name)) : std::nullopt;
}

bool MediaFiles::may_be_of_before(std::string_view name) {
    return former::took_over() && !stays_inside(name);
}

http::Response MediaFiles::answer(const http::Request& request, std::string_view path) const {
    if (!reads(request)) return not_allowed();
    if (!stays_inside(path)) return no_such_file();
    return from(folder_ / path, path);
}

std::string MediaFiles::address_elsewhere(const std::string& name) const {
    if (reading_.elsewhere != "presigned") return reading_.elsewhere + "/" + name;
    const auto now = reading_.clock().ms;
    return reading_.bucket->client().presigned(name, {now - now % hour_ms}, presigned_seconds);
}

void MediaFiles::serve(const http::Request& request, std::string_view path, http::Pending reply) {
    const bool here = !reading_.bucket || !reads(request) || !stays_inside(path) || is_file(folder_ / path);
    if (here) return reply.answer(answer(request, path));
    const std::string name(path);
    if (!reading_.elsewhere.empty()) return reply.answer(redirect(address_elsewhere(name)));
    if (auto file = reading_.bucket->at_hand(name)) return reply.answer(from(*std::move(file), name));
    {
        const std::lock_guard lock(mutex_);
        auto& who = waiting_[name];
        who.push_back(std::move(reply));
        if (who.size() > 1) return;
    }
    if (reading_.aside([this, name] { fetch(name); })) return;
    const std::lock_guard lock(mutex_);
    waiting_.erase(name);  // dropping the waiting requests tells them to try again
}

// Requests that are not answered here are told to try again.
void MediaFiles::fetch(const std::string& name) {
    std::optional<std::filesystem::path> file;
    bool known = false;
    try {
        file = reading_.bucket->find(name);
        if (!file && former::took_over()) file = reading_.bucket->find("former/media/" + name);
        known = true;
    } catch (const base::Unavailable&) {
    } catch (const std::exception& e) {  // the disk is full, or there are no more descriptors
        base::log_warning("a file of the bucket cannot be kept here", {{"file", name}, {"cause", e.what()}});
    }
    std::vector<http::Pending> who;
    {
        const std::lock_guard lock(mutex_);
        auto found = waiting_.extract(name);
        if (found) who = std::move(found.mapped());
    }
    if (!known) return;
    // A name that does not exist gets the same response as in the folder.
    for (auto& one : who) one.answer(from(file.value_or(folder_ / name), name));
}

}  // namespace server
