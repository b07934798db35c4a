// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/remote_file.hpp"

#include "base/crypto.hpp"

namespace instance {

bool is_elsewhere(std::string_view file) {
    return file.starts_with("https://") || file.starts_with("http://");
}

std::string remote_mark(std::string_view file) { return base::sha256_hex(file).substr(0, 20); }

std::string file_address(const base::Site& site, std::string_view file, std::string_view way) {
    if (!is_elsewhere(file)) return site.media(file);
    // Each picture has an address of its own, which cannot be guessed.
    return site.public_url + "/proxy/" + std::string(way) + "?v=" + remote_mark(file);
}

std::string published_address(const base::Site& site, const std::string& file) {
    return is_elsewhere(file) ? file : site.media(file);
}

}  // namespace instance
