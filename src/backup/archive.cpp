// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/archive.hpp"

#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace backup {

namespace {

constexpr std::int64_t newest_format = 2;

std::uint64_t number_in(const std::string& text, const std::string& where) {
    std::uint64_t number = 0;
    const auto end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number).ptr != end || text.empty())
        throw Broken(where + " is damaged: \"" + text + "\" is no number");
    return number;
}

std::string digits(std::uint64_t number, std::size_t least) {
    auto text = std::to_string(number);
    return std::string(text.size() < least ? least - text.size() : 0, '0') + text;
}

void require_key(const Target& target, const std::string& wanted) {
    const auto own = target.key_id();
    if (wanted == own) return;
    if (wanted.empty())
        throw Away(
            "The backup in " + target.where() +
            " is not encrypted, and backup_key is set; name another place for one that is, or set no "
            "backup_key"
        );
    throw Away(
        "The backup in " + target.where() + " is encrypted with the key " + wanted +
        (own.empty() ? "; set backup_key to it" : ", and backup_key is the key " + own + "; set that one")
    );
}

constexpr std::size_t number_digits = 6, offset_digits = 12;
constexpr std::string_view segment_end = ".seg";

}  // namespace

std::uint64_t Base::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& block : blocks) sum += block.bytes;
    return sum;
}

std::uint64_t Log::bytes() const {
    std::uint64_t end = 0;
    for (const auto& piece : pieces)
        if (piece.offset <= end) end = std::max(end, piece.offset + piece.bytes);
    return end;
}

void Archive::begin(const Manifest& own) const {
    target_->prepare();
    if (exists()) {
        try {
            manifest();
        } catch (const Broken&) {  // the next full copy rewrites it
        }
        return;
    }
    if (target_->key_id().empty()) return;
    for (const char* folder : {"base/", "blocks/", "log/", "media/", "lists/"})
        if (!target_->list(folder).empty())
            throw Away(
                "A backup that was not finished is in " + where() +
                ", and is not encrypted; remove it, or name another place"
            );
    write_manifest(own);
}

// Its last member is the hash of the text before it.
void Archive::write_manifest(Manifest manifest) const {
    manifest.key = target_->key_id();
    manifest.format = manifest.key.empty() ? 1 : newest_format;
    auto text = base::json::to_string(manifest);
    text.pop_back();
    target_->put(manifest_name, text + ",\"sha256\":\"" + base::sha256_hex(text) + "\"}\n");
}

Manifest Archive::manifest() const {
    const auto path = where(manifest_name);
    const auto text = target_->read(manifest_name);
    const auto end = text.find(",\"sha256\":\"");
    if (end == text.npos ||
        text.substr(end) != ",\"sha256\":\"" + base::sha256_hex(text.substr(0, end)) + "\"}\n")
        throw Broken(path + " is damaged");
    auto manifest = base::json::read<Manifest>(text);
    if (manifest.format > newest_format)
        throw Away(path + " was written by Dunlin " + manifest.dunlin + ", which is newer; use that version");
    require_key(*target_, manifest.key);
    return manifest;
}

std::vector<std::int64_t> Archive::bases() const {
    std::vector<std::int64_t> all;
    for (const auto& file : target_->list("base/"))
        if (auto ms = time_of_name(file.name.substr(file.name.find('/') + 1))) all.push_back(*ms);
    return all;
}

void Archive::write_base(const Base& base) const {
    std::string text =
        "least " + std::to_string(base.least_number) + " " + std::to_string(base.least_end) + "\n";
    for (const auto& file : base.files) text += "file " + file.name + " " + file.sha256 + "\n";
    for (const auto& block : base.blocks) text += block.sha256 + " " + std::to_string(block.bytes) + "\n";
    target_->put(base_name(base.ms), text + "end " + base::sha256_hex(text) + "\n");
}

Base Archive::base(std::int64_t ms) const {
    const auto path = where(base_name(ms));
    const auto text = target_->read(base_name(ms));
    const auto end = text.rfind("end ");
    if (end == text.npos || text.substr(end) != "end " + base::sha256_hex(text.substr(0, end)) + "\n")
        throw Broken(path + " is damaged");
    Base base;
    base.ms = ms;
    for (const auto& line : split(text.substr(0, end), '\n')) {
        auto words = split(line, ' ');
        if (words.size() == 3 && words[0] == "least") {
            base.least_number = number_in(words[1], path);
            base.least_end = number_in(words[2], path);
        } else if (words.size() == 3 && words[0] == "file") base.files.push_back({words[1], words[2]});
        else if (words.size() == 2) base.blocks.push_back({words[0], number_in(words[1], path)});
        else throw Broken(path + " holds a line that is not understood");
    }
    return base;
}

std::string Archive::base_name(std::int64_t ms) { return "base/" + name_of_time(ms); }

std::string Archive::block(const std::string& sha256) {
    return "blocks/" + sha256.substr(0, 2) + "/" + sha256;
}

std::string Archive::log_folder(std::int64_t base) { return "log/" + name_of_time(base) + "/"; }

std::string Archive::segment(std::int64_t base, std::uint64_t number) {
    return log_folder(base) + digits(number, number_digits) + std::string(segment_end);
}

std::string Archive::piece(
    std::int64_t base, std::uint64_t number, std::uint64_t offset, std::int64_t ms, std::uint64_t end_before
) {
    return log_folder(base) + digits(number, number_digits) + "-" + digits(offset, offset_digits) + "-" +
           name_of_time(ms) + (end_before ? "-" + digits(end_before, offset_digits) : "") +
           std::string(segment_end);
}

