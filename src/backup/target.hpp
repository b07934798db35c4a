// SPDX-License-Identifier: AGPL-3.0-or-later
// The place of a backup: files with names such as "base/20261123T052611.123Z", in a folder or a bucket.
#pragma once
#include "backup/files.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace backup {

struct Stored {
    std::string name;
    std::uint64_t bytes = 0;
};

// While it lives, no other process adds a full copy or removes anything.
class Hold {
public:
    virtual ~Hold() = default;
    virtual void require() const {}  // throws Away if it was lost meanwhile
};

// A lock between processes of this machine. Throws Away when another one holds it.
class FileLock final : public Hold {
public:
    FileLock(const fs::path&, const std::string& where, std::chrono::milliseconds patience = {});
    ~FileLock() override;
    FileLock(const FileLock&) = delete;

private:
    int file_;
};

// All functions throw Away when the target cannot be reached, and Broken when a named file cannot be read.
class Target {
public:
    virtual ~Target() = default;
    virtual std::string where() const = 0;             // for messages
    virtual std::string key_id() const { return ""; }  // of its encryption key; empty: not encrypted
    std::string where(const std::string& name) const { return where() + "/" + name; }

    virtual std::optional<std::uint64_t> size(const std::string& name) = 0;  // nullopt: there is no such file
    virtual std::vector<Stored> list(const std::string& folder) = 0;         // `folder` ends with "/"; sorted
    virtual std::string read(const std::string& name) = 0;
    virtual std::string part(const std::string& name, std::uint64_t offset, std::size_t bytes) = 0;
    virtual void fetch(const std::string& name, const fs::path& to) = 0;
    virtual std::string sha256(const std::string& name) = 0;

    // Writes the whole file or nothing. `kept`: syncs it at once; otherwise call keep().
    virtual void put(const std::string& name, std::string_view bytes, bool kept = true) = 0;
    virtual void put_file(const std::string& name, const fs::path& from) = 0;
    virtual void remove(const std::string& name) = 0;              // no error if it does not exist
    virtual void keep(const std::vector<std::string>& names) = 0;  // syncs these files
    virtual void prepare() = 0;                                    // call before the first file
    virtual std::unique_ptr<Hold> hold() = 0;

    // Whether files can grow. Where they cannot, data is stored in pieces.
    virtual bool grows() const = 0;
    // Briefly waits until no other process appends to or rewrites media.list. nullptr where files cannot
    // grow.
    virtual std::unique_ptr<Hold> hold_list() { return nullptr; }
    virtual void write_at(const std::string& name, std::uint64_t offset, std::string_view bytes) = 0;
    virtual void append(const std::string& name, std::uint64_t offset, std::string_view bytes) = 0;

    virtual std::size_t lanes() const { return 1; }  // how many files to transfer in parallel
    virtual void stop() {}                           // aborts transfers in progress
};

std::shared_ptr<Target> folder_target(const fs::path&);

constexpr std::size_t backup_key_bytes = 32;
// Sixteen digits that distinguish keys and reveal nothing else about them.
std::string key_id(const std::string& key);
// The same place, with everything encrypted except names, sizes and the manifest.
std::shared_ptr<Target> sealed_target(std::shared_ptr<Target>, std::string key);
constexpr const char* manifest_name = "manifest.json";

// Reads all of them in order, a few in advance where each one is slow.
void read_in_order(
    Target&, const std::vector<std::string>& names,
    const std::function<void(const std::string& name, std::string bytes)>& take
);

// Removes them in that order, as long as the hold is still ours.
void remove_all(Target&, const std::vector<Stored>&, const Hold&);

}  // namespace backup
