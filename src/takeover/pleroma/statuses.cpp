// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts: objects that say all of themselves in JSON.
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "social/statuses/writing/edit.hpp"
#include "takeover/compose.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>
#include <unordered_map>

namespace takeover::pleroma {

namespace {

struct Person {
    std::string username, domain, url;
};

// What is asked of tables besides the posts themselves.
struct Around {
    std::unordered_map<std::string, std::pair<std::string, Time>> pins;  // by post: whose, and since when
    std::unordered_map<std::string, Person> people;                      // who is mentioned, by address
    std::unordered_map<std::string, std::string> authors;                // of what is answered
    std::unordered_map<std::string, std::string> followers;              // where those of an author are
};

struct Post {
    Object row;
    JsonObject data;
    std::string actor, context;
    bool local = false;
};

// What others wrote names them by tags. What was written here has none of those: whom it is addressed to is mentioned.
std::vector<std::string> mentioned(const JsonObject& data, bool local) {
    std::vector<std::string> out;
    for (const auto* item : list(data, "tag"))
        if (const auto* tag = item->if_object(); tag && text(*tag, "type") == "Mention")
            out.push_back(text(*tag, "href"));
    if (!local) return out;
    const auto author = reference(data, "actor");
    for (const char* name : {"to", "cc"})
        for (auto& who : texts(data, name))
            if (who != author) out.push_back(std::move(who));
    return out;
}

// A post that was written here may name a hashtag by its word alone.
std::vector<std::string> hashtags(const JsonObject& data) {
    std::vector<std::string> out;
    for (const auto* item : list(data, "tag")) {
        if (item->is_string()) out.emplace_back(std::string_view(item->get_string()));
        else if (const auto* tag = item->if_object(); tag && text(*tag, "type") == "Hashtag")
            out.push_back(text(*tag, "name"));
    }
    return out;
}

void find_people(const Reading& r, const std::vector<Post>& posts, Around& around) {
    std::vector<std::string> named;
    for (const auto& post : posts)
        if (post.local)
            for (auto& who : mentioned(post.data, true)) named.push_back(std::move(who));
    around.people.clear();
    if (named.empty()) return;
    r.db.run(
        "SELECT ap_id, nickname, local, COALESCE(NULLIF(uri, ''), ap_id) FROM users "
        "WHERE ap_id = ANY(CAST($1 AS text[]))",
        {as_texts(named)},
        [&](const db::Foreign::Row& row) {
            const std::string nickname(row[1].value_or(""));
            const auto at = nickname.find('@');
            const bool local = row[2] == "t";
            Person who{nickname.substr(0, at), "", ""};
            if (!local && at != nickname.npos) who.domain = nickname.substr(at + 1);
            who.url = local ? r.site.public_url + "/@" + nickname : std::string(row[3].value_or(""));
            if (!local && !is_address(who.url)) who.url = row[0].value_or("");
            around.people.emplace(row[0].value_or(""), std::move(who));
        }
    );
}

void find_authors(const Reading& r, const std::vector<Post>& posts, Around& around) {
    std::vector<std::string> answered;
    for (const auto& post : posts)
        if (auto uri = reference(post.data, "inReplyTo"); !uri.empty()) answered.push_back(std::move(uri));
    around.authors.clear();
    if (answered.empty()) return;
    r.db.run(
        "SELECT data->>'id', data->>'actor' FROM objects WHERE data->>'id' = ANY(CAST($1 AS text[]))",
        {as_texts(answered)},
        [&](const db::Foreign::Row& row) { around.authors.emplace(row[0].value_or(""), row[1].value_or("")); }
    );
}

void find_followers(const Reading& r, const std::vector<Post>& posts, Around& around) {
    std::vector<std::string> authors;
    for (const auto& post : posts) authors.push_back(post.actor);
    around.followers.clear();
    r.db.run(
        "SELECT ap_id, follower_address FROM users WHERE ap_id = ANY(CAST($1 AS text[]))",
        {as_texts(authors)},
        [&](const db::Foreign::Row& row) {
            around.followers.emplace(row[0].value_or(""), row[1].value_or(""));
        }
    );
}

std::optional<std::string> objection(const Reading& r, const Post& post) {
    if (!is_address(post.row.uri)) return "its id is no address";
    if (r.is_here(post.actor) != r.is_here(post.row.uri))
        return r.is_here(post.actor) ? "it is of this server, its id is of another"
                                     : "it is of another server, its id is of this one";
    if (host_of(post.row.uri) != host_of(post.actor)) return "its id is of another server than its author";
    return std::nullopt;
}

// As it was typed, where that is kept: a text, or one with its kind.
struct Typed {
    std::string words, kind;
};
Typed typed(const JsonObject& data) {
    if (const auto* source = part(data, "source"))
        return {text(*source, "content"), text(*source, "mediaType")};
    return {text(data, "source"), ""};
}

std::string summary_of(const JsonObject& data) {
    auto summary = text(data, "summary");
    return summary.empty() ? text(data, "name") : summary;
}

std::vector<Mentioned> links_of(const JsonObject& data, const Around& around) {
    std::vector<Mentioned> out;
    for (const auto& who : mentioned(data, true))
        if (const auto found = around.people.find(who); found != around.people.end())
            out.push_back({found->second.username, found->second.domain, found->second.url});
    return out;
}

struct Said {
    std::string content_type, text, content, spoiler_text;
};

// Plain text and Markdown are made anew; of what nobody here writes the HTML stays.
Said said(const Reading& r, const JsonObject& data, bool local, const Around& around) {
    const auto html = base::text::sanitize(text(data, "content"));
    if (!local)
        return {"text/html", "", html, base::text::plain_text(base::text::sanitize(summary_of(data)))};
    Said out{"text/plain", "", html, text(data, "summary")};
    const auto source = typed(data);
    out.text = source.words.empty() ? base::text::plain_text(html) : source.words;
    if (source.words.empty()) return out;
    if (source.kind == "text/plain" || source.kind == "text/markdown") {
        out.content_type = source.kind;
        out.content = html_of(r.site, source.words, source.kind, links_of(data, around));
    }
    return out;
}

MaybeText language_of(const JsonObject& data) {
    auto known = [](const std::string& word) { return word.size() >= 2 && word.size() <= 3; };
    if (auto word = text(data, "language"); known(word)) return word;
    if (const auto* words = part(data, "contentMap"); words && words->size() == 1)
        if (std::string word(words->begin()->key()); known(word)) return word;
    return std::nullopt;
}

// Who is told of it without being named sees it, too.
void address(const Reading& r, const Post& post, StatusRow& row, Sink& sink) {
    auto add = [&](const std::string& who, bool silent) {
        const auto id = r.account(sink, who);
        if (id && std::ranges::find(row.mentions, *id, &MentionRow::account_id) == row.mentions.end())
            row.mentions.push_back({*id, silent});
    };
    for (const auto& who : mentioned(post.data, post.local)) add(who, false);
    if (row.visibility == statuses::Visibility::direct || row.visibility == statuses::Visibility::private_)
        for (const char* name : {"to", "cc"})
            for (const auto& who : texts(post.data, name))
                if (who != post.actor) add(who, true);
    for (const auto& name : hashtags(post.data))
        if (const auto id = tag(r, name, row.created_at, sink);
            id && std::ranges::find(row.tags, *id) == row.tags.end())
            row.tags.push_back(*id);
    if (!row.mentions.empty()) row.relations |= statuses::has_mentions;
    if (!row.tags.empty()) row.relations |= statuses::has_tags;
}

constexpr const char* parent = "SELECT data->>'inReplyTo' FROM objects WHERE data->>'id' = $1";

void place(const Reading& r, const Post& post, const Around& around, StatusRow& row, Sink& sink) {
    const auto answers = reference(post.data, "inReplyTo");
    auto next = [&](const auto& uri) { return first_text(r.db, parent, uri); };
    row.in_reply_to_id = answered(row.id, r.status(sink, answers), answers, post.row.uri, sink, next);
    if (!row.in_reply_to_id) return;
    if (const auto author = around.authors.find(answers); author != around.authors.end())
        row.in_reply_to_account_id = r.account(sink, author->second);
}

void put_media(const Reading& r, const Post& post, StatusRow& row, Sink& sink) {
    std::int64_t position = 0;
    for (const auto* item : list(post.data, "attachment"))
        if (const auto* attachment = item->if_object()) {
            if (take_medium(
                    r,
                    *attachment,
                    media_former(post.row.uri, *attachment),
                    row.account_id,
                    row.id,
                    position++,
                    row.created_at,
                    post.local,
                    sink
                ))
                row.relations |= statuses::has_media;
        }
}

std::vector<const Json*> choices_of(const JsonObject& data) {
    auto out = list(data, "oneOf");
    return out.empty() ? list(data, "anyOf") : out;
}

void put_poll(const Reading& r, const Post& post, StatusRow& row, Sink& sink) {
    if (text(post.data, "type") != "Question") return;
    PollRow poll;
    poll.status_id = row.id;
    poll.account_id = row.account_id;
    poll.multiple = list(post.data, "oneOf").empty();
    poll.expires_at = time(post.data, "closed");
    if (!poll.expires_at) poll.expires_at = time(post.data, "endTime");
    poll.ended = poll.expires_at && *poll.expires_at <= r.choice.now;
    for (const auto* item : choices_of(post.data)) {
        const auto* choice = item->if_object();
        if (!choice) continue;
        const auto* replies = part(*choice, "replies");
        const auto votes = replies ? number(*replies, "totalItems").value_or(0) : 0;
        poll.options.emplace_back(text(*choice, "name"), std::max<std::int64_t>(votes, 0));
    }
    poll.voters = number(post.data, "votersCount");
    if (!poll.voters) poll.voters = std::ssize(list(post.data, "voters"));
    row.relations |= statuses::has_poll;
    sink.put(std::move(poll));
}

EditRow edit_of(
    const Reading& r, const Post& post, const JsonObject& data, const StatusRow& row, const Around& around,
    const Sink& sink
) {
    EditRow out;
    out.status_id = row.id;
    auto words = said(r, data, post.local, around);
    out.sensitive = flag(data, "sensitive");
    out.spoiler_text = std::move(words.spoiler_text);
    out.text = std::move(words.text);
    out.content = std::move(words.content);
    std::vector<statuses::SnapshotMedia> media;
    for (const auto* item : list(data, "attachment"))
        if (const auto* attachment = item->if_object())
            if (const auto id = sink.numbers.find("media", media_former(post.row.uri, *attachment)))
                media.push_back({{*id}, text(*attachment, "name")});
    out.media = base::json::to_string(media);
    std::vector<std::string> options;
    for (const auto* item : choices_of(data))
        if (const auto* choice = item->if_object()) options.push_back(text(*choice, "name"));
    out.poll_options = base::json::to_string(options);
    return out;
}

// The newest stands first there; what it says now is not among them.
void put_edits(const Reading& r, const Post& post, const StatusRow& row, const Around& around, Sink& sink) {
    const auto* history = part(post.data, "formerRepresentations");
    if (!history || !row.edited_at) return;
    auto earlier = list(*history, "orderedItems");
    std::ranges::reverse(earlier);
    std::size_t number = 0;
    auto put = [&](const JsonObject& data, Time at) {
        auto edit = edit_of(r, post, data, row, around, sink);
        edit.id = sink.numbers.give("edit", post.row.uri + " " + std::to_string(number++), at);
        edit.created_at = at;
        sink.put(std::move(edit));
    };
    for (const auto* item : earlier)
        if (const auto* data = item->if_object()) {
            auto at = time(*data, "updated");
            put(*data, std::min(at.value_or(row.created_at), *row.edited_at));
        }
    if (number > 0) put(post.data, *row.edited_at);
}

void set_audience(const Reading& r, const Post& post, const Around& around, StatusRow& row) {
    using statuses::Visibility;
    const auto followers = around.followers.find(post.actor);
    const auto audience = audience_of(
        r,
        texts(post.data, "to"),
        texts(post.data, "cc"),
        flag(post.data, "directMessage"),
        followers == around.followers.end() ? "" : followers->second
    );
    row.visibility = audience.visibility;
    row.local_only = post.local && audience.local_only;
    if (row.visibility != Visibility::public_ && row.visibility != Visibility::unlisted)
        row.quote_policy = statuses::QuotePolicy::nobody;
}

void set_origin(const Post& post, StatusRow& row) {
    row.local = post.local;
    // Its number is its date, or later where several have one.
    row.created_at = dated(text(post.data, "published"), post.row.inserted_at);
    if (const auto updated = time(post.data, "updated"); updated && *updated > row.created_at)
        row.edited_at = *updated;
    row.uri = post.row.uri;
    row.fetched_at = post.row.inserted_at;
    if (post.local) return;
    const auto page = reference(post.data, "external_url");
    row.url = is_address(page) ? page : text(post.data, "url");
    if (!is_address(*row.url)) row.url = post.row.uri;
}

void set_words(const Reading& r, const Post& post, const Around& around, StatusRow& row) {
    auto words = said(r, post.data, post.local, around);
    row.content_type = std::move(words.content_type);
    row.text = std::move(words.text);
    row.content = std::move(words.content);
    row.spoiler_text = std::move(words.spoiler_text);
    row.sensitive = flag(post.data, "sensitive");
    row.language = language_of(post.data);
}

bool has_a_quote(const Reading& r, const Post& post, const StatusRow& row, const Sink& sink) {
    auto uri = text(post.data, "quoteUrl");
    if (uri.empty()) uri = text(post.data, "quoteUri");
    const auto quoted = r.status(sink, uri);
    return quoted && *quoted != row.id;
}

void take_status(const Reading& r, const Post& post, const Around& around, Sink& sink) {
    const auto id = r.status(sink, post.row.uri);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("status", post.row.uri, why);
        sink.numbers.drop("status", post.row.uri);
    };
    if (auto why = objection(r, post)) return refuse(*why);
    const auto author = r.account(sink, post.actor);
    if (!author) return refuse("its author did not come along");
    StatusRow row;
    row.id = *id;
    row.account_id = *author;
    const auto thread = thread_of(post.context, post.row.uri);
    row.conversation_id = sink.numbers.give("thread", thread, post.row.inserted_at);
    if (is_address(thread)) row.conversation_uri = thread;
    set_audience(r, post, around, row);
    set_origin(post, row);
    set_words(r, post, around, row);
    address(r, post, row, sink);
    place(r, post, around, row, sink);
    put_media(r, post, row, sink);
    put_poll(r, post, row, sink);
    put_edits(r, post, row, around, sink);
    if (has_a_quote(r, post, row, sink)) row.relations |= statuses::has_quote;
    if (const auto pin = around.pins.find(post.row.uri);
        pin != around.pins.end() && pin->second.first == post.actor)
        row.pin_id = sink.numbers.give("pin", post.row.uri, pin->second.second);
    sink.put(std::move(row));
}

// {"https://…/objects/…": "2026-01-02T03:04:05Z"}
void find_pins(const Reading& r, Around& around) {
    r.db.run(
        "SELECT ap_id, pinned_objects FROM users WHERE local AND pinned_objects IS NOT NULL",
        {},
        [&](const db::Foreign::Row& row) {
            const auto pins = object_of(row[1].value_or(""));
            if (!pins) return;
            for (const auto& pin : *pins)
                around.pins.emplace(
                    std::string(pin.key()),
                    std::pair(std::string(row[0].value_or("")), time(*pins, pin.key()).value_or(r.choice.now))
                );
        }
    );
}

}  // namespace

