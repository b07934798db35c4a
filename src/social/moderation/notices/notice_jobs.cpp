// SPDX-License-Identifier: AGPL-3.0-or-later
// What is written to whoever handed in a notice.
#include "base/json_read.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/moderation/notices/notice.hpp"

namespace moderation {

// strikes: of whatever decided about the account since; accounts and statuses belong to their slices. `$2` the post, 0 for an account as a whole.
const db::Query<bool> notice_was_followed{
    "notice_was_followed",
    R"(SELECT EXISTS (SELECT 1 FROM strikes WHERE account_id = $1 AND created_at >= $3 AND action <> 'none'
                      AND overruled_at IS NULL)
           OR EXISTS (SELECT 1 FROM accounts WHERE id = $1
                      AND (suspended_at IS NOT NULL OR silenced_at IS NOT NULL OR sensitized_at IS NOT NULL))
           OR EXISTS (SELECT 1 FROM statuses WHERE id = $2 AND deleted_at IS NOT NULL))"
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
    auto notice = find_notice(db, event.report);
    auto found = reports(db, {event.report});
    if (!notice || notice->email.empty() || found.empty()) return;
    auto view = about(db.site(), *notice);
    auto statuses = base::json::read<std::vector<StatusId>>(found[0].status_ids);
    const auto status = statuses.empty() ? StatusId{} : statuses[0];
    const bool followed = db.one(notice_was_followed, found[0].target_id, status, notice->created_at);
    view.add(followed ? "FOLLOWED" : "NOTHING_DONE");
    accounts::send_mail(ask, db.site(), {notice->email, notice->locale}, "notice_decided", std::move(view));
}

}  // namespace moderation
