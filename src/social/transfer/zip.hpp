// SPDX-License-Identifier: AGPL-3.0-or-later
// Zip files by libzip.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

struct zip;
struct zip_file;

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

// A zip of a stranger's. Nothing is written by the names in it, nothing is read but what is asked for by name, and no more of
// it than the caller bounds. All throw Invalid.
class ZipReader {
public:
    explicit ZipReader(const std::filesystem::path&);

    using Number = std::uint64_t;
    Number size() const;  // of members, numbered from 0
    std::string name(Number) const;
    std::optional<Number> find(const std::string& name) const;
    // The folder inside in which a file of this name stands: "" or "some/folder/".
    std::optional<std::string> folder_of(const std::string& name) const;

    // A member as it is unpacked.
    class Member {
    public:
        std::size_t read(std::span<char>);  // 0: that was all

    private:
        friend ZipReader;
        Member(zip_file* file, std::uint64_t most);
        std::unique_ptr<zip_file, int (*)(zip_file*)> file_;
        std::uint64_t left_;
    };
    Member open(Number, std::uint64_t most_bytes) const;
    std::string text(Number, std::uint64_t most_bytes) const;
    void unpack(Number, const std::filesystem::path& to, std::uint64_t most_bytes) const;

private:
    std::unique_ptr<zip, void (*)(zip*)> zip_;
};

}  // namespace transfer
