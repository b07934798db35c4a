// SPDX-License-Identifier: AGPL-3.0-or-later
// Alerts about the server itself, mailed to its administrators: once when a problem has lasted for some
// minutes, once when it is over, several in one mail. Problems are detected by
// server/monitoring/troubles.hpp.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

using AlertId = base::Id<struct AlertTag>;

constexpr std::int64_t who_gets_alerts = accounts::permission::view_devops;

// A problem that exists now. `kind` is one of trouble_kinds(); `detail` has the figures, and what to do.
struct Trouble {
    std::string kind, detail;
};
DESCRIBE(Trouble, kind, detail)

struct TroubleKind {
    std::string_view kind, sentence;
};
std::span<const TroubleKind> trouble_kinds();
std::string_view sentence_of_trouble(std::string_view kind);  // for an unknown kind its name

struct Alert {
    AlertId id;
    std::string kind, place;
    base::Time since, seen_at;
    std::optional<base::Time> reported_at, over_at;
    std::string detail;
};
DESCRIBE(Alert, id, kind, place, since, seen_at, reported_at, over_at, detail)

constexpr std::int64_t alert_after_seconds = 300;  // shorter problems are not reported
constexpr std::int64_t alert_over_seconds = 900;   // a problem not seen for so long is over
constexpr std::int64_t alert_letters_apart_seconds = 1800;

// The current problems at `place`; those not listed any more are over after a while.
void note_troubles(db::Write&, std::string_view place, const std::vector<Trouble>&);
std::vector<Alert> standing_alerts(db::Read&);                     // the oldest first
std::vector<Alert> past_alerts(db::Read&, base::Time seen_since);  // the latest first, at most 100
Alert alert(db::Read&, AlertId);                                   // throws NotFound

jobs::Change tell_of_alerts(db::Read&);  // periodic

// Event: an administrator gets a mail.
struct AlertsToTell {
    base::UserId user;
    std::vector<AlertId> begun, over;
};
DESCRIBE(AlertsToTell, user, begun, over)
void mail_alerts(const base::Ask&, db::Read&, const AlertsToTell&);

// The weekly digests (insight/digest.hpp), as JSON; each is kept for a year.
using DigestId = base::Id<struct DigestTag>;
DigestId keep_digest(db::Write&, const std::string& content);
std::string digest_content(db::Read&, DigestId);  // throws NotFound

}  // namespace moderation
