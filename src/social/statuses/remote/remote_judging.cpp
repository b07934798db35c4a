// SPDX-License-Identifier: AGPL-3.0-or-later
// What another server brings, before the rules of the team (core/gate.hpp).
#include "social/accounts/account.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/remote/remote_parts.hpp"

#include <algorithm>

namespace statuses {

namespace {

// What tells it from others, without a question.
Candidate rough(db::Read& db, const RemoteStatus& status) {
    Candidate post;
    post.author = status.author;
    post.key = status.uri;
    post.seen = db.now();
    post.at = std::clamp(status.published.value_or(db.now()), Time{0}, db.now());
    post.html = status.html.harmless();
    post.visibility = status.visibility;
    return post;
}

}  // namespace

namespace {

void judge_by_rules(db::Read& db, RemoteStatus& status, std::optional<StatusId> id) {
    // Of pictures alone it matters which server they are of.
    const auto domain =
        status.media.empty() ? std::nullopt : db.maybe(accounts::domain_of_account, status.author);
    auto text = text_of(db, status, domain.value_or(std::string()));
    auto named = tagged(status);
    auto known = id ? find_status(db, *id) : std::nullopt;
    auto post = rough(db, status);
    if (known) post.id = *id;
    post.edit = known.has_value();
    post.html = text.html;
    post.spoiler_text = text.spoiler_text;
    post.visibility = known ? known->visibility : status.visibility;
    post.sensitive = status.sensitive;
    post.poll = usable(status.poll);
    post.reply = !status.in_reply_to.empty();
    post.media = static_cast<std::int64_t>(text.media.size());
    if (text.language) post.language = *text.language;
    post.mentions = named;
    for (const auto& [name, written] : text.tags) post.tags.push_back(name);
    post.answered = [&](db::Read& asked) {
        auto parent = find_by_uri(asked, status.in_reply_to);
        auto found = parent ? find_status(asked, *parent) : std::nullopt;
        return found ? found->account_id : AccountId{};
    };
    status.verdict = judge(db, post);
    obey(status);
}

}  // namespace

void judge(db::Read& db, RemoteStatus& status) {
    judge(db, status, may_be_judged(db) ? find_by_uri(db, status.uri) : std::nullopt);
}

void judge(db::Read& db, RemoteStatus& status, std::optional<StatusId> known) {
    if (may_be_judged(db)) judge_by_rules(db, status, known);
    else watch(db, rough(db, status));
    std::vector<std::string> shown;
    for (const auto& file : status.media) shown.push_back(file.url);
    if (media::any_quarantined(db, shown)) status.verdict = held_back(status.verdict);
}

void obey(RemoteStatus& status) {
    if (!status.verdict) return;
    const auto& verdict = *status.verdict;
    if (verdict.sensitive || !verdict.warning.empty()) status.sensitive = true;
    if (status.spoiler_text.empty()) status.spoiler_text = verdict.warning;
    if (verdict.unlist && status.visibility == Visibility::public_) status.visibility = Visibility::unlisted;
}

}  // namespace statuses
