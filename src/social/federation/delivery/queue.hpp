// SPDX-License-Identifier: AGPL-3.0-or-later
// The queue of deliveries as the thread that sends sees it (federating/courier.hpp): it leases hosts, gets some of what is
// due there, and says what became of it. A host is served by one sender at a time, so what goes to it is counted and
// ordered in one place.
#pragma once
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/retry.hpp"

#include <map>
#include <span>

namespace federation {

// The form of signature to begin with.
BOOST_DEFINE_ENUM_CLASS(Knock, draft, rfc9421)

struct Delivery {
    ActivityId activity;
    std::string inbox;
    std::int64_t attempts = 0;
    AccountId signer;
    bool low = false, synchronized = false;
};
DESCRIBE(Delivery, activity, inbox, attempts, signer, low, synchronized)

struct Round {
    std::string host;
    Knock knock = Knock::draft;
    bool sick = false;  // failed last time
    std::vector<Delivery> deliveries;
};

struct Outcome {
    Delivery delivery;
    std::string host;
    Verdict verdict = Verdict::delivered;
    Knock knock = Knock::draft;     // where delivered: what they took
    std::int64_t wait_seconds = 0;  // what they wish, at least
    bool gone = false;              // 410
    std::string error;
};

struct Report {
    std::vector<Outcome> outcomes;
    std::vector<std::string> finished;  // hosts whose rounds are over
};

// How many hosts to lease.
struct Room {
    int healthy = 0, sick = 0;
};

struct Work {
    std::vector<Round> rounds;
    std::optional<Time> next_at;  // when something more is due
    Time now;                     // what was due by then and is not here found no room
};

// A sender must begin nothing from a round that is older than the first, and be done with it before the second.
constexpr std::int64_t round_seconds = 60, lease_seconds = 150;
constexpr int most_in_round = 32;

Work exchange(db::Write&, const Report&, const Room&, const Pace&);

// No other process can be sending: what a crash left leased is free. For SQLite.
void release_hosts(db::Write&);

std::map<ActivityId, std::string> bodies(db::Read&, const std::vector<ActivityId>&);

// Which of an author's followers live where, told by a hash (FEP-8fcf).
struct Synchronization {
    std::string collection, url;
    // By origin: the SHA-256 of the ids of the followers there, all of them XORed, in hexadecimal.
    std::map<std::string, std::string> digests;

    std::string header(const std::string& origin) const;  // Collection-Synchronization, for one server
};
// Nothing for authors with very many followers.
std::optional<Synchronization> synchronization(db::Read&, AccountId);

// Reaction: what waits for a host that seems to be gone is dropped, but for what is always told.
struct UnavailableLeft {
    std::string host;
};
DESCRIBE(UnavailableLeft, host)
void drop_for_unavailable(db::Write&, const UnavailableLeft&);

}  // namespace federation
