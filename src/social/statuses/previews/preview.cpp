// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/previews/preview.hpp"

#include "base/json_read.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/kinds.hpp"

#include <boost/url/parse.hpp>

#include <algorithm>

namespace statuses {

#define CARD_ROWS                                                                                       \
    "SELECT id, url, usable, type, title, description, language, author_name, author_url, "             \
    "provider_name, provider_url, html, width, height, image, image_description, embed_url, blurhash, " \
    "published_at, author_account_id, claimed_account_id, fetched_at FROM preview_cards "

const db::Query<Card> card_by_url{"card_by_url", CARD_ROWS "WHERE url = $1"};
const db::Query<Card> cards_by_id{"cards_by_id", CARD_ROWS "WHERE id IN LIST($1)"};
const db::Query<ShownCard> cards_of_statuses{
    "cards_of_statuses",
    R"(SELECT status_id, card_id, url FROM preview_cards_statuses
       WHERE status_id IN LIST($1))"
};

std::optional<Card> find_card(db::Read& db, std::string_view url) { return db.maybe(card_by_url, url); }

std::vector<Card> cards(db::Read& db, const std::vector<CardId>& ids) {
    return ids.empty() ? std::vector<Card>{} : db.all(cards_by_id, ids);
}

std::vector<ShownCard> shown_cards(db::Read& db, const std::vector<StatusId>& ids) {
    return db.all(cards_of_statuses, ids);
}

bool is_fresh(const Card& card, Time now) {
    // What could not be fetched may soon be there; until then nobody is asked on behalf of every further post.
    constexpr std::int64_t good_seconds = 14 * 86'400, bad_seconds = 3600;
    return now < card.fetched_at.plus_seconds(card.usable ? good_seconds : bad_seconds);
}

namespace {

std::string host_of(std::string_view url) {
    auto parsed = boost::urls::parse_uri(url);
    return parsed ? std::string(parsed->encoded_host()) : std::string();
}

// The domain itself or one above it, as the account lists them.
bool lists_host(const accounts::Account& account, const std::string& host) {
    auto domains = base::json::read<std::vector<std::string>>(account.attribution_domains);
    return std::ranges::any_of(domains, [&](const std::string& domain) {
        return host == domain || host.ends_with("." + domain);
    });
}

struct Authors {
    AccountId verified, claimed;
};

Authors authors(db::Read& db, std::string_view url, std::string_view creator) {
    if (creator.starts_with('@')) creator.remove_prefix(1);
    auto account = creator.empty() ? std::nullopt : accounts::find_by_acct(db, creator);
    if (!account || account->suspended_at) return {};
    return {
        lists_host(*account, base::text::ascii_lowered(host_of(url))) ? account->id : AccountId{}, account->id
    };
}

}  // namespace

std::optional<std::string> card_url(const base::Site& site, std::string_view link) {
    constexpr std::size_t longest = 2692;
    auto url = std::string(link.substr(0, link.find('#')));
    if (url.size() > longest || url.empty()) return std::nullopt;
    auto small = base::text::ascii_lowered(url);
    if (!small.starts_with("http://") && !small.starts_with("https://")) return std::nullopt;
    auto begin = small.find("://") + 3;
    auto authority = small.substr(begin, small.find_first_of("/?", begin) - begin);
    auto own = site.public_url.substr(site.public_url.find("://") + 3);
    if (authority.empty() || authority == site.domain || authority == own) return std::nullopt;
    return url;
}

const db::Command insert_card{
    "insert_card",
    R"(INSERT INTO preview_cards (id, url, fetched_at, created_at) VALUES ($1, $2, $3, $3)
       ON CONFLICT (url) DO NOTHING)"
};
const db::Command update_card{
    "update_card",
    R"(UPDATE preview_cards SET usable = $2, type = $3, title = $4, description = $5, language = $6,
           author_name = $7, author_url = $8, provider_name = $9, provider_url = $10, html = $11, width = $12,
           height = $13, image = $14, image_description = $15, embed_url = $16, blurhash = $17, published_at = $18,
           author_account_id = $19, claimed_account_id = $20, fetched_at = $21
       WHERE url = $1)"
};
// Those further back show the new card when their own version grows or they fall out of the cache.
const db::Command touch_statuses_of_card{
    "touch_statuses_of_card",
    R"(UPDATE statuses SET version = version + 1 WHERE id IN (
           SELECT status_id FROM preview_cards_statuses WHERE card_id = $1 ORDER BY status_id DESC LIMIT 500))"
};

