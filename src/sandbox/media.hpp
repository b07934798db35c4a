// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Image processing for the server: takes a file of unknown content and returns clean files or a refusal. No
// decoder runs in this process; see media_job.hpp for the worker's side and docs/architecture.md for its
// sandbox.

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
    std::filesystem::path input;  // the type is detected from the content; the name is never used
    Kind kind = Kind::attachment;
    std::filesystem::path output_dir;  // exists, is empty and belongs to this job alone
    bool allow_heif = true;  // the admin's switch for HEIC and AVIF; accepted only as attachments in any case
    std::chrono::milliseconds timeout{20'000};  // wall clock; the worker itself is limited to 20 s of CPU
};

struct ImageFile {
    std::string file;  // a file name in output_dir
    int width = 0, height = 0;
    std::string mime;
    std::uintmax_t bytes = 0;
};

struct ImageResult {
    std::string type = "image";  // MediaAttachment.type
    bool animated = false;
    ImageFile original;
    std::optional<ImageFile> preview;  // attachments
    std::optional<ImageFile> still;    // static.png: always for emoji, for avatars and headers if animated
    std::string blurhash;              // attachments
    Pdq pdq;
    std::chrono::milliseconds wall{}, cpu{};
    long peak_rss_kib = 0;
};

struct Refused {
    Reason reason = Reason::broken;
    std::string detail;  // for the log only: it may quote the input
};

using ImageOutcome = std::variant<ImageResult, Refused>;

// Blocks; for CPU threads. Afterwards output_dir contains the named files and nothing else; after a refusal
// it is empty. A worker that crashes, hangs or returns invalid data causes a refusal. Throws
// std::system_error only if no worker could be started or the directory is unusable.
ImageOutcome run_image_job(const ImageJob& job);

// The number of image jobs to run in parallel, however many threads ask; 0: no limit.
void most_images_at_once(int);

// Evaluates a finished worker; a separate function, so that tests can pass it forged records.
ImageOutcome judge(const ChildResult& child, const std::filesystem::path& output_dir);

}  // namespace sandbox
