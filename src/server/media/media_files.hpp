// SPDX-License-Identifier: AGPL-3.0-or-later
// /media: uploads, after the sandboxed worker made them anew, wherever they are kept. Their addresses never change.
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

// How readers get what is in a bucket.
struct BucketReading {
    std::shared_ptr<BucketFiles> bucket;  // null: there is none
    std::string elsewhere;                // an address before all names; "presigned"; empty: through us
    std::function<bool(std::function<void()>)> aside;  // has something done on a thread that may wait
    std::function<base::Time()> clock;
};

class MediaFiles {
public:
    explicit MediaFiles(std::filesystem::path folder, BucketReading reading = {})
        : folder_(std::move(folder)), reading_(std::move(reading)) {}

    void serve(const http::Request&, std::string_view path, http::Pending);  // path after /media/
    // Of a path that the server of before had for a file: where that is now, when the folder has it.
    std::optional<std::string> kept_from_before(std::string_view path) const;
    // No file of ours is called so: the server of before may have had one (former_paths).
    static bool may_be_of_before(std::string_view name);
    // What of it is in the folder, or would be.
    http::Response answer(const http::Request&, std::string_view path) const;

private:
    std::string address_elsewhere(const std::string& name) const;
    void fetch(const std::string& name);

    const std::filesystem::path folder_;
    const BucketReading reading_;
    std::mutex mutex_;
    // Many who come for the same file at once wait for one.
    std::map<std::string, std::vector<http::Pending>> waiting_;
};

}  // namespace server
