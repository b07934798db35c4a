// SPDX-License-Identifier: AGPL-3.0-or-later
// The queue of deliveries as the thread that sends sees it (federating/delivery_worker.hpp): it leases hosts, gets some
// of what is due there, and says what became of it. A host is served by one sender at a time, so what goes to it is
// counted and ordered in one place.
#pragma once
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/retry.hpp"

#include <map>

namespace federation {

// The signature scheme to begin with.
BOOST_DEFINE_ENUM_CLASS(SignatureScheme, draft, rfc9421)

struct Delivery {
    ActivityId activity;
    std::string inbox;
    std::int64_t attempts = 0;
    AccountId signer;
    bool low = false, synchronized = false;
};
DESCRIBE(Delivery, activity, inbox, attempts, signer, low, synchronized)

struct HostBatch {
    std::string host;
    SignatureScheme signature_scheme = SignatureScheme::draft;
    bool failing = false;  // failed last time
    std::vector<Delivery> deliveries;
};

struct Outcome {
    Delivery delivery;
    std::string host;
    Verdict verdict = Verdict::delivered;
    SignatureScheme signature_scheme = SignatureScheme::draft;  // where delivered: what they took
    std::int64_t wait_seconds = 0;                              // what they wish, at least
    bool gone = false;                                          // 410
    std::string error;
};

struct Report {
    std::vector<Outcome> outcomes;
    std::vector<std::string> finished;  // hosts whose batches are done
};

// How many hosts to lease.
struct Capacity {
    int healthy = 0, failing = 0;
};

struct Work {
    std::vector<HostBatch> batches;
    std::optional<Time> next_at;  // when something more is due
    Time now;                     // what was due by then and is not here exceeded the capacity
};

// A sender must begin nothing from a batch that is older than the first, and be done with it before the second.
constexpr std::int64_t batch_seconds = 60, lease_seconds = 150;
constexpr int most_in_batch = 32;

Work exchange(db::Write&, const Report&, const Capacity&, const Pace&);

// As jobs::release_leases.
void release_hosts(db::Write&, std::string_view node);

std::map<ActivityId, std::string> bodies(db::Read&, const std::vector<ActivityId>&);

// Which of an author's followers are on which server, as a digest (FEP-8fcf).
struct Synchronization {
    std::string collection, url;
    // By origin: the SHA-256 of the ids of the followers there, all of them XORed, in hexadecimal.
    std::map<std::string, std::string> digests;

    std::string header(const std::string& origin) const;  // Collection-Synchronization, for one server
};
// Nothing for authors with very many followers.
std::optional<Synchronization> synchronization(db::Read&, AccountId);

// Reaction: what waits for a host that seems to be gone is dropped, but for what is always told.
struct UnavailableContinued {
    std::string host;
};
DESCRIBE(UnavailableContinued, host)
void drop_for_unavailable(db::Write&, const UnavailableContinued&);

}  // namespace federation
