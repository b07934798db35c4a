// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/compose.hpp"

#include "base/text/blank.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/mentions.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/relationships/relationship.hpp"

#include <algorithm>

namespace statuses {

Content compose(db::Read& db, AccountId author, std::string_view text, std::string_view content_type) {
    auto entities = base::text::scan(text);
    auto found = accounts::mentions(db, text, entities, [&](AccountId id) {
        const auto pair = relationships::pair_state(db, author, id);
        return id == author || !(pair.blocking || pair.blocking_domain);
    });
    auto tags_url = db.site().public_url + "/tags/";
    base::text::Resolve resolved{found.links, tags_url};
    Content content;
    content.html = content_type == "text/markdown" ? base::text::markdown_html(text, resolved)
                                                   : base::text::to_html(text, entities, resolved);
    content.mentions = std::move(found.accounts);
    for (const auto& entity : entities) {
        if (entity.kind != base::text::Entity::hashtag || content.tags.size() >= 200) continue;
        auto name = base::text::normalise_hashtag(entity.name);
        if (!base::text::valid_hashtag(name)) continue;
        if (std::ranges::find(content.tags, name, &std::pair<std::string, std::string>::first) ==
            content.tags.end())
            content.tags.emplace_back(std::move(name), std::string(entity.name));
    }
    return content;
}

void meet_mentioned(const base::Ask& ask, db::Read& db, std::string_view text) {
    constexpr int most = 4;
    int asked = 0;
    for (const auto& entity : base::text::scan(text)) {
        if (entity.kind != base::text::Entity::mention || asked == most) continue;
        auto acct = std::string(entity.acct(text));
        if (!accounts::is_handle_elsewhere(db.site(), acct)) continue;
        auto known = accounts::find_by_acct(db, acct);
        if (known && !accounts::is_gone(db, known->id)) continue;
        ask(accounts::Resolve{acct});
        ++asked;
    }
}

void refuse_unexpected(db::Read& db, const Draft& draft) {
    if (!draft.allowed_mentions) return;
    std::vector<AccountId> unexpected;
    for (auto id : draft.content.mentions)
        if (id != draft.account &&
            std::ranges::find(*draft.allowed_mentions, id) == draft.allowed_mentions->end())
            unexpected.push_back(id);
    if (unexpected.empty()) return;
    base::Invalid refusal("Post would be sent to unexpected accounts");
    refusal.more = ",\"unexpected_accounts\":" + accounts::render_list(db, unexpected, true);
    throw refusal;
}

std::string text_of(const std::string& text, std::string& spoiler_text, bool quotes) {
    if (base::text::is_blank(spoiler_text)) spoiler_text.clear();
    if (!base::text::is_blank(text)) return text;
    return quotes ? "" : std::exchange(spoiler_text, "");
}

std::string known_type(const std::string& content_type) {
    return content_type == "text/markdown" ? content_type : "text/plain";
}

}  // namespace statuses
