// SPDX-License-Identifier: AGPL-3.0-or-later
// Uploaded files beside a backup. One never changes under its name, so it is copied once, and stays for as long as a
// database that is kept may show it. media.list says when each came and went:
//
//   <ms> + <name> <bytes> <sha256>
//   <ms> - <name>
//
// Where files do not grow, what came since it was written stands in lists/ as lines of the same kind.
#pragma once
#include "backup/archive.hpp"

#include <functional>
#include <map>
#include <set>

namespace backup {

struct MediaEntry {
    std::uint64_t bytes = 0;
    std::string sha256;
    std::int64_t came = 0, gone = 0;  // gone: 0, it is there
};
using MediaList = std::map<std::string, MediaEntry, std::less<>>;

MediaList read_media_list(const Archive&);  // throws Broken
// Under the holds of the target and of its list, so that no two do it at once; `parts`: of lists/, which are in it.
void write_media_list(const Archive&, const MediaList&, const std::vector<Stored>& parts);
std::vector<Stored> media_list_parts(const Archive&);  // to be asked before it is read

// Copies what is new in the folder and notes what has gone. Folders that have not changed since the last time are not
// looked into.
class MediaCopies {
public:
    // `unwanted`: files that can be had again and are not kept.
    using Unwanted = std::function<bool(const std::string& name)>;
    // `removed`: what tells pictures that were removed for good, a line each; a copy of the database from before knows nothing of
    // that. Empty: there is none, or it cannot be told now.
    using Removed = std::function<Words()>;
    MediaCopies(Archive archive, fs::path folder, Unwanted unwanted, Removed removed = {});

    // Throws Away and Broken. `stop` ends it between two files.
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
    std::string unread_;        // a sentence: the first that could not be read in this sweep
    std::string removed_kept_;  // by this run
    std::size_t noted_ = 0;     // in lists/
    MediaList list_;
    struct Looked {
        fs::file_time_type changed;
        std::vector<fs::path> inside;  // folders
    };
    std::map<std::string, Looked> looked_;
    Names left_out_;
    bool told_of_name_ = false;
};

// As they were kept beside the backup the last time. Throws Broken.
Words removed_pictures(const Archive&);

}  // namespace backup
