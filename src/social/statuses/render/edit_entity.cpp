// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/status_entity.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/emojis/emoji.hpp"
#include "social/media/media_entity.hpp"

#include <algorithm>

namespace statuses {

namespace {

struct Option {
    std::string title;
};
DESCRIBE(Option, title)
struct EditedPoll {
    std::vector<Option> options;
};
DESCRIBE(EditedPoll, options)
struct StatusEdit {
    std::string content, spoiler_text;
    bool sensitive = false;
    Time created_at;
    base::json::Raw account;
    base::json::Omit<base::json::Raw> quote;
    base::json::Omit<EditedPoll> poll;
    std::vector<media::MediaAttachment> media_attachments;
    base::json::Raw emojis;
};
DESCRIBE(
    StatusEdit, content, spoiler_text, sensitive, created_at, account, quote, poll, media_attachments, emojis
)

std::string texts_of(const Snapshot& s) {
    auto out = s.spoiler_text + "\n" + s.text;
    for (const auto& title : s.poll_options) out += "\n" + title;
    return out;
}

std::vector<media::MediaAttachment> attachments(
    const base::Site& site, const Snapshot& s, const std::vector<media::Media>& known
) {
    std::vector<media::MediaAttachment> out;
    for (const auto& shown : s.media) {
        auto found = std::ranges::find(known, shown.id, &media::Media::id);
        if (found == known.end()) continue;
        auto& attachment = out.emplace_back(media::entity(site, *found));
        attachment.description = shown.description.empty() ? std::nullopt : std::optional(shown.description);
    }
    return out;
}

}  // namespace

std::string history_json(db::Read& db, const Audience& audience, const VisibilityFacts& f) {
    auto snapshots = history(db, f.original_id);
    std::vector<MediaId> ids;
    emojis::InTexts emojis;
    accounts::Version author{f.original_account_id, f.original_account_version};
    auto rendered = accounts::render(db, {&author, 1});
    auto account = rendered.find(author.id);
    if (account == rendered.end()) throw base::NoSuchStatus();
    auto domain = accounts::account(db, author.id).domain;
    for (const auto& s : snapshots) {
        for (const auto& m : s.media) ids.push_back(m.id);
        emojis.add(texts_of(s), domain);
    }
    emojis.load(db);
    auto known = media::by_ids(db, ids);
    auto quote = quote_json(db, audience, f);
    std::vector<StatusEdit> out;
    for (const auto& s : snapshots) {
        StatusEdit e{s.content, s.spoiler_text, s.sensitive, s.created_at, {}, {}, {}, {}, {}};
        if (quote) e.quote = base::json::Raw{*quote};
        e.account = {account->second->for_viewer(!audience.anonymous())};
        if (!s.poll_options.empty()) {
            EditedPoll poll;
            for (const auto& title : s.poll_options) poll.options.push_back({title});
            e.poll = std::move(poll);
        }
        e.media_attachments = attachments(db.site(), s, known);
        e.emojis = {emojis.used(db.site(), {texts_of(s)}, domain)};
        out.push_back(std::move(e));
    }
    return base::json::to_string(out);
}

void describe_edit(base::json::Components& all) { base::json::component<StatusEdit>(all); }

}  // namespace statuses
