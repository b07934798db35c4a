// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/web/client.hpp"

#include "base/crypto.hpp"
#include "base/text/spoken_languages.hpp"
#include "http/errors.hpp"
#include "server/files.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace server {

namespace {

constexpr std::string_view folder = "web/client/dist/";

std::string_view next_segment(std::string_view& rest) {
    auto segment = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), segment.size() + 1));
    return segment;
}

// Whether "/@alice/1" matches "/@:acct/:id".
bool fits(
    std::string_view pattern, std::string_view path,
    std::vector<std::pair<std::string_view, std::string_view>>& parameters
) {
    parameters.clear();
    while (!pattern.empty() && !path.empty()) {
        auto wanted = next_segment(pattern), given = next_segment(path);
        if (wanted.starts_with("@:")) {
            const std::size_t sign = given.starts_with('@') ? 1 : given.starts_with("%40") ? 3 : 0;
            if (sign == 0) return false;
            given.remove_prefix(sign);
            wanted.remove_prefix(1);
        }
        if (!wanted.starts_with(':') ? wanted != given : given.empty()) return false;
        if (wanted.starts_with(':')) parameters.emplace_back(wanted.substr(1), given);
    }
    return pattern.empty() && path.empty();
}

}  // namespace

Client::Client(std::span<const base::EmbeddedFile> embedded) {
    std::string all;
    for (const auto& [path, bytes] : embedded) {
        if (!path.starts_with(folder)) continue;
        auto name = path.substr(folder.size());
        files_.emplace(name, bytes);
        if (!name.ends_with(".br") && !name.ends_with(".gz"))
            all += std::string(name) + '\0' + std::string(bytes) + '\0';
    }
    version_ = base::sha256_hex(all).substr(0, 12);
    auto table = files_.find("routes.json");
    if (table == files_.end()) return;
    auto said = base::json::parse(table->second);
    const auto& object = said.as_object();
    base::json::read_value(object.at("entry"), entry_);
    base::json::read_value(object.at("style"), style_);
    base::json::read_value(object.at("routes"), routes_);
    for (const auto& [name, files] : object.at("languages").as_object()) {
        languages_.push_back({name, {}});
        base::json::read_value(files, languages_.back().files);
    }
}

Client::Match Client::find(std::string_view path) const {
    if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    Match match;
    const bool feed = path.ends_with(".rss") || path.ends_with(".atom");
    if (!path.starts_with('/') || feed) return match;
    for (const auto& route : routes_) {
        if (!fits(std::string_view(route.path).substr(1), path.substr(1), match.parameters)) continue;
        match.route = &route;
        return match;
    }
    match.parameters.clear();
    return match;
}

Client::Language Client::language(const std::vector<std::string_view>& wishes) const {
    std::vector<std::string> names;
    for (const auto& language : languages_) names.push_back(language.name);
    for (auto wish : wishes)
        if (auto best = base::text::best_of(names, wish))
            return *std::ranges::find(languages_, *best, &Language::name);
    auto english = std::ranges::find(languages_, "en", &Language::name);
    return english == languages_.end() ? Language{"en", {}} : *english;
}

http::Response Client::file(const http::Request& request, std::string_view path) const {
    auto name = path;
    auto not_found = [] {
        auto response = http::failure(404, "Not Found");
        response.headers.emplace_back("X-Content-Type-Options", "nosniff");
        return response;
    };
    if (next_segment(name) != version_) return not_found();
    auto found = files_.find(name);
    if (found == files_.end()) return not_found();
    http::Response response;
    response.content_type = content_type_of(name);
    put_bytes(response, request, name, [this](const std::string& form) {
        auto bytes = files_.find(form);
        return bytes == files_.end() ? std::nullopt : std::optional(bytes->second);
    });
    response.headers.emplace_back("Cache-Control", "public, max-age=31536000, immutable");
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
    return response;
}

std::string Client::worker() const {
    auto own = files_.find("sw.js");
    if (!present() || own == files_.end())
        return "self.addEventListener(\"install\", () => self.skipWaiting());\n"
               "self.addEventListener(\"activate\", (event) => event.waitUntil((async () => {\n"
               "  for (const name of await caches.keys()) await caches.delete(name);\n"
               "  await self.registration.unregister();\n"
               "})()));\n";
    std::string names;
    for (const auto& [name, bytes] : files_) {
        if (name.ends_with(".br") || name.ends_with(".gz") || name == "sw.js" || name == "routes.json")
            continue;
        names += (names.empty() ? "" : ",") + base::json::to_string(name);
    }
    return "self.dunlin = {\"version\":\"" + version_ + "\",\"files\":[" + names + "]};\n" +
           std::string(own->second);
}

namespace {

Client& served() {
    static Client one(base::embedded_files());
    return one;
}

}  // namespace

const Client& client() { return served(); }
void use_client(Client other) { served() = std::move(other); }

}  // namespace server
