// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies of files of the bucket in the data folder, so that most readers need not wait for it. Whether it has them still is asked
// again after some minutes; those not asked for longest go first.
#pragma once
#include "base/time.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace server {

class FileCache {
public:
    FileCache(std::filesystem::path folder, std::uint64_t most_bytes);

    struct Hit {
        std::filesystem::path path;
        bool sure = false;  // it was asked about lately
    };
    std::optional<Hit> find(const std::string& name) const;  // waits for nobody
    std::filesystem::path scratch() const;                   // a name for a file that is still to come
    // Takes such a file in; its time of change becomes the object's, so that all nodes tell the same ETag.
    std::filesystem::path keep(
        const std::string& name, const std::filesystem::path& made, base::Time changed
    );
    void confirm(const std::string& name) const;
    void drop(const std::string& name);
    std::uint64_t bytes() const { return bytes_; }

private:
    void make_room(const std::filesystem::path& wanted
    );  // which stays, however large: somebody is about to read it

    const std::filesystem::path folder_;
    const std::uint64_t most_;
    std::mutex cleaning_;
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace server
