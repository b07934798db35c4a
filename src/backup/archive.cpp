// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/archive.hpp"

#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/json_read.hpp"

#include <algorithm>
#include <charconv>

namespace backup {

namespace {

constexpr std::int64_t format = 1;

std::uint64_t number_in(const std::string& text, const fs::path& path) {
    std::uint64_t number = 0;
    const auto end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number).ptr != end || text.empty())
        throw Broken(path.string() + " is damaged: \"" + text + "\" is no number");
    return number;
}

std::string six_digits(std::uint64_t number) {
    auto text = std::to_string(number);
    return std::string(text.size() < 6 ? 6 - text.size() : 0, '0') + text;
}

}  // namespace

std::uint64_t Base::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& block : blocks) sum += block.bytes;
    return sum;
}

void Archive::prepare() const {
    for (const char* name : {"base", "blocks", "log", "media", "check"}) make_folder(folder_ / name);
}

// Its hash is the last member, of the text without it.
void Archive::write_manifest(const Manifest& manifest) const {
    auto text = base::json::to_string(manifest);
    text.pop_back();
    put(folder_ / "manifest.json", text + ",\"sha256\":\"" + base::sha256_hex(text) + "\"}\n");
}

Manifest Archive::manifest() const {
    const auto path = folder_ / "manifest.json";
    const auto text = contents(path);
    const auto end = text.find(",\"sha256\":\"");
    if (end == text.npos ||
        text.substr(end) != ",\"sha256\":\"" + base::sha256_hex(text.substr(0, end)) + "\"}\n")
        throw Broken(path.string() + " is damaged");
    auto manifest = base::json::read<Manifest>(text);
    if (manifest.format > format)
        throw Broken(
            path.string() + " was written by Dunlin " + manifest.dunlin + ", which is newer; use that version"
        );
    return manifest;
}

std::vector<std::int64_t> Archive::bases() const {
    std::vector<std::int64_t> all;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder_ / "base", absent))
        if (auto ms = time_of_name(entry.path().filename().string())) all.push_back(*ms);
    std::ranges::sort(all);
    return all;
}

void Archive::write_base(const Base& base) const {
    std::string text =
        "least " + std::to_string(base.least_number) + " " + std::to_string(base.least_end) + "\n";
    for (const auto& file : base.files) text += "file " + file.name + " " + file.sha256 + "\n";
    for (const auto& block : base.blocks) text += block.sha256 + " " + std::to_string(block.bytes) + "\n";
    put(folder_ / "base" / name_of_time(base.ms), text + "end " + base::sha256_hex(text) + "\n");
}

Base Archive::base(std::int64_t ms) const {
    const auto path = folder_ / "base" / name_of_time(ms);
    const auto text = contents(path);
    const auto end = text.rfind("end ");
    if (end == text.npos || text.substr(end) != "end " + base::sha256_hex(text.substr(0, end)) + "\n")
        throw Broken(path.string() + " is damaged");
    Base base;
    base.ms = ms;
    for (const auto& line : split(text.substr(0, end), '\n')) {
        auto words = split(line, ' ');
        if (words.size() == 3 && words[0] == "least") {
            base.least_number = number_in(words[1], path);
            base.least_end = number_in(words[2], path);
        } else if (words.size() == 3 && words[0] == "file") base.files.push_back({words[1], words[2]});
        else if (words.size() == 2) base.blocks.push_back({words[0], number_in(words[1], path)});
        else throw Broken(path.string() + " holds a line that is not understood");
    }
    return base;
}

fs::path Archive::block(const std::string& sha256) const {
    return folder_ / "blocks" / sha256.substr(0, 2) / sha256;
}

fs::path Archive::segment(std::int64_t base, std::uint64_t number) const {
    return log_folder(base) / (six_digits(number) + ".seg");
}

fs::path Archive::times(std::int64_t base, std::uint64_t number) const {
    return log_folder(base) / (six_digits(number) + ".at");
}

std::vector<std::uint64_t> Archive::numbers(std::int64_t base) const {
    std::vector<std::uint64_t> all;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(log_folder(base), absent))
        if (entry.path().extension() == ".seg")
            all.push_back(number_in(entry.path().stem().string(), entry.path()));
    std::ranges::sort(all);
    return all;
}

// A last line that is not whole was being written.
std::vector<Point> Archive::points(std::int64_t base, std::uint64_t number) const {
    const auto path = times(base, number);
    std::vector<Point> all;
    if (!fs::exists(path)) return all;
    auto text = contents(path);
    const auto whole = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
    if (whole < text.size() && words_of(std::string_view(text).substr(whole, text.size() - whole - 1)))
        throw Broken(path.string() + " is damaged at its end");
    text.resize(whole);
    for (const auto& line : split(text, '\n')) {
        const auto words = words_of(line);
        const auto parts = words ? split(*words, ' ') : std::vector<std::string>{};
        if (parts.size() != 2) throw Broken(path.string() + " is damaged");
        all.push_back({number_in(parts[0], path), static_cast<std::int64_t>(number_in(parts[1], path))});
    }
    return all;
}

std::string line_of(Point point) {
    return checked_line(std::to_string(point.end) + " " + std::to_string(point.ms));
}

std::int64_t last_point(const Archive& archive, std::int64_t base) {
    const auto numbers = archive.numbers(base);
    if (numbers.empty()) return base;
    const auto points = archive.points(base, numbers.back());
    return points.empty() ? base : std::max(base, points.back().ms);
}

// ---- whose folder it is ----

void require_presence(const Archive& archive, const fs::path& known) {
    if (archive.exists() || known.empty() || !fs::exists(known)) return;
    if (contents(known) != archive.folder().string()) return;
    throw Away(
        "There was a backup in " + archive.folder().string() +
        " and there is none now; mount its disk, or begin anew there with `dunlin backup`"
    );
}

void remember(const Archive& archive, const fs::path& known) {
    if (!known.empty()) put(known, archive.folder().string());
}

void require_own(const Archive& archive, const Manifest& own) {
    if (!archive.exists()) return;
    const auto there = archive.manifest();
    if (there.public_url == own.public_url && there.engine == own.engine) return;
    throw Away(
        archive.folder().string() + " holds the backup of " + there.public_url + " (" + there.engine +
        "); name a folder of its own with backup_to"
    );
}

}  // namespace backup
