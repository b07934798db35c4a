// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies of the bucket's files in the data folder, so that most reads need not wait for the bucket. After
// some minutes the bucket is asked again whether the file still exists; least recently used files are evicted
// first.
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
        bool sure = false;  // confirmed recently
    };
    std::optional<Hit> find(const std::string& name) const;  // does not wait
    std::filesystem::path scratch() const;                   // a name for a file that is about to be written
    // Moves such a file into the cache; its modification time becomes the object's, so that all nodes send
    // the same ETag.
    std::filesystem::path keep(
        const std::string& name, const std::filesystem::path& made, base::Time changed
    );
    void confirm(const std::string& name) const;
    void drop(const std::string& name);
    std::uint64_t bytes() const { return bytes_; }

private:
    void make_room(const std::filesystem::path& wanted
    );  // which is kept, however large: somebody is about to read it

    const std::filesystem::path folder_;
    const std::uint64_t most_;
    std::mutex cleaning_;
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace server
