// SPDX-License-Identifier: AGPL-3.0-or-later
// Deliveries as an operator sees them: hosts, their queues and totals; and the command to retry now.
#pragma once
#include "social/federation/delivery/queue.hpp"

namespace federation {

BOOST_DEFINE_ENUM_CLASS(HostState, well, failing, paused, unavailable)

struct HostLine {
    std::string host;
    HostState state = HostState::well;
    SignatureScheme signature = SignatureScheme::draft;
    std::int64_t waiting = 0, failures = 0, failure_days = 0;
    std::optional<Time> delivered_at, failed_at, unavailable_since;
};
DESCRIBE(
    HostLine, host, state, signature, waiting, failures, failure_days, delivered_at, failed_at,
    unavailable_since
)
std::vector<HostLine> hosts(db::Read&);  // by name

struct QueueLine {
    std::string host;
    std::int64_t waiting = 0, retrying = 0;
    Time next_at;
    std::optional<std::string> error;  // the last of one of them
};
DESCRIBE(QueueLine, host, waiting, retrying, next_at, error)
std::vector<QueueLine> queue(db::Read&);  // hosts with pending deliveries, most first

struct QueueFigures {
    std::int64_t waiting = 0, retrying = 0, hosts_failing = 0, hosts_unavailable = 0;
};
DESCRIBE(QueueFigures, waiting, retrying, hosts_failing, hosts_unavailable)
QueueFigures queue_figures(db::Read&);

// Makes all pending deliveries due now and resets the host's failures. Empty `host`: all hosts. Returns the
// number of deliveries.
std::int64_t retry_now(db::Write&, const std::string& host);

}  // namespace federation
