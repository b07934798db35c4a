// SPDX-License-Identifier: AGPL-3.0-or-later
// A single transaction on a connection that the caller owns: for the command line, migrations, tests and the
// PostgreSQL engine's threads.
#pragma once
#include "db/session.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

namespace db {

// Runs `change` in a transaction, repeats it on Retry, and returns its announcements. Throws what the change
// threw, or Outage after too many runs. `retries`, if given, counts the repetitions.
std::vector<Announcement> run_change(
    Connection&, const Context&, const std::function<void(Write&)>& change,
    std::atomic<std::uint64_t>* retries = nullptr
);

// Runs f(Write&) in one transaction and returns its result. Announcements are dropped.
template <class F>
auto write_now(Connection& connection, const Context& context, F&& f) {
    using Result = std::invoke_result_t<F&, Write&>;
    if constexpr (std::is_void_v<Result>) {
        run_change(connection, context, f);
    } else {
        std::optional<Result> result;
        run_change(connection, context, [&](Write& db) { result.emplace(f(db)); });
        return *std::move(result);
    }
}

// Runs f() inside a transaction, which is committed afterwards, or rolled back if f throws.
template <class F>
auto in_transaction(Connection& connection, Mode mode, F&& f) {
    struct Guard {
        Connection& connection;
        bool open = true;
        ~Guard() {
            if (open) connection.rollback();
        }
        void commit() {
            connection.commit();
            open = false;
        }
    };
    connection.begin(mode);
    Guard guard{connection};
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
        f();
        guard.commit();
    } else {
        auto result = f();
        guard.commit();
        return result;
    }
}

// Runs f(Read&) in one snapshot and returns its result.
template <class F>
auto read_now(Connection& connection, const Context& context, F&& f) {
    return in_transaction(connection, Mode::read, [&] {
        Read session(connection, context);
        return f(session);
    });
}

}  // namespace db
