// SPDX-License-Identifier: AGPL-3.0-or-later
// Where a backup is: files with names such as "base/20261123T052611.123Z", in a folder or in a bucket.
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

// What one process at a time does: adds a whole copy or removes something; and, for all its life, as a server, keeps the
// backup beside its database.
enum class Turn { work, keeper };
std::string taken(Turn, const std::string& where);  // by another one, as a sentence without its end

// For as long as it lives, no other process has that turn.
class Hold {
public:
    virtual ~Hold() = default;
    virtual void require() const {}  // throws Away when it was lost meanwhile
};

// Among the processes of this machine. Throws Away when another one has it.
class FileLock final : public Hold {
public:
    FileLock(
        const fs::path&, const std::string& where, std::chrono::milliseconds patience = {},
        Turn = Turn::work
    );
    ~FileLock() override;
    FileLock(const FileLock&) = delete;
    void require() const override;  // the file has its name still

private:
    const fs::path path_;
    int file_;
};

// All throw Away where the target cannot be reached, and Broken where a file that is named cannot be read.
class Target {
public:
    virtual ~Target() = default;
    virtual std::string where() const = 0;             // as sentences name it
    virtual std::string key_id() const { return ""; }  // of the key with which it encrypts; empty: with none
    std::string where(const std::string& name) const { return where() + "/" + name; }

    virtual std::optional<std::uint64_t> size(const std::string& name) = 0;  // nothing: there is none
    virtual std::vector<Stored> list(const std::string& folder) = 0;  // with a slash at its end; in order
    virtual std::string read(const std::string& name) = 0;
    virtual std::string part(const std::string& name, std::uint64_t offset, std::size_t bytes) = 0;
    virtual void fetch(const std::string& name, const fs::path& to) = 0;
    virtual std::string sha256(const std::string& name) = 0;

    // Whole: nobody sees a half of it. `kept` has the disk keep it at once, otherwise keep() does.
    virtual void put(const std::string& name, std::string_view bytes, bool kept = true) = 0;
    virtual void put_file(const std::string& name, const fs::path& from) = 0;
    virtual void remove(const std::string& name) = 0;              // fine when it is gone
    virtual void keep(const std::vector<std::string>& names) = 0;  // has the disk keep those files
    virtual void prepare() = 0;                                    // before the first file
    virtual std::unique_ptr<Hold> hold(Turn = Turn::work) = 0;

    // Whether a file can grow. What cannot is put in pieces.
    virtual bool grows() const = 0;
    // For moments: waits until no other process lets media.list grow or writes it over. Nothing where files do not grow.
    virtual std::unique_ptr<Hold> hold_list() { return nullptr; }
    virtual void write_at(const std::string& name, std::uint64_t offset, std::string_view bytes) = 0;
    virtual void append(const std::string& name, std::uint64_t offset, std::string_view bytes) = 0;

    virtual std::size_t lanes() const { return 1; }  // how many files are under way at a time
    virtual void stop() {}                           // what is under way ends
};

std::shared_ptr<Target> folder_target(const fs::path&);

constexpr std::size_t backup_key_bytes = 32;
// Sixteen digits that tell one key from another and nothing else of it.
std::string key_id(const std::string& key);
// The same place, with everything encrypted but names, sizes and the manifest.
std::shared_ptr<Target> sealed_target(std::shared_ptr<Target>, std::string key);
constexpr const char* manifest_name = "manifest.json";

// Of all of them in order, a few ahead where each takes its time.
void read_in_order(
    Target&, const std::vector<std::string>& names,
    const std::function<void(const std::string& name, std::string bytes)>& take
);

// In that order, for as long as it is our turn.
void remove_all(Target&, const std::vector<Stored>&, const Hold&);

}  // namespace backup
