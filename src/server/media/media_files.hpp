// SPDX-License-Identifier: AGPL-3.0-or-later
// /media: uploads as re-encoded by the sandboxed worker, wherever they are stored. Their URLs never change.
#pragma once
#include "http/application.hpp"
#include "http/message.hpp"
#include "server/media/bucket_files.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace server {

// How files in a bucket are served.
struct BucketReading {
    std::shared_ptr<BucketFiles> bucket;               // null: no bucket
    std::string elsewhere;                             // a base URL; "presigned"; empty: through this server
    std::function<bool(std::function<void()>)> aside;  // runs a function on a thread that may wait
    std::function<base::Time()> clock;
};

class MediaFiles {
public:
    explicit MediaFiles(std::filesystem::path folder, BucketReading reading = {})
        : folder_(std::move(folder)), reading_(std::move(reading)) {}

    void serve(const http::Request&, std::string_view path, http::Pending);  // path after /media/
    // The current location of a file that the replaced server served at this path, if the folder has it.
    std::optional<std::string> kept_from_before(std::string_view path) const;
    // Whether the name cannot be ours, so the replaced server may have had it (former_paths).
    static bool may_be_of_before(std::string_view name);
    // The response for a file in the folder, whether it exists or not.
    http::Response answer(const http::Request&, std::string_view path) const;

private:
    std::string address_elsewhere(const std::string& name) const;
    void fetch(const std::string& name);

    const std::filesystem::path folder_;
    const BucketReading reading_;
    std::mutex mutex_;
    // Concurrent requests for the same file wait for one fetch.
    std::map<std::string, std::vector<http::Pending>> waiting_;
};

}  // namespace server
