// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/kept_files.hpp"

#include "base/crypto.hpp"
#include "base/text/percent.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace takeover {

std::optional<std::string> path_below(const std::vector<std::string>& beginnings, std::string_view address) {
    for (const auto& base : beginnings) {
        if (!address.starts_with(base)) continue;
        address.remove_prefix(base.size());
        address = address.substr(0, address.find_first_of("?#"));
        auto path = base::text::percent_decoded(address);
        // What no database keeps is the name of no file, either.
        const bool is_text = base::text::valid_utf8(path) && path.find('\0') == path.npos;
        return is_text ? path : std::string(address);
    }
    return std::nullopt;
}

bool may_lie_elsewhere(const Reading& r, std::string_view address) {
    return is_address(address) && !r.is_here(address);
}

std::string kept_name(const std::string& folder, const std::string& path) {
    const bool plain = std::ranges::all_of(path, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_' || c == '.' || c == '/';
    });
    if (plain) return "former/" + folder + path;
    constexpr std::size_t length = 32, longest_ending = 6;
    auto ending = path.substr(std::min(path.rfind('.'), path.size()));
    const bool kept = ending.size() <= longest_ending && ending.find('/') == ending.npos &&
                      std::ranges::all_of(ending.substr(std::min<std::size_t>(1, ending.size())), [](char c) {
                          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
                      });
    return "former/" + folder + base::sha256_hex(path).substr(0, length) + (kept ? ending : "");
}

Files::Found take_kept(const Reading& r, const std::string& folder, const std::string& path, Sink& sink) {
    auto wanted = kept_name(folder, path);
    const auto found = r.files.take(path, wanted);
    if (found == Files::Found::copied && wanted != "former/" + folder + path)
        sink.put(FormerPathRow{"/" + folder + path, "file", 0, std::move(wanted)});
    return found;
}

media::Type media_type(std::string_view mime) {
    if (mime.starts_with("image/")) return media::Type::image;
    if (mime.starts_with("video/")) return media::Type::video;
    if (mime.starts_with("audio/")) return media::Type::audio;
    return media::Type::unknown;
}

}  // namespace takeover
