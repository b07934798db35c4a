// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/related_jobs.hpp"

#include "ap/collection.hpp"
#include "ap/url.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/instance/settings.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/reply_approval.hpp"

#include <algorithm>

namespace federation {

using accounts::Resolution, accounts::Resolve;

namespace {

// Quotes within quotes are fetched two deep.
constexpr int depth_of_quotes = accounts::deepest / 2;
// For a pinned post, the quoted posts and some of its ancestors are enough.
constexpr int depth_of_pins = accounts::deepest - depth_of_quotes;

// If a server cannot be asked now, this is retried only for directly related posts, not for those further
// away.
void resolve(const base::Ask& ask, const std::string& uri, base::AccountId reader, int depth) {
    if (depth > accounts::deepest) return;
    const auto& answer = ask(Resolve{uri, reader, false, depth});
    if (answer.resolution == Resolution::failed && depth == 1) throw base::Unavailable();
}

bool agrees(const VerifiedDocument& authorization, const statuses::PendingQuote& quote) {
    auto in = [&](const char* name) { return authorization.document[name].web_id(); };
    return authorization.document.node().is("QuoteAuthorization") &&
           in("interactingObject") == quote.quoting && in("interactionTarget") == quote.quoted &&
           in("attributedTo") == quote.author && ap::same_host(authorization.id, quote.author);
}

// GoToSocial's older ReplyApproval, and its Accept that serves as one, use other properties and may omit the
// parent.
bool agrees(const VerifiedDocument& authorization, const statuses::PendingReply& reply) {
    auto in = [&](const char* name) { return authorization.document[name].web_id(); };
    auto node = authorization.document.node();
    if (!ap::same_host(authorization.id, reply.author)) return false;
    bool accept = node.is("Accept");
    if (in(accept ? "actor" : "attributedTo") != reply.author) return false;
    if (!accept && !node.is("ReplyAuthorization") && !node.is("ReplyApproval")) return false;
    if (!in("interactingObject").empty())
        return !accept && in("interactingObject") == reply.reply && in("interactionTarget") == reply.parent;
    auto target = in("target");
    return in("object") == reply.reply && (target.empty() || target == reply.parent);
}

}  // namespace

jobs::Change check_reply_authorization(
    const base::Ask& ask, db::Read& db, const statuses::ReplyAuthorizationNamed& e
) {
    auto reply = statuses::pending_reply(db, e.reply);
    if (!reply || !ap::same_host(e.authorization_uri, reply->author)) return {};
    auto authorization = fetch(ask, db, e.authorization_uri, fetch_signer(db, e.reply));
    if (authorization.outcome == FetchOutcome::failed) throw base::Unavailable();
    if (authorization.outcome != FetchOutcome::found || !agrees(authorization, *reply)) return {};
    return [e](db::Write& write) { statuses::authorize_reply(write, e.reply, e.authorization_uri); };
}

jobs::Change fetch_related(const base::Ask& ask, db::Read& db, const statuses::RelatedWanted& e) {
    auto facts = statuses::remote_facts(db, e.id);
    if (!facts) return {};
    auto reader = fetch_signer(db, e.id);
    if (!facts->parent.empty()) resolve(ask, facts->parent, reader, e.depth + 1);
    if (!facts->quoted.empty()) resolve(ask, facts->quoted, reader, e.depth + depth_of_quotes);
    auto quote = statuses::pending_quote(db, e.id);
    if (!quote) return {};
    auto authorization = fetch(ask, db, quote->authorization_uri);
    if (authorization.outcome == FetchOutcome::failed) throw base::Unavailable();
    bool accepted = authorization.outcome == FetchOutcome::found && agrees(authorization, *quote);
    return [id = e.id, accepted](db::Write& write) { statuses::settle_quote(write, id, accepted); };
}

jobs::Change check_new_quote_authorization(
    const base::Ask& ask, db::Read& db, const statuses::AuthorizationReplaced& e
) {
    auto quote = statuses::authorized_quote(db, e.quoting);
    if (!quote) return {};
    auto authorization = fetch(ask, db, e.authorization_uri);
    if (authorization.outcome == FetchOutcome::failed) throw base::Unavailable();
    bool good = authorization.outcome == FetchOutcome::found && agrees(authorization, *quote);
    return [e, good](db::Write& write) { statuses::replace_quote_authorization(write, e, good); };
}

jobs::Change check_quote_authorization(
    const base::Ask& ask, db::Read& db, const statuses::AuthorizationDoubted& e
) {
    auto quote = statuses::authorized_quote(db, e.quoting);
    if (!quote) return {};
    auto authorization = fetch(ask, db, quote->authorization_uri);
    if (authorization.outcome == FetchOutcome::failed) throw base::Unavailable();
    bool there = authorization.outcome == FetchOutcome::found && agrees(authorization, *quote);
    return [id = e.quoting, there](db::Write& write) {
        statuses::confirm_quote_authorization(write, id, there);
    };
}

jobs::Change import_some(const base::Ask& ask, db::Read&, const ImportContinued& e) {
    constexpr std::size_t at_once = base::max_rounds - 1;
    auto some = std::min(at_once, e.uris.size());
    for (std::size_t i = 0; i < some; ++i) ask(Resolve{e.uris[i], {}, false, e.depth});
    auto left = e;
    left.uris.erase(left.uris.begin(), left.uris.begin() + static_cast<std::ptrdiff_t>(some));
    return [left](db::Write& db) {
        if (!left.uris.empty()) db.emit(left);
    };
}

namespace {

// The first page of a collection: the collection itself or its `first`. Empty when it is not available.
std::optional<ap::Collection> first_page(
    const base::Ask& ask, db::Read& db, const std::string& id, const VerifiedDocument& found
) {
    if (found.outcome != FetchOutcome::found) return std::nullopt;
    auto collection = ap::read_collection(found.document);
    if (!collection) return std::nullopt;
    if (!collection->items.empty() || collection->first.empty()) return *collection;
    if (!ap::same_host(collection->first, id)) return std::nullopt;
    auto page = fetch(ask, db, collection->first);
    auto read = page.outcome == FetchOutcome::found ? ap::read_collection(page.document)
                                                    : ap::Reading<ap::Collection>(ap::Refusal::no_links);
    return read ? std::optional(*read) : std::nullopt;
}

// The post of an outbox's item, if the owner of the outbox wrote it.
std::string post_of(const ap::Reference& item, const std::string& owner) {
    if (!item.embedded) return item.id;
    if (!item.embedded.node().is("Create")) return {};
    auto object = item.embedded["object"].web_id();
    return ap::same_host(object, owner) ? object : std::string();
}

}  // namespace

const db::Query<bool> wants_posts{
    "wants_posts",
    R"(SELECT EXISTS (SELECT 1 FROM accounts t JOIN accounts f ON f.id = $2 JOIN actors x ON x.account_id = t.id
                      WHERE t.id = $1 AND t.domain <> '' AND f.domain = '' AND x.outbox <> '')
          AND NOT EXISTS (SELECT 1 FROM follows o WHERE o.target_id = $1 AND o.account_id <> $2))"
};

