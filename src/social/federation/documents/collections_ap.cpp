// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/documents/collections_ap.hpp"

#include "base/uris.hpp"
#include "social/emojis/emoji.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/statuses/documents/note_ap.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/timelines/feed.hpp"

#include <algorithm>
#include <limits>

namespace federation {

namespace uris = base::uris;
namespace write = ap::write;

using base::AccountId;
using base::StatusId;

namespace {

write::Collection collection(std::string id, const char* type) {
    write::Collection out;
    out.id = std::move(id);
    out.type = type;
    return out;
}

write::Page page(std::string id, const char* type, std::string of) {
    write::Page out;
    out.id = std::move(id);
    out.type = type;
    out.partOf = std::move(of);
    return out;
}

std::string actor_of(db::Read& db, const Account& account) { return accounts::uri_of(db.site(), account); }

}  // namespace

// ---- outbox ----

std::string outbox(db::Read& db, const Account& account) {
    auto out = collection(uris::outbox(actor_of(db, account)), "OrderedCollection");
    out.totalItems = account.statuses_count;
    out.first = write::reference(out.id + "?page=true");
    out.last = out.id + "?min_id=0&page=true";
    return write::document(std::move(out));
}

std::string outbox_page(
    db::Read& db, const Audience& audience, const Account& account, const OutboxPage& asked
) {
    constexpr int page_size = 20;
    base::Range range;
    range.limit = page_size;
    range.ascending = asked.min_id.has_value();
    if (asked.max_id) range.below = *asked.max_id;
    range.above = asked.min_id.value_or(asked.since_id.value_or(0));
    timelines::AccountFilter filter;
    filter.exclude_direct = filter.exclude_local_only = true;
    std::vector<StatusId> ids;
    for (const auto& f : timelines::account_statuses(db, audience, account.id, range, filter))
        ids.push_back(f.id);

    auto whole = uris::outbox(actor_of(db, account));
    auto part = [&](const char* bound, std::int64_t id) {
        return whole + "?" + bound + "=" + std::to_string(id) + "&page=true";
    };
    auto self = asked.max_id     ? part("max_id", *asked.max_id)
                : asked.min_id   ? part("min_id", *asked.min_id)
                : asked.since_id ? part("since_id", *asked.since_id)
                                 : whole + "?page=true";
    auto out = page(std::move(self), "OrderedCollectionPage", whole);
    if (!ids.empty()) {
        out.next = part("max_id", ids.back().value);
        out.prev = part("min_id", ids.front().value);
    }
    unsigned terms = write::of_statuses;
    auto& items = out.orderedItems.value.emplace();
    for (auto& published : statuses::to_publications(db, ids)) {
        terms |= published.terms;
        items.push_back(write::embedded(std::move(published.activity)));
    }
    return write::document(std::move(out), terms);
}

std::string server_outbox(db::Read& db) {
    auto out = collection(uris::outbox(uris::actor(db.site(), uris::server_actor)), "OrderedCollection");
    out.totalItems = 0;
    out.orderedItems.value.emplace();
    return write::document(std::move(out));
}

// ---- followers, following ----

namespace {

struct Member {
    AccountId id;
    std::string uri;
    std::int64_t follow = 0;
};
DESCRIBE(Member, id, uri, follow)

constexpr std::int64_t members_of_a_page = 12;
// Pages can still be requested by number alone, up to this one; further ones are reached by the links from
// page to page.
constexpr std::int64_t last_numbered_page = 100;

std::string network_uri(db::Read& db, const Account& account, Network which) {
    auto actor = actor_of(db, account);
    return which == Network::followers ? uris::followers(actor) : uris::following(actor);
}

std::string page_of(const std::string& whole, std::int64_t number) {
    return whole + "?page=" + std::to_string(number);
}

std::int64_t count(const Account& account, Network which) {
    return which == Network::followers ? account.followers_count : account.following_count;
}

std::vector<write::Raw> references(db::Read& db, const std::vector<Member>& members) {
    std::vector<write::Raw> out;
    for (const auto& m : members) out.push_back(write::reference(accounts::uri_of(db.site(), m.id, m.uri)));
    return out;
}

}  // namespace

// follows belongs to relationships. $2 is the cursor.
#define MEMBERS "SELECT a.id, a.uri, f.id AS follow FROM follows f JOIN accounts a "
#define FOLLOWERS MEMBERS "ON a.id = f.account_id WHERE f.target_id = $1 AND a.suspended_at IS NULL "
#define FOLLOWING MEMBERS "ON a.id = f.target_id WHERE f.account_id = $1 AND a.suspended_at IS NULL "
#define OLDER "AND f.id < $2 ORDER BY f.id DESC LIMIT $3 OFFSET $4"
#define NEWER "AND f.id > $2 ORDER BY f.id LIMIT $3 OFFSET $4"

const db::Query<Member> page_of_followers{"page_of_followers", FOLLOWERS OLDER};
const db::Query<Member> page_of_newer_followers{"page_of_newer_followers", FOLLOWERS NEWER};
const db::Query<Member> page_of_following{"page_of_following", FOLLOWING OLDER};
const db::Query<Member> page_of_newer_following{"page_of_newer_following", FOLLOWING NEWER};

std::string network(db::Read& db, const Account& account, Network which) {
    auto out = collection(network_uri(db, account, which), "OrderedCollection");
    out.totalItems = count(account, which);
    if (relationships::network_visible(db, account, {})) out.first = write::reference(page_of(out.id, 1));
    return write::document(std::move(out));
}

std::string network_page(db::Read& db, const Account& account, Network which, const NetworkPage& asked) {
    if (!relationships::network_visible(db, account, {})) throw base::Forbidden();
    auto number = std::clamp<std::int64_t>(asked.number, 1, 1'000'000);
    auto bound = asked.min_id.value_or(asked.max_id.value_or(std::numeric_limits<std::int64_t>::max()));
    bool by_number = !asked.min_id && !asked.max_id;
    if (by_number && number > last_numbered_page) throw base::NotFound();
    auto passed = by_number ? (number - 1) * members_of_a_page : 0;
    const auto& older = which == Network::followers ? page_of_followers : page_of_following;
    const auto& newer = which == Network::followers ? page_of_newer_followers : page_of_newer_following;
    auto found = db.all(asked.min_id ? newer : older, account.id, bound, members_of_a_page + 1, passed);
    bool more = found.size() > static_cast<std::size_t>(members_of_a_page);
    if (more) found.pop_back();
    if (asked.min_id) std::ranges::reverse(found);

    auto whole = network_uri(db, account, which);
    auto part = [&](std::int64_t of, const char* name, std::int64_t id) {
        return page_of(whole, of) + "&" + name + "=" + std::to_string(id);
    };
    auto self = asked.min_id   ? part(number, "min_id", bound)
                : asked.max_id ? part(number, "max_id", bound)
                               : page_of(whole, number);
    auto out = page(std::move(self), "OrderedCollectionPage", whole);
    out.totalItems = count(account, which);
    if (!found.empty() && (more || asked.min_id)) out.next = part(number + 1, "max_id", found.back().follow);
    if (!found.empty() && (asked.min_id ? more : number > 1))
        out.prev = part(std::max<std::int64_t>(number - 1, 1), "min_id", found.front().follow);
    out.orderedItems = references(db, found);
    return write::document(std::move(out));
}

const db::Query<Member> followers_at_origin{
    "followers_at_origin",
    R"(SELECT a.id, a.uri, f.id AS follow FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND f.origin = $2 AND f.origin <> '' AND a.uri <> '' ORDER BY f.id)"
};

std::string followers_of_origin(db::Read& db, const Account& account, const std::string& origin) {
    auto out = collection(uris::followers_synchronization(actor_of(db, account)), "OrderedCollection");
    out.orderedItems = references(db, db.all(followers_at_origin, account.id, origin + "/"));
    return write::document(std::move(out));
}

// ---- what is on a profile ----

std::string featured(db::Read& db, const Audience& audience, const Account& account, bool hidden) {
    auto out = collection(uris::featured(actor_of(db, account)), "OrderedCollection");
    auto pinned = statuses::visibility_facts(db, audience, statuses::pinned(db, account.id));
    std::vector<StatusId> shown;
    for (const auto& f : pinned)
        if (!hidden && !f.local_only && statuses::visible(f, audience)) shown.push_back(f.id);
    unsigned terms = write::of_statuses;
    auto notes = statuses::to_notes(db, shown);
    auto names = statuses::uris_of(db, shown);
    auto& items = out.orderedItems.value.emplace();
    for (auto id : shown) {
        auto note = std::ranges::find(notes, names[id], &write::Note::id);
        if (note == notes.end()) {
            items.push_back(write::reference(names[id]));
            continue;
        }
        terms |= write::terms_of(*note);
        items.push_back(write::embedded(*note));
    }
    out.totalItems = static_cast<std::int64_t>(items.size());
    return write::document(std::move(out), terms);
}

write::Tag featured_tag(
    const base::Site& site, const Account& account, const std::string& name, const std::string& tag
) {
    return write::hashtag(tags::tagged_page(accounts::url_of(site, account), tag), name);
}

std::string featured_tags(db::Read& db, const Account& account, bool hidden) {
    auto out = collection(uris::featured_tags(actor_of(db, account)), "Collection");
    auto& items = out.items.value.emplace();
    if (!hidden)
        for (const auto& tag : tags::featured(db, account.id))
            items.push_back(write::embedded(featured_tag(db.site(), account, tag.name, tag.tag)));
    out.totalItems = static_cast<std::int64_t>(items.size());
    return write::document(std::move(out), write::of_hashtags);
}

// ---- around a status ----

// statuses belongs to the slice of that name.
const db::Query<StatusId> open_replies{
    "open_replies",
    R"(SELECT id FROM statuses WHERE in_reply_to_id = $1 AND deleted_at IS NULL AND local_only = FALSE
         AND reply_state = 'shown'
         AND visibility IN ('public', 'unlisted') AND id > $2 AND (account_id <> $3) = $4 ORDER BY id LIMIT $5)"
};

