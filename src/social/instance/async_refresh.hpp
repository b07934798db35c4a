// SPDX-License-Identifier: AGPL-3.0-or-later
// Work in the background that a client waits for. Whoever starts it names it by a key of their own, hands the id out in
// the header Mastodon-Async-Refresh, and says when it is done. A row lives for a day, or an hour after its end.
#pragma once
#include "db/session.hpp"

namespace instance {

BOOST_DEFINE_ENUM_CLASS(RefreshStatus, running, finished)

struct AsyncRefresh {
    std::string id;  // signed, so that nobody finds out about keys
    RefreshStatus status = RefreshStatus::running;
    std::optional<std::int64_t> result_count;
};
DESCRIBE(AsyncRefresh, id, status, result_count)

// Begins it; false when it is running already.
bool begin_refresh(db::Write&, const std::string& key);
void count_results(db::Write&, const std::string& key, std::int64_t more);
void finish_refresh(db::Write&, const std::string& key);

std::optional<AsyncRefresh> find_refresh(db::Read&, const std::string& key);
AsyncRefresh refresh_by_id(db::Read&, std::string_view id);  // throws NotFound

// The value of the header Mastodon-Async-Refresh: id="…", retry=5, result_count=2
std::string refresh_header(const AsyncRefresh&, int retry_seconds);

void purge_refreshes(db::Write&);  // periodic

}  // namespace instance
