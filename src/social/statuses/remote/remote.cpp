// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/remote.hpp"

#include "base/crypto.hpp"
#include "base/text/html/page.hpp"
#include "base/uris.hpp"
#include "db/lock.hpp"
#include "social/former/former.hpp"
#include "social/instance/remote_file.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/remote/remote_parts.hpp"

#include <algorithm>
#include <cstring>

namespace statuses {

namespace {

struct Known {
    StatusId id;
    AccountId account_id;
    bool deleted = false;
};
DESCRIBE(Known, id, account_id, deleted)

struct Author {
    std::string domain;
    bool suspended = false;
    bool nobody_subscribed = false;
    std::int64_t followers = 0;  // local ones, counted up to a limit
};
DESCRIBE(Author, domain, suspended, nobody_subscribed, followers)

}  // namespace

const db::Query<Known> status_by_uri{
    "status_by_uri",
    R"(SELECT id, account_id, deleted_at IS NOT NULL AS deleted FROM statuses WHERE uri = $1 AND uri IS NOT NULL)"
};
const db::Query<Known> local_status{
    "local_status",
    R"(SELECT id, account_id, deleted_at IS NOT NULL AS deleted FROM statuses WHERE id = $1 AND local = TRUE)"
};
// The table accounts belongs to accounts, follows to relationships.
const db::Query<Author> author_of_remote{
    "author_of_remote",
    // One query plan for every author (docs/decisions/0011-plans.md): most have few followers here.
    R"(SELECT domain, suspended_at IS NOT NULL AS suspended,
              NOT EXISTS (SELECT 1 FROM follows WHERE target_id = a.id AND notify = TRUE) AS nobody_subscribed,
              (SELECT count(*) FROM (SELECT 1 FROM follows WHERE target_id = a.id LIMIT 1000) f) AS followers
       FROM accounts a WHERE id = $1)"
};
const db::Query<bool> taken_back{
    "taken_back", "SELECT EXISTS (SELECT 1 FROM tombstones WHERE uri = $1 AND account_id = $2)"
};

namespace {

// The former state of a status that is not stored.
struct Before {
    bool taken_back = false, held = false;
};
DESCRIBE(Before, taken_back, held)

}  // namespace

const db::Query<Before> before_of_remote{
    "before_of_remote",
    R"(SELECT EXISTS (SELECT 1 FROM tombstones WHERE uri = $1 AND account_id = $2) AS taken_back,
              EXISTS (SELECT 1 FROM held_posts WHERE uri = $1 AND uri IS NOT NULL) AS held)"
};

namespace {

std::optional<Known> find_own(db::Read& db, std::string_view uri) {
    auto own = former::ours(db, uri);
    using enum base::uris::Kind;
    if (!own || (own->kind != status && own->kind != activity)) return std::nullopt;
    return db.maybe(local_status, own->status());
}

std::optional<Known> known(db::Read& db, std::string_view uri) {
    if (uri.empty() || uri.size() > accounts::longest_uri) return std::nullopt;
    if (base::uris::is_ours(db.site(), uri)) return find_own(db, uri);
    return db.maybe(status_by_uri, uri);
}

}  // namespace

std::optional<StatusId> find_by_uri(db::Read& db, std::string_view uri) {
    auto found = known(db, uri);
    return found && !found->deleted ? std::optional(found->id) : std::nullopt;
}

const db::Query<bool> status_id_taken{
    "status_id_taken", "SELECT EXISTS (SELECT 1 FROM statuses WHERE id = $1)"
};

StatusId id_by_date(db::Read& db, std::string_view uri, Time created, StatusId below) {
    auto chance = base::sha256(uri);
    auto low = static_cast<unsigned char>(chance[0]) << 8 | static_cast<unsigned char>(chance[1]);
    StatusId id{std::max<std::int64_t>(created.ms, 1) << 16 | low};
    if (below.value >> 16 == created.ms) id = std::max(id, StatusId{below.value + 1});
    while (db.one(status_id_taken, id)) ++id.value;
    return id;
}