namespace {

constexpr int items_of_a_page = 60;

struct Answers {
    write::Page page;
    unsigned terms = write::of_statuses;
};

Answers answers(
    db::Read& db, const Audience& audience, const statuses::VisibilityFacts& status, const std::string& uri,
    const RepliesPage& asked
) {
    bool others = asked.only_other_accounts;
    auto ids = db.all(open_replies, status.id, asked.min_id, status.account_id, others, items_of_a_page);
    auto whole = uris::replies(uri);
    auto part = [&](std::int64_t min_id, bool of_others) {
        return whole + "?" + (min_id ? "min_id=" + std::to_string(min_id) + "&" : "") +
               (of_others ? "only_other_accounts=true&" : "") + "page=true";
    };
    Answers out{page(part(asked.min_id, others), "CollectionPage", whole)};
    if (ids.size() == items_of_a_page) out.page.next = part(ids.back().value, others);
    else if (!others) out.page.next = part(0, true);
    std::vector<StatusId> shown, own;
    for (const auto& f : statuses::visibility_facts(db, audience, ids)) {
        if (!statuses::visible(f, audience)) continue;
        shown.push_back(f.id);
        if (f.account_id == status.account_id) own.push_back(f.id);
    }
    auto notes = statuses::to_notes(db, own);
    auto names = statuses::uris_of(db, shown);
    auto& items = out.page.items.value.emplace();
    for (auto id : shown) {
        auto note = std::ranges::find(notes, names[id], &write::Note::id);
        if (note == notes.end()) {
            items.push_back(write::reference(names[id]));
            continue;
        }
        out.terms |= write::terms_of(*note);
        items.push_back(write::embedded(*note));
    }
    return out;
}

}  // namespace

