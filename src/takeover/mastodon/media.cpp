// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "takeover/mastodon/reading.hpp"

#include <array>

namespace takeover::mastodon {

namespace {

// As Paperclip cuts a number into folders: threes of at least nine digits, or of twelve where it is large; versions of it differ
// in what they make of seventeen.
std::vector<std::string> folders_of(Id id) {
    constexpr Id small = 1'000'000'000;
    std::vector<std::string> out;
    for (const std::size_t width : {id < small ? 9UL : 12UL, 18UL}) {
        auto digits = std::to_string(id);
        if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
        std::string folder;
        for (std::size_t at = 0; at + 3 <= digits.size(); at += 3) folder += digits.substr(at, 3) + "/";
        if (out.empty() || out.front() != folder) out.push_back(std::move(folder));
    }
    return out;
}

std::string without_ending(const std::string& name) { return name.substr(0, name.rfind('.')); }

}  // namespace

std::string path_of(
    const Files& files, const std::string& folder, Id id, const char* style, const std::string& name
) {
    std::string first;
    for (const auto& cut : folders_of(id)) {
        auto path = folder + "/" + cut + style + "/" + name;
        if (files.is_there(path)) return path;
        if (first.empty()) first = std::move(path);
    }
    return first;
}

std::string former_file(const std::string& path) { return "former/system/" + path; }

namespace {

media::Type type_of(std::int64_t number) {
    constexpr std::array types{
        media::Type::image, media::Type::gifv, media::Type::video, media::Type::unknown, media::Type::audio
    };
    return number >= 0 && number < static_cast<std::int64_t>(types.size())
               ? types[static_cast<std::size_t>(number)]
               : media::Type::unknown;
}

std::optional<double> figure(const boost::json::value* from) {
    if (!from) return std::nullopt;
    if (from->is_number()) return from->to_number<double>();
    return std::nullopt;
}

// "30/1", or a number.
std::optional<std::string> frame_rate(const boost::json::value* from) {
    if (!from) return std::nullopt;
    if (!from->is_string()) return as_frame_rate(figure(from));
    const std::string_view text(from->get_string());
    const bool fraction = !text.empty() && text.size() <= 20 && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || c == '/';
    });
    return fraction ? std::optional<std::string>(text) : std::nullopt;
}

// What is known of the file. It is JSON that Mastodon wrote, and may lack anything.
void measure(const std::string& json, media::Media& m) {
    if (json.empty() || json == "null") return;
    try {
        const auto all = base::json::parse(json);
        const auto& meta = all.as_object();
        auto part = [&](const char* name) -> const boost::json::object* {
            const auto* found = meta.if_contains(name);
            return found ? found->if_object() : nullptr;
        };
        auto pixels = [](const boost::json::object& of, const char* name) {
            const auto n = figure(of.if_contains(name));
            return as_size(
                n ? std::optional(static_cast<std::int64_t>(within(n, 0, 1e6).value_or(0))) : std::nullopt
            );
        };
        if (const auto* original = part("original")) {
            m.width = pixels(*original, "width");
            m.height = pixels(*original, "height");
            m.duration = within(figure(original->if_contains("duration")), 0, 1e7);
            if (const auto rate = within(figure(original->if_contains("bitrate")), 0, 1e12))
                m.bitrate = static_cast<std::int64_t>(*rate);
            m.frame_rate = frame_rate(original->if_contains("frame_rate"));
        }
        if (const auto* small = part("small")) {
            m.preview_width = pixels(*small, "width");
            m.preview_height = pixels(*small, "height");
        }
        if (const auto* focus = part("focus")) {
            m.focus_x = within(figure(focus->if_contains("x")), -1, 1);
            m.focus_y = within(figure(focus->if_contains("y")), -1, 1);
        }
        if (const auto* colors = part("colors")) m.colors = boost::json::serialize(*colors);
    } catch (const std::exception&) {
        return;
    }
}

media::Media described(const Attachment& a) {
    media::Media m;
    m.id = {a.id};
    m.account_id = {a.account_id};
    m.type = type_of(a.type);
    m.mime = a.file_content_type.substr(0, 100);
    measure(a.file_meta, m);
    if (!a.blurhash.empty() && a.blurhash.size() <= 100) m.blurhash = a.blurhash;
    if (a.description && !a.description->empty()) m.description = a.description;
    return m;
}

