// SPDX-License-Identifier: AGPL-3.0-or-later
// Where finished files are stored: the folder of uploads, or another storage that the server provides
// (server/media/). Names are paths below data/media (store.hpp); names that start with a dot are never
// served.
#pragma once
#include "base/time.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace media {

struct Placed {
    std::string name;
    std::filesystem::path made;  // our own file on the file system of data/media, which is moved to its place
};

struct KeptFile {
    std::string name;
    std::uint64_t bytes = 0;
    base::Time changed;
};

// All functions block, and throw on failure: std::system_error for a disk, base::Unavailable for remote
// storage.
class Files {
public:
    virtual ~Files() = default;

    // Stores the files durably, in this order; each one completely or not at all.
    virtual void put(const std::vector<Placed>&) = 0;
    // A path where it can be read for now; nullopt if there is none.
    virtual std::optional<std::filesystem::path> find(const std::string& name) = 0;
    // These return whether the file existed.
    virtual bool remove(const std::string& name) = 0;
    virtual bool move(const std::string& from, const std::string& to) = 0;
    virtual bool copy(const std::string& from, const std::string& to) = 0;  // succeeds if `to` exists already

    using Each = std::function<void(const KeptFile&)>;
    virtual void list(const std::string& folder, const Each&) = 0;  // including its subfolders
};

class FolderFiles final : public Files {
public:
    explicit FolderFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void put(const std::vector<Placed>&) override;
    std::optional<std::filesystem::path> find(const std::string& name) override;
    bool remove(const std::string& name) override;
    bool move(const std::string& from, const std::string& to) override;
    bool copy(const std::string& from, const std::string& to) override;
    void list(const std::string& folder, const Each&) override;

private:
    void make_place(const std::filesystem::path& name) const;

    std::filesystem::path folder_;
};

}  // namespace media
