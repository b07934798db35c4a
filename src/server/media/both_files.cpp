// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/media/both_files.hpp"

#include <set>

namespace server {

std::optional<std::filesystem::path> BothFiles::find(const std::string& name) {
    if (auto path = near_->find(name)) return path;
    return (near_ == first_ ? second_ : first_)->find(name);
}

bool BothFiles::remove(const std::string& name) {
    const bool there = second_->remove(name);
    return first_->remove(name) || there;
}

bool BothFiles::move(const std::string& from, const std::string& to) {
    const bool there = second_->move(from, to);
    return first_->move(from, to) || there;
}

bool BothFiles::copy(const std::string& from, const std::string& to) {
    return first_->copy(from, to) || second_->copy(from, to);
}

void BothFiles::list(const std::string& folder, const Each& each) {
    std::set<std::string, std::less<>> told;
    for (const auto& files : {first_, second_})
        files->list(folder, [&](const media::KeptFile& file) {
            if (told.insert(file.name).second) each(file);
        });
}

}  // namespace server
