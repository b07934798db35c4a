// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/media_copies.hpp"

#include "base/crypto.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace backup {

namespace {

// What passes: archives of persons are made anew when they are asked for. And what a file system has for itself.
bool is_passing(const fs::path& name) {
    return name == ".work" || name == ".uploads" || name == ".archives" || name == "lost+found";
}

bool is_absent(const std::error_code& error) {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

template <class T>
T number_in(const std::string& text) {
    T number = 0;
    const auto end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number).ptr != end) throw Broken("media.list is damaged");
    return number;
}

std::string came(const std::string& name, const MediaEntry& entry) {
    return std::to_string(entry.came) + " + " + name + " " + std::to_string(entry.bytes) + " " + entry.sha256;
}

std::string went(const std::string& name, std::int64_t ms) { return std::to_string(ms) + " - " + name; }

constexpr const char* lists_folder = "lists/";

// A name stands between what has no blanks, so that it may have some itself.
bool add_line(MediaList& list, std::optional<std::string> words) {
    constexpr std::size_t longest_time = 20;
    const auto kind = words ? words->find(' ') : std::string::npos;
    if (kind > longest_time || words->size() < kind + 4 || (*words)[kind + 2] != ' ') return false;
    const auto ms = number_in<std::int64_t>(words->substr(0, kind));
    auto name = words->substr(kind + 3);
    if ((*words)[kind + 1] == '-') return list[name].gone = ms, true;
    const auto hash = name.rfind(' ');
    const auto bytes = hash == 0 || hash == name.npos ? name.npos : name.rfind(' ', hash - 1);
    if ((*words)[kind + 1] != '+' || bytes == 0 || bytes == name.npos) return false;
    MediaEntry entry{
        number_in<std::uint64_t>(name.substr(bytes + 1, hash - bytes - 1)), name.substr(hash + 1), ms, 0
    };
    name.resize(bytes);
    list[name] = std::move(entry);
    return true;
}

// Names with line ends were written as well, before they were left out: the lines of one fit its check digits together.
std::optional<std::string> words_at(const std::vector<std::string>& lines, std::size_t& at) {
    constexpr std::size_t most_lines = 16;
    std::string joined = lines[at];
    for (auto last = at;; joined += "\n" + lines[last]) {
        if (auto words = words_of(joined)) return at = last, words;
        if (++last == lines.size() || last - at == most_lines) return std::nullopt;
    }
}

bool fits_a_line(std::string_view name) {
    return std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 127; });
}

void add_lines(MediaList& list, const Archive& archive, const std::string& name, std::string text) {
    const auto path = archive.where(name);
    const auto whole = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
    if (whole < text.size() && words_of(std::string_view(text).substr(whole, text.size() - whole - 1)))
        throw Broken(path + " is damaged at its end");
    text.resize(whole);
    const auto lines = split(text, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!add_line(list, words_at(lines, i))) throw Broken(path + " is damaged");
}

// Where the last whole line ends: who died while it was written may have left the beginning of another one.
std::uint64_t end_of_lines(Target& target, const std::string& name) {
    constexpr std::size_t some = 1 << 16;
    auto end = target.size(name).value_or(0);
    while (end > 0) {
        const auto from = end - std::min<std::uint64_t>(end, some);
        const auto last = target.part(name, from, end - from).rfind('\n');
        if (last != std::string::npos) return from + last + 1;
        end = from;
    }
    return 0;
}

std::vector<Stored> pieces_of_list(Target& target) {
    auto pieces = target.list(lists_folder);
    std::erase_if(pieces, [](const Stored& one) { return one.name.ends_with(unfinished); });
    return pieces;
}

}  // namespace

std::vector<Stored> media_list_parts(const Archive& archive) {
    return archive.target().grows() ? std::vector<Stored>{} : pieces_of_list(archive.target());
}

namespace {

std::vector<std::string> names_of_parts(backup::Target& target) {
    std::vector<std::string> names;
    for (auto& part : pieces_of_list(target)) names.push_back(std::move(part.name));
    return names;
}

MediaList joined_list(const Archive& archive, const std::vector<std::string>& names) {
    MediaList list;
    auto& target = archive.target();
    if (target.size(media_list_name)) add_lines(list, archive, media_list_name, target.read(media_list_name));
    read_in_order(target, names, [&](const std::string& name, std::string text) {
        add_lines(list, archive, name, std::move(text));
    });
    return list;
}

}  // namespace