std::string Archive::times(std::int64_t base, std::uint64_t number) {
    return log_folder(base) + digits(number, number_digits) + ".at";
}

std::vector<Log> Archive::logs(std::int64_t base) const {
    std::map<std::uint64_t, Log> all;
    const auto folder = log_folder(base);
    for (const auto& file : target_->list(folder)) {
        std::string_view name = std::string_view(file.name).substr(folder.size());
        if (!name.ends_with(segment_end)) continue;
        name.remove_suffix(segment_end.size());
        const auto parts = split(name, '-');
        Log::Stretch piece{file.name, 0, file.bytes};
        if (parts.size() > 2) {
            const auto ms = time_of_name(parts[2]);
            if (!ms) throw Broken(where(file.name) + " has a name that is not understood");
            piece.offset = number_in(parts[1], where(file.name));
            piece.ms = *ms;
            if (parts.size() > 3) piece.end_before = number_in(parts[3], where(file.name));
        }
        const auto number = number_in(parts[0], where(file.name));
        auto& log = all[number];
        log.number = number;
        log.pieces.push_back(std::move(piece));
    }
    std::vector<Log> out;
    for (auto& [number, log] : all) {
        std::ranges::stable_sort(log.pieces, {}, &Log::Stretch::offset);
        out.push_back(std::move(log));
    }
    return out;
}

// An incomplete last line was being written.
std::vector<Point> Archive::points(std::int64_t base, const Log& log) const {
    std::vector<Point> all;
    for (const auto& piece : log.pieces)
        if (piece.ms != 0) all.push_back({piece.offset + piece.bytes, piece.ms});
    std::ranges::sort(all, {}, &Point::end);
    const auto name = times(base, log.number);
    const bool grew = std::ranges::any_of(log.pieces, [](const auto& piece) { return piece.ms == 0; });
    if (!grew || !target_->size(name)) return all;
    const auto path = where(name);
    auto text = target_->read(name);
    const auto whole = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
    if (whole < text.size() && words_of(std::string_view(text).substr(whole, text.size() - whole - 1)))
        throw Broken(path + " is damaged at its end");
    text.resize(whole);
    for (const auto& line : split(text, '\n')) {
        const auto words = words_of(line);
        const auto parts = words ? split(*words, ' ') : std::vector<std::string>{};
        if (parts.size() != 2) throw Broken(path + " is damaged");
        all.push_back({number_in(parts[0], path), static_cast<std::int64_t>(number_in(parts[1], path))});
    }
    return all;
}

std::string Archive::bytes_of(std::int64_t base, const Log& log, std::uint64_t end) const {
    const auto missing = [&](std::uint64_t from) {
        return Broken(
            where(segment(base, log.number)) +
            " is missing or too short: nothing is there of what came after " + std::to_string(from) + " bytes"
        );
    };
    std::vector<std::string> wanted;
    std::map<std::string, std::uint64_t> offsets;
    std::uint64_t reached = 0;
    for (const auto& piece : log.pieces) {
        if (piece.offset >= end || piece.offset + piece.bytes <= reached) continue;
        if (piece.offset > reached) throw missing(reached);
        reached = piece.offset + piece.bytes;
        wanted.push_back(piece.name);
        offsets[piece.name] = piece.offset;
    }
    if (reached < end) throw missing(reached);
    std::string bytes;
    if (wanted.size() > 1) bytes.reserve(end);
    read_in_order(*target_, wanted, [&](const std::string& name, std::string more) {
        const auto skip = bytes.size() - offsets[name];
        if (more.size() <= skip) throw Broken(where(name) + " is too short");
        if (wanted.size() == 1) bytes = std::move(more);
        else bytes.append(more, skip);
    });
    if (bytes.size() < end) throw missing(bytes.size());
    bytes.resize(end);
    return bytes;
}

std::string line_of(Point point) {
    return checked_line(std::to_string(point.end) + " " + std::to_string(point.ms));
}

std::int64_t last_point(const Archive& archive, std::int64_t base) {
    const auto logs = archive.logs(base);
    if (logs.empty()) return base;
    const auto points = archive.points(base, logs.back());
    return points.empty() ? base : std::max(base, points.back().ms);
}

// ---- ownership of the folder ----

void require_presence(const Archive& archive, const fs::path& known) {
    if (archive.exists() || known.empty() || !fs::exists(known)) return;
    if (contents(known) != archive.where()) return;
    throw Away(
        "There was a backup in " + archive.where() + " and there is none now; " +
        (archive.target().grows() ? "mount its disk" : "see what became of it") +
        ", or begin anew there with `dunlin backup`"
    );
}

void remember(const Archive& archive, const fs::path& known) {
    if (!known.empty()) put(known, archive.where());
}

void mend_manifest(const Archive& archive, const Manifest& own, const fs::path& known) {
    if (known.empty() || !fs::exists(known) || !archive.exists() || contents(known) != archive.where())
        return;
    try {
        archive.manifest();
    } catch (const Broken& e) {
        base::log_warning(
            "the backup's manifest is written anew, as this server's backup is known to be there",
            {{"cause", e.what()}}
        );
        archive.write_manifest(own);
    }
}

void require_own(const Archive& archive, const Manifest& own) {
    if (!archive.exists()) return;
    const auto there = archive.manifest();
    if (there.public_url == own.public_url && there.engine == own.engine) return;
    throw Away(
        archive.where() + " holds the backup of " + there.public_url + " (" + there.engine +
        "); name a folder of its own with backup_to"
    );
}

}  // namespace backup
