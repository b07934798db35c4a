// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/emojis/pack.hpp"

#include "base/errors.hpp"
#include "base/json_read.hpp"
#include "base/text/utf8.hpp"
#include "cli/emojis/tar.hpp"
#include "config/config.hpp"
#include "social/transfer/zip.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 10'000;
constexpr std::uint64_t most_picture = 1 << 20, most_list = 4 << 20;  // bytes; the media worker accepts less
constexpr std::uint64_t most_unpacked = 256 << 20;                    // of a zip

struct Found {
    fs::path file;
    std::string problem;
};
using Files = std::map<std::string, Found>;  // by their names in the pack

std::string ending(const std::string& name) {
    return base::text::ascii_lowered(fs::path(name).extension().string());
}

bool is_list(const std::string& name) {
    const auto last = fs::path(name).filename();
    return last == "pack.json" || last == "meta.json";
}

// Includes kinds that are refused, so that the reason is reported.
bool is_picture(const std::string& name) {
    static const char* const endings[] = {".png", ".apng", ".gif", ".webp", ".jpg", ".jpeg", ".avif", ".svg"};
    return std::ranges::count(endings, ending(name)) > 0;
}

// Includes what desktops leave behind.
bool is_hidden(const std::string& name) {
    return std::ranges::any_of(fs::path(name), [](const fs::path& part) {
        return part == "__MACOSX" || (part.native().starts_with('.') && part != ".");
    });
}

class Gathering {
public:
    Gathering(const fs::path& given, const fs::path& work) : work_(work) {
        if (fs::is_directory(given)) gather_folder(given);
        else gather_archive(given);
    }

    Files files;
    std::int64_t passed_over = 0;

private:
    void gather_archive(const fs::path& given) {
        std::ifstream in(given, std::ios::binary);
        if (!in) throw Refused("There is no file or folder " + given.string() + " that can be read");
        std::string beginning(512, '\0');
        in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
        if (beginning.starts_with("PK")) gather_zip(given);
        else if (is_tar(beginning)) gather_tar(given);
        else throw Refused(given.string() + " is neither a folder nor a zip or tar.gz archive");
    }

    // Whether the file is wanted. Names in an archive never become paths.
    bool wants(const std::string& name) {
        if (name.ends_with('/') || is_hidden(name)) return false;
        if (!is_list(name) && !is_picture(name)) return ++passed_over, false;
        if (files.size() == most_files)
            throw Refused("It holds more than 10000 pictures; import it in parts");
        return true;
    }
    static std::uint64_t most(const std::string& name) { return is_list(name) ? most_list : most_picture; }
    fs::path place() const { return work_ / std::to_string(files.size()); }

    void gather_folder(const fs::path& given) {
        using enum fs::directory_options;
        for (fs::recursive_directory_iterator at(given, skip_permission_denied), end; at != end; ++at) {
            const auto name = at->path().lexically_relative(given).string();
            if (at->is_directory() && is_hidden(name)) at.disable_recursion_pending();
            if (at->is_regular_file() && wants(name)) files[name].file = at->path();
        }
    }

    void gather_zip(const fs::path& given) {
        const transfer::ZipReader zip(given);
        std::uintmax_t unpacked = 0;
        for (transfer::ZipReader::Number i = 0; i < zip.size(); ++i) {
            const auto name = zip.name(i);
            if (!wants(name)) continue;
            Found found{place(), {}};
            try {
                zip.unpack(i, found.file, most(name));
            } catch (const base::Invalid& e) {
                found.problem = e.what();
            }
            std::error_code gone;
            const auto size = fs::file_size(found.file, gone);
            unpacked += gone ? 0 : size;
            if (unpacked > most_unpacked)
                throw Refused(
                    "The pictures of " + given.string() + " are larger than 256 MB; bring them in parts"
                );
            files.emplace(name, std::move(found));
        }
    }

    void gather_tar(const fs::path& given) {
        const Tar tar(given);
        for (const auto& [given_name, bytes] : tar.files()) {
            const auto name = given_name.starts_with("./") ? given_name.substr(2) : given_name;
            if (!wants(name)) continue;
            Found found{place(), {}};
            if (bytes.size() > most(name)) {
                found.problem = "A file of it is too large";
            } else {
                std::ofstream out(found.file, std::ios::binary | std::ios::trunc);
                out.exceptions(std::ios::badbit | std::ios::failbit);
                out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
                out.close();
            }
            files.emplace(name, std::move(found));
        }
    }

