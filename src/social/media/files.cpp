// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/files.hpp"

#include "social/media/store_files.hpp"

#include <sys/stat.h>
#include <set>

namespace media {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const char* what, const fs::path& path) {
    throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

bool is_hidden(const fs::path& name) { return name.native().starts_with('.'); }

std::optional<KeptFile> facts_of(const fs::path& path, const fs::path& folder) {
    struct stat facts{};
    if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
    const auto ms = std::int64_t{facts.st_mtim.tv_sec} * 1000 + facts.st_mtim.tv_nsec / 1'000'000;
    return KeptFile{
        path.lexically_relative(folder).string(), static_cast<std::uint64_t>(facts.st_size), {ms}
    };
}

}  // namespace

void FolderFiles::make_place(const fs::path& name) const {
    const auto place = (folder_ / name).parent_path();
    if (fs::exists(place)) return;
    if (is_hidden(name)) {
        const auto top = folder_ / *name.begin();
        fs::create_directories(folder_);
        if (::mkdir(top.c_str(), 0700) != 0 && errno != EEXIST) fail("mkdir", top);
        fs::create_directories(place);
    } else {
        make_public_folder(place, folder_);
    }
    sync(place.parent_path());
    sync(folder_);
}

void FolderFiles::put(const std::vector<Placed>& files) {
    std::set<fs::path> changed;
    for (const auto& one : files) {
        make_place(one.name);
        const auto to = folder_ / one.name;
        if (::chmod(one.made.c_str(), is_hidden(one.name) ? 0600 : 0644) != 0) fail("chmod", one.made);
        fs::rename(one.made, to);
        sync(to);
        changed.insert(to.parent_path());
    }
    for (const auto& place : changed) sync(place);
}

std::optional<fs::path> FolderFiles::find(const std::string& name) {
    if (auto path = folder_ / name; fs::exists(path)) return path;
    return std::nullopt;
}

bool FolderFiles::remove(const std::string& name) { return fs::remove(folder_ / name); }

bool FolderFiles::move(const std::string& from, const std::string& to) {
    if (!fs::exists(folder_ / from)) return false;
    make_place(to);
    fs::rename(folder_ / from, folder_ / to);
    sync((folder_ / from).parent_path());
    sync((folder_ / to).parent_path());
    return true;
}

bool FolderFiles::copy(const std::string& from, const std::string& to) {
    make_place(to);
    std::error_code error;
    fs::create_hard_link(folder_ / from, folder_ / to, error);
    if (error == std::errc::no_such_file_or_directory) return false;
    if (error && error != std::errc::file_exists)
        fs::copy_file(folder_ / from, folder_ / to);  // a file system without hard links
    sync((folder_ / to).parent_path());
    return true;
}

void FolderFiles::list(const std::string& folder, const Each& each) {
    std::error_code absent;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder, absent))
        if (auto facts = facts_of(entry.path(), folder_)) each(*facts);
}

}  // namespace media