void copy_statuses(const Reading& r, const std::string& position, Sink& sink) {
    Around around;
    find_pins(r, around);
    const auto& ids = r.kept.objects;
    auto at = position.empty() ? ids.begin() : std::ranges::upper_bound(ids, std::stoll(position));
    while (at != ids.end()) {
        const auto end =
            at + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(r.choice.chunk), ids.end() - at);
        std::vector<Post> posts;
        r.db.each<Object>(
            "(SELECT o.data->>'id' AS uri, o.id, o.data, o.inserted_at FROM objects o "
            "WHERE o.id = ANY(CAST($1 AS bigint[])) AND o.data->>'type' IN " PLEROMA_POSTS ") AS x",
            "ORDER BY x.id",
            {as_array(&*at, &*at + (end - at))},
            [&](Object row) {
                auto data = object_of(row.data);
                if (!data) {
                    sink.refuse("status", row.uri, "it cannot be read");
                    return sink.numbers.drop("status", row.uri);
                }
                row.data.clear();
                auto actor = reference(*data, "actor");
                auto context = text(*data, "context");
                posts.push_back(
                    {std::move(row), *std::move(data), std::move(actor), std::move(context), false}
                );
                posts.back().local = r.is_here(posts.back().actor);
            },
            r.refusing("status", sink)
        );
        find_people(r, posts, around);
        find_authors(r, posts, around);
        find_followers(r, posts, around);
        for (const auto& post : posts) {
            take_status(r, post, around, sink);
            sink.done(std::to_string(post.row.id));
        }
        at = end;
    }
}