namespace {

// The id of a remote status, derived from its date.
struct Dated {
    Time created;
    StatusId id;
    std::int64_t version = 1;
    bool recent = true;
};

// A status that was removed (old_posts.cpp) and fetched again gets its former id, and caches may still have
// its old rendering: it starts with a random version.
std::int64_t any_version() {
    std::uint32_t chance = 0;
    std::memcpy(&chance, base::random_bytes(sizeof chance).data(), sizeof chance);
    return std::int64_t{1} + chance;
}

Dated dated(db::Write& db, std::string_view uri, std::optional<Time> published, bool delivered) {
    Dated out{.created = std::clamp(published.value_or(db.now()), Time{0}, db.now())};
    if (delivered && out.created > db.now().plus_seconds(-in_time_seconds)) {
        out.id = db.new_id<StatusId>();
    } else {
        out.id = id_by_date(db, uri, out.created);
        out.version = any_version();
    }
    out.recent = delivered || out.created > db.now().plus_seconds(-recent_seconds);
    return out;
}

template <class Id>
std::optional<Id> given(Id id) {
    return id ? std::optional<Id>(id) : std::nullopt;
}

// What is known of its parent, and whether to wait for it.
struct Thread {
    Place place;
    bool awaited = false;
    std::optional<Access> parent;
    Approval approval = Approval::automatic;
};

// nullopt: the parent's author refuses it.
std::optional<Thread> thread_of(db::Read& db, const RemoteStatus& status) {
    if (status.in_reply_to.empty()) return Thread{};
    Thread unknown{{{}, {}, unknown_account}, true};
    auto id = find_by_uri(db, status.in_reply_to);
    auto parent = id ? access_to(db, status.author, *id) : std::nullopt;
    if (!parent || parent->through_reblog) return unknown;
    unknown.awaited = false;
    switch (attachment(db, *parent)) {
        case Attachment::attached: {
            auto approval = remote_reply_approval(db, *parent);
            auto where = approval == Approval::denied ? unknown.place : place(parent->facts, status.author);
            return Thread{where, false, parent, approval};
        }
        case Attachment::unattached: return unknown;
        case Attachment::refused: break;
    }
    return std::nullopt;
}

std::int64_t bounded(std::optional<std::int64_t> count) {
    return std::clamp<std::int64_t>(count.value_or(0), 0, std::int64_t{1} << 50);
}

std::string address_of(const RemoteStatus& status) {
    bool fit = instance::is_elsewhere(status.url) && status.url.size() <= accounts::longest_uri;
    return fit ? status.url : status.uri;
}

std::string bounded(const std::string& uri) { return uri.size() <= accounts::longest_uri ? uri : ""; }

}  // namespace

