// SPDX-License-Identifier: AGPL-3.0-or-later
// How the site and its server did in the last week, told to those who look after it: one letter a week, and a call of those webhooks
// that want it. All of it is known already: from what is counted by the clock, and from the memory of the program that writes it.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/insight/vitals.hpp"

namespace insight {

struct DigestServer {
    std::string host;
    base::Time since;
};
DESCRIBE(DigestServer, host, since)

struct Digest {
    base::Time from, until;
    std::int64_t accounts = 0, active_in_month = 0, signed_up = 0;
    std::int64_t posts = 0, posts_before = 0;  // of people here, in this week and the one before
    std::int64_t servers = 0;
    std::vector<DigestServer> unavailable;  // some of those that are not asked any more
    std::int64_t reports_waiting = 0, sign_ups_waiting = 0, appeals_waiting = 0;  // a thousand at most
    std::int64_t database_bytes = 0, copies_bytes = 0;
    // Of the program that wrote it; nothing when none runs.
    std::string host;
    std::optional<std::int64_t> free_for_data, free_for_media;
    std::optional<BackupVitals> backup;
    std::vector<SlowOne> statements, changes;  // the slowest since its start
    std::optional<std::int64_t> jobs_given_up, servers_failing;
    std::vector<moderation::Alert> alerts;  // that were told in this week
};
DESCRIBE(
    Digest, from, until, accounts, active_in_month, signed_up, posts, posts_before, servers, unavailable,
    reports_waiting, sign_ups_waiting, appeals_waiting, database_bytes, copies_bytes, host, free_for_data,
    free_for_media, backup, statements, changes, jobs_given_up, servers_failing, alerts
)

// Of the last whole week, which begins on Monday in UTC; the rest is as it is now.
Digest digest(db::Read&, const std::optional<Vitals>&);
// The letter. In the language of who gets it.
void send_digest(const base::Ask&, db::Read&, const accounts::Recipient&, const Digest&);

// On Monday, once for all nodes, unless it is turned off (option weekly_digest).
jobs::Change begin_digest(db::Read&);  // periodic

// Event: it is to be written.
struct DigestDue {};
DESCRIBE(DigestDue)
jobs::Change write_weekly_digest(const base::Ask&, db::Read&, const DigestDue&);  // reaction

// Event: one of those who look after the server gets it.
struct DigestWritten {
    base::UserId user;
    moderation::DigestId digest;
};
DESCRIBE(DigestWritten, user, digest)
void mail_weekly_digest(const base::Ask&, db::Read&, const DigestWritten&);  // reaction

}  // namespace insight
