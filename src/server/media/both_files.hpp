// SPDX-License-Identifier: AGPL-3.0-or-later
// A folder and a bucket at the same time, so that files can be moved between them while being read: new files
// go to `first`, and files are found in either place.
#pragma once
#include "social/media/files.hpp"

#include <memory>

namespace server {

class BothFiles final : public media::Files {
public:
    // `near`: the one of the two that needs no network.
    BothFiles(
        std::shared_ptr<media::Files> first, std::shared_ptr<media::Files> second,
        std::shared_ptr<media::Files> near
    )
        : first_(std::move(first)), second_(std::move(second)), near_(std::move(near)) {}

    void put(const std::vector<media::Placed>& files) override { first_->put(files); }
    std::optional<std::filesystem::path> find(const std::string& name) override;
    bool remove(const std::string& name) override;
    bool move(const std::string& from, const std::string& to) override;
    bool copy(const std::string& from, const std::string& to) override;
    void list(const std::string& folder, const Each&) override;

private:
    // A mover writes each file to its destination and then checks whether the original still exists. So
    // removals delete from the origin first: then either the mover notices, or its copy exists before the
    // second removal below.
    const std::shared_ptr<media::Files> first_, second_, near_;
};

}  // namespace server
