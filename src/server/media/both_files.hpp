// SPDX-License-Identifier: AGPL-3.0-or-later
// A folder and a bucket at once, so that files may be moved from one to the other while readers come: new ones go to `first`, and
// all are found wherever they are.
#pragma once
#include "social/media/files.hpp"

#include <memory>

namespace server {

class BothFiles final : public media::Files {
public:
    // `near`: the one of the two that answers without a network.
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
    // Whoever moves files puts each where it belongs and then looks whether it is still where it was. What goes is therefore
    // taken from there first: it is gone before that look, or the copy is there before it is removed below.
    const std::shared_ptr<media::Files> first_, second_, near_;
};

}  // namespace server
