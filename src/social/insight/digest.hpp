// SPDX-License-Identifier: AGPL-3.0-or-later
// A weekly report about the site and its server for its operators: by mail, and by webhooks that subscribe to
// it. It uses only what is known already: periodic counts, and the memory of the program that writes it.
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
    std::int64_t posts = 0, posts_before = 0;  // by local accounts, in this week and the one before
    std::int64_t servers = 0;
    std::vector<DigestServer> unavailable;  // some of those that are no longer contacted
    std::int64_t reports_waiting = 0, sign_ups_waiting = 0, appeals_waiting = 0;  // counted to 1000 at most
    std::int64_t database_bytes = 0, copies_bytes = 0;
    // Of the program that writes it; empty if none runs.
    std::string host;
    std::optional<std::int64_t> free_for_data, free_for_media;
    std::optional<BackupVitals> backup;
    std::vector<SlowOne> statements, changes;  // the slowest since its start
    std::optional<std::int64_t> jobs_given_up, servers_failing;
    std::vector<moderation::Alert> alerts;  // reported in this week
};
DESCRIBE(
    Digest, from, until, accounts, active_in_month, signed_up, posts, posts_before, servers, unavailable,
    reports_waiting, sign_ups_waiting, appeals_waiting, database_bytes, copies_bytes, host, free_for_data,
    free_for_media, backup, statements, changes, jobs_given_up, servers_failing, alerts
)

// For the last complete week, which begins on Monday in UTC; other values are current.
Digest digest(db::Read&, const std::optional<Vitals>&);
// Sends the mail in the recipient's language.
void send_digest(const base::Ask&, db::Read&, const accounts::Recipient&, const Digest&);

// On Monday, once for all nodes, unless disabled (option weekly_digest).
jobs::Change begin_digest(db::Read&);  // periodic

// Event: the digest is to be written.
struct DigestDue {};
DESCRIBE(DigestDue)
jobs::Change write_weekly_digest(const base::Ask&, db::Read&, const DigestDue&);  // reaction

// Event: one of the operators gets it by mail.
struct DigestWritten {
    base::UserId user;
    moderation::DigestId digest;
};
DESCRIBE(DigestWritten, user, digest)
void mail_weekly_digest(const base::Ask&, db::Read&, const DigestWritten&);  // reaction

}  // namespace insight
