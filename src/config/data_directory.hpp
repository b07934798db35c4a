// SPDX-License-Identifier: AGPL-3.0-or-later
// The data folder: made when missing, readable by its owner only, and held by one server at a time.
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

// From now on this process makes files and folders for its own user only. What an earlier version left open is closed:
// the database, mails. Throws DataDirectoryError.
void prepare_data_directory(const Config&);
// What to run, when other users of this machine can read the data folder that the operator gave.
std::optional<std::string> advice_on_access(const Config&);
// The user to whom the data folder belongs, if that is somebody else than who runs this: what they make there is not the
// server's to read.
std::optional<std::string> other_owner(const Config&);
// The user that has to run what makes media files, if this process must not: it is root, whose files the server could
// not change, or it may not write there. Media in a bucket belong to nobody.
std::optional<std::string> user_for_media(const Config&);
// What root has made in it is its owner's, too.
void give_to_owner(const Config&, const std::filesystem::path&);
// Removes what an earlier run left behind.
void empty_spool(const Config&, std::chrono::hours older_than = {});

// Held as long as this lives. With SQLite two servers on one folder would each believe to be the only writer.
class DataDirectoryLock {
public:
    explicit DataDirectoryLock(const Config&);  // throws DataDirectoryError when another server has it

private:
    net::Fd file_;
};

}  // namespace server
