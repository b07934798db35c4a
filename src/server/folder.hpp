// SPDX-License-Identifier: AGPL-3.0-or-later
// The data folder: made when missing, readable by its owner only, and held by one server at a time.
#pragma once
#include "net/fd.hpp"
#include "server/config.hpp"

#include <stdexcept>

namespace server {

struct FolderError : std::runtime_error {
    using runtime_error::runtime_error;
};

void make_folders(const Config&);  // throws FolderError
void empty_spool(const Config&);   // what an earlier run left behind

// Held as long as this lives. With SQLite two servers on one folder would each believe to be the only writer.
class FolderLock {
public:
    explicit FolderLock(const Config&);  // throws FolderError when another server has it

private:
    net::Fd file_;
};

}  // namespace server