void copy_boosts(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT a.data->>'id' AS uri, a.id, a.data->>'type' AS type, a.actor, " PLEROMA_ABOUT
        " AS object, o.data->>'context' AS context, a.data->'to' AS \"to\", a.data->'cc' AS cc, "
        "a.data->>'published' AS published, a.local, a.inserted_at FROM activities a "
        "LEFT JOIN objects o ON o.data->>'id' = " PLEROMA_ABOUT " WHERE a.data->>'type' = 'Announce') AS x";
    r.each<Activity>("status", from, position, sink, [&](const Activity& a) {
        const auto id = r.status(sink, a.uri);
        if (!id) return;
        auto refuse = [&](const std::string& why) {
            sink.refuse("status", a.uri, why);
            sink.numbers.drop("status", a.uri);
        };
        if (!is_address(a.uri)) return refuse("its id is no address");
        if (r.is_here(a.actor) != r.is_here(a.uri))
            return refuse("its id is of another server than its author");
        const auto author = r.account(sink, a.actor), original = r.status(sink, a.object);
        if (!author) return refuse("its author did not come along");
        if (!original || a.object == a.uri) return refuse("what it boosts did not come along");
        StatusRow row;
        row.id = *id;
        row.account_id = *author;
        row.reblog_of_id = original;
        row.conversation_id = sink.numbers.give("thread", thread_of(a.context, a.object), a.inserted_at);
        row.local = r.is_here(a.actor);
        const auto audience = audience_of(r, a.to.items, a.cc.items, false);
        row.visibility = audience.visibility;
        row.local_only = row.local && audience.local_only;
        // Others address what everybody may see as unlisted posts are addressed here.
        if (!row.local && row.visibility == statuses::Visibility::unlisted)
            row.visibility = statuses::Visibility::public_;
        row.created_at = dated(a.published, a.inserted_at);
        row.uri = a.uri;
        if (!row.local) row.url = a.uri;
        row.fetched_at = a.inserted_at;
        sink.put(std::move(row));
    });
}

}  // namespace takeover::pleroma