// A server that writes to the same place may merge the parts of its list and remove them while they are read here.
MediaList read_media_list(const Archive& archive) {
    constexpr int most_tries = 3;
    auto names = names_of_parts(archive.target());
    for (int tries = 1;; ++tries) {
        try {
            return joined_list(archive, names);
        } catch (const Broken&) {
            auto now = names_of_parts(archive.target());
            const bool gone = std::ranges::any_of(names, [&](const auto& name) {
                return std::ranges::find(now, name) == now.end();
            });
            if (tries == most_tries || !gone) throw;
            names = std::move(now);
        }
    }
}

void write_media_list(const Archive& archive, const MediaList& list, const std::vector<Stored>& parts) {
    std::string text;
    for (const auto& [name, entry] : list) {
        text += checked_line(came(name, entry));
        if (entry.gone) text += checked_line(went(name, entry.gone));
    }
    archive.target().put(media_list_name, text);
    for (const auto& part : parts) archive.target().remove(part.name);
}

Words removed_pictures(const Archive& archive) {
    Words out;
    if (!archive.target().size(removed_pictures_name)) return out;
    for (const auto& line : split(archive.target().read(removed_pictures_name), '\n')) {
        if (line.empty()) continue;
        auto words = words_of(line);
        if (!words) throw Broken(archive.where(removed_pictures_name) + " is damaged");
        out.push_back(*std::move(words));
    }
    return out;
}

MediaCopies::MediaCopies(Archive archive, fs::path folder, Unwanted unwanted, Removed removed)
    : archive_(std::move(archive)),
      folder_(std::move(folder)),
      unwanted_(std::move(unwanted)),
      removed_(std::move(removed)) {}

void MediaCopies::keep_removed() {
    const auto lines = removed_ ? removed_() : Words{};
    if (lines.empty()) return;
    std::string text;
    for (const auto& line : lines) text += checked_line(line);
    if (text == removed_kept_) return;
    auto& target = archive_.target();
    if (!target.size(removed_pictures_name) || target.read(removed_pictures_name) != text)
        target.put(removed_pictures_name, text);
    removed_kept_ = std::move(text);
}

void MediaCopies::note(const std::string& lines, std::int64_t now) {
    auto& target = archive_.target();
    if (target.grows()) {
        const auto turn = target.hold_list();
        return target.write_at(media_list_name, end_of_lines(target, media_list_name), lines);
    }
    constexpr std::size_t digits = 8;
    // Several may write at that moment, and a name is not written over.
    target.put(lists_folder + name_of_time(now) + "-" + base::hex(base::random_bytes(digits)), lines);
    ++noted_;
}

// They are noted once the target keeps them: what is in the list is not copied again.
void MediaCopies::add(
    const std::vector<std::string>& names, std::int64_t now, const std::function<bool()>& stop
) {
    MediaList added;
    std::exception_ptr failed;
    for (const auto& name : names) {
        if (failed || stop()) break;
        const auto from = folder_ / name;
        try {
            MediaEntry entry{fs::file_size(from), sha256_of(from), now, 0};
            archive_.target().put_file(media_folder + name, from);
            added[name] = std::move(entry);
        } catch (const std::exception&) {
            if (fs::exists(from)) failed = std::current_exception();  // otherwise it was deleted meanwhile
        }
    }
    if (!added.empty()) {
        std::vector<std::string> put;
        for (const auto& [name, entry] : added) put.push_back(media_folder + name);
        archive_.target().keep(put);
        std::string lines;
        for (const auto& [name, entry] : added) lines += checked_line(came(name, entry));
        note(lines, now);
        for (auto& [name, entry] : added) list_[name] = std::move(entry);
    }
    if (failed) std::rethrow_exception(failed);
}

void MediaCopies::look_into(const fs::path& folder, std::int64_t now, const std::function<bool()>& stop) {
    const auto prefix = folder.lexically_relative(folder_).string();
    std::error_code error;
    const auto changed = fs::last_write_time(folder, error);
    if (is_absent(error)) return;
    if (error) return note_unread(folder, error);
    const auto known = looked_.find(prefix);
    // What changed shortly before the last look may have changed behind it.
    const bool look = known == looked_.end() || known->second.changed != changed ||
                      changed + std::chrono::seconds(2) > fs::file_time_type::clock::now();
    auto inside = look ? compare(folder, prefix, now, stop) : known->second.inside;
    if (!inside) return;
    for (const auto& one : *inside) look_into(one, now, stop);
    if (look && !stop()) looked_[prefix] = {changed, *std::move(inside)};
}

