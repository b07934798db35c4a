// SPDX-License-Identifier: AGPL-3.0-or-later
// How the store handles its folder: where a job works, and how what it made gets to where it stays.
#pragma once
#include "base/errors.hpp"
#include "base/log.hpp"
#include "sandbox/media.hpp"
#include "social/media/store.hpp"

#include <system_error>

namespace media {

// Not served (server/files.hpp refuses names that begin with a dot), and on the media's own file system, so that
// files can be moved out of them.
constexpr std::string_view work_folder = ".work", uploads_folder = ".uploads", withheld_folder = ".withheld",
                           evidence_folder = ".evidence", quarantine_folder = ".quarantine",
                           archives_folder = ".archives";

void sync(const std::filesystem::path&);

// A folder from which a proxy may serve, whatever the umask; those above it, too, as far as `media`.
void make_public_folder(const std::filesystem::path& folder, const std::filesystem::path& media);

// One job's own, gone with it.
class WorkFolder {
public:
    explicit WorkFolder(const std::filesystem::path& media);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;

    const std::filesystem::path path;
};

// A family's place, named by chance.
class Shelf {
public:
    Shelf(Files&, const std::filesystem::path& made, std::string_view folder, base::AccountId owner);
    // What a file that was made is called from now on.
    std::string place(const std::string& file, std::string_view suffix = {});
    void settle();  // they are where they stay

private:
    Files& files_;
    const std::filesystem::path made_;
    std::string name_;  // without extension
    std::vector<Placed> placed_;
};

// Keeps a file of another's, which stays what it is.
void put_copy_of(const std::filesystem::path&, const std::string& name, const Store&);

sandbox::ImageOutcome image_of(
    const std::filesystem::path& input, Kind, const std::filesystem::path& output, bool accept_heif
);

std::string sha256_of(const std::filesystem::path&);  // hexadecimal; throws std::system_error

// The reason, after a word in the log where it may be our trouble.
sandbox::Reason told(const sandbox::Refused&);

template <class F>
auto or_unavailable(F f) {
    try {
        return f();
    } catch (const std::system_error& e) {
        // No worker or no room: our trouble and not the upload's, so the client may try again.
        base::log_error("an upload could not be processed", {{"cause", e.what()}});
        throw base::Unavailable();
    }
}

}  // namespace media
