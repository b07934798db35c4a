// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/gate.hpp"

#include "social/accounts/account.hpp"
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/core/limited.hpp"

namespace statuses {

namespace {

Gate gate;

struct Marked {
    AccountId account_id;
    bool sensitive = false;
    Visibility visibility = Visibility::public_;
    std::string spoiler_text;
};
DESCRIBE(Marked, account_id, sensitive, visibility, spoiler_text)

}  // namespace

void use_gate(const Gate& given) { gate = given; }

bool may_be_judged(db::Read& db) { return gate.open && gate.open(db); }

void watch(db::Read& db, const Candidate& post) {
    if (gate.watch) gate.watch(db, post);
}

std::shared_ptr<const Verdict> judge(db::Read& db, const Candidate& post) {
    auto verdict = gate.judge(db, post);
    if (verdict.hits.empty()) return nullptr;
    verdict.was_sensitive = post.sensitive;
    verdict.was_public = post.visibility == Visibility::public_;
    return std::make_shared<const Verdict>(std::move(verdict));
}

std::shared_ptr<const Verdict> held_back(const std::shared_ptr<const Verdict>& said) {
    auto out = said ? *said : Verdict{};
    out.hold = true;
    out.hold_drops = false;
    out.hold_hours = 0;
    return std::make_shared<const Verdict>(std::move(out));
}

void tell_judged(
    db::Write& db, const std::shared_ptr<const Verdict>& verdict, StatusId id, AccountId author, HeldId held
) {
    if (!verdict || verdict->hits.empty()) return;
    db.emit(
        Judged{id, author, verdict->refused, verdict->was_sensitive, verdict->was_public, held, verdict->hits}
    );
}

void refuse(const Verdict& verdict) { throw base::Invalid("This post was refused: " + verdict.refusal); }

const db::Query<Marked> marks_of_status{
    "marks_of_status",
    "SELECT account_id, sensitive, visibility, spoiler_text FROM statuses WHERE id = $1 AND deleted_at IS "
    "NULL"
};
const db::Command put_marks{
    "put_marks",
    "UPDATE statuses SET sensitive = $2, visibility = $3, spoiler_text = $4, version = version + 1 WHERE id "
    "= $1"
};
const db::Command reach_of_tags{
    "reach_of_tags",
    "UPDATE status_tags SET reach = (SELECT " STATUS_REACH("s."
    ) " FROM statuses s WHERE s.id = $1) WHERE status_id = $1"
};

const db::Command unlist_status{
    "unlist_status",
    "UPDATE statuses SET visibility = 'unlisted', version = version + 1 WHERE id = $1 AND visibility = "
    "'public'"
};

void unlist(db::Write& db, StatusId id) {
    if (db.run(unlist_status, id) != 0) db.run(reach_of_tags, id);
}

void take_back_marks(db::Write& db, StatusId id, const RuleMarks& marks) {
    auto now = db.maybe(marks_of_status, id);
    if (!now) return;
    bool warned = !marks.warning.empty() && now->spoiler_text == marks.warning;
    bool relist = marks.unlisted && now->visibility == Visibility::unlisted &&
                  allowed(accounts::account(db, now->account_id), Visibility::public_) == Visibility::public_;
    bool reveal = marks.sensitive && now->sensitive && (warned || now->spoiler_text.empty());
    if (!warned && !relist && !reveal) return;
    db.run(
        put_marks,
        id,
        now->sensitive && !reveal,
        relist ? Visibility::public_ : now->visibility,
        warned ? std::string() : now->spoiler_text
    );
    if (relist) db.run(reach_of_tags, id);
    db.emit(MarksTakenBack{id});
}

}  // namespace statuses
