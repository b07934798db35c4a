// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/documents/note_ap.hpp"

#include "base/text/html/html.hpp"
#include "base/text/scan.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/remote_file.hpp"
#include "social/statuses/documents/note_rows.hpp"

#include <algorithm>

namespace statuses {

namespace uris = base::uris;
namespace write = ap::write;

namespace {

using base::WholeSeconds;

struct Address {
    std::vector<std::string> to, cc;
};

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

// By the visibility, with those besides the followers to whom it is addressed.
Address address(const NoteRow& row, const std::string& actor, const std::vector<std::string>& named) {
    auto everybody = std::string(uris::public_collection);
    auto followers = uris::followers(actor);
    Address out;
    switch (row.visibility) {
        case Visibility::public_: out = {{everybody}, {followers}}; break;
        case Visibility::unlisted: out = {{followers}, {everybody}}; break;
        case Visibility::private_: out = {{followers}, {}}; break;
        case Visibility::direct:
        case Visibility::limited: return {named, {}};
    }
    append(out.cc, named);
    return out;
}

// A silenced author addresses only those who chose to hear of them.
std::vector<std::string> named_in(const NoteRow& row, const NoteParts& all, const base::Site& site) {
    std::vector<std::string> out;
    for (const auto& one : all.addressed) {
        if (one.status_id != row.id) continue;
        if (one.silent && row.visibility != Visibility::limited) continue;
        if (row.silenced && !one.follows) continue;
        out.push_back(accounts::uri_of(site, one.id, one.uri));
        if (one.actor_type == "Group" && !one.followers.empty()) out.push_back(one.followers);
    }
    return out;
}

write::Document attachment(const media::Media& m, const base::Site& site) {
    write::Document out;
    out.mediaType = m.mime;
    out.url = instance::published_address(site, m.file);
    if (m.description && !m.description->empty()) out.name = m.description;
    out.blurhash = m.blurhash;
    if (m.focus_x && m.focus_y) out.focalPoint = std::vector{*m.focus_x, *m.focus_y};
    if (m.width > 0 && m.height > 0) out.width = m.width, out.height = m.height;
    if (m.duration) out.duration = "PT" + base::json::to_string(*m.duration) + "S";
    bool moving = m.type != media::Type::image && m.type != media::Type::unknown;
    if (moving && !m.preview.empty()) out.icon = write::image(instance::published_address(site, m.preview));
    return out;
}

void add_poll(write::Note& note, const Poll& poll, Time now) {
    bool over = poll.expired(now);
    std::vector<write::Option> options;
    for (const auto& option : poll.options) {
        write::Option one;
        one.name = option.title;
        one.replies.totalItems = poll.hide_totals && !over ? 0 : option.votes_count;
        options.push_back(std::move(one));
    }
    note.type = "Question";
    (poll.multiple ? note.anyOf : note.oneOf) = std::move(options);
    if (poll.expires_at) note.endTime = WholeSeconds{poll.expires_at->ms};
    if (over) note.closed = WholeSeconds{poll.expires_at->ms};
    if (poll.voters_count) note.votersCount = *poll.voters_count;
}

// Three names for the same, so that software of any age finds it, and a link for that which knows none.
void add_quote(write::Note& note, const NoteQuote& quote, const base::Site& site) {
    if (quote.gone || quote.state == QuoteState::deleted) {
        note.quote = write::Raw{R"({"type":"Tombstone"})"};
        return;
    }
    auto uri = quoted_uri(site, quote);
    bool ours = quote.domain.empty();
    auto page =
        ours ? uris::status_page(site, quote.username, quote.quoted_id) : quote.quoted_url.value_or(uri);
    note.quote = write::reference(uri);
    note._misskey_quote = note.quoteUri = uri;
    if (note.content.find(page) == note.content.npos) note.content.insert(0, base::text::quote_inline(page));
    if (quote.state != QuoteState::accepted) return;
    auto author = accounts::uri_of(site, quote.quoted_account_id, quote.account_uri);
    if (ours) note.quoteAuthorization = uris::quote_authorization(author, quote.id.value);
    else if (quote.authorization_uri) note.quoteAuthorization = *quote.authorization_uri;
}

write::Approval who_may_quote(const NoteRow& row, const std::string& actor) {
    bool open = row.visibility == Visibility::public_ || row.visibility == Visibility::unlisted;
    switch (open ? row.quote_policy : QuotePolicy::nobody) {
        case QuotePolicy::public_: return {{std::string(uris::public_collection)}};
        case QuotePolicy::followers: return {{uris::followers(actor)}};
        case QuotePolicy::nobody: break;
    }
    return {{actor}};
}

// Everybody else may ask, unless nobody shall.
std::optional<write::ReplyApproval> who_may_reply(const NoteRow& row, const std::string& actor) {
    const std::vector<std::string> everybody{std::string(uris::public_collection)};
    switch (row.reply_policy) {
        case ReplyPolicy::public_: return std::nullopt;
        case ReplyPolicy::followers: return write::ReplyApproval{{uris::followers(actor)}, everybody};
        case ReplyPolicy::following: return write::ReplyApproval{{uris::following(actor)}, everybody};
        case ReplyPolicy::mentioned: return write::ReplyApproval{{actor}, everybody};
        case ReplyPolicy::nobody: break;
    }
    return write::ReplyApproval{{actor}, {}};
}

write::Raw replies(
    const NoteRow& row, const std::string& actor, const std::string& id, const NoteParts& all
) {
    write::Collection out;
    out.id = uris::replies(id);
    write::Page first;
    first.partOf = out.id;
    auto& items = first.items.value.emplace();
    StatusId last;
    for (const auto& reply : all.replies) {
        if (reply.parent_id != row.id) continue;
        items.push_back(write::reference(reply.uri.value_or(uris::status(actor, reply.id))));
        last = reply.id;
    }
    bool more = items.size() == self_replies_shown;
    first.next = out.id + (more ? "?min_id=" + std::to_string(last.value) : "?only_other_accounts=true") +
                 "&page=true";
    out.first = write::embedded(first);
    return write::embedded(out);
}

// Each as the text writes it, so that readers find the link in the text by the tag.
void add_hashtags(write::Note& note, const NoteRow& row, const NoteParts& all, const base::Site& site) {
    if (std::ranges::find(all.tags, row.id, &NoteTag::status_id) == all.tags.end()) return;
    const auto written = base::text::hashtags(row.text);
    for (const auto& tag : all.tags) {
        if (tag.status_id != row.id) continue;
        auto found = std::ranges::find(written, tag.name, &base::text::WrittenHashtag::key);
        note.tag.push_back(write::hashtag_in_text(site, found == written.end() ? tag.name : found->name));
    }
}

void add_tags(write::Note& note, const NoteRow& row, const NoteParts& all, const base::Site& site) {
    for (const auto& one : all.addressed) {
        if (one.status_id != row.id || one.silent) continue;
        auto name = "@" + one.username + "@" + (one.domain.empty() ? site.domain : one.domain);
        note.tag.push_back({{}, "Mention", accounts::uri_of(site, one.id, one.uri), std::move(name), {}, {}});
    }
    add_hashtags(note, row, all, site);
    std::string titles;
    if (auto poll = std::ranges::find(all.polls, row.id, &Poll::id); poll != all.polls.end())
        for (const auto& option : poll->options) titles += option.title + "\n";
    for (const auto& e : all.emojis.found({row.spoiler_text, row.text, titles}, ""))
        note.tag.push_back(
            write::emoji(uris::emoji(site, e.id), e.shortcode, e.created_at, site.media(e.file))
        );
}

void add_conversation(write::Note& note, const NoteRow& row, const base::Site& site) {
    if (row.conversation_uri) {
        note.conversation = *row.conversation_uri;
        return;
    }
    bool known = row.conversation_status_id && row.conversation_account_id;
    note.conversation = known ? uris::context(site, row.conversation_account_id, row.conversation_status_id)
                              : uris::context(site, row.account_id, row.id);
    note.context = note.conversation;
}

write::Note note_of(const NoteRow& row, const NoteParts& all, const base::Site& site, Time now) {
    write::Note note;
    auto actor = row.actor(site);
    note.id = note.atomUri = row.own_uri(site);
    if (!row.spoiler_text.empty()) note.summary = row.spoiler_text;
    if (row.in_reply_to_id && row.parent_account_id)
        note.inReplyTo = note.inReplyToAtomUri = uri_of(
            site, {row.in_reply_to_id, row.parent_uri, row.parent_account_id, row.parent_account_uri, false}
        );
    note.published = {row.created_at.ms};
    if (row.edited_at) note.updated = *row.edited_at;
    note.url = uris::status_page(site, row.username, row.id);
    note.attributedTo = actor;
    auto addressed = address(row, actor, named_in(row, all, site));
    note.to = std::move(addressed.to);
    note.cc = std::move(addressed.cc);
    note.sensitive = row.sensitive || row.sensitized;
    add_conversation(note, row, site);
    if (row.visibility != Visibility::public_ && row.visibility != Visibility::unlisted)
        note.directMessage = row.visibility == Visibility::direct;
    note.interactionPolicy = {who_may_quote(row, actor), who_may_reply(row, actor)};
    if (row.reply_authorization && note.inReplyTo) {
        auto parents_author = accounts::uri_of(site, row.parent_account_id, row.parent_account_uri);
        note.replyAuthorization = row.reply_authorization->empty()
                                      ? uris::reply_authorization(parents_author, row.id)
                                      : *row.reply_authorization;
        note.approvedBy = note.replyAuthorization;  // what GoToSocial reads up to 0.20
    }
    note.content = row.content;
    if (auto quote = std::ranges::find(all.quotes, row.id, &NoteQuote::status_id); quote != all.quotes.end())
        add_quote(note, *quote, site);
    if (row.language) note.contentMap = std::map<std::string, std::string>{{*row.language, note.content}};
    for (const auto& m : all.media)
        if (m.status_id == row.id && !m.file.empty()) note.attachment.push_back(attachment(m, site));
    add_tags(note, row, all, site);
    note.replies = replies(row, actor, note.id, all);
    note.likes = write::Total{uris::likes(note.id), "Collection", row.favourites_count};
    note.shares = write::Total{uris::shares(note.id), "Collection", row.reblogs_count};
    if (auto poll = std::ranges::find(all.polls, row.id, &Poll::id); poll != all.polls.end())
        add_poll(note, *poll, now);
    return note;
}

Publication create_of(const NoteRow& row, const write::Note& note, const base::Site& site) {
    Publication out{row.id, {}, write::terms_of(note)};
    out.activity.id = uris::activity(row.own_uri(site));
    out.activity.type = "Create";
    out.activity.actor = note.attributedTo;
    out.activity.published = note.published;
    out.activity.to = note.to;
    out.activity.cc = note.cc;
    out.activity.object = write::embedded(note);
    return out;
}

Publication announce_of(const NoteRow& row, const write::Note* own, const base::Site& site) {
    auto actor = row.actor(site);
    Publication out{row.id, {}, own ? write::terms_of(*own) : 0u};
    out.activity.id = row.own_uri(site);
    out.activity.type = "Announce";
    out.activity.actor = actor;
    out.activity.published = WholeSeconds{row.created_at.ms};
    auto addressed = address(row, actor, {});
    addressed.cc.insert(addressed.cc.begin(), row.original_author(site));
    out.activity.to = std::move(addressed.to);
    out.activity.cc = std::move(addressed.cc);
    out.activity.object = own ? write::embedded(*own) : write::reference(row.original(site));
    return out;
}

// Only to followers boosts one what is for followers only, and others could not fetch it.
bool embeds(const NoteRow& row) {
    return row.reblog_of_id && row.visibility == Visibility::private_ &&
           row.original_account_id == row.account_id;
}

std::vector<write::Note> notes_of(db::Read& db, const std::vector<NoteRow>& rows) {
    auto all = note_parts(db, rows);
    std::vector<write::Note> out;
    for (const auto& row : rows)
        if (!row.reblog_of_id) out.push_back(note_of(row, all, db.site(), db.now()));
    return out;
}

}  // namespace

std::vector<write::Note> to_notes(db::Read& db, const std::vector<StatusId>& ids) {
    auto found = note_rows(db, ids);
    std::vector<NoteRow> rows;
    for (auto id : ids)
        if (auto row = std::ranges::find(found, id, &NoteRow::id); row != found.end() && !row->deleted)
            rows.push_back(*row);
    return notes_of(db, rows);
}

std::vector<Publication> to_publications(db::Read& db, const std::vector<StatusId>& ids) {
    auto rows = note_rows(db, ids);
    std::vector<StatusId> embedded;
    for (const auto& row : rows)
        if (embeds(row)) embedded.push_back(row.reblog_of_id);
    auto inside = note_rows(db, embedded);
    auto together = rows;
    together.insert(together.end(), inside.begin(), inside.end());
    auto all = note_parts(db, together);
    const auto& site = db.site();
    std::vector<Publication> out;
    for (auto id : ids) {
        auto row = std::ranges::find(rows, id, &NoteRow::id);
        if (row == rows.end() || row->deleted) continue;
        if (!row->reblog_of_id) {
            out.push_back(create_of(*row, note_of(*row, all, site, db.now()), site));
            continue;
        }
        auto original = std::ranges::find(inside, row->reblog_of_id, &NoteRow::id);
        std::optional<write::Note> own;
        if (embeds(*row) && original != inside.end()) own = note_of(*original, all, site, db.now());
        out.push_back(announce_of(*row, own ? &*own : nullptr, site));
    }
    return out;
}

std::string note(db::Read& db, StatusId id) {
    auto found = to_notes(db, {id});
    if (found.empty()) throw base::NoSuchStatus();
    auto terms = write::terms_of(found[0]);
    return write::document(std::move(found[0]), terms);
}

namespace {

std::string publication(db::Read& db, StatusId id) {
    auto found = to_publications(db, {id});
    if (found.empty()) throw base::NoSuchStatus();
    return write::document(std::move(found[0].activity), found[0].terms);
}

}  // namespace

std::string create_activity(db::Read& db, StatusId id) { return publication(db, id); }
std::string announce_activity(db::Read& db, StatusId boost) { return publication(db, boost); }

std::string update_activity(db::Read& db, StatusId id) {
    auto found = to_notes(db, {id});
    if (found.empty()) throw base::NoSuchStatus();
    const auto& note = found[0];
    write::Activity out;
    out.id = uris::update(note.id, db.now());
    out.type = "Update";
    out.actor = note.attributedTo;
    out.published = WholeSeconds{db.now().ms};
    out.to = note.to;
    out.cc = note.cc;
    out.object = write::embedded(note);
    return write::document(std::move(out), write::terms_of(note));
}

std::string undo_announce_activity(db::Read& db, StatusId boost) {
    auto row = note_row(db, boost);
    if (!row.reblog_of_id) throw base::NoSuchStatus();
    const auto& site = db.site();
    auto undone = write::undo(announce_of(row, nullptr, site).activity);
    undone.id = uris::undo(uris::action(row.actor(site), "announces", row.id.value));
    undone.to = std::vector{std::string(uris::public_collection)};
    return write::document(std::move(undone));
}

}  // namespace statuses