const db::Command put_card_image{
    "put_card_image",
    "INSERT INTO card_images (image, card_id) VALUES ($1, $2) ON CONFLICT (image) DO UPDATE SET card_id = "
    "excluded.card_id"
};
const db::Command delete_card_image{"delete_card_image", "DELETE FROM card_images WHERE image = $1"};

CardId put_card(db::Write& db, const Card& card, std::string_view creator) {
    db.run(insert_card, db.new_id<CardId>(), card.url, db.now());
    auto before = *find_card(db, card.url);
    // A page that is gone for a while keeps the card that it had.
    auto& kept = card.usable || !before.usable ? card : before;
    auto [verified, claimed] = card.usable ? authors(db, card.url, creator)
                                           : Authors{before.author_account_id, before.claimed_account_id};
    db.run(
        update_card,
        card.url,
        kept.usable,
        kept.type,
        kept.title,
        kept.description,
        kept.language,
        kept.author_name,
        kept.author_url,
        kept.provider_name,
        kept.provider_url,
        kept.html,
        kept.width,
        kept.height,
        kept.image,
        kept.image_description,
        kept.embed_url,
        kept.blurhash,
        kept.published_at,
        verified,
        claimed,
        db.now()
    );
    if (before.image != kept.image && !before.image.empty()) {
        db.run(delete_card_image, before.image);
        db.emit(media::FilesReleased{{before.image}});
    }
    if (before.image != kept.image && !kept.image.empty()) db.run(put_card_image, kept.image, before.id);
    db.run(touch_statuses_of_card, before.id);
    return before.id;
}

const db::Query<CardId> drop_card_image{
    "drop_card_image",
    R"(UPDATE preview_cards SET image = '', blurhash = NULL
       WHERE id = (SELECT card_id FROM card_images WHERE image = $1) AND image = $1 RETURNING id)"
};

void remove_image(db::Write& db, const std::string& file) {
    for (const auto id : db.all(drop_card_image, file)) db.run(touch_statuses_of_card, id);
    db.run(delete_card_image, file);
}

const db::Command set_card_author{
    "set_card_author", "UPDATE preview_cards SET author_account_id = $2 WHERE id = $1"
};

void reattribute(db::Write& db, const Card& card) {
    auto account = accounts::find_account(db, card.claimed_account_id);
    auto author = account && lists_host(*account, base::text::ascii_lowered(host_of(card.url))) ? account->id
                                                                                                : AccountId{};
    if (author == card.author_account_id) return;
    db.run(set_card_author, card.id, author);
    db.run(touch_statuses_of_card, card.id);
}

const db::Command put_shown_card{
    "put_shown_card",
    R"(INSERT INTO preview_cards_statuses (status_id, card_id, account_id, url)
       SELECT id, CAST($2 AS BIGINT), account_id, CAST($3 AS TEXT) FROM statuses
       WHERE id = $1 AND deleted_at IS NULL
       ON CONFLICT (status_id) DO UPDATE SET card_id = excluded.card_id, url = excluded.url)"
};
const db::Command mark_card{
    "mark_card",
    "UPDATE statuses SET relations = relations | " STATUS_CARD_BIT ", version = version + 1 WHERE id = $1"
};
const db::Command delete_shown_card{
    "delete_shown_card", "DELETE FROM preview_cards_statuses WHERE status_id = $1"
};
const db::Command unmark_card{
    "unmark_card",
    "UPDATE statuses SET relations = relations & ~" STATUS_CARD_BIT ", version = version + 1 WHERE id = $1"
};

void show_card(db::Write& db, StatusId status, CardId card, const std::string& url) {
    static_assert(has_card == 32);
    if (db.run(put_shown_card, status, card, url) == 0) return;
    db.run(mark_card, status);
    db.emit(CardShown{status});
}

void hide_card(db::Write& db, StatusId status) {
    if (db.run(delete_shown_card, status) > 0) db.run(unmark_card, status);
}

const db::Command begin_trend{
    "begin_trend",
    "UPDATE preview_cards SET trending = TRUE WHERE trending = FALSE AND id IN (SELECT value FROM "
    "json_each($1))",
    "UPDATE preview_cards SET trending = TRUE WHERE trending = FALSE AND id = ANY($1::bigint[])"
};
const db::Command end_trend{
    "end_trend",
    "UPDATE preview_cards SET trending = FALSE WHERE trending = TRUE AND id NOT IN (SELECT value FROM "
    "json_each($1))",
    "UPDATE preview_cards SET trending = FALSE WHERE trending = TRUE AND NOT (id = ANY($1::bigint[]))"
};

void set_trending(db::Write& db, const std::vector<CardId>& ids) {
    db.run(begin_trend, ids);
    db.run(end_trend, ids);
}

}  // namespace statuses
