// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/store_files.hpp"

#include "base/crypto.hpp"
#include "base/hash/digest.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace media {

namespace fs = std::filesystem;

namespace {

static_assert(static_cast<int>(Kind::emoji) == static_cast<int>(sandbox::Kind::emoji));

[[noreturn]] void fail(const char* what, const fs::path& path) {
    throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

// Without extension.
std::string new_name(std::string_view folder, base::AccountId owner) {
    auto chance = base::hex(base::random_bytes(16));
    auto prefix = owner ? std::to_string(owner.value) + "-" : std::string();
    return std::string(folder) + "/" + chance.substr(0, 2) + "/" + prefix + chance;
}

}  // namespace

void sync(const fs::path& path) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail("open", path);
    int result = ::fsync(file);
    ::close(file);
    if (result != 0) fail("fsync", path);
}

void make_public_folder(const fs::path& folder, const fs::path& media) {
    if (folder == media || fs::exists(folder)) return;
    make_public_folder(folder.parent_path(), media);
    fs::create_directories(folder);
    if (::chmod(folder.c_str(), 0755) != 0) fail("chmod", folder);
}

WorkFolder::WorkFolder(const fs::path& media)
    : path(media / work_folder / base::hex(base::random_bytes(16))) {
    fs::create_directories(path.parent_path());
    if (::mkdir(path.c_str(), 0700) != 0) fail("mkdir", path);
}

WorkFolder::~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
}

Shelf::Shelf(Files& files, const fs::path& made, std::string_view folder, base::AccountId owner)
    : files_(files), made_(made), name_(new_name(folder, owner)) {}

std::string Shelf::place(const std::string& file, std::string_view suffix) {
    auto from = made_ / file;
    auto name = name_ + std::string(suffix) + from.extension().string();
    placed_.push_back({name, std::move(from)});
    return name;
}

void Shelf::settle() { files_.put(placed_); }

void put_copy_of(const fs::path& file, const std::string& name, const Store& store) {
    const WorkFolder work(store.folder());
    fs::copy_file(file, work.path / "file");
    store.files().put({{name, work.path / "file"}});
}

sandbox::ImageOutcome image_of(const fs::path& input, Kind kind, const fs::path& output, bool accept_heif) {
    sandbox::ImageJob job;
    job.input = input;
    job.kind = kind == Kind::thumbnail ? sandbox::Kind::attachment : static_cast<sandbox::Kind>(kind);
    job.output_dir = output;
    job.allow_heif = accept_heif;
    return sandbox::run_image_job(job);
}

std::string sha256_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    base::Digest digest;
    std::string part(1 << 16, '\0');
    while (file) {
        file.read(part.data(), std::ssize(part));
        digest.add(std::string_view(part).substr(0, static_cast<std::size_t>(file.gcount())));
    }
    if (!file.eof()) fail("read", path);
    return digest.hex();
}

sandbox::Reason told(const sandbox::Refused& refused) {
    using enum sandbox::Reason;
    if (refused.reason == crashed || refused.reason == timeout)
        base::log_warning(
            "the media worker gave up",
            {{"reason", sandbox::word(refused.reason)}, {"detail", refused.detail}}
        );
    return refused.reason;
}

}  // namespace media
