// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/store.hpp"

#include "base/crypto.hpp"
#include "base/errors.hpp"
#include "base/log.hpp"
#include "sandbox/media.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <system_error>

namespace media {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view work = ".work";

static_assert(static_cast<int>(Kind::emoji) == static_cast<int>(sandbox::Kind::emoji));

[[noreturn]] void fail(const char* what, const fs::path& path) {
    throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

void sync(const fs::path& path) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail("open", path);
    int result = ::fsync(file);
    ::close(file);
    if (result != 0) fail("fsync", path);
}

// Not served (server/files.hpp refuses names that begin with a dot), and on the media's own file system, so that
// files can be moved out of it.
class WorkFolder {
public:
    explicit WorkFolder(const fs::path& media) : path(media / work / base::hex(base::random_bytes(16))) {
        fs::create_directories(path.parent_path());
        if (::mkdir(path.c_str(), 0700) != 0) fail("mkdir", path);
    }
    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;

    const fs::path path;
};

std::string_view folder_of(Kind kind) {
    switch (kind) {
        case Kind::attachment: return "media";
        case Kind::avatar: return "avatars";
        case Kind::header: return "headers";
        case Kind::emoji: return "emojis";
    }
    return "media";
}

// Without extension.
std::string new_name(const ProcessImage& asked) {
    auto chance = base::hex(base::random_bytes(16));
    auto owner = asked.owner ? std::to_string(asked.owner.value) + "-" : std::string();
    return std::string(folder_of(asked.kind)) + "/" + chance.substr(0, 2) + "/" + owner + chance;
}

// Moves what the worker made to where it stays; answers its path below the media folder.
std::string place(const fs::path& made, const fs::path& media, std::string name) {
    name += made.extension().string();
    auto path = media / name;
    if (::chmod(made.c_str(), 0644) != 0) fail("chmod", made);
    fs::rename(made, path);
    sync(path);
    return name;
}

// Every picture's files are put in one after the other, the original first: a crash leaves whole families or
// beginnings of them, which sweep_orphans knows by their original.
Stored keep(
    const sandbox::ImageResult& result, const fs::path& made, const fs::path& media, const std::string& name
) {
    auto shard = (media / name).parent_path();
    if (fs::create_directories(shard)) {
        sync(shard.parent_path());
        sync(media);
    }
    Stored stored;
    stored.file = place(made / result.original.file, media, name);
    stored.mime = result.original.mime;
    stored.width = result.original.width;
    stored.height = result.original.height;
    stored.blurhash = result.blurhash;
    if (result.preview) {
        stored.preview = place(made / result.preview->file, media, name + "_small");
        stored.preview_width = result.preview->width;
        stored.preview_height = result.preview->height;
    }
    stored.still = result.still ? place(made / result.still->file, media, name + "_static") : stored.file;
    sync(shard);
    return stored;
}

Processed process_image(const ProcessImage& asked, const fs::path& media, bool accept_heif) {
    WorkFolder made(media);
    sandbox::ImageJob job;
    job.input = asked.path;
    job.kind = static_cast<sandbox::Kind>(asked.kind);
    job.output_dir = made.path;
    job.allow_heif = accept_heif;
    auto outcome = sandbox::run_image_job(job);
    if (auto* refused = std::get_if<sandbox::Refused>(&outcome)) {
        using enum sandbox::Reason;
        if (refused->reason == crashed || refused->reason == timeout)
            base::log_warning(
                "the media worker gave up",
                {{"reason", sandbox::word(refused->reason)}, {"detail", refused->detail}}
            );
        return refused->reason;
    }
    return keep(std::get<sandbox::ImageResult>(outcome), made.path, media, new_name(asked));
}

// Names come from rows of ours, but a row that was imported must not reach out of the folder either.
bool stays_inside(const fs::path& name) {
    if (name.empty() || name.is_absolute()) return false;
    for (const auto& part : name)
        if (part.empty() || part.native().front() == '.') return false;
    return true;
}

bool is_older(const fs::path& path, base::Time before) {
    struct stat facts{};
    if (::lstat(path.c_str(), &facts) != 0) return false;  // somebody else removed it just now
    return std::int64_t{facts.st_mtim.tv_sec} * 1000 + facts.st_mtim.tv_nsec / 1'000'000 < before.ms;
}

void clear_work(const fs::path& folder, base::Time before) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (is_older(entry.path(), before)) fs::remove_all(entry.path(), ignored);
}

}  // namespace

std::string_view family(std::string_view file) {
    auto begin = file.rfind('/');
    return file.substr(0, file.find_first_of("_.", begin == file.npos ? 0 : begin));
}

bool is_original(std::string_view file) {
    auto rest = file.substr(family(file).size());
    return !rest.starts_with('_');
}

Processed Store::process(const ProcessImage& asked) const {
    try {
        return process_image(asked, folder_, accept_heif_);
    } catch (const std::system_error& e) {
        // No worker or no room: our trouble and not the picture's, so the client may try again.
        base::log_error("an upload could not be processed", {{"cause", e.what()}});
        throw base::Unavailable();
    }
}

int Store::remove(const RemoveFiles& asked) const {
    int removed = 0;
    std::error_code failed;
    for (const auto& name : asked.files) {
        if (!stays_inside(name)) continue;
        std::error_code error;
        removed += fs::remove(folder_ / name, error);
        if (error) failed = error;
    }
    if (failed) throw fs::filesystem_error("media files cannot be removed", folder_, failed);
    return removed;
}

std::vector<std::string> Store::old_files(const OldFiles& asked) const {
    clear_work(folder_ / work, asked.before);
    std::vector<std::string> found;
    auto shard = base::hex(std::string(1, static_cast<char>(asked.shard)));
    for (auto kind : {Kind::attachment, Kind::avatar, Kind::header}) {
        auto name = std::string(folder_of(kind)) + "/" + shard;
        std::error_code absent;
        for (const auto& entry : fs::directory_iterator(folder_ / name, absent))
            if (is_older(entry.path(), asked.before))
                found.push_back(name + "/" + entry.path().filename().string());
    }
    return found;
}

void answer_questions(base::Outside& outside, const Store& store) {
    outside.answers<ProcessImage>([store](const ProcessImage& asked) { return store.process(asked); });
    outside.answers<RemoveFiles>([store](const RemoveFiles& asked) { return store.remove(asked); });
    outside.answers<OldFiles>([store](const OldFiles& asked) { return store.old_files(asked); });
}

namespace {

std::string_view problem(sandbox::Reason reason) {
    using enum sandbox::Reason;
    switch (reason) {
        case unsupported_type: return "is not a PNG, GIF or WebP image";
        case too_large_file: return "is larger than 256 KiB";
        case too_large_dimensions: return "has too many pixels";
        case broken: return "is damaged";
        case timeout:
        case crashed: break;
    }
    return "cannot be read";
}

}  // namespace

EmojiFiles store_emoji(const Store& store, const fs::path& picture) {
    auto processed = store.process({picture.string(), Kind::emoji, {}});
    if (auto* reason = std::get_if<sandbox::Reason>(&processed))
        throw base::Invalid("The file " + picture.string() + " " + std::string(problem(*reason)));
    auto& stored = std::get<Stored>(processed);
    return {stored.file, stored.still};
}

}  // namespace media
