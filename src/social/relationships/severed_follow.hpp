// SPDX-License-Identifier: AGPL-3.0-or-later
// The follows themselves that ended by an event (severance.hpp): who lost them can take them along or ask for them again,
// until what is stored of the other side is purged.
#pragma once
#include "social/accounts/remote/server_purge.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

// Called before the follow ends.
void keep_severed(db::Write&, SeveranceId, AccountId here, AccountId there, bool theirs);

// Newest first.
std::vector<Severance> severances_of(db::Read&, AccountId, const base::Range&);
Severance severance_of(db::Read&, AccountId, SeveranceId);  // throws NotFound where it is somebody else's

struct SeveredFollow {
    AccountId target_id;
    std::string acct;
    bool show_reblogs = true, notify = false;
    std::optional<std::string> languages;  // JSON
};
DESCRIBE(SeveredFollow, target_id, acct, show_reblogs, notify, languages)
std::vector<SeveredFollow> severed_follows(db::Read&, SeveranceId, bool theirs);
// The same as a file, with the columns that the reference writes.
std::string severed_csv(db::Read&, SeveranceId, bool theirs);
// Asks again; false: the rules refuse now, or it was asked already.
bool restore_one(db::Write&, AccountId, const SeveredFollow&);
// What was kept of these events goes, some hundred at a time; false: nothing is left, and they say so.
bool forget_severed(db::Write&, const std::vector<SeveranceId>&);

// Event: whom somebody followed is asked again, from one with a greater id on. Their own followers cannot be forced back.
struct RestoringContinued {
    SeveranceId severance;
    AccountId account, after;
};
DESCRIBE(RestoringContinued, severance, account, after)
// Throws NotFound, and Invalid where nothing is left of it.
void restore_severed(db::Write&, AccountId, SeveranceId);

// Event: the same for all who lost follows with a server, from an event on.
struct ServerRestoring {
    std::string domain;
    SeveranceId next;
};
DESCRIBE(ServerRestoring, domain, next)
void restore_server(db::Write&, std::string_view domain);  // throws Invalid while it is suspended

// Event: what was kept of follows with a server goes.
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
