// SPDX-License-Identifier: AGPL-3.0-or-later
// Background work that a client waits for. The code that starts it identifies it by a key, returns its id in
// the header Mastodon-Async-Refresh, and reports when it is done. A row lives for a day, or an hour after the
// end of the work.
#pragma once
#include "db/session.hpp"

namespace instance {

BOOST_DEFINE_ENUM_CLASS(RefreshStatus, running, finished)

struct AsyncRefresh {
    std::string id;  // signed, so that keys cannot be guessed
    RefreshStatus status = RefreshStatus::running;
    std::optional<std::int64_t> result_count;
};
DESCRIBE(AsyncRefresh, id, status, result_count)

// Returns false if it is running already.
bool begin_refresh(db::Write&, const std::string& key);
void count_results(db::Write&, const std::string& key, std::int64_t more);
void finish_refresh(db::Write&, const std::string& key);

std::optional<AsyncRefresh> find_refresh(db::Read&, const std::string& key);
AsyncRefresh refresh_by_id(db::Read&, std::string_view id);  // throws NotFound

// The value of the header Mastodon-Async-Refresh: id="…", retry=5, result_count=2
std::string refresh_header(const AsyncRefresh&, int retry_seconds);

void purge_refreshes(db::Write&);  // periodic

}  // namespace instance