std::string replies(
    db::Read& db, const Audience& audience, const statuses::VisibilityFacts& status, const std::string& uri
) {
    auto first = answers(db, audience, status, uri, {});
    auto out = collection(uris::replies(uri), "Collection");
    out.first = write::embedded(first.page);
    return write::document(std::move(out), first.terms);
}

std::string replies_page(
    db::Read& db, const Audience& audience, const statuses::VisibilityFacts& status, const std::string& uri,
    const RepliesPage& asked
) {
    auto found = answers(db, audience, status, uri, asked);
    return write::document(std::move(found.page), found.terms);
}

namespace {

struct Counts {
    std::int64_t favourites = 0, reblogs = 0;
};
DESCRIBE(Counts, favourites, reblogs)

}  // namespace

const db::Query<Counts> counts_of_status{
    "counts_of_status",
    "SELECT favourites_count AS favourites, reblogs_count AS reblogs FROM statuses WHERE id = $1"
};

std::string likes(db::Read& db, StatusId id, const std::string& uri) {
    auto out = collection(uris::likes(uri), "Collection");
    out.totalItems = db.one(counts_of_status, id).favourites;
    return write::document(std::move(out));
}

std::string shares(db::Read& db, StatusId id, const std::string& uri) {
    auto out = collection(uris::shares(uri), "Collection");
    out.totalItems = db.one(counts_of_status, id).reblogs;
    return write::document(std::move(out));
}

