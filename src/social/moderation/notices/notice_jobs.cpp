// SPDX-License-Identifier: AGPL-3.0-or-later
// What is written to whoever handed in a notice.
#include "base/json_read.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/moderation/notices/notice.hpp"

namespace moderation {

namespace {

struct Outcome {
    bool acted = false, gone = false;
};
DESCRIBE(Outcome, acted, gone)

}  // namespace

// What the team did since: a strike, or a limit on the account or its server. Whoever deletes a post of theirs, or leaves, is no act of the
// team. accounts and statuses belong to their slices. `$2`: the post, 0 for an account as a whole.
const db::Query<Outcome> outcome_of_notice{
    "outcome_of_notice",
    R"(SELECT EXISTS (SELECT 1 FROM strikes WHERE account_id = $1 AND created_at >= $3 AND action <> 'none'
                      AND overruled_at IS NULL)
           OR EXISTS (SELECT 1 FROM accounts WHERE id = $1
                      AND ((suspended_at >= $3 AND suspended_by IN ('', 'domain')) OR silenced_at >= $3
                           OR sensitized_at >= $3)) AS acted,
           NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1 AND suspended_by <> 'gone')
           OR (CAST($2 AS BIGINT) <> 0 AND NOT EXISTS (SELECT 1 FROM statuses WHERE id = $2 AND deleted_at IS NULL)) AS gone)"
};

namespace {

instance::View about(const base::Site& site, const Notice& notice) {
    instance::View view;
    view.set("NUMBER", std::to_string(notice.report_id.value)).set("ADDRESS", notice.address);
    if (!site.contact_email.empty()) view.add("CONTACT").set("MAIL", site.contact_email);
    return view;
}

}  // namespace

void mail_notice_received(const base::Ask& ask, db::Read& db, const NoticeReceived& event) {
    auto notice = find_notice(db, event.report);
    if (!notice || notice->email.empty()) return;
    auto view = about(db.site(), *notice);
    accounts::send_mail(ask, db.site(), {notice->email, notice->locale}, "notice_received", std::move(view));
}

void mail_notice_decided(const base::Ask& ask, db::Read& db, const NoticeDecided& event) {
    if (ask.answered<accounts::SendMail>()) return;  // it has left, whatever is done by now
    auto notice = find_notice(db, event.report);
    auto found = reports(db, {event.report});
    if (!notice || notice->email.empty() || found.empty()) return;
    if (notice->tell_at && db.now() < *notice->tell_at)
        throw jobs::Reschedule((notice->tell_at->ms - db.now().ms + 999) / 1000);
    auto view = about(db.site(), *notice);
    auto statuses = base::json::read<std::vector<StatusId>>(found[0].status_ids);
    const auto status = statuses.empty() ? StatusId{} : statuses[0];
    const auto outcome = db.one(outcome_of_notice, found[0].target_id, status, notice->created_at);
    view.add(outcome.acted ? "FOLLOWED" : outcome.gone ? "GONE" : "NOTHING_DONE");
    accounts::send_mail(ask, db.site(), {notice->email, notice->locale}, "notice_decided", std::move(view));
}

}  // namespace moderation
