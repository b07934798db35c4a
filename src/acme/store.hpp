// SPDX-License-Identifier: AGPL-3.0-or-later
// What is stored about certificates in the database, so that every node of a site has it and nothing is lost
// when a process is killed.
#pragma once
#include "acme/certificate.hpp"
#include "db/session.hpp"

#include <boost/describe/enum.hpp>

namespace acme {

struct Account {
    std::string key, url;  // PEM; url: empty until the authority created it
};
DESCRIBE(Account, key, url)

struct Issued {
    std::string names;  // separated by blanks
    std::string directory, chain, key;
    base::Time issued_at, valid_until, renew_at, ask_at;
};
DESCRIBE(Issued, names, directory, chain, key, issued_at, valid_until, renew_at, ask_at)

struct OrderUnderWay {
    std::string url, key;
};
DESCRIBE(OrderUnderWay, url, key)

struct Proof {
    std::string token, name, key_authorization;
    bool operator==(const Proof&) const = default;
};
DESCRIBE(Proof, token, name, key_authorization)

BOOST_DEFINE_ENUM_CLASS(Outcome, issued, rehearsed, failed)

struct Try {
    base::Time at;
    std::string directory;
    Outcome outcome = Outcome::failed;
    bool ordered = false;   // counts against the authority's limits
    std::string told;       // why it failed
    base::Time wait_until;  // as the authority said; 0: not given
};
DESCRIBE(Try, at, directory, outcome, ordered, told, wait_until)

std::string joined(const Names&);

// The account for this directory, with a new key if there was none.
Account account(db::Write&, const std::string& directory);
// Empty: the authority no longer knows it.
void keep_account_url(db::Write&, const std::string& directory, const std::string& url);

// The certificate for these names, or else the latest one.
std::optional<Issued> best_certificate(db::Read&, const std::string& names);
// Also ends the current order and its proofs, and records a successful attempt.
void keep_certificate(db::Write&, const Issued&);
void plan_renewal(db::Write&, const std::string& names, base::Time renew_at, base::Time ask_at);

std::optional<OrderUnderWay> order_under_way(
    db::Read&, const std::string& directory, const std::string& names
);
void keep_order(db::Write&, const std::string& directory, const std::string& names, const OrderUnderWay&);
// Also removes the proofs.
void end_order(db::Write&, const std::string& directory, const std::string& names);

void show_proofs(db::Write&, const std::vector<Proof>&);
std::vector<Proof> proofs(db::Read&);

void note_try(db::Write&, const std::string& names, const Try&);
// Those of the last week, oldest first, without entries written by a clock that was ahead.
std::vector<Try> tries(db::Read&, const std::string& names);

// Allows only one node at a time. False: another one holds it.
bool take_lease(db::Write&, const std::string& holder, std::int64_t seconds);
void end_lease(db::Write&, const std::string& holder);
void release_lease(db::Write&);  // of a process that is gone, if no other process uses this database

// Requests a new certificate now, regardless of the schedule.
void want_certificate(db::Write&);
bool is_wanted(db::Read&);

}  // namespace acme
