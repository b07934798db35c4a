// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/store.hpp"

#include "base/crypto.hpp"
#include "social/media/store_files.hpp"

#include <sys/stat.h>
#include <fstream>
#include <iterator>
#include <system_error>

namespace media {

namespace fs = std::filesystem;

namespace {

std::string_view folder_of(Kind kind) {
    switch (kind) {
        case Kind::thumbnail:
        case Kind::attachment: return "media";
        case Kind::avatar: return "avatars";
        case Kind::header: return "headers";
        case Kind::emoji: return "emojis";
    }
    return "media";
}

// The files of a picture are stored one after the other, the original first: a crash leaves complete families
// or their beginnings, which sweep_orphans() identifies by the original.
Stored keep(const sandbox::ImageResult& result, Shelf& shelf) {
    Stored stored;
    stored.file = shelf.place(result.original.file);
    stored.mime = result.original.mime;
    stored.width = result.original.width;
    stored.height = result.original.height;
    stored.blurhash = result.blurhash;
    if (result.preview) {
        stored.preview = shelf.place(result.preview->file, "_small");
        stored.preview_width = result.preview->width;
        stored.preview_height = result.preview->height;
    }
    stored.still = result.still ? shelf.place(result.still->file, "_static") : stored.file;
    shelf.settle();
    return stored;
}

// The preview of a custom thumbnail: a PNG of the right size stays as it is, because clients expect its type.
const sandbox::ImageFile& shown_of(const sandbox::ImageResult& result) {
    if (!result.preview) return result.original;
    const auto &whole = result.original, &small = *result.preview;
    const bool fits = whole.width == small.width && whole.height == small.height;
    return fits && whole.mime == "image/png" ? whole : small;
}

Stored keep_thumbnail(const sandbox::ImageResult& result, Shelf& shelf) {
    const auto& shown = shown_of(result);
    Stored stored;
    stored.file = shelf.place(shown.file);
    stored.mime = shown.mime;
    stored.width = shown.width;
    stored.height = shown.height;
    stored.blurhash = result.blurhash;
    shelf.settle();
    return stored;
}

Processed process_image(const ProcessImage& asked, const Store& store, bool accept_heif) {
    WorkFolder made(store.folder());
    auto outcome = image_of(asked.path, asked.kind, made.path, accept_heif);
    if (auto* refused = std::get_if<sandbox::Refused>(&outcome)) return told(*refused);
    const auto& result = std::get<sandbox::ImageResult>(outcome);
    const auto& shown = asked.kind == Kind::thumbnail ? shown_of(result) : result.original;
    std::vector<Print> prints{{sha256_of(asked.path), result.pdq}, {sha256_of(made.path / shown.file), {}}};
    Shelf shelf(store.files(), made.path, folder_of(asked.kind), asked.owner);
    auto stored = asked.kind == Kind::thumbnail ? keep_thumbnail(result, shelf) : keep(result, shelf);
    stored.prints = std::move(prints);
    stored.owner = asked.owner;
    return stored;
}

// Names come from rows, but an imported row must not reach outside the folder, nor into hidden folders other
// than archives.
bool stays_inside(const fs::path& name) {
    if (name.empty() || name.is_absolute()) return false;
    const bool archive = *name.begin() == archives_folder;
    for (const auto& part : archive ? name.lexically_relative(archives_folder) : name)
        if (part.empty() || part.native().front() == '.') return false;
    return true;
}

std::string withheld(const std::string& name) { return std::string(withheld_folder) + "/" + name; }

bool is_older(const fs::path& path, base::Time before) {
    struct stat facts{};
    if (::lstat(path.c_str(), &facts) != 0) return false;  // removed concurrently
    return std::int64_t{facts.st_mtim.tv_sec} * 1000 + facts.st_mtim.tv_nsec / 1'000'000 < before.ms;
}

void clear(const fs::path& folder, base::Time before) {
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
    return or_unavailable([&] { return watched(process_image(asked, *this, accept_heif_)); });
}

Processed Store::watched(Processed made) const {
    const auto* stored = std::get_if<Stored>(&made);
    if (!stored || !*watch_ || (*watch_)(*this, *stored)) return made;
    remove({family_of(*stored)});
    return sandbox::Reason::broken;
}

std::vector<std::string> family_of(const Stored& stored) {
    std::vector<std::string> files;
    for (const auto* file : {&stored.preview, &stored.still})
        if (!file->empty() && *file != stored.file) files.push_back(*file);
    files.push_back(stored.file);
    return files;
}

int Store::remove(const RemoveFiles& asked) const {
    int removed = 0;
    std::exception_ptr failed;
    for (const auto& name : asked.files) {
        if (!stays_inside(name)) continue;
        for (const auto& at : {name, withheld(name)}) {
            try {
                removed += files_->remove(at) ? 1 : 0;
            } catch (const std::system_error&) {
                failed = std::current_exception();  // the rest can be removed
            }
        }
    }
    if (failed) std::rethrow_exception(failed);
    return removed;
}

std::string kept_as(std::string_view file) {
    return std::string(evidence_folder) + "/" + std::string(file.substr(file.rfind('/') + 1));
}

int Store::keep(const KeepFiles& asked) const {
    int kept = 0;
    for (const auto& name : asked.files)
        if (stays_inside(name))
            kept += files_->copy(name, kept_as(name)) || files_->copy(withheld(name), kept_as(name)) ? 1 : 0;
    return kept;
}

int Store::forget_kept(const ForgetKept& asked) const {
    int removed = 0;
    for (const auto& name : asked.files)
        if (stays_inside(name)) removed += files_->remove(kept_as(name)) ? 1 : 0;
    return removed;
}

namespace {

std::string in_quarantine(const std::string& name) { return std::string(quarantine_folder) + "/" + name; }

// A plain file name, without path components.
bool is_plain(const std::string& name) { return stays_inside(name) && name.find('/') == name.npos; }

}  // namespace

int Store::quarantine(const Quarantine& asked) const {
    int moved = 0;
    for (std::size_t i = 0; i < std::min(asked.files.size(), asked.names.size()); ++i) {
        const auto &file = asked.files[i], &name = asked.names[i];
        if (!stays_inside(file) || !is_plain(name)) continue;
        const bool found = asked.in ? files_->move(file, in_quarantine(name)) ||
                                          files_->move(withheld(file), in_quarantine(name))
                                    : files_->move(in_quarantine(name), file);
        moved += found ? 1 : 0;
    }
    return moved;
}

int Store::destroy_quarantined(const DestroyQuarantined& asked) const {
    int removed = 0;
    for (const auto& name : asked.names)
        if (is_plain(name)) removed += files_->remove(in_quarantine(name)) ? 1 : 0;
    return removed;
}

std::string Store::read_quarantined(const ReadQuarantined& asked) const {
    const auto path = is_plain(asked.name) ? files_->find(in_quarantine(asked.name)) : std::nullopt;
    if (!path) return {};
    std::ifstream file(*path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> Store::old_files(const OldFiles& asked) const {
    clear(folder_ / work_folder, asked.before);
    auto clear_kept = [&](std::string_view folder, base::Time before) {
        std::vector<std::string> old;
        files_->list(std::string(folder), [&](const KeptFile& file) {
            if (file.changed < before) old.push_back(file.name);
        });
        for (const auto& name : old) files_->remove(name);
    };
    clear_kept(uploads_folder, asked.before);
    // No row references an archive for that long.
    constexpr std::int64_t month = 30 * 86'400;
    clear_kept(archives_folder, asked.before.plus_seconds(-month));
    std::vector<std::string> found;
    auto shard = base::hex(std::string(1, static_cast<char>(asked.shard)));
    for (auto kind : {Kind::attachment, Kind::avatar, Kind::header}) {
        auto folder = std::string(folder_of(kind)) + "/" + shard;
        for (const auto& at : {folder, withheld(folder)})
            files_->list(at, [&](const KeptFile& file) {
                if (file.changed < asked.before) found.push_back(folder + file.name.substr(at.size()));
            });
    }
    return found;
}

int Store::withhold(const Withhold& asked) const {
    int moved = 0;
    for (const auto& name : asked.files) {
        if (!stays_inside(name)) continue;
        auto from = name, to = withheld(name);
        if (!asked.withheld) std::swap(from, to);
        moved += files_->move(from, to) ? 1 : 0;
    }
    return moved;
}

void answer_questions(base::ExternalServices& services, const Store& store) {
    services.answers<ProcessImage>([store](const ProcessImage& asked) { return store.process(asked); });
    services.answers<TakeUpload>([store](const TakeUpload& asked) { return store.take(asked); });
    services.answers<Encode>([store](const Encode& asked) {
        auto made = store.encode(asked.source);
        store.forget(asked.source);
        return made;
    });
    services.answers<RemoveFiles>([store](const RemoveFiles& asked) { return store.remove(asked); });
    services.answers<Withhold>([store](const Withhold& asked) { return store.withhold(asked); });
    services.answers<KeepFiles>([store](const KeepFiles& asked) { return store.keep(asked); });
    services.answers<ForgetKept>([store](const ForgetKept& asked) { return store.forget_kept(asked); });
    services.answers<Quarantine>([store](const Quarantine& asked) { return store.quarantine(asked); });
    services.answers<DestroyQuarantined>([store](const DestroyQuarantined& asked) {
        return store.destroy_quarantined(asked);
    });
    services.answers<ReadQuarantined>([store](const ReadQuarantined& asked) {
        return store.read_quarantined(asked);
    });
    services.answers<OldFiles>([store](const OldFiles& asked) { return store.old_files(asked); });
}

namespace {

std::string_view problem(sandbox::Reason reason) {
    using enum sandbox::Reason;
    switch (reason) {
        case unsupported_type: return "is not a PNG, GIF or WebP image";
        case too_large_file: return "is larger than 256 KiB";
        case too_large_dimensions: return "has too many pixels";
        case broken: return "is damaged";
        case too_many_frames:
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
