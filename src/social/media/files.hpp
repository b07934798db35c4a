// SPDX-License-Identifier: AGPL-3.0-or-later
// Where finished files stay: the folder of uploads, or whatever else the server hands over (server/media/). Names are paths below
// data/media (store.hpp); what begins with a dot is for nobody outside.
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
    std::filesystem::path
        made;  // a file of ours on the file system of data/media, which goes where it is wanted
};

struct KeptFile {
    std::string name;
    std::uint64_t bytes = 0;
    base::Time changed;
};

// All of it blocks, and throws when it could not be done: std::system_error of a disk, base::Unavailable of what is elsewhere.
class Files {
public:
    virtual ~Files() = default;

    // Stores the files durably, in this order; each is written whole or not at all.
    virtual void put(const std::vector<Placed>&) = 0;
    // Where it can be read for now; nothing: there is none.
    virtual std::optional<std::filesystem::path> find(const std::string& name) = 0;
    // These answer whether there was one.
    virtual bool remove(const std::string& name) = 0;
    virtual bool move(const std::string& from, const std::string& to) = 0;
    virtual bool copy(const std::string& from, const std::string& to) = 0;  // fine when `to` is there already

    using Each = std::function<void(const KeptFile&)>;
    virtual void list(const std::string& folder, const Each&) = 0;  // and all folders in it
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