// The others are copied all the same, and the sweep tells of the first one at its end.
void MediaCopies::note_unread(const fs::path& path, const std::error_code& error) {
    if (unread_.empty()) unread_ = path.string() + " cannot be read (" + error.message() + ")";
}

// Nothing where it could not be read, which does not mean that its files are gone.
std::optional<MediaCopies::Inside> MediaCopies::inside(const fs::path& folder) {
    Inside found;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code unknown;
        const auto& path = entry->path();
        const auto status = entry->status(unknown);
        if (unknown && !is_absent(unknown)) return note_unread(path, unknown), std::nullopt;
        if (fs::is_directory(status)) {
            if (!is_passing(path.filename())) found.folders.push_back(path);
        } else if (fs::is_regular_file(status)) {
            found.files.insert(path.lexically_relative(folder_).string());
        }
    }
    if (error && !is_absent(error)) return note_unread(folder, error), std::nullopt;
    return found;
}

bool MediaCopies::is_new(const std::string& name) {
    const auto known = list_.find(name);
    if ((known != list_.end() && !known->second.gone) || left_out_.contains(name)) return false;
    if (fits_a_line(name) && !unwanted_(name)) return true;
    left_out_.insert(name);
    if (!fits_a_line(name) && !std::exchange(told_of_name_, true))
        base::log_warning(
            "an uploaded file is left out of the backup",
            {{"file", name},
             {"cause", "its name has a line end or another control character, as none of the server's own has"
             }}
        );
    return false;
}

void MediaCopies::add_new(const Names& names, std::int64_t now, const std::function<bool()>& stop) {
    std::vector<std::string> wanted;
    for (const auto& name : names) {
        if (stop()) return;
        if (is_new(name)) wanted.push_back(name);
    }
    constexpr std::size_t most_at_once = 100;
    for (std::size_t i = 0; i < wanted.size() && !stop(); i += most_at_once) {
        const auto begin = wanted.begin() + static_cast<std::ptrdiff_t>(i);
        const auto count = std::min(most_at_once, wanted.size() - i);
        add({begin, begin + static_cast<std::ptrdiff_t>(count)}, now, stop);
    }
}

void MediaCopies::note_gone(const std::string& prefix, const Names& names, std::int64_t now) {
    std::string lines;
    std::vector<MediaEntry*> gone_now;
    const auto start = prefix == "." ? std::string() : prefix + "/";
    for (auto at = list_.lower_bound(start); at != list_.end() && at->first.starts_with(start); ++at) {
        const bool directly = at->first.find('/', start.size()) == std::string::npos;
        if (!directly || at->second.gone || names.contains(at->first)) continue;
        lines += checked_line(went(at->first, now));
        gone_now.push_back(&at->second);
    }
    if (!lines.empty()) note(lines, now);
    for (auto* one : gone_now) one->gone = now;
}

// Answers the folders inside; nothing where it could not be read.
std::optional<std::vector<fs::path>> MediaCopies::compare(
    const fs::path& folder, const std::string& prefix, std::int64_t now, const std::function<bool()>& stop
) {
    auto found = inside(folder);
    if (!found) return std::nullopt;
    add_new(found->files, now, stop);
    if (!stop()) note_gone(prefix, found->files, now);
    return std::move(found->folders);
}

// Many small ones take long to read.
void MediaCopies::fold_list() {
    constexpr std::size_t many = 100;
    if (noted_ < many) return;
    try {
        const auto turn = archive_.target().hold();
        const auto parts = media_list_parts(archive_);
        const auto list = read_media_list(archive_);
        turn->require();
        write_media_list(archive_, list, parts);
        noted_ = 0;
    } catch (const Away&) {  // somebody is at work there: after the next sweep
    }
}

void MediaCopies::sweep(std::int64_t now, const std::function<bool()>& stop) {
    if (!loaded_) {
        noted_ = media_list_parts(archive_).size();
        list_ = read_media_list(archive_);
    }
    loaded_ = true;
    keep_removed();
    unread_.clear();
    if (fs::is_directory(folder_)) look_into(folder_, now, stop);
    if (!stop()) fold_list();
    if (!unread_.empty()) throw Away(unread_);
}

}  // namespace backup
