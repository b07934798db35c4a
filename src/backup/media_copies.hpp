// SPDX-License-Identifier: AGPL-3.0-or-later
// Uploaded files in a backup. A file never changes under its name, so it is copied once and stays as long as
// any retained database may refer to it. media.list records when each was added and removed:
//
//   <ms> + <name> <bytes> <sha256>
//   <ms> - <name>
//
// Where files cannot grow, newer lines are in lists/, in the same format.
#pragma once
#include "backup/archive.hpp"

#include <functional>
#include <map>
#include <set>

namespace backup {

struct MediaEntry {
    std::uint64_t bytes = 0;
    std::string sha256;
    std::int64_t came = 0, gone = 0;  // gone: 0 while it exists
};
using MediaList = std::map<std::string, MediaEntry, std::less<>>;

MediaList read_media_list(const Archive&);  // throws Broken
// Call while holding the target and its list, so that only one process does it at a time. `parts`: files of
// lists/ that are merged into it.
void write_media_list(const Archive&, const MediaList&, const std::vector<Stored>& parts);
std::vector<Stored> media_list_parts(const Archive&);  // call before reading the list

// Copies new files of the folder and records deleted ones. Skips folders that have not changed since the last
// sweep.
class MediaCopies {
public:
    // `unwanted`: files that can be fetched again and are not backed up.
    using Unwanted = std::function<bool(const std::string& name)>;
    // `removed`: identifies pictures that were removed for good, one line each, because an older copy of the
    // database does not know of the removal. Empty: there are none, or the list is not available now.
    using Removed = std::function<Words()>;
    MediaCopies(Archive archive, fs::path folder, Unwanted unwanted, Removed removed = {});

    // Throws Away and Broken. `stop` can end it between two files.
    void sweep(std::int64_t now, const std::function<bool()>& stop);

private:
    void look_into(const fs::path& folder, std::int64_t now, const std::function<bool()>& stop);
    std::optional<std::vector<fs::path>> compare(
        const fs::path& folder, const std::string& prefix, std::int64_t now, const std::function<bool()>& stop
    );
    using Names = std::set<std::string, std::less<>>;
    struct Inside {
        std::vector<fs::path> folders;
        Names files;
    };
    std::optional<Inside> inside(const fs::path& folder);
    bool is_new(const std::string& name);
    void add_new(const Names&, std::int64_t now, const std::function<bool()>& stop);
    void note_gone(const std::string& prefix, const Names&, std::int64_t now);
    void add(const std::vector<std::string>& names, std::int64_t now, const std::function<bool()>& stop);
    void note(const std::string& lines, std::int64_t now);
    void note_unread(const fs::path&, const std::error_code&);
    void keep_removed();
    void fold_list();

    const Archive archive_;
    const fs::path folder_;
    const Unwanted unwanted_;
    const Removed removed_;
    bool loaded_ = false;
    std::string unread_;        // the first error of this sweep, as a sentence
    std::string removed_kept_;  // what this run has stored
    std::size_t noted_ = 0;     // number of files in lists/
    MediaList list_;
    struct Looked {
        fs::file_time_type changed;
        std::vector<fs::path> inside;  // subfolders
    };
    std::map<std::string, Looked> looked_;
    Names left_out_;
    bool told_of_name_ = false;
};

// As last stored in the backup. Throws Broken.
Words removed_pictures(const Archive&);

}  // namespace backup
