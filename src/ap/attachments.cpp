// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/object_parts.hpp"

#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ap {

namespace {

constexpr std::int64_t largest_side = 100'000;

bool starts_as(std::string_view type, std::string_view start) {
    return base::text::same_ignoring_ascii_case(type.substr(0, start.size()), start);
}

// Some name no type of what they attach, or attach a picture as a link with a media type.
bool is_medium(Node node) {
    if (node.is("Document") || node.is("Image") || node.is("Video") || node.is("Audio")) return true;
    if (node.is_object() && node.types().empty()) return true;
    auto type = media_type_of(node);
    return node.is("Link") && std::ranges::any_of(
                                  std::to_array<std::string_view>({"image/", "video/", "audio/"}),
                                  [&](std::string_view start) { return starts_as(type, start); }
                              );
}

std::string description(Node node) {
    auto out = text_of(node, "summary", longest_description).text;
    return out.empty() ? text_of(node, "name", longest_description).text : out;
}

std::optional<std::pair<double, double>> focus(Node node) {
    auto both = node.each(3);
    if (both.size() != 2) return std::nullopt;
    auto x = both[0].number(), y = both[1].number();
    if (!x || !y || std::abs(*x) > 1 || std::abs(*y) > 1) return std::nullopt;
    return std::pair(*x, *y);
}

std::optional<std::int64_t> side(Node node) {
    auto out = node.count();
    return out && *out > 0 && *out <= largest_side ? out : std::nullopt;
}

// The files of a video come in many sizes and forms; one that browsers play is enough.
std::string file_of(Node node, std::string_view& kind) {
    auto type = node.type();
    kind = type == "Image" ? "image/" : type == "Video" ? "video/" : type == "Audio" ? "audio/" : "";
    if (auto href = node["href"].link(); !href.empty()) return href;
    return node["url"].link(kind);
}

std::string type_of_file(Node node, std::string_view kind) {
    auto said = media_type_of(node);
    if (!said.empty()) return said;
    for (auto link : node["url"].each(64))
        if (auto type = media_type_of(link); starts_as(type, kind) && !type.empty()) return type;
    return {};
}

std::optional<Media> medium(Node node) {
    Media out;
    out.type = node.type();
    std::string_view kind;
    out.url = file_of(node, kind);
    if (out.url.empty()) return std::nullopt;
    out.media_type = type_of_file(node, kind);
    out.description = description(node);
    out.blurhash = node["blurhash"].text(200);
    if (!is_blurhash(out.blurhash)) out.blurhash.clear();
    out.focus = focus(node["focalPoint"]);
    out.width = side(node["width"]);
    out.height = side(node["height"]);
    out.seconds = read_duration(node["duration"].text(64));
    out.thumbnail = node["icon"].first().link("image/");
    out.sensitive = node["sensitive"].flag();
    return out;
}

}  // namespace

void read_attachments(Object& out, Node node) {
    for (auto one : node["attachment"].each(most_media)) {
        if (is_medium(one)) {
            auto found = medium(one);
            bool known =
                found && std::ranges::any_of(out.media, [&](const Media& m) { return m.url == found->url; });
            if (found && !known) out.media.push_back(std::move(*found));
        } else if (auto url = one.is("Link")  ? one["href"].link()
                              : one.is_text() ? one.link()
                                              : std::string();
                   !url.empty()) {
            out.links.push_back(std::move(url));
        }
    }
}

std::optional<double> read_duration(std::string_view text) {
    if (!text.starts_with('P')) return std::nullopt;
    text.remove_prefix(1);
    double seconds = 0;
    bool time = false, any = false;
    while (!text.empty()) {
        if (text.starts_with('T')) {
            time = true;
            text.remove_prefix(1);
            continue;
        }
        double value = 0;
        auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
        if (error != std::errc{} || end == text.data() + text.size() || value < 0) return std::nullopt;
        auto unit = *end;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
        if (time && unit == 'H') seconds += value * 3600;
        else if (time && unit == 'M') seconds += value * 60;
        else if (time && unit == 'S') seconds += value;
        else if (!time && unit == 'D') seconds += value * 86400;
        else return std::nullopt;
        any = true;
    }
    if (!any || !std::isfinite(seconds) || seconds > 1e8) return std::nullopt;
    return seconds;
}

bool is_blurhash(std::string_view hash) {
    constexpr std::string_view digits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
    if (hash.size() < 6) return false;
    if (std::ranges::any_of(hash, [&](char c) { return digits.find(c) == digits.npos; })) return false;
    auto flag = digits.find(hash[0]);
    auto across = flag % 9 + 1, down = flag / 9 + 1;
    return across <= 5 && down <= 5 && hash.size() == 4 + 2 * across * down;
}

}  // namespace ap
