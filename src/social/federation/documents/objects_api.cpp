// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses and their collections, conversations, quote authorizations, emojis. Anonymous readers get only
// public ones.
#include "http/route.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/federation/documents/collections_ap.hpp"
#include "social/former/former.hpp"
#include "social/statuses/documents/note_ap.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

using http::Request;

namespace {

struct AskedStatus {
    Reader who;
    Sight seen;
    std::string uri;        // of the status; for a boost, of its Announce
    bool announce = false;  // the Announce was requested

    base::StatusId id() const { return seen.facts.id; }
};

AskedStatus asked_status(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    // Only statuses taken over from a previous server have a stored id.
    const auto stored = former::stored_uri(db, asked.what.status());
    auto own =
        stored.value_or(base::uris::status(accounts::uri_of(db.site(), asked.account), asked.what.status()));
    if (statuses::ended_openly(db, asked.what.status(), asked.account.id)) gone(request, own);
    auto seen = sight(db, who, asked.what.status());
    if (seen.facts.account_id != asked.account.id) throw base::NoSuchStatus();
    auto uri = seen.facts.is_reblog() && !stored ? base::uris::activity(own) : std::move(own);
    const bool announce = seen.facts.is_reblog() && asked.what.kind == base::uris::Kind::activity;
    return {std::move(who), std::move(seen), std::move(uri), announce};
}

// For what boosts do not have.
AskedStatus asked_post(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_status(ask, db, request);
    if (asked.seen.facts.is_reblog()) throw base::NoSuchStatus();
    return asked;
}

}  // namespace

http::Response status_activity(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_status(ask, db, request);
    if (!asked.seen.facts.is_reblog()) return activity(statuses::note(db, asked.id()), asked.who);
    if (asked.announce) return activity(statuses::announce_activity(db, asked.id()), asked.who);
    auto original = asked.seen.facts.original_id;
    return page_at(statuses::uris_of(db, {original})[original], 302);
}

namespace {

// Browsers do not sign requests; they are redirected to the HTML page, which shows public posts.
http::Response status(const base::Ask& ask, db::Read& db, const Request& request) {
    if (wants_activity(request)) return status_activity(ask, db, request);
    auto asked = asked_of_active(db, request);
    auto facts = statuses::visible_facts(db, statuses::nobody(db), asked.what.status());
    if (facts.account_id != asked.account.id) throw base::NoSuchStatus();
    return page_at(base::uris::status_page(db.site(), asked.account.username, facts.id), 302);
}

http::Response published(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_status(ask, db, request);
    return activity(
        asked.seen.facts.is_reblog() ? statuses::announce_activity(db, asked.id())
                                     : statuses::create_activity(db, asked.id()),
        asked.who
    );
}

struct RepliesForm {
    bool page = false, only_other_accounts = false;
    std::int64_t min_id = 0;
};
DESCRIBE(RepliesForm, page, only_other_accounts, min_id)

http::Response replies_to(
    const base::Ask& ask, db::Read& db, const Request& request, const RepliesForm& form
) {
    auto asked = asked_post(ask, db, request);
    const auto& [audience, facts] = asked.seen;
    RepliesPage part{form.min_id, form.only_other_accounts};
    return activity(
        form.page ? replies_page(db, audience, facts, asked.uri, part)
                  : replies(db, audience, facts, asked.uri),
        asked.who
    );
}

http::Response likes_of(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_post(ask, db, request);
    return activity(likes(db, asked.id(), asked.uri), asked.who);
}

http::Response shares_of(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_post(ask, db, request);
    return activity(shares(db, asked.id(), asked.uri), asked.who);
}

// Visible to everybody who may see the quoted post.
http::Response show_quote_authorization(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    statuses::QuoteId id{asked.what.id};
    auto quoted = sight(db, who, statuses::quoted_by(db, id)).facts;
    if (quoted.account_id != asked.account.id) throw base::NotFound();
    return activity(statuses::quote_authorization(db, id), who);
}

// Visible to everybody who may see the post that is replied to.
http::Response show_reply_authorization(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    auto answered = sight(db, who, statuses::answered_by(db, asked.what.status())).facts;
    if (answered.account_id != asked.account.id) throw base::NotFound();
    return activity(statuses::reply_authorization(db, asked.what.status()), who);
}

struct ItemsForm {
    std::string conversation;
    std::int64_t min_id = 0;
};
DESCRIBE(ItemsForm, conversation, min_id)

base::uris::Ours conversation_of(db::Read& db, const ItemsForm& form) {
    auto found = base::uris::ours(db.site(), db.site().public_url + "/contexts/" + form.conversation);
    if (!found || found->kind != base::uris::Kind::context) throw base::NotFound();
    return *found;
}

http::Response conversation(
    const base::Ask& ask, db::Read& db, const Request& request, const ItemsForm& form
) {
    auto asked = conversation_of(db, form);
    auto who = reader(ask, db, request);
    return activity(context(db, asked.account, asked.status()), who);
}

http::Response conversation_items(
    const base::Ask& ask, db::Read& db, const Request& request, const ItemsForm& form
) {
    auto asked = conversation_of(db, form);
    auto who = reader(ask, db, request);
    return activity(context_page(db, asked.account, asked.status(), form.min_id), who);
}

struct ByEmoji {
    base::EmojiId id;
};
DESCRIBE(ByEmoji, id)

http::Response custom_emoji(db::Read& db, const ByEmoji& path) { return open_activity(emoji(db, path.id)); }

// clang-format off
constexpr http::Route table[] = {
    http::get<status>            ("/ap/users/:account/statuses/:status"),
    http::get<status>            ("/users/:username/statuses/:status"),
    http::get<published>         ("/ap/users/:account/statuses/:status/activity"),
    http::get<published>         ("/users/:username/statuses/:status/activity"),
    http::get<replies_to>        ("/ap/users/:account/statuses/:status/replies"),
    http::get<replies_to>        ("/users/:username/statuses/:status/replies"),
    http::get<likes_of>          ("/ap/users/:account/statuses/:status/likes"),
    http::get<likes_of>          ("/users/:username/statuses/:status/likes"),
    http::get<shares_of>         ("/ap/users/:account/statuses/:status/shares"),
    http::get<shares_of>         ("/users/:username/statuses/:status/shares"),
    http::get<show_quote_authorization>             ("/ap/users/:account/quote_authorizations/:quote"),
    http::get<show_quote_authorization>             ("/users/:username/quote_authorizations/:quote"),
    http::get<show_reply_authorization>             ("/ap/users/:account/reply_authorizations/:reply"),
    http::get<show_reply_authorization>             ("/users/:username/reply_authorizations/:reply"),
    http::get<conversation>      ("/contexts/:conversation"),
    http::get<conversation_items>("/contexts/:conversation/items"),
    http::get<custom_emoji>      ("/emojis/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> object_routes() { return table; }

}  // namespace federation