// ---- conversations ----

const db::Query<base::ConversationId> conversation_begun_by{
    "conversation_begun_by",
    R"(SELECT c.id FROM conversations c JOIN statuses s ON s.conversation_id = c.id
       WHERE s.id = $1 AND c.status_id = $1 AND c.account_id = $2)"
};
const db::Query<StatusId> open_statuses_of_conversation{
    "open_statuses_of_conversation",
    R"(SELECT id FROM statuses WHERE conversation_id = $1 AND id > $2 AND deleted_at IS NULL AND local_only = FALSE
         AND reblog_of_id IS NULL AND reply_state = 'shown' AND visibility IN ('public', 'unlisted')
       ORDER BY id LIMIT $3)"
};

namespace {

write::Page conversation_page(db::Read& db, AccountId account, StatusId status, std::int64_t min_id) {
    auto conversation = db.one(conversation_begun_by, status, account);
    auto ids = db.all(open_statuses_of_conversation, conversation, min_id, items_of_a_page);
    auto whole = uris::context(db.site(), account, status);
    auto part = [&](std::int64_t from) {
        return whole + "/items?" + (from ? "min_id=" + std::to_string(from) + "&" : "") + "page=true";
    };
    auto out = page(part(min_id), "CollectionPage", whole);
    if (ids.size() == items_of_a_page) out.next = part(ids.back().value);
    std::vector<StatusId> shown;
    auto nobody = statuses::nobody(db);
    for (const auto& f : statuses::visibility_facts(db, nobody, ids))
        if (statuses::visible(f, nobody)) shown.push_back(f.id);
    if (shown.empty() && !min_id) throw base::NotFound();
    auto names = statuses::uris_of(db, shown);
    auto& items = out.items.value.emplace();
    for (auto id : shown) items.push_back(write::reference(names[id]));
    return out;
}

}  // namespace

std::string context(db::Read& db, AccountId account, StatusId status) {
    auto first = conversation_page(db, account, status, 0);
    auto owner = accounts::find_account(db, account);
    auto out = collection(uris::context(db.site(), account, status), "Collection");
    if (owner) out.attributedTo = actor_of(db, *owner);
    out.first = write::embedded(first);
    return write::document(std::move(out));
}

std::string context_page(db::Read& db, AccountId account, StatusId status, std::int64_t min_id) {
    return write::document(conversation_page(db, account, status, min_id));
}

// ---- emojis ----

namespace {

struct EmojiDocument {
    write::SpreadRaw contexts;
    base::json::Spread<write::Tag> emoji;
};
DESCRIBE(EmojiDocument, contexts, emoji)

}  // namespace

std::string emoji(db::Read& db, base::EmojiId id) {
    auto found = emojis::by_id(db, {id});
    auto shown =
        found.empty() || !found[0].domain.empty() ? std::nullopt : emojis::named(db, found[0].shortcode);
    if (!shown) throw base::NotFound();
    const auto& site = db.site();
    auto tag =
        write::emoji(uris::emoji(site, id), shown->shortcode, shown->created_at, site.media(shown->file));
    return base::json::to_string(EmojiDocument{write::context(write::of_emojis), {std::move(tag)}});
}

}  // namespace federation
