// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/previews/preview_jobs.hpp"

#include "base/fetch.hpp"
#include "base/text/html/page.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/statuses/previews/preview_page.hpp"

#include <algorithm>

namespace statuses {

const db::Query<std::string> content_of_status{
    "content_of_status",
    "SELECT content FROM statuses WHERE id = $1 AND deleted_at IS NULL AND reblog_of_id IS NULL"
};

namespace {

// For new or changed content: requests a card, or shows it at once. Returns false if there is none to show.
bool show_preview(db::Write& db, StatusId id) {
    auto content = db.maybe(content_of_status, id);
    if (!content || content->find("href=") == content->npos) return false;
    for (const auto& link : base::text::links_of(*content)) {
        auto url = card_url(db.site(), link);
        if (!url) continue;
        auto known = find_card(db, *url);
        if (!known || !is_fresh(*known, db.now())) db.emit(PreviewWanted{id, link});
        if (!known || !known->usable) return false;
        show_card(db, id, known->id, link);
        return true;
    }
    return false;
}

}  // namespace

void want_preview(db::Write& db, const Published& e) {
    if (!e.links_nothing) show_preview(db, e.id);
}

void renew_after_edit(db::Write& db, const Edited& e) {
    if (!show_preview(db, e.id)) hide_card(db, e.id);
}

namespace {

// The request limit per server for all previews together: a page, its oEmbed document and its picture are
// three requests.
base::Fetch question(const std::string& url, std::string accept) {
    base::Fetch asked;
    asked.url = url;
    asked.headers = {{"Accept", std::move(accept)}};
    asked.plain_http = true;
    asked.seconds = 10;
    asked.per_minute = 30;
    return asked;
}

PageCard look(const base::Ask& ask, const std::string& url) {
    auto asked = question(url, "text/html, application/xhtml+xml;q=0.9, */*;q=0.1");
    asked.cut = true;
    const auto& page = ask(asked);
    // Retry later, when fewer requests to that server are pending.
    if (page.failure == base::FetchFailure::busy) throw base::Unavailable();
    auto found = card_of_page(url, page);
    if (!found.oembed.empty()) {
        auto more = question(found.oembed, "application/json+oembed, application/json");
        more.most_bytes = 256 * 1024;
        const auto& answer = ask(more);
        if (answer.ok()) add_oembed(found, answer.body);
    }
    if (!found.card.usable || found.image.empty()) return found;
    const auto& picture = ask(FetchPicture{found.image});
    if (!picture) return found;
    auto& card = found.card;
    bool small = !picture->preview.empty();
    card.image = small ? picture->preview : picture->file;
    card.blurhash = picture->blurhash;
    if (card.type == CardType::link) {
        card.width = small ? picture->preview_width : picture->width;
        card.height = small ? picture->preview_height : picture->height;
    }
    // Only the preview is shown; a row will reference it.
    found.image = small ? picture->file : "";
    return found;
}

}  // namespace

jobs::Change fetch_preview(const base::Ask& ask, db::Read& db, const PreviewWanted& wanted) {
    auto url = card_url(db.site(), wanted.link);
    if (!url || !db.maybe(content_of_status, wanted.status)) return {};
    // Another job may have fetched it meanwhile; a response that has arrived is used anyway.
    auto known = find_card(db, *url);
    if (known && is_fresh(*known, db.now())) {
        if (!known->usable) return {};
        return [wanted, id = known->id](db::Write& w) { show_card(w, wanted.status, id, wanted.link); };
    }
    auto found = look(ask, *url);
    return [wanted, found](db::Write& w) {
        auto id = put_card(w, found.card, found.creator);
        if (!found.card.image.empty() && !found.image.empty())
            media::keep_preview_alone(w, found.image, found.card.image);
        auto kept = find_card(w, found.card.url);
        if (kept && kept->usable) show_card(w, wanted.status, id, wanted.link);
    };
}

void forget_preview(db::Write& db, const Deleted& e) { hide_card(db, e.id); }

const db::Query<CardId> any_card_claimed_by{
    "any_card_claimed_by",
    "SELECT id FROM preview_cards WHERE claimed_account_id = $1 AND claimed_account_id <> 0 LIMIT 1"
};

void review_attribution(db::Write& db, const accounts::ProfileChanged& e) {
    if (db.maybe(any_card_claimed_by, e.account)) db.emit(AttributionDue{e.account});
}

const db::Query<Card> cards_claimed_by{
    "cards_claimed_by",
    R"(SELECT id, url, usable, type, title, description, language, author_name, author_url, provider_name,
              provider_url, html, width, height, image, image_description, embed_url, blurhash, published_at,
              author_account_id, claimed_account_id, fetched_at
       FROM preview_cards WHERE claimed_account_id = $1 AND claimed_account_id <> 0 ORDER BY id DESC LIMIT 200)"
};

void attribute_previews(db::Write& db, const AttributionDue& e) {
    for (const auto& card : db.all(cards_claimed_by, e.account)) reattribute(db, card);
}

}  // namespace statuses