// The small one has the same name, and may have another ending.
std::optional<std::string> small_of(const Reading& r, const Attachment& a) {
    const auto base = without_ending(a.file_file_name);
    for (const auto& name :
         {a.file_file_name, base + ".png", base + ".jpg", base + ".jpeg", base + ".webp"}) {
        auto path = path_of(r.files, "media_attachments/files", a.id, "small", name);
        if (r.files.is_there(path)) return path;
    }
    return std::nullopt;
}

// The files of somebody here, as they were; nothing: they cannot be named.
bool take_files(const Reading& r, const Attachment& a, media::Media& m, Sink& sink) {
    const auto former = std::to_string(a.id);
    const auto path = path_of(r.files, "media_attachments/files", a.id, "original", a.file_file_name);
    const auto found = r.files.take(path, former_file(path));
    if (found != Files::Found::copied) sink.refuse("file", former, problem_of(found, path));
    if (found == Files::Found::outside) return false;
    m.file = former_file(path);
    m.preview = m.type == media::Type::image ? m.file : "";
    if (const auto small = small_of(r, a))
        if (r.files.take(*small, former_file(*small)) == Files::Found::copied)
            m.preview = former_file(*small);
    if (a.thumbnail_file_name.empty()) return true;
    const auto own =
        path_of(r.files, "media_attachments/thumbnails", a.id, "original", a.thumbnail_file_name);
    if (r.files.take(own, former_file(own)) == Files::Found::copied) m.thumbnail = former_file(own);
    return true;
}

}  // namespace

void take_medium(const Reading& r, const Attachment& a, MaybeId status, std::int64_t position, Sink& sink) {
    if (!r.account(sink, a.account_id)) return;
    constexpr std::int64_t processed = 2;
    const auto former = std::to_string(a.id);
    MediaRow row{described(a), a.created_at};
    auto& m = row.media;
    if (status) m.status_id = {*status};
    m.position = position;
    if (!a.remote_url.empty()) {
        if (!is_address(a.remote_url)) return sink.refuse("media", former, "it has no address");
        m.file = a.remote_url;
        if (is_address(a.thumbnail_remote_url)) m.preview = a.thumbnail_remote_url;
        else if (m.type == media::Type::image) m.preview = a.remote_url;
    } else {
        if (a.processing.value_or(processed) != processed || a.file_file_name.empty())
            return sink.refuse("media", former, "it was never processed");
        if (!take_files(r, a, m, sink)) return;
    }
    sink.put(std::move(row));
}

// What no post shows yet; all others go with their posts.
void copy_media(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<Attachment>(
        "media",
        "(SELECT x.* FROM " + table<Attachment>(r.db, "media_attachments") +
            " JOIN accounts a ON a.id = x.account_id WHERE x.status_id IS NULL AND a.domain IS NULL) AS x",
        position,
        sink,
        [&](const Attachment& a) { take_medium(r, a, std::nullopt, 0, sink); }
    );
}

void copy_emojis(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<Emoji>(
        "emoji",
        "(SELECT e.*, c.name AS category FROM custom_emojis e LEFT JOIN custom_emoji_categories c ON c.id = "
        "e.category_id) AS x",
        position,
        sink,
        [&](const Emoji& e) {
            const auto former = std::to_string(e.id);
            if (!is_shortcode(e.shortcode)) return sink.refuse("emoji", former, "its name is none");
            EmojiRow row;
            row.id = e.id;
            row.shortcode = e.shortcode;
            row.domain = e.domain;
            row.category = e.category;
            row.visible_in_picker = e.visible_in_picker;
            row.disabled = e.disabled;
            row.created_at = e.created_at;
            if (!e.domain.empty()) {
                if (!is_address(e.image_remote_url)) return sink.refuse("emoji", former, "it has no address");
                row.file = row.static_file = e.image_remote_url;
                return sink.put(std::move(row));
            }
            auto take = [&](const char* style, const std::string& name) {
                const auto path = path_of(r.files, "custom_emojis/images", e.id, style, name);
                return r.files.take(path, former_file(path)) == Files::Found::copied ? former_file(path) : "";
            };
            row.file = take("original", e.image_file_name);
            row.static_file = take("static", without_ending(e.image_file_name) + ".png");
            if (row.file.empty())
                return sink.refuse(
                    "emoji",
                    former,
                    "its file is missing or lies elsewhere: " + db::Foreign::shown(e.image_file_name)
                );
            if (row.static_file.empty()) row.static_file = row.file;
            sink.put(std::move(row));
        }
    );
}

}  // namespace takeover::mastodon
