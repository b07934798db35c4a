// SPDX-License-Identifier: AGPL-3.0-or-later
// The delivery queue for the sending thread (federating/delivery_worker.hpp), which leases hosts, gets some
// of their due deliveries and reports the outcomes. Only one sender serves a host at a time, so that its
// deliveries are counted and ordered in one place.
#pragma once
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/retry.hpp"

#include <map>

namespace federation {

// The signature scheme to try first.
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
    SignatureScheme signature_scheme = SignatureScheme::draft;  // when delivered: the one that was accepted
    std::int64_t wait_seconds = 0;                              // their Retry-After
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
    Time now;                     // anything due by then and not in here exceeded the capacity
};

// A sender must start nothing from a batch older than batch_seconds, and finish it within lease_seconds.
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
// Empty for authors with very many followers.
std::optional<Synchronization> synchronization(db::Read&, AccountId);

// Reaction: deletes the pending deliveries to an unavailable host, except those of `always`.
struct UnavailableContinued {
    std::string host;
};
DESCRIBE(UnavailableContinued, host)
void drop_for_unavailable(db::Write&, const UnavailableContinued&);

}  // namespace federation
