// SPDX-License-Identifier: AGPL-3.0-or-later
// The data folder: created if missing, readable only by its owner, and used by one server at a time.
#pragma once
#include "config/config.hpp"
#include "net/fd.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

namespace server {

struct DataDirectoryError : std::runtime_error {
    using runtime_error::runtime_error;
};

// Makes this process create files and folders only for its own user, and restricts access to what an earlier
// version left readable: the database, mails. Throws DataDirectoryError.
void prepare_data_directory(const Config&);
// The command to run if other users of this machine can read the data folder that the operator named.
std::optional<std::string> advice_on_access(const Config&);
// The owner of the data folder, if that is not the current user: the server could not read the files that the
// current user creates there.
std::optional<std::string> other_owner(const Config&);
// The user who must run commands that create media files, if this process must not: it is root, whose files
// the server could not change, or has no write access. Does not apply to media in a bucket.
std::optional<std::string> user_for_media(const Config&);
// Gives files that root created in the data folder to its owner.
void give_to_owner(const Config&, const std::filesystem::path&);
// Removes what an earlier run left behind.
void empty_spool(const Config&, std::chrono::hours older_than = {});

// Held while this object lives. With SQLite, two servers on one folder would each assume to be the only
// writer.
class DataDirectoryLock {
public:
    explicit DataDirectoryLock(const Config&);  // throws DataDirectoryError when another server has it

private:
    net::Fd file_;
};

}  // namespace server