void want_profile(db::Write& db, const relationships::Followed& e) {
    // Only for the first follower: later ones find the posts fetched then and those received since.
    if (!db.one(wants_posts, e.target, e.account)) return;
    db.emit(ProfileWanted{e.target});
    // The pins of accounts that were only fetched as authors of other posts were not read yet.
    db.emit(PinsWanted{e.target});
}

jobs::Change read_outbox(const base::Ask& ask, db::Read& db, const ProfileWanted& e) {
    constexpr std::size_t most = 20;
    auto actor = stored_actor(db, e.account);
    if (!actor || actor->outbox.empty()) return {};
    auto outbox = fetch(ask, db, actor->outbox);
    if (outbox.outcome == FetchOutcome::failed) throw base::Unavailable();
    auto page = first_page(ask, db, actor->outbox, outbox);
    if (!page) return {};
    ImportContinued wanted{{}, 1};
    for (const auto& item : page->items) {
        if (wanted.uris.size() == most) break;
        auto post = post_of(item, actor->uri);
        if (!post.empty() && ap::same_host(post, actor->uri) && !statuses::find_by_uri(db, post))
            wanted.uris.push_back(std::move(post));
    }
    if (wanted.uris.empty()) return {};
    return [wanted](db::Write& write) { write.emit(wanted); };
}

