// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/files.hpp"

#include "base/crypto.hpp"

#include <system_error>

namespace takeover {

namespace fs = std::filesystem;

bool stays_inside(std::string_view name) {
    if (name.empty() || name.size() > 1000 || name.front() == '/' || name.find('\0') != name.npos ||
        name.find('\\') != name.npos)
        return false;
    for (std::size_t at = 0; at <= name.size();) {
        const auto end = std::min(name.find('/', at), name.size());
        const auto part = name.substr(at, end - at);
        if (part.empty() || part.front() == '.') return false;
        at = end + 1;
    }
    return true;
}

bool Files::is_there(const std::string& name) const {
    if (!stays_inside(name)) return false;
    std::error_code ignored;
    // No link leads out of the folder.
    const auto root = fs::weakly_canonical(from_, ignored);
    const auto file = fs::weakly_canonical(from_ / name, ignored);
    const auto inside = file.lexically_relative(root);
    return !inside.empty() && *inside.begin() != ".." && fs::is_regular_file(file, ignored);
}

Files::Found Files::take(const std::string& name, const std::string& wanted) const {
    if (!stays_inside(name) || !stays_inside(wanted)) return Found::outside;
    if (!to_) return Found::copied;
    if (!is_there(name)) return Found::missing;
    if (to_->find(wanted)) return Found::copied;
    fs::create_directories(scratch_);
    const auto made = scratch_ / base::hex(base::random_bytes(16));
    // One file under two names takes no room, and the old server goes on with it; elsewhere it is copied. A symbolic link would
    // name itself, or lead nowhere, from another folder.
    std::error_code failed, ignored;
    const auto file = fs::canonical(from_ / name, failed);
    if (failed) return Found::missing;
    fs::create_hard_link(file, made, failed);
    if (failed) fs::copy_file(file, made, failed);
    if (failed) {
        fs::remove(made, ignored);
        // Every other file would fail, too; the copy goes on here when there is room.
        if (failed == std::errc::no_space_on_device) throw std::system_error(failed, made.string());
        return Found::unreadable;
    }
    to_->put({{wanted, made}});
    return Found::copied;
}

}  // namespace takeover
