// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/transaction.hpp"

namespace db {

namespace {

constexpr int attempts = 10;

std::vector<Announcement> run_once(
    Connection& connection, const Context& context, const std::function<void(Write&)>& change
) {
    return in_transaction(connection, Mode::write, [&] {
        Write session(connection, context);
        change(session);
        return std::move(session.announcements);
    });
}

}  // namespace

std::vector<Announcement> run_change(
    Connection& connection, const Context& context, const std::function<void(Write&)>& change,
    std::atomic<std::uint64_t>* retries
) {
    if (!connection.is_postgres()) return run_once(connection, context, change);
    for (int attempt = 1;; ++attempt) {
        try {
            return run_once(connection, context, change);
        } catch (const Retry& lost) {
            if (attempt == attempts) throw Outage(std::string("lost too often: ") + lost.what());
        }
        if (retries) retries->fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace db
