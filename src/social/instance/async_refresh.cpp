// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/async_refresh.hpp"

#include "base/crypto.hpp"
#include "base/text/percent.hpp"
#include "social/instance/settings.hpp"

namespace instance {

namespace {

constexpr std::int64_t running_seconds = 86'400, finished_seconds = 3600;

struct Row {
    std::string key;
    RefreshStatus status = RefreshStatus::running;
    std::optional<std::int64_t> result_count;
};
DESCRIBE(Row, key, status, result_count)

// The key in hex and a signature with a secret of the server's own.
std::string id_of(db::Read& db, const std::string& key) {
    auto secret = base::sha256("async refresh " + vapid_private_key(db));
    return base::hex(key) + "-" + base::hex(base::hmac_sha256(secret, key)).substr(0, 32);
}

std::string unhex(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        out +=
            static_cast<char>(base::text::hex_digit(digits[i]) * 16 + base::text::hex_digit(digits[i + 1]));
    return out;
}

}  // namespace

const db::Query<Row> live_refresh{
    "live_refresh", "SELECT key, status, result_count FROM async_refreshes WHERE key = $1 AND expires_at > $2"
};

std::optional<AsyncRefresh> find_refresh(db::Read& db, const std::string& key) {
    auto row = db.maybe(live_refresh, key, db.now());
    if (!row) return std::nullopt;
    return AsyncRefresh{id_of(db, key), row->status, row->result_count};
}

AsyncRefresh refresh_by_id(db::Read& db, std::string_view id) {
    auto digits = id.substr(0, id.find('-'));
    if (digits.find_first_not_of("0123456789abcdef") != digits.npos) throw base::NotFound();
    auto key = unhex(digits);
    if (!base::same_secret(id_of(db, key), id)) throw base::NotFound();
    auto found = find_refresh(db, key);
    if (!found) throw base::NotFound();
    return *found;
}

const db::Command put_refresh{
    "put_refresh",
    R"(INSERT INTO async_refreshes (key, status, expires_at) VALUES ($1, 'running', $2)
       ON CONFLICT (key) DO UPDATE SET status = 'running', result_count = NULL, expires_at = excluded.expires_at)"
};
const db::Command add_results{
    "add_results", "UPDATE async_refreshes SET result_count = COALESCE(result_count, 0) + $2 WHERE key = $1"
};
const db::Command end_refresh{
    "end_refresh", "UPDATE async_refreshes SET status = 'finished', expires_at = $2 WHERE key = $1"
};
const db::Command delete_old_refreshes{
    "delete_old_refreshes",
    "DELETE FROM async_refreshes WHERE key IN (SELECT key FROM async_refreshes WHERE expires_at <= $1 LIMIT "
    "500)"
};

bool begin_refresh(db::Write& db, const std::string& key) {
    auto known = find_refresh(db, key);
    if (known && known->status == RefreshStatus::running) return false;
    db.run(put_refresh, key, db.now().plus_seconds(running_seconds));
    return true;
}

void count_results(db::Write& db, const std::string& key, std::int64_t more) {
    db.run(add_results, key, more);
}

void finish_refresh(db::Write& db, const std::string& key) {
    db.run(end_refresh, key, db.now().plus_seconds(finished_seconds));
}

void purge_refreshes(db::Write& db) { db.run(delete_old_refreshes, db.now()); }

std::string refresh_header(const AsyncRefresh& refresh, int retry_seconds) {
    auto out = "id=\"" + refresh.id + "\", retry=" + std::to_string(retry_seconds);
    if (refresh.result_count) out += ", result_count=" + std::to_string(*refresh.result_count);
    return out;
}

}  // namespace instance
