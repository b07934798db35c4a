// SPDX-License-Identifier: AGPL-3.0-or-later
// Zip files by libzip.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

struct zip;

namespace transfer {

// Somebody wanted it to end before it was done.
struct Interrupted : std::runtime_error {
    Interrupted() : runtime_error("interrupted") {}
};

// Asked every now and then by what takes long; false ends it with Interrupted.
using GoesOn = std::function<bool()>;

// A zip of files that stay where they are until it is written. What goes wrong is thrown as std::runtime_error.
class ZipWriter {
public:
    explicit ZipWriter(const std::filesystem::path& to);
    // Pictures and films are as small as they get.
    void add(const std::string& name, const std::filesystem::path& file, bool compress);
    void write(const GoesOn&);  // the last thing that is done with it

private:
    std::unique_ptr<zip, void (*)(zip*)> zip_;
};

}  // namespace transfer
