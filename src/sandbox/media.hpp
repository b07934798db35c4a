// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Images as the server sees them: a file of unknown content goes in, clean files or a refusal come out. No decoder runs
// in this process; see media_job.hpp for the worker's side and docs/architecture.md for its walls.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sandbox/child.hpp"
#include "sandbox/media_job.hpp"
#include "sandbox/pdq.hpp"

namespace sandbox {

struct ImageJob {
    std::filesystem::path input;  // type is told by content; the name is never used
    Kind kind = Kind::attachment;
    std::filesystem::path output_dir;  // exists, is empty and belongs to this job alone
    bool allow_heif = true;  // the admin's switch for HEIC and AVIF; only attachments accept them at all
    std::chrono::milliseconds timeout{20'000};  // wall clock; the worker's own limit is 20 s of CPU
};

struct ImageFile {
    std::string file;  // a name inside output_dir
    int width = 0, height = 0;
    std::string mime;
    std::uintmax_t bytes = 0;
};

struct ImageResult {
    std::string type = "image";  // MediaAttachment.type
    bool animated = false;
    ImageFile original;
    std::optional<ImageFile> preview;  // attachments
    std::optional<ImageFile> still;    // static.png: emoji always, avatar and header when animated
    std::string blurhash;              // attachments
    Pdq pdq;
    std::chrono::milliseconds wall{}, cpu{};
    long peak_rss_kib = 0;
};

struct Refused {
    Reason reason = Reason::broken;
    std::string detail;  // for the log, not for people: it may quote the input
};

using ImageOutcome = std::variant<ImageResult, Refused>;

// Blocks; meant for the CPU threads. Afterwards output_dir holds the named files and nothing else; after a refusal it is
// empty. A worker that crashes, hangs or lies is a refusal. Throws std::system_error only when no worker could be started
// or the directory is unusable.
ImageOutcome run_image_job(const ImageJob& job);

// How many of them run side by side, however many threads ask; 0: as many as ask.
void most_images_at_once(int);

// What a finished worker amounts to; a function of its own so that tests can hand it forged records.
ImageOutcome judge(const ChildResult& child, const std::filesystem::path& output_dir);

}  // namespace sandbox