jobs::Change read_pins(const base::Ask& ask, db::Read& db, const PinsWanted& e) {
    auto actor = stored_actor(db, e.account);
    if (!actor || actor->featured.empty()) return {};
    // On failure it is not retried before the next refresh of its owner: pins are not important.
    auto page = first_page(ask, db, actor->featured, fetch(ask, db, actor->featured));
    if (!page) return {};
    PinsContinued wanted{e.account, {}, 0};
    for (const auto& item : page->items) {
        if (wanted.pinned.size() == statuses::max_remote_pins) break;
        if (ap::same_host(item.id, actor->uri)) wanted.pinned.push_back(item.id);
    }
    return [wanted](db::Write& write) { write.emit(wanted); };
}

jobs::Change fetch_pins(const base::Ask& ask, db::Read& db, const PinsContinued& e) {
    constexpr std::size_t at_once = base::max_rounds - 1;
    const auto actor = stored_actor(db, e.account);
    if (!actor) return {};
    auto left = e;
    for (std::size_t asked = 0; left.looked_up < left.pinned.size(); ++left.looked_up) {
        const auto& uri = left.pinned[left.looked_up];
        if (statuses::find_by_uri(db, uri)) continue;
        if (asked++ == at_once) return [left](db::Write& write) { write.emit(left); };
        ask(Resolve{uri, {}, false, depth_of_pins, false, actor->uri});
    }
    return [left](db::Write& write) {
        std::vector<base::StatusId> found;
        for (const auto& uri : left.pinned)
            if (auto id = statuses::find_by_uri(write, uri)) found.push_back(*id);
        statuses::set_remote_pins(write, left.account, found);
    };
}

namespace {

struct Walked {
    base::AccountId account;
    bool stale = false;
};
DESCRIBE(Walked, account, stale)

}  // namespace

// Most actors are not followed from here, so a query for stale followed ones alone would scan all others.
const db::Query<Walked> next_actors{
    "next_actors",
    R"(SELECT x.account_id AS account,
           (x.refreshed_at < $2
            AND EXISTS (SELECT 1 FROM follows f WHERE f.target_id = x.account_id
                        AND (SELECT a.domain FROM accounts a WHERE a.id = f.account_id) = '')) AS stale
       FROM (SELECT account_id, refreshed_at FROM actors WHERE account_id > $1 ORDER BY account_id LIMIT $3) x
       ORDER BY x.account_id)"
};

// Walks all actors, some at a time, or until enough are found for one run.
jobs::Change find_stale_actors(db::Read& db) {
    constexpr std::int64_t week = 7 * 86'400;
    constexpr int chunk = 2000;
    constexpr std::size_t most_asked = 50;
    constexpr const char* place = "stale_actors_walked_to";
    const auto after = instance::number_setting(db, place);
    auto walked = db.all(next_actors, after, db.now().plus_seconds(-week), chunk);
    std::vector<base::AccountId> stale;
    auto next = walked.size() == chunk ? walked.back().account.value : 0;
    for (const auto& one : walked) {
        if (!one.stale) continue;
        stale.push_back(one.account);
        if (stale.size() < most_asked) continue;
        next = one.account.value;
        break;
    }
    if (stale.empty() && next == after) return {};
    return [stale = std::move(stale), next](db::Write& write) {
        for (auto account : stale) {
            note_refreshed(write, account);  // also when its server fails: next try in a week
            write.emit(ActorStale{account});
        }
        instance::set_setting(write, place, std::to_string(next));
    };
}

jobs::Change refresh_actor(const base::Ask& ask, db::Read& db, const ActorStale& e) {
    auto actor = stored_actor(db, e.account);
    if (!actor) return {};
    ask(Resolve{actor->uri, {}, true});
    // It has a movedTo but is not shown as moved: the new account may confirm it by now. store_actor cannot
    // detect that, since refreshed_at was updated before.
    if (named_move_of(db, e.account).empty() || accounts::account(db, e.account).moved_to_id) return {};
    return [id = e.account](db::Write& write) { write.emit(MoveNamed{id}); };
}

}  // namespace federation
