// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/count.hpp"
#include "social/accounts/account.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/core/limited.hpp"
#include "social/statuses/writing/compose.hpp"
#include "social/statuses/writing/edit.hpp"

namespace statuses {

namespace {

void add_content(Candidate& post, const Content& content) {
    post.html = content.html;
    post.mentions = content.mentions;
    for (const auto& [name, written] : content.tags) post.tags.push_back(name);
}

std::function<AccountId(db::Read&)> author_of(StatusId parent) {
    return [parent](db::Read& db) {
        auto found = find_status(db, parent);
        return found ? found->account_id : AccountId{};
    };
}

// A warning that would make the post too long is left out; the post is marked anyway.
bool fits(db::Read& db, const std::string& text, const std::string& warning) {
    auto length = base::text::status_length(text) + base::text::graphemes(warning);
    return length <= static_cast<std::size_t>(db.site().max_characters);
}

template <class D>
void mark(db::Read& db, D& draft, const Verdict& verdict) {
    if (verdict.sensitive || !verdict.warning.empty()) draft.sensitive = true;
    if (!verdict.warning.empty() && draft.spoiler_text.empty() && fits(db, draft.text, verdict.warning))
        draft.spoiler_text = verdict.warning;
}

}  // namespace

namespace {

void judge_by_rules(db::Read& db, Draft& draft) {
    Candidate post;
    post.author = draft.account;
    post.at = post.seen = db.now();
    add_content(post, draft.content);
    post.spoiler_text = draft.spoiler_text;
    post.visibility = allowed(accounts::account(db, draft.account), draft.visibility);
    post.sensitive = draft.sensitive;
    post.poll = draft.poll.has_value();
    post.reply = static_cast<bool>(draft.in_reply_to);
    post.media = static_cast<std::int64_t>(draft.media.size());
    if (draft.language) post.language = *draft.language;
    post.answered = author_of(draft.in_reply_to);
    draft.verdict = judge(db, post);
    if (!draft.verdict || draft.scheduled_at) return;
    mark(db, draft, *draft.verdict);
    if (draft.verdict->unlist && draft.visibility == Visibility::public_)
        draft.visibility = Visibility::unlisted;
}

}  // namespace

void judge(db::Read& db, Draft& draft) {
    if (may_be_judged(db)) judge_by_rules(db, draft);
    if (media::any_quarantined(db, draft.media)) draft.verdict = held_back(draft.verdict);
}

void judge(db::Read& db, Edit& edit, const Editable& now) {
    // A published post cannot be held any more.
    media::require_not_quarantined(db, now.id, edit.media);
    if (!may_be_judged(db)) return;
    auto before = find_status(db, now.id);
    Candidate post;
    post.id = now.id;
    post.edit = true;
    post.author = edit.account;
    post.at = now.created_at;
    post.seen = db.now();
    add_content(post, edit.content);
    post.spoiler_text = edit.spoiler_text;
    post.visibility = now.visibility;
    post.sensitive = edit.sensitive;
    post.poll = edit.poll.has_value();
    post.reply = before && before->in_reply_to_account_id;
    post.media = static_cast<std::int64_t>(edit.media.size());
    const auto& language = edit.language ? edit.language : now.language;
    if (language) post.language = *language;
    if (before) post.answered = [id = before->in_reply_to_account_id](db::Read&) { return id; };
    edit.verdict = judge(db, post);
    if (edit.verdict) mark(db, edit, *edit.verdict);
}

}  // namespace statuses
