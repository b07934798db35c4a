// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses and what hangs on them, conversations, stamps of quotes, emojis. Nothing that not everybody may see is
// told to somebody unknown.
#include "http/route.hpp"
#include "social/federation/answer_api.hpp"
#include "social/federation/collections_ap.hpp"
#include "social/federation/routes.hpp"
#include "social/statuses/note_ap.hpp"

namespace federation {

using http::Request;

namespace {

struct AskedStatus {
    statuses::Facts facts;
    std::string uri;   // of the status itself, when it is a boost that of its Announce
    std::string page;  // for people
};

AskedStatus asked_status(db::Read& db, const Audience& audience, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto id = asked.what.status();
    auto facts = statuses::visible_facts(db, audience, id);
    if (facts.account_id != asked.account.id || facts.local_only) throw base::NoSuchStatus();
    auto actor = accounts::uri_of(db.site(), asked.account);
    auto uri = facts.is_reblog() ? base::uris::activity(base::uris::status(actor, id))
                                 : base::uris::status(actor, id);
    return {facts, uri, base::uris::status_page(db.site(), asked.account.username, id)};
}

// What only posts have, boosts have not.
AskedStatus asked_post(db::Read& db, const Audience& audience, const Request& request) {
    auto asked = asked_status(db, audience, request);
    if (asked.facts.is_reblog()) throw base::NoSuchStatus();
    return asked;
}

}  // namespace

http::Response status_activity(db::Read& db, const Request& request) {
    auto asked = asked_status(db, statuses::nobody(db), request);
    if (!asked.facts.is_reblog()) return activity(statuses::note(db, asked.facts.id));
    auto original = asked.facts.original_id;
    return page_at(statuses::uris_of(db, {original})[original], 302);
}

namespace {

http::Response status(db::Read& db, const Request& request) {
    if (wants_activity(request)) return status_activity(db, request);
    return page_at(asked_status(db, statuses::nobody(db), request).page, 302);
}

http::Response published(db::Read& db, const Request& request) {
    auto asked = asked_status(db, statuses::nobody(db), request);
    auto id = asked.facts.id;
    return activity(
        asked.facts.is_reblog() ? statuses::announce_activity(db, id) : statuses::create_activity(db, id)
    );
}

struct RepliesForm {
    bool page = false, only_other_accounts = false;
    std::int64_t min_id = 0;
};
DESCRIBE(RepliesForm, page, only_other_accounts, min_id)

http::Response replies_to(db::Read& db, const Request& request, const RepliesForm& form) {
    auto nobody = statuses::nobody(db);
    auto asked = asked_post(db, nobody, request);
    if (!form.page) return activity(replies(db, nobody, asked.facts, asked.uri));
    return activity(replies_page(db, nobody, asked.facts, asked.uri, {form.min_id, form.only_other_accounts})
    );
}

http::Response likes_of(db::Read& db, const Request& request) {
    auto asked = asked_post(db, statuses::nobody(db), request);
    return activity(likes(db, asked.facts.id, asked.uri));
}

http::Response shares_of(db::Read& db, const Request& request) {
    auto asked = asked_post(db, statuses::nobody(db), request);
    return activity(shares(db, asked.facts.id, asked.uri));
}

// Seen by whoever sees what is quoted.
http::Response stamp(db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    statuses::QuoteId id{asked.what.id};
    auto quoted = statuses::visible_facts(db, statuses::nobody(db), statuses::quoted_by(db, id));
    if (quoted.account_id != asked.account.id || quoted.local_only) throw base::NotFound();
    return activity(statuses::quote_authorization(db, id));
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

http::Response conversation(db::Read& db, const ItemsForm& form) {
    auto asked = conversation_of(db, form);
    return activity(context(db, asked.account, asked.status()));
}

http::Response conversation_items(db::Read& db, const ItemsForm& form) {
    auto asked = conversation_of(db, form);
    return activity(context_page(db, asked.account, asked.status(), form.min_id));
}

struct ByEmoji {
    base::EmojiId id;
};
DESCRIBE(ByEmoji, id)

http::Response custom_emoji(db::Read& db, const ByEmoji& path) { return activity(emoji(db, path.id)); }

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
    http::get<stamp>             ("/ap/users/:account/quote_authorizations/:quote"),
    http::get<stamp>             ("/users/:username/quote_authorizations/:quote"),
    http::get<conversation>      ("/contexts/:conversation"),
    http::get<conversation_items>("/contexts/:conversation/items"),
    http::get<custom_emoji>      ("/emojis/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> object_routes() { return table; }

}  // namespace federation