    const fs::path work_;
};

std::string folder_of(const std::string& name) {
    const auto slash = name.rfind('/');
    return slash == name.npos ? "" : name.substr(0, slash + 1);
}

std::string text_in(const boost::json::object& object, const char* name) {
    const auto* value = object.if_contains(name);
    const auto* text = value ? value->if_string() : nullptr;
    return text ? std::string(*text) : "";
}

class Listed {
public:
    explicit Listed(const Files& files) : files_(files) {
        for (const auto& [name, found] : files)
            if (is_list(name)) read(name, found);
    }

    std::vector<PackPicture> pictures;
    // Whether an index covers the files of this folder.
    bool covers(const std::string& folder) const { return std::ranges::count(folders_, folder) > 0; }

private:
    void read(const std::string& name, const Found& found) {
        if (!found.problem.empty()) throw Refused(name + " is larger than 4 MB");
        std::ifstream in(found.file, std::ios::binary);
        boost::json::value all;
        try {
            if (fs::file_size(found.file) > most_list) throw Refused(name + " is larger than 4 MB");
            all = base::json::parse(std::string{std::istreambuf_iterator<char>(in), {}});
        } catch (const boost::system::system_error&) {
            throw Refused(name + " is no JSON");
        }
        const auto* object = all.if_object();
        if (!object) return;
        const auto folder = folder_of(name);
        if (const auto* files = object->if_contains("files"); files && files->is_object())
            read_pleroma(folder, files->get_object());
        else if (const auto* emojis = object->if_contains("emojis"); emojis && emojis->is_array())
            read_misskey(folder, emojis->get_array());
        else return;
        folders_.push_back(folder);
    }

    // {"files": {"blobcat": "blobcat.png"}}
    void read_pleroma(const std::string& folder, const boost::json::object& files) {
        for (const auto& [shortcode, file] : files)
            if (const auto* name = file.if_string()) add(shortcode, "", folder + std::string(*name));
    }

    // {"emojis": [{"fileName": "blobcat.png", "emoji": {"name": "blobcat", "category": "Blobs"}}]}
    void read_misskey(const std::string& folder, const boost::json::array& emojis) {
        for (const auto& one : emojis) {
            const auto* object = one.if_object();
            const auto* emoji = object ? object->if_contains("emoji") : nullptr;
            if (!emoji || !emoji->is_object()) continue;
            const auto& about = emoji->get_object();
            add(text_in(about, "name"), text_in(about, "category"), folder + text_in(*object, "fileName"));
        }
    }

    void add(std::string shortcode, std::string category, const std::string& name) {
        if (pictures.size() == most_files) throw Refused("It names more than 10000 pictures");
        PackPicture picture{std::move(shortcode), std::move(category), name, {}, {}};
        if (auto found = files_.find(name); found != files_.end()) {
            picture.file = found->second.file;
            picture.problem = found->second.problem;
        } else {
            picture.problem = "There is no such file";
        }
        pictures.push_back(std::move(picture));
    }

    const Files& files_;
    std::vector<std::string> folders_;
};

// Makes untrusted text safe for a terminal.
std::string on_one_line(std::string_view text) {
    auto out = base::text::clean_utf8(text);
    std::ranges::replace_if(out, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return out;
}

}  // namespace

Pack read_pack(const fs::path& given, const fs::path& work) {
    Gathering gathered(given, work);
    Listed listed(gathered.files);
    Pack pack{std::move(listed.pictures), gathered.passed_over};
    for (const auto& [name, found] : gathered.files)
        if (!is_list(name) && !listed.covers(folder_of(name)))
            pack.pictures.push_back({fs::path(name).stem().string(), "", name, found.file, found.problem});
    std::ranges::stable_sort(pack.pictures, {}, &PackPicture::shortcode);
    for (std::size_t i = 1; i < pack.pictures.size(); ++i)
        if (pack.pictures[i].shortcode == pack.pictures[i - 1].shortcode && pack.pictures[i].problem.empty())
            pack.pictures[i].problem = "Another file has this name, too";
    for (auto& picture : pack.pictures)
        for (auto* text : {&picture.shortcode, &picture.category, &picture.name}) *text = on_one_line(*text);
    if (pack.pictures.empty()) throw Refused("There are no pictures in " + given.string());
    return pack;
}

}  // namespace server
