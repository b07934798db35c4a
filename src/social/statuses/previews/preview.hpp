// SPDX-License-Identifier: AGPL-3.0-or-later
// Link previews: one card per address, shared by all statuses that link to it, and which status shows which
// card. preview_page.hpp makes a card of a page, preview_jobs.hpp fetches pages.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

using CardId = base::Id<struct CardTag>;

BOOST_DEFINE_ENUM_CLASS(CardType, link, photo, video, rich)

struct Card {
    CardId id;
    std::string url;  // without fragment
    bool usable = false;
    CardType type = CardType::link;
    std::string title, description;
    std::optional<std::string> language;
    std::string author_name, author_url, provider_name, provider_url, html;
    std::int64_t width = 0, height = 0;
    std::string image, image_description, embed_url;  // image: path below data/media
    std::optional<std::string> blurhash;
    std::optional<Time> published_at;
    AccountId author_account_id, claimed_account_id;
    Time fetched_at;
};
DESCRIBE(
    Card, id, url, usable, type, title, description, language, author_name, author_url, provider_name,
    provider_url, html, width, height, image, image_description, embed_url, blurhash, published_at,
    author_account_id, claimed_account_id, fetched_at
)

// A status now shows a card.
struct CardShown {
    StatusId status;
};
DESCRIBE(CardShown, status)

// A status that shows a card, and the link as it is written there.
struct ShownCard {
    StatusId status_id;
    CardId card_id;
    std::string url;
};
DESCRIBE(ShownCard, status_id, card_id, url)

std::optional<Card> find_card(db::Read&, std::string_view url);
std::vector<Card> cards(db::Read&, const std::vector<CardId>&);  // in no order
std::vector<ShownCard> shown_cards(db::Read&, const std::vector<StatusId>&);

// Whether the page need not be fetched again yet.
bool is_fresh(const Card&, Time now);

// Creates the card of the address in `card` or replaces it; id and account ids are ignored. `creator` is the
// handle that the page names, or empty.
CardId put_card(db::Write&, const Card&, std::string_view creator);
// Rechecks whether the account that the page names lists the page's domain.
void reattribute(db::Write&, const Card&);
void show_card(db::Write&, StatusId, CardId, const std::string& url);
void hide_card(db::Write&, StatusId);
extern const db::Command delete_card_image;  // the picture $1 is no card's any more
// Cards with this picture show none from now on. The file is up to the caller.
void remove_image(db::Write&, const std::string& file);

// The address that identifies a card; nullopt for links that are never fetched: not http(s), our own, too
// long.
std::optional<std::string> card_url(const base::Site&, std::string_view link);

// For discovery: which links are approved trends now.
void set_trending(db::Write&, const std::vector<CardId>&);  // these and no others

}  // namespace statuses
