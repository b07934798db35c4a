// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/pictures/quarantined.hpp"

#include "social/accounts/account.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/evidence.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/previews/preview.hpp"

namespace moderation {

namespace {

media::Quarantined undecided(db::Read& db, QuarantineId id) {
    auto one = media::find_quarantined(db, id);
    if (!one) throw base::NotFound();
    if (one->state != media::QuarantineState::held) throw base::Invalid("This was decided already");
    return *one;
}

void decide(
    db::Write& db, const accounts::Actor& who, QuarantineId id, media::QuarantineState state,
    std::string_view word
) {
    accounts::require(who, accounts::permission::manage_blocks);
    const auto one = undecided(db, id);
    media::decide(db, id, state, who.account);
    log(db, who, word, {"QuarantinedPicture", id.value, one.list_name});
    db.emit(QuarantineDecided{id});
}

std::string words_about(const media::Quarantined& one) {
    const auto how = one.distance ? "looks like one of the list \"" : "is on the list \"";
    return "A picture " + (how + one.list_name) + "\". It is in quarantine.";
}

ReportId file_report(db::Write& db, const media::Quarantined& one) {
    Complaint complaint;
    complaint.target = one.account_id;
    complaint.category = Category::legal;
    complaint.comment = words_about(one);
    // One that waits nobody sees but its author, the reporter as little as others.
    const auto post = one.status_id ? statuses::find_status(db, one.status_id) : std::nullopt;
    if (post && post->account_id == one.account_id && statuses::open(post->visibility))
        complaint.statuses.push_back(post->id);
    return report(db, statuses::audience(db, automatic_reporter(db)), complaint);
}

}  // namespace

void release_quarantined(db::Write& db, const accounts::Actor& who, QuarantineId id) {
    decide(db, who, id, media::QuarantineState::released, "release");
}

void destroy_quarantined(db::Write& db, const accounts::Actor& who, QuarantineId id) {
    decide(db, who, id, media::QuarantineState::destroyed, "destroy");
}

void note_seen(db::Write& db, const accounts::Actor& who, QuarantineId id) {
    accounts::require(who, accounts::permission::manage_blocks);
    log(db, who, "view", {"QuarantinedPicture", id.value, undecided(db, id).list_name});
}

void report_quarantined(db::Write& db, const media::PictureQuarantined& e) {
    const auto one = media::find_quarantined(db, e.id);
    if (!one || !one->account_id) return;
    try {
        ReportId report{one->report_id.value};
        if (!report) {
            report = file_report(db, *one);
            media::note_report(db, one->id, {report.value});
        }
        // One that waits is kept as evidence all the same.
        if (one->status_id) keep_evidence(db, report, one->account_id, {one->status_id}, {});
    } catch (const base::NotFound&) {
        // The account is gone, or suspended.
    }
}

jobs::Change settle_quarantine(const base::Ask& ask, db::Read& db, const QuarantineDecided& e) {
    const auto one = media::find_quarantined(db, e.id);
    if (!one) return {};
    const auto files = media::files_of(*one);
    auto back = media::moving(media::picture_key(db), files, false);
    if (one->state == media::QuarantineState::destroyed) {
        ask(media::DestroyQuarantined{back.names});
        return [files, names = back.names, file = one->file](db::Write& write) {
            media::forget_hashes(write, files);
            statuses::remove_image(write, file);
            media::forget_shown(write, names);
        };
    }
    ask(back);
    const auto owner = one->account_id ? accounts::find_account(db, one->account_id) : std::nullopt;
    if (owner && owner->suspended_at) ask(media::Withhold{files, true});
    return [names = back.names](db::Write& write) { media::forget_shown(write, names); };
}

}  // namespace moderation
