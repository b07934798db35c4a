// SPDX-License-Identifier: AGPL-3.0-or-later
// Link previews: one card for each address, whoever links to it, and which status shows which. How a page becomes a
// card is in preview_page.hpp, the asking in preview_jobs.hpp.
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

// A status shows a card from now on.
struct CardShown {
    StatusId status;
};
DESCRIBE(CardShown, status)

// A status that shows a card, and the link as it stands there.
struct ShownCard {
    StatusId status_id;
    CardId card_id;
    std::string url;
};
DESCRIBE(ShownCard, status_id, card_id, url)

std::optional<Card> find_card(db::Read&, std::string_view url);
std::vector<Card> cards(db::Read&, const std::vector<CardId>&);  // in no order
std::vector<ShownCard> shown_cards(db::Read&, const std::vector<StatusId>&);

// Whether the page need not be asked again yet.
bool is_fresh(const Card&, Time now);

// The card of the address in `card` becomes this one, or is made; id and account ids are not read. `creator` is the
// handle that the page names, or empty.
CardId put_card(db::Write&, const Card&, std::string_view creator);
// Whether the account that the page names lists its domain may have changed.
void reattribute(db::Write&, const Card&);
void show_card(db::Write&, StatusId, CardId, const std::string& url);
void hide_card(db::Write&, StatusId);
extern const db::Command delete_card_image;  // the picture $1 is no card's any more
// Cards with this picture show none from now on. The file is up to the caller.
void remove_image(db::Write&, const std::string& file);

// The address that cards go by; nullopt for links that are never asked: not http(s), our own, too long.
std::optional<std::string> card_url(const base::Site&, std::string_view link);

// For discovery: which links are approved trends now.
void set_trending(db::Write&, const std::vector<CardId>&);  // these and no others

}  // namespace statuses
