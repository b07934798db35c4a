// SPDX-License-Identifier: AGPL-3.0-or-later
// Notices: reports by people without an account (DSA, article 16), made as an account that nobody can use.
// Authors who gave an address get mails about the receipt and the decision.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/moderation/report.hpp"

namespace moderation {

// The submitted form.
struct NoticeForm {
    std::string address;  // of a post or an account, here or on its own server, or a handle
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
    bool told = false;  // the receipt is mailed
};

// `network` is where the request came from. Throws NotFound (the address is of nothing public here), Invalid,
// and TooMany: from this network, or in total.
HandedIn notify_of(db::Write&, const NoticeForm&, std::string_view network);
std::optional<Notice> find_notice(db::Read&, ReportId);

constexpr std::int64_t most_notices_of_network = 10, most_notices_of_all = 500;  // a day

// A notice was received whose author gave an address.
struct NoticeReceived {
    ReportId report;
};
DESCRIBE(NoticeReceived, report)
// The report that a notice made was resolved.
struct NoticeDecided {
    ReportId report;
};
DESCRIBE(NoticeDecided, report)

// Marks those of these reports that are notices as decided, each once. An address gets mails about three a
// day; others have to wait.
void decide_notices(db::Write&, const std::vector<ReportId>&);

// Reactions
void mail_notice_received(const base::Ask&, db::Read&, const NoticeReceived&);
void mail_notice_decided(const base::Ask&, db::Read&, const NoticeDecided&);

// Periodic: the sender's network is deleted after a day, the sender's data some time after the decision.
void purge_notices(db::Write&);

}  // namespace moderation
