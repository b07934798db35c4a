// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/previews/preview_entity.hpp"

namespace statuses {

namespace {

struct Entity {
    std::string url, title, description;
    std::optional<std::string> language;
    CardType type = CardType::link;
    std::string author_name, author_url, provider_name, provider_url, html;
    std::int64_t width = 0, height = 0;
    std::optional<std::string> image;
    std::string image_description, embed_url;
    std::optional<std::string> blurhash;
    std::optional<Time> published_at;
};
DESCRIBE(
    Entity, url, title, description, language, type, author_name, author_url, provider_name, provider_url,
    html, width, height, image, image_description, embed_url, blurhash, published_at
)

struct Author {
    std::string name, url;
};
DESCRIBE(Author, name, url)

struct VersionRow {
    AccountId id;
    std::int64_t version = 0;
};
DESCRIBE(VersionRow, id, version)

template <class T>
std::string members_of(const T& value) {
    std::string out;
    const char* separator = "";
    base::json::write_members(out, separator, value);
    return out;
}

}  // namespace

RenderedCard rendered_card(const base::Site& site, const Card& card, const std::string& url) {
    Entity e{url, card.title, card.description, card.language, card.type};
    e.author_name = card.author_name;
    e.author_url = card.author_url;
    e.provider_name = card.provider_name;
    e.provider_url = card.provider_url;
    e.html = card.html;
    e.width = card.width;
    e.height = card.height;
    if (!card.image.empty()) e.image = site.media(card.image);
    e.image_description = card.image_description;
    e.embed_url = card.embed_url;
    e.blurhash = card.blurhash;
    e.published_at = card.published_at;
    RenderedCard out{members_of(e), {}, card.author_account_id, card.claimed_account_id};
    bool authored = !card.author_name.empty() || !card.author_url.empty() || card.author_account_id;
    if (authored) out.author = members_of(Author{card.author_name, card.author_url});
    return out;
}

// The table accounts belongs to accounts.
const db::Query<VersionRow> versions_of_authors{
    "versions_of_authors",
    R"(SELECT id, version FROM accounts
       WHERE id IN LIST($1) AND suspended_at IS NULL)"
};

accounts::RenderedAccounts card_accounts(db::Read& db, const std::vector<AccountId>& verified) {
    if (verified.empty()) return {};
    std::vector<accounts::Version> versions;
    for (const auto& row : db.all(versions_of_authors, verified)) versions.push_back({row.id, row.version});
    return accounts::render(db, versions);
}

void append_card(
    std::string& out, const RenderedCard& card, const accounts::RenderedAccounts& known, AccountId viewer
) {
    out += card.members;
    out += ",\"authors\":[";
    if (!card.author.empty()) {
        out += '{' + card.author + ",\"account\":";
        auto account = known.find(card.verified);
        if (card.verified && account != known.end()) account->second->append_to(out, bool(viewer));
        else out += "null";
        out += '}';
    }
    out += ']';
    if (!viewer) return;
    bool missing = card.claimed == viewer && card.verified != viewer;
    out += missing ? ",\"missing_attribution\":true" : ",\"missing_attribution\":false";
}

std::vector<std::string> card_members(db::Read& db, const std::vector<Card>& cards, AccountId viewer) {
    std::vector<AccountId> authors;
    for (const auto& card : cards)
        if (card.author_account_id) authors.push_back(card.author_account_id);
    auto known = card_accounts(db, authors);
    std::vector<std::string> out;
    for (const auto& card : cards)
        append_card(out.emplace_back(), rendered_card(db.site(), card, card.url), known, viewer);
    return out;
}

void describe_card(base::json::Components& all) {
    base::json::ObjectSchema card, author;
    base::json::add_members<Entity>(card, all);
    base::json::add_members<Author>(author, all);
    author.add("account", base::json::reference("Account?"), true);
    card.add("authors", R"({"type":"array","items":)" + author.text() + "}", true);
    all.put("PreviewCard", card.text());
}

}  // namespace statuses
