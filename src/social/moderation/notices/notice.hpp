// SPDX-License-Identifier: AGPL-3.0-or-later
// Notices: reports by people without an account (DSA, article 16), in the name of an account that nobody can use. Whoever gave an
// address is told that it came and how it was decided.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/moderation/report.hpp"

namespace moderation {

// What a stranger hands in.
struct NoticeForm {
    std::string address;  // of a post or an account, as it is seen on this server, elsewhere, or a handle
    Category category = Category::other;
    std::vector<RuleId> rules;
    std::string comment, name, email, locale;
};

struct Notice {
    ReportId report_id;
    std::string name, email, locale, address;
    Time created_at;
    std::optional<Time> decided_at, tell_at;
};
DESCRIBE(Notice, report_id, name, email, locale, address, created_at, decided_at, tell_at)

struct HandedIn {
    ReportId report;
    bool told = false;  // by mail that it came
};

// `network` is where the request came from. Throws NotFound (the address leads to nothing that everybody may see here), Invalid, and
// TooMany: from this network, or from everywhere.
HandedIn notify_of(db::Write&, const NoticeForm&, std::string_view network);
std::optional<Notice> find_notice(db::Read&, ReportId);

constexpr std::int64_t most_notices_of_network = 10, most_notices_of_all = 500;  // a day

// A notice came, and its author can be written to.
struct NoticeReceived {
    ReportId report;
};
DESCRIBE(NoticeReceived, report)
// The report that a notice made was resolved.
struct NoticeDecided {
    ReportId report;
};
DESCRIBE(NoticeDecided, report)

// Of these reports, those that are notices are decided, each once. An address is told of three a day; others have to wait.
void decide_notices(db::Write&, const std::vector<ReportId>&);

// Reactions
void mail_notice_received(const base::Ask&, db::Read&, const NoticeReceived&);
void mail_notice_decided(const base::Ask&, db::Read&, const NoticeDecided&);

// By the clock: from where somebody wrote is forgotten after a day, and who when nobody can come back to it any more.
void purge_notices(db::Write&);

}  // namespace moderation
