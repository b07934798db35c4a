// SPDX-License-Identifier: AGPL-3.0-or-later
// The follows that an event ended (severance.hpp): their owners can export them or request them again, until
// the data of the other side is purged.
#pragma once
#include "social/accounts/remote/server_purge.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

// Called before the follow ends.
void keep_severed(db::Write&, SeveranceId, AccountId here, AccountId there, bool theirs);

// Newest first.
std::vector<Severance> severances_of(db::Read&, AccountId, const base::Range&);
Severance severance_of(db::Read&, AccountId, SeveranceId);  // throws NotFound if it belongs to somebody else

struct SeveredFollow {
    AccountId target_id;
    std::string acct;
    bool show_reblogs = true, notify = false;
    std::optional<std::string> languages;  // JSON
};
DESCRIBE(SeveredFollow, target_id, acct, show_reblogs, notify, languages)
std::vector<SeveredFollow> severed_follows(db::Read&, SeveranceId, bool theirs);
// The same as a CSV file, with the columns that Mastodon writes.
std::string severed_csv(db::Read&, SeveranceId, bool theirs);
// Requests the follow again; returns false if the rules forbid it now, or it was requested already.
bool restore_one(db::Write&, AccountId, const SeveredFollow&);
// Deletes the stored follows of these events, some hundred at a time. Returns false if nothing is left; the
// events are then marked as purged.
bool forget_severed(db::Write&, const std::vector<SeveranceId>&);

// Event: the followed accounts with greater ids than `after` are to be requested again. Lost followers cannot
// be restored.
struct RestoringContinued {
    SeveranceId severance;
    AccountId account, after;
};
DESCRIBE(RestoringContinued, severance, account, after)
// Throws NotFound, and Invalid if nothing is left of it.
void restore_severed(db::Write&, AccountId, SeveranceId);

// Event: the same for everybody who lost follows with a server, from the event `next` on.
struct ServerRestoring {
    std::string domain;
    SeveranceId next;
};
DESCRIBE(ServerRestoring, domain, next)
void restore_server(db::Write&, std::string_view domain);  // throws Invalid while it is suspended

// Event: the stored follows with a server are to be deleted.
struct SeveredForgotten {
    std::string domain;
    SeveranceId next;
};
DESCRIBE(SeveredForgotten, domain, next)

// Reactions, some at a time
void continue_restoring(db::Write&, const RestoringContinued&);
void continue_restoring_server(db::Write&, const ServerRestoring&);
void begin_forgetting_severed(db::Write&, const accounts::ServerPurged&);
void continue_forgetting_severed(db::Write&, const SeveredForgotten&);

}  // namespace relationships