const db::Command insert_remote_status{
    "insert_remote_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, visibility,
           relations, sensitive, created_at, edited_at, language, quote_policy, content_type, uri, url, spoiler_text,
           content, favourites_count, reblogs_count, quote_approval, reply_approval, reply_state, version, local)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'text/html', $13, $14, $15, $16, $17, $18, $19,
               $20, $21, $22, FALSE))"
};
const db::Command insert_remote_facts{
    "insert_remote_facts",
    R"(INSERT INTO remote_statuses (status_id, context, replies, replies_page, parent, reported_at, reply_authorization)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};

namespace {

void insert(
    db::Write& db, const RemoteStatus& status, const RemoteText& text, const Dated& dated,
    const Thread& thread
) {
    auto [conversation, parent, to] = thread.place;
    if (!conversation) conversation = start_conversation(db, dated.id, status.author);
    auto edited = status.updated && *status.updated > dated.created && *status.updated <= db.now()
                      ? status.updated
                      : std::nullopt;
    db.run(
        insert_remote_status,
        dated.id,
        status.author,
        conversation,
        given(parent),
        given(to),
        status.visibility,
        remote_relations(status, text, !text.media.empty(), false),
        status.sensitive,
        dated.created,
        edited,
        text.language,
        open(status.visibility) ? status.quote_policy : QuotePolicy::nobody,
        status.uri,
        address_of(status),
        text.spoiler_text,
        text.html,
        bounded(status.favourites_count),
        bounded(status.reblogs_count),
        status.quote_approval,
        status.reply_approval,
        parent ? state_of(thread.approval) : ReplyState::shown,
        dated.version
    );
    const bool waits = thread.awaited && status.in_reply_to != status.uri;
    auto waits_for = waits ? bounded(status.in_reply_to) : "";
    db.run(
        insert_remote_facts,
        dated.id,
        bounded(status.context),
        bounded(status.replies),
        bounded(status.replies_page),
        waits_for,
        db.now(),
        bounded(status.reply_authorization)
    );
    if (!thread.parent) return;
    Reply reply{dated.id, status.visibility, status.reply_request};
    add_remote_reply(db, reply, *thread.parent, thread.approval);
}

void check(db::Read& db, std::string_view uri) {
    if (base::uris::is_ours(db.site(), uri) || !instance::is_elsewhere(uri) ||
        uri.size() > accounts::longest_uri)
        throw base::Invalid("The post of another server cannot be stored");
}

void announce(db::Write& db, const Dated& dated, const Published& what) {
    if (dated.recent) db.emit(what);
    else db.emit(Backfilled{what.id, what.account});
}

Published published(StatusId id, const RemoteStatus& status, const RemoteText& text, const Author& author) {
    Published out{id, status.author, false};
    out.names_nobody = tagged(status).empty() || (status.verdict && status.verdict->quiet);
    out.links_nothing = base::text::links_of(text.html).empty();
    out.nobody_subscribed = author.nobody_subscribed;
    out.followers = author.followers;
    return out;
}

}  // namespace

const db::Query<RemoteFacts> facts_of_remote{
    "facts_of_remote",
    R"(SELECT r.status_id, s.uri, r.context, r.replies, r.replies_page, r.parent, r.quoted, r.authorization_uri, r.reported_at, r.replies_at
       FROM remote_statuses r JOIN statuses s ON s.id = r.status_id
       WHERE r.status_id = $1 AND s.deleted_at IS NULL)"
};

std::optional<RemoteFacts> remote_facts(db::Read& db, StatusId id) { return db.maybe(facts_of_remote, id); }

namespace {

// Requests the parent and the quoted status while they are unknown.
void want_related(db::Write& db, StatusId id, int depth) {
    auto facts = remote_facts(db, id);
    if (!facts->parent.empty() || !facts->quoted.empty() || !facts->authorization_uri.empty())
        db.emit(RelatedWanted{id, depth});
}

}  // namespace

