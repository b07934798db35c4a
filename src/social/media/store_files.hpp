// SPDX-License-Identifier: AGPL-3.0-or-later
// How the store uses its folder: work folders, and moving results to their final places.
#pragma once
#include "base/errors.hpp"
#include "base/log.hpp"
#include "sandbox/media.hpp"
#include "social/media/store.hpp"

#include <system_error>

namespace media {

// Not served (server/files.hpp rejects names that begin with a dot), and on the media's own file system, so
// that files can be moved out of them.
constexpr std::string_view work_folder = ".work", uploads_folder = ".uploads", withheld_folder = ".withheld",
                           evidence_folder = ".evidence", quarantine_folder = ".quarantine",
                           archives_folder = ".archives";

void sync(const std::filesystem::path&);

// Creates a folder that a proxy can read, whatever the umask, including its parents up to `media`.
void make_public_folder(const std::filesystem::path& folder, const std::filesystem::path& media);

// The folder of one job, deleted with it.
class WorkFolder {
public:
    explicit WorkFolder(const std::filesystem::path& media);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;

    const std::filesystem::path path;
};

// The place of a family of files, with a random name.
class Shelf {
public:
    Shelf(Files&, const std::filesystem::path& made, std::string_view folder, base::AccountId owner);
    // Returns the final name of a file.
    std::string place(const std::string& file, std::string_view suffix = {});
    void settle();  // moves the files to their final places

private:
    Files& files_;
    const std::filesystem::path made_;
    std::string name_;  // without extension
    std::vector<Placed> placed_;
};

// Stores a copy of a file that belongs to somebody else and is not changed.
void put_copy_of(const std::filesystem::path&, const std::string& name, const Store&);

sandbox::ImageOutcome image_of(
    const std::filesystem::path& input, Kind, const std::filesystem::path& output, bool accept_heif
);

std::string sha256_of(const std::filesystem::path&);  // hexadecimal; throws std::system_error

// The reason; it is logged if the cause may be on our side.
sandbox::Reason told(const sandbox::Refused&);

template <class F>
auto or_unavailable(F f) {
    try {
        return f();
    } catch (const std::system_error& e) {
        // No worker or no space: our fault and not the upload's, so the client may retry.
        base::log_error("an upload could not be processed", {{"cause", e.what()}});
        throw base::Unavailable();
    }
}

}  // namespace media
