// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "base/uris.hpp"
#include "social/statuses/interactions/approval.hpp"
#include "social/statuses/writing/edit.hpp"
#include "takeover/compose.hpp"
#include "takeover/mastodon/reading.hpp"

#include <charconv>
#include <unordered_map>

namespace takeover::mastodon {

namespace {

// What belongs to some statuses.
struct Part {
    std::unordered_map<Id, std::vector<Mention>> mentions;
    std::unordered_map<Id, std::vector<Id>> tags;
    std::unordered_map<Id, Pin> pins;
    std::unordered_map<Id, std::string> conversations;
    std::unordered_map<Id, std::vector<Attachment>> media;
    std::unordered_map<Id, std::vector<Edit>> edits;
    std::unordered_map<Id, Poll> polls;
    std::unordered_map<Id, Id> quotes, originals;  // what is quoted; the thread of what is boosted
};

Part part_of(const Reading& r, const std::string& ids, Sink& sink) {
    Part out;
    r.of<Mention>(
        "mention",
        "(SELECT m.status_id, m.account_id, m.silent, a.username, a.domain, COALESCE(NULLIF(a.url, ''), "
        "a.uri) "
        "AS url FROM mentions m JOIN accounts a ON a.id = m.account_id) AS x",
        "status_id",
        ids,
        sink,
        [&](Mention m) { out.mentions[m.status_id].push_back(std::move(m)); }
    );
    r.of<StatusTag>("tag", "statuses_tags AS x", "status_id", ids, sink, [&](const StatusTag& t) {
        out.tags[t.status_id].push_back(t.tag_id);
    });
    r.of<Pin>("pin", "status_pins AS x", "status_id", ids, sink, [&](const Pin& p) {
        out.pins.emplace(p.status_id, p);
    });
    r.of<Conversation>(
        "conversation",
        "(SELECT s.id, c.uri FROM statuses s JOIN conversations c ON c.id = s.conversation_id WHERE c.uri IS "
        "NOT NULL) AS x",
        "id",
        ids,
        sink,
        [&](Conversation c) { out.conversations.emplace(c.id, std::move(c.uri)); }
    );
    r.of<Original>(
        "status",
        "(SELECT s.id, COALESCE(o.conversation_id, o.id) AS conversation_id FROM statuses s JOIN statuses o "
        "ON "
        "o.id = s.reblog_of_id) AS x",
        "id",
        ids,
        sink,
        [&](const Original& o) { out.originals.emplace(o.id, o.conversation_id); }
    );
    r.of<Attachment>(
        "media",
        table<Attachment>(r.db, "media_attachments"),
        "status_id",
        ids,
        sink,
        [&](Attachment a) { out.media[a.status_id].push_back(std::move(a)); }
    );
    r.of<Edit>("edit", table<Edit>(r.db, "status_edits"), "status_id", ids, sink, [&](Edit e) {
        out.edits[e.status_id].push_back(std::move(e));
    });
    r.of<Poll>("poll", table<Poll>(r.db, "polls"), "status_id", ids, sink, [&](Poll p) {
        out.polls.emplace(p.status_id, std::move(p));
    });
    if (r.has("quotes"))
        r.of<Quote>("quote", table<Quote>(r.db, "quotes"), "status_id", ids, sink, [&](const Quote& q) {
            out.quotes.emplace(q.status_id, q.quoted_status_id);
        });
    return out;
}

template <class T>
const std::vector<T>& found(const std::unordered_map<Id, std::vector<T>>& among, Id id) {
    static const std::vector<T> none;
    const auto at = among.find(id);
    return at == among.end() ? none : at->second;
}

// What it answers.
Id parent_of(const Reading& r, Id id) {
    Id parent = 0;
    r.db.run(
        "SELECT in_reply_to_id FROM statuses WHERE id = CAST($1 AS bigint)",
        {std::to_string(id)},
        [&](const db::Foreign::Row& row) {
            if (row[0]) std::from_chars(row[0]->data(), row[0]->data() + row[0]->size(), parent);
        }
    );
    return parent;
}

bool is_local(const Status& s) { return s.local || s.uri.empty(); }

std::string content_type_of(const Status& s) {
    for (const char* known : {"text/markdown", "text/html"})
        if (s.content_type == known) return known;
    return "text/plain";
}

// The page of what was written here.
std::string page_of(
    const Reading& r, const std::string& text, const std::string& type, const std::vector<Mentioned>& links
) {
    return type == "text/html" ? base::text::sanitize(text) : html_of(r.site, text, type, links);
}

std::vector<Mentioned> links_to(const Reading& r, const std::vector<Mention>& mentions) {
    std::vector<Mentioned> out;
    for (const auto& m : mentions)
        out.push_back({m.username, m.domain, m.domain.empty() ? r.site.public_url + "/@" + m.username : m.url}
        );
    return out;
}

void say(const Reading& r, const Status& s, const Part& part, StatusRow& row) {
    if (s.deleted_at) return;  // its words are gone
    row.spoiler_text = s.spoiler_text;
    if (!row.local) {
        row.content_type = "text/html";
        row.content = base::text::sanitize(s.text);
        return;
    }
    row.content_type = content_type_of(s);
    row.text = s.text;
    row.content = page_of(r, s.text, row.content_type, links_to(r, found(part.mentions, s.id)));
}

void relate(const Reading& r, const Status& s, const Part& part, StatusRow& row, const Sink& sink) {
    for (const auto& m : found(part.mentions, s.id))
        if (r.account(sink, m.account_id)) row.mentions.push_back({m.account_id, m.silent});
    for (const auto tag : found(part.tags, s.id))
        if (!sink.is_refused("tag", std::to_string(tag))) row.tags.push_back(tag);
    if (!row.mentions.empty()) row.relations |= statuses::has_mentions;
    if (!row.tags.empty()) row.relations |= statuses::has_tags;
    if (!found(part.media, s.id).empty()) row.relations |= statuses::has_media;
    if (part.polls.contains(s.id)) row.relations |= statuses::has_poll;
    if (const auto quote = part.quotes.find(s.id);
        quote != part.quotes.end() && r.status(sink, quote->second))
        row.relations |= statuses::has_quote;
}

using statuses::ApprovalPolicy;

// Mastodon packs who may quote into one number: automatically in the upper half, when asked in the lower one.
ApprovalPolicy unpacked(std::int64_t packed) {
    auto groups = [](std::int64_t bits) {
        constexpr std::pair<std::int64_t, std::int64_t> ours[] = {
            {1, ApprovalPolicy::unsupported_policy},
            {2, ApprovalPolicy::public_},
            {4, ApprovalPolicy::followers},
            {8, ApprovalPolicy::following}
        };
        std::int64_t out = 0;
        for (const auto& [theirs, mine] : ours)
            if ((bits & theirs) != 0) out |= mine;
        return out;
    };
    constexpr int half = 16;
    return {packed != 0, groups(packed >> half), groups(packed & 0xffff)};
}

void allow_quotes(const Status& s, StatusRow& row) {
    if (row.local) row.quote_policy = quote_policy_of(s.quote_approval_policy, row.visibility);
    else row.quote_approval = statuses::stored(unpacked(s.quote_approval_policy));
}

void place(const Reading& r, const Status& s, StatusRow& row, Sink& sink) {
    auto next = [&](Id id) { return parent_of(r, id); };
    row.in_reply_to_id =
        answered(row.id, r.status(sink, s.in_reply_to_id), s.in_reply_to_id, s.id, sink, next);
    if (row.in_reply_to_id) row.in_reply_to_account_id = r.account(sink, s.in_reply_to_account_id);
}

// What it shows, in its order; what an earlier version showed has no place.
void put_media(const Reading& r, const Status& s, const Part& part, Sink& sink) {
    std::vector<Id> order;
    if (s.ordered_media_attachment_ids) order = ids_of(*s.ordered_media_attachment_ids);
    for (std::int64_t next = 0; const auto& a : found(part.media, s.id)) {
        std::int64_t position = next++;
        if (s.ordered_media_attachment_ids) {
            const auto at = std::ranges::find(order, a.id);
            position = at == order.end() ? -1 : at - order.begin();
        }
        take_medium(r, a, s.id, position, sink);
    }
}

std::string media_json(const Edit& e) {
    std::vector<statuses::SnapshotMedia> out;
    const auto ids = ids_of(e.ordered_media_attachment_ids);
    for (std::size_t at = 0; at < ids.size(); ++at)
        out.push_back(
            {{ids[at]}, at < e.media_descriptions.items.size() ? e.media_descriptions.items[at] : ""}
        );
    return base::json::to_string(out);
}

void put_edits(const Reading& r, const Status& s, const StatusRow& row, const Part& part, Sink& sink) {
    const auto links = links_to(r, found(part.mentions, s.id));
    for (const auto& e : found(part.edits, s.id)) {
        EditRow edit;
        edit.id = e.id;
        edit.status_id = s.id;
        edit.created_at = e.created_at;
        edit.sensitive = e.sensitive.value_or(row.sensitive);
        edit.spoiler_text = e.spoiler_text;
        if (row.local) {
            edit.text = e.text;
            edit.content = page_of(r, e.text, row.content_type, links);
        } else edit.content = base::text::sanitize(e.text);
        edit.media = media_json(e);
        edit.poll_options = base::json::to_string(e.poll_options.items);
        sink.put(std::move(edit));
    }
}

void put_poll(const Reading& r, const Status& s, const Part& part, Sink& sink) {
    const auto at = part.polls.find(s.id);
    if (at == part.polls.end()) return;
    const auto& p = at->second;
    const auto votes = ids_of(p.cached_tallies);
    PollRow row;
    row.status_id = s.id;
    row.account_id = s.account_id;
    row.multiple = p.multiple;
    row.hide_totals = p.hide_totals;
    row.ended = p.expires_at && *p.expires_at <= r.choice.now;
    row.expires_at = p.expires_at;
    row.voters = p.voters_count;
    for (std::size_t i = 0; i < p.options.items.size(); ++i)
        row.options.emplace_back(p.options.items[i], i < votes.size() ? std::max<Id>(votes[i], 0) : 0);
    sink.put(std::move(row));
}

std::optional<std::string> objection(const Reading& r, const Status& s) {
    if (is_local(s)) return std::nullopt;
    if (!is_address(s.uri)) return "its id is no address";
    if (r.is_here(s.uri)) return "it is of another server, its id is of this one";
    return std::nullopt;
}

// "/users/alice/statuses/5" of an address.
std::string_view path_in(std::string_view address) {
    const auto host = address.find("://");
    const auto path = host == address.npos ? host : address.find('/', host + 3);
    return path == address.npos ? "" : address.substr(path);
}

// Their ids are made as ours are, so that few have to be stored. One of when the server had another address names what is
// answered here all the same, once that one leads here.
struct OwnUri {
    MaybeText stored;
    bool of_another = false;
};
OwnUri own_uri(const Reading& r, const Status& s, const std::string& actor) {
    auto made = base::uris::status(actor, {s.id});
    if (s.reblog_of_id != 0) made = base::uris::activity(made);
    if (s.uri.empty() || s.uri == made) return {};
    if (r.is_here(s.uri)) return {s.uri, false};
    return {std::nullopt, !is_address(s.uri) || path_in(s.uri) != path_in(made)};
}

using Actors = std::unordered_map<Id, std::string>;  // of people here

void take_status(const Reading& r, const Status& s, const Part& part, const Actors& actors, Sink& sink) {
    if (!r.status(sink, s.id)) return;
    auto refuse = [&](const std::string& why) { sink.refuse("status", std::to_string(s.id), why); };
    if (auto why = objection(r, s)) return refuse(*why);
    const auto author = r.account(sink, s.account_id);
    if (!author) return refuse("its author did not come along");
    StatusRow row;
    row.id = s.id;
    row.account_id = *author;
    row.conversation_id = s.conversation_id != 0 ? s.conversation_id : s.id;
    row.visibility = visibility_of(s.visibility);
    row.local = is_local(s);
    row.created_at = s.created_at;
    row.deleted_at = s.deleted_at;
    row.language = s.language;
    row.app_id = s.application_id != 0 ? MaybeId(s.application_id) : std::nullopt;
    row.fetched_at = s.created_at;
    if (row.local) {
        const auto actor = actors.find(s.account_id);
        const auto uri = own_uri(r, s, actor == actors.end() ? std::string() : actor->second);
        if (uri.of_another) return refuse("it is of this server, its id is of another");
        row.uri = uri.stored;
        row.local_only = s.local_only;
    } else {
        row.uri = s.uri;
        row.url = is_address(s.url) ? s.url : s.uri;
        if (const auto of = part.conversations.find(s.id); of != part.conversations.end())
            row.conversation_uri = of->second;
    }
    allow_quotes(s, row);
    if (s.reblog_of_id != 0) {
        row.reblog_of_id = r.status(sink, s.reblog_of_id);
        const auto thread = part.originals.find(s.id);
        if (!row.reblog_of_id || s.reblog_of_id == s.id || thread == part.originals.end())
            return refuse("what it boosts did not come along");
        row.conversation_id = thread->second;
        return sink.put(std::move(row));
    }
    row.sensitive = s.sensitive;
    row.edited_at = s.edited_at;
    say(r, s, part, row);
    place(r, s, row, sink);
    if (!s.deleted_at) {
        relate(r, s, part, row, sink);
        put_media(r, s, part, sink);
        put_edits(r, s, row, part, sink);
        put_poll(r, s, part, sink);
        if (const auto pin = part.pins.find(s.id);
            pin != part.pins.end() && pin->second.account_id == *author)
            row.pin_id = pin->second.id;
    }
    sink.put(std::move(row));
}

Actors own_actors(const Reading& r, Sink& sink) {
    Actors out;
    r.db.each<Account>(
        table<Account>(r.db, "accounts"),
        "WHERE x.domain IS NULL AND x.id > 0",
        {},
        [&](const Account& a) { out.emplace(a.id, actor_of(r, a)); },
        r.refusing("account", sink)
    );
    return out;
}

}  // namespace

statuses::QuotePolicy quote_policy_of(std::int64_t packed, statuses::Visibility visibility) {
    using statuses::QuotePolicy, statuses::Visibility;
    const auto automatic = unpacked(packed).automatic;
    if (visibility != Visibility::public_ && visibility != Visibility::unlisted) return QuotePolicy::nobody;
    if ((automatic & ApprovalPolicy::public_) != 0) return QuotePolicy::public_;
    if ((automatic & ApprovalPolicy::followers) != 0) return QuotePolicy::followers;
    return QuotePolicy::nobody;
}

void copy_statuses(const Reading& r, const std::string& position, Sink& sink) {
    const auto actors = own_actors(r, sink);
    const auto rows_of = table<Status>(r.db, "statuses");
    const auto& ids = r.kept.statuses;
    auto at = position.empty() ? ids.begin() : std::ranges::upper_bound(ids, std::stoll(position));
    while (at != ids.end()) {
        const auto end =
            at + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(r.choice.chunk), ids.end() - at);
        const auto some = as_array(&*at, &*at + (end - at));
        std::vector<Status> rows;
        r.of<Status>("status", rows_of, "id", some, sink, [&](Status s) { rows.push_back(std::move(s)); });
        std::ranges::sort(rows, {}, &Status::id);
        const auto part = part_of(r, some, sink);
        for (const auto& s : rows) {
            take_status(r, s, part, actors, sink);
            sink.done(std::to_string(s.id));
        }
        at = end;
    }
}

}  // namespace takeover::mastodon