std::optional<Creation> store_remote(db::Write& db, const RemoteStatus& status) {
    check(db, status.uri);
    // A concurrent reply or quote finds this status, or is found by it.
    std::vector<db::Lock> locks{db::alone(address_lock, std::string_view(status.uri))};
    if (!status.in_reply_to.empty())
        locks.push_back(db::shared(address_lock, std::string_view(status.in_reply_to)));
    if (status.quote) locks.push_back(db::shared(address_lock, std::string_view(status.quote->uri)));
    db.lock(locks);
    db.expect(before_of_remote, status.uri, status.author);
    db.expect(author_of_remote, status.author);
    expect_waiting(db, status.uri);
    if (auto before = db.maybe(status_by_uri, status.uri)) {
        if (before->deleted || before->account_id != status.author) return std::nullopt;
        return Creation{before->id, false};
    }
    auto past = db.one(before_of_remote, status.uri, status.author);
    auto author = db.one(author_of_remote, status.author);
    const auto waiting = waiting_for(db, status.uri);
    if (past.taken_back) return std::nullopt;
    if (author.domain.empty()) throw base::Invalid("The post of another server cannot be stored");
    if (author.suspended) return std::nullopt;
    auto thread = thread_of(db, status);
    if (!thread) return std::nullopt;
    if (status.verdict && status.verdict->refused) {
        tell_judged(db, status.verdict, {}, status.author);
        return std::nullopt;
    }
    // A status that is held already stays held, whatever the new verdict is.
    if (past.held || (status.verdict && status.verdict->hold)) {
        tell_judged(db, status.verdict, {}, status.author, hold_remote(db, status));
        return std::nullopt;
    }
    auto text = text_of(db, status, author.domain);
    auto where = dated(db, status.uri, status.published, status.delivered);
    insert(db, status, text, where, *thread);
    put_mentions(db, where.id, tagged(status));
    put_silent_mentions(db, where.id, status);
    // Old uses of a tag must not make it trend today.
    bool used_now = where.recent || status.visibility != Visibility::public_;
    put_tags(db, where.id, status.author, used_now ? status.visibility : Visibility::unlisted, text.tags);
    if (usable(status.poll)) add_remote_poll(db, where.id, status.author, *status.poll);
    if (!text.media.empty()) media::put_remote(db, status.author, where.id, text.media);
    emojis::store_remote(db, author.domain, status.emojis);
    if (counted(status.visibility))
        accounts::note_remote_status(db, status.author, where.created, status.delivered);
    announce(db, where, published(where.id, status, text, author));
    tell_judged(db, status.verdict, where.id, status.author);
    quote_remote(db, where.id, status);
    join_waiting(db, where.id, waiting);
    if (!status.in_reply_to.empty() || status.quote) want_related(db, where.id, status.depth);
    return Creation{where.id, true};
}

const db::Command insert_remote_reblog{
    "insert_remote_reblog",
    R"(INSERT INTO statuses (id, account_id, conversation_id, reblog_of_id, visibility, created_at, language, sensitive,
           uri, url, version, local)
       SELECT $1, $2, conversation_id, id, $4, $5, language, sensitive, $6, $6, $7, FALSE FROM statuses WHERE id = $3)"
};

std::optional<Creation> reblog_remote(db::Write& db, const RemoteReblog& boost) {
    check(db, boost.uri);
    auto access = access_to(db, boost.account, boost.original);
    if (!access || access->through_reblog || !may_boost(*access)) return std::nullopt;
    const auto& original = access->facts;
    if (auto before = db.maybe(status_by_uri, boost.uri)) {
        if (before->deleted || before->account_id != boost.account) return std::nullopt;
        return Creation{before->id, false};
    }
    if (db.one(taken_back, boost.uri, boost.account)) return std::nullopt;
    if (auto before = reblog_by(db, boost.account, boost.original)) return Creation{*before, false};
    auto visibility =
        open(original.visibility) && counted(boost.visibility) ? boost.visibility : Visibility::private_;
    auto where = dated(db, boost.uri, boost.published, boost.delivered);
    db.run(
        insert_remote_reblog,
        where.id,
        boost.account,
        boost.original,
        visibility,
        where.created,
        boost.uri,
        where.version
    );
    count_reblog(db, boost.original, 1);
    accounts::note_remote_status(db, boost.account, where.created, boost.delivered);
    announce(db, where, {where.id, boost.account, false});
    if (where.recent) db.emit(Reblogged{where.id, boost.original, boost.account, original.account_id});
    return Creation{where.id, true};
}

const db::Command mark_reported{
    "mark_reported", "UPDATE remote_statuses SET reported_at = $2 WHERE status_id = $1"
};
const db::Command mark_replies_read{
    "mark_replies_read", "UPDATE remote_statuses SET replies_at = $2 WHERE status_id = $1"
};

void note_reported(db::Write& db, StatusId id) { db.run(mark_reported, id, db.now()); }
void note_replies_read(db::Write& db, StatusId id) { db.run(mark_replies_read, id, db.now()); }

}  // namespace statuses
