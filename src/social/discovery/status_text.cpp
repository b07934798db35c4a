// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/status_index.hpp"

#include "base/text/html/html.hpp"
#include "base/text/words.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/discovery/query.hpp"
#include "social/statuses/core/status.hpp"

namespace discovery {

namespace {

struct Indexed {
    StatusId id;
    AccountId account_id;
    std::string visibility;
    bool sensitive = false, reply = false, indexable = false;
    std::optional<std::string> language;
    std::int64_t relations = 0;
    std::string spoiler_text, text, content;
};
DESCRIBE(
    Indexed, id, account_id, visibility, sensitive, reply, indexable, language, relations, spoiler_text, text,
    content
)

// Texts about statuses from other tables.
struct Said {
    StatusId status_id;
    std::string kind, value;
};
DESCRIBE(Said, status_id, kind, value)

}  // namespace

#define INDEXED                                                                                        \
    "SELECT s.id, s.account_id, s.visibility, s.sensitive, (s.in_reply_to_account_id IS NOT NULL) AS " \
    "reply, "                                                                                          \
    "a.indexable, s.language, s.relations, s.spoiler_text, s.text, s.content "                         \
    "FROM statuses s JOIN accounts a ON a.id = s.account_id "

#define TO_INDEX " AND s.deleted_at IS NULL AND s.reblog_of_id IS NULL ORDER BY s.id"

const db::Query<Indexed> statuses_to_index{"statuses_to_index", INDEXED "WHERE s.id IN LIST($1)" TO_INDEX};
// The table media belongs to media, tags to tags; the others to statuses.
const db::Query<Said> said_of_statuses{
    "said_of_statuses",
    R"(SELECT status_id, 'mention' AS kind, CAST(account_id AS TEXT) AS value FROM mentions WHERE status_id IN LIST($1)
       UNION ALL SELECT x.status_id, 'tag', t.name FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id IN LIST($1)
       UNION ALL SELECT status_id, 'media', type FROM media WHERE status_id IN LIST($1)
       UNION ALL SELECT status_id, 'text', description FROM media WHERE status_id IN LIST($1) AND description IS NOT NULL
       UNION ALL SELECT status_id, 'text', title FROM poll_options WHERE status_id IN LIST($1)
       UNION ALL SELECT x.status_id, 'card', c.type FROM preview_cards_statuses x JOIN preview_cards c ON c.id = x.card_id
       WHERE x.status_id IN LIST($1))"
};

namespace {

void append_words(std::vector<std::string>& out, std::string_view text) {
    for (auto& word : base::text::words(text)) out.push_back(std::move(word));
}

void add_marks(std::vector<std::string>& marks, const Indexed& status) {
    marks.push_back(mark::any);
    marks.push_back(mark::by(status.account_id));
    if (status.visibility == "public" && status.indexable) marks.push_back(mark::open);
    if (status.sensitive) marks.push_back(mark::of("sensitive"));
    if (status.reply) marks.push_back(mark::of("reply"));
    if (status.relations & statuses::has_poll) marks.push_back(mark::of("poll"));
    if (status.relations & statuses::has_quote) marks.push_back(mark::of("quote"));
    if (!status.language) return;
    marks.push_back(mark::language(*status.language));
    if (auto dash = status.language->find('-'); dash != std::string::npos)
        marks.push_back(mark::language(status.language->substr(0, dash)));
}

void add_said(db::IndexedText& text, const Said& said) {
    if (said.kind == "mention") text.marks.push_back(mark::mentioning({std::stoll(said.value)}));
    else if (said.kind == "tag") text.marks.push_back(mark::tag(said.value));
    else if (said.kind == "text") append_words(text.words, said.value);
    else if (said.kind == "card") {
        text.marks.push_back(mark::of("link"));
        if (said.value != "link") text.marks.push_back(mark::of("embed"));
    } else {
        text.marks.push_back(mark::of("media"));
        text.marks.push_back(mark::of(said.value == "gifv" ? "video" : said.value));
    }
}

db::IndexedText text_of(const Indexed& status) {
    db::IndexedText text;
    append_words(text.words, status.spoiler_text);
    // Remote statuses have no source.
    append_words(text.words, status.text.empty() ? base::text::plain_text(status.content) : status.text);
    add_marks(text.marks, status);
    // Links have a hidden scheme; mentions and hashtags have not.
    if (status.content.find("<span class=\"invisible\">http") != std::string::npos)
        text.marks.push_back(mark::of("link"));
    return text;
}

}  // namespace

std::map<StatusId, db::IndexedText> texts_of(db::Read& db, const std::vector<StatusId>& ids) {
    std::map<StatusId, db::IndexedText> found;
    std::vector<StatusId> related;
    auto add = [&](const Indexed& status) {
        found.emplace(status.id, text_of(status));
        if (status.relations != 0) related.push_back(status.id);
    };
    db.each(statuses_to_index, add, ids);
    if (!related.empty())
        db.each(said_of_statuses, [&](const Said& said) { add_said(found[said.status_id], said); }, related);
    return found;
}

}  // namespace discovery
