// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy out of Mastodon has, and small readings that several share.
#pragma once
#include "takeover/mastodon/kept.hpp"
#include "takeover/mastodon/secrets.hpp"
#include "takeover/mastodon/small_tables.hpp"
#include "takeover/reading.hpp"
#include "takeover/staff_rows.hpp"

namespace takeover::mastodon {

struct Reading : takeover::Reading {
    const Kept& kept;
    const Secrets& secrets;
    const Settings& settings;

    bool has(const char* table_name) const { return !db.columns_of(table_name).empty(); }

    // A table from behind `position` on, in the order of its ids, each row as it is read. `from` calls its rows x.
    template <class T, class F>
    void each_of(const char* kind, const std::string& from, const std::string& position, Sink& sink, F f)
        const {
        each_behind<T>(
            kind,
            from,
            "WHERE x.id > CAST($1 AS bigint) ORDER BY x.id",
            position.empty() ? "0" : position,
            sink,
            std::move(f)
        );
    }
    template <class T, class F>
    void each(const char* kind, const char* name, const std::string& position, Sink& sink, F f) const {
        if (has(name)) each_of<T>(kind, table<T>(db, name), position, sink, std::move(f));
    }
    // Those rows alone, by what they belong to.
    template <class T, class F>
    void of(
        const char* kind, const std::string& from, const char* column, const std::string& ids, Sink& sink, F f
    ) const {
        db.each<T>(
            from,
            "WHERE x." + std::string(column) + " = ANY(CAST($1 AS bigint[])) ORDER BY 1",
            {ids},
            std::move(f),
            refusing(kind, sink)
        );
    }
    // All of a small table, at once and again if it was cut off.
    template <class T, class F>
    void all(const char* kind, const char* name, Sink& sink, F f) const {
        if (has(name)) db.each<T>(table<T>(db, name), "", {}, std::move(f), refusing(kind, sink));
    }

    // Nothing: it does not come along.
    MaybeId account(const Sink& sink, Id id) const {
        if (!kept.has_account(id) || sink.is_refused("account", std::to_string(id))) return std::nullopt;
        return id;
    }
    MaybeId status(const Sink& sink, Id id) const {
        if (!kept.has_status(id) || sink.is_refused("status", std::to_string(id))) return std::nullopt;
        return id;
    }
};

MaybeText given(const std::string& text);
std::vector<Id> ids_of(const ForeignList&);
statuses::Visibility visibility_of(std::int64_t number);

// Who may quote what was written here, out of the number in which Mastodon packs it.
statuses::QuotePolicy quote_policy_of(std::int64_t packed, statuses::Visibility);
// What somebody set for themselves: how they post, what they see, and what they get mails about.
void choose(const User&, UserRow&);

// The id of an actor of this site, as others know it.
std::string actor_of(const Reading&, const Account&);
// Its keys that are pairs and hold; `broken` says whether one of them does not.
struct OwnKeys {
    std::vector<KeyRow> keys;
    bool broken = false;
};
OwnKeys own_keys(const Secrets&, const std::string& actor, const Account&, const std::vector<Keypair>&);

using Keypairs = std::unordered_map<Id, std::vector<Keypair>>;  // by whose they are
// What older versions have none of. `which`: a condition on keypairs x.
Keypairs keypairs(db::Foreign&, const std::string& which, const std::vector<std::string>& parameters);

// Of people, and of posts, so many at most.
std::vector<PersonSample> sample_people(const Reading&, std::size_t most);
std::vector<PostSample> sample_posts(const Reading&, std::size_t most);

// Where Paperclip keeps a file: "accounts/avatars/000/000/001/original/a.png"; the first of those that are there.
std::string path_of(const Files&, const std::string& folder, Id, const char* style, const std::string& name);
// The same as the address that others know: "former/system/…" of our media.
std::string former_file(const std::string& path);

// What a status of this site shows, with its place among them; also of remote ones.
void take_medium(const Reading&, const Attachment&, MaybeId status, std::int64_t position, Sink&);

// A value of the settings table, which is YAML: a text, also of several lines. Nothing: it is none.
MaybeText text_of_yaml(std::string_view);
// What was set there about the site, by the names it has there.
Settings site_settings(db::Foreign&);

// What does not come along of this database, with how many there are.
std::vector<Loss> losses_of(db::Foreign&, const Settings& old_settings);

void copy_site(const Reading&, const std::string& position, Sink&);
void copy_accounts(const Reading&, const std::string& position, Sink&);
void copy_apps(const Reading&, const std::string& position, Sink&);
void copy_users(const Reading&, const std::string& position, Sink&);
void copy_passkeys(const Reading&, const std::string& position, Sink&);
void copy_web_settings(const Reading&, const std::string& position, Sink&);
void copy_invites(const Reading&, const std::string& position, Sink&);
void copy_tokens(const Reading&, const std::string& position, Sink&);
void copy_pushes(const Reading&, const std::string& position, Sink&);
void copy_tags(const Reading&, const std::string& position, Sink&);
void copy_emojis(const Reading&, const std::string& position, Sink&);
void copy_statuses(const Reading&, const std::string& position, Sink&);
void copy_media(const Reading&, const std::string& position, Sink&);
void copy_quotes(const Reading&, const std::string& position, Sink&);
void copy_votes(const Reading&, const std::string& position, Sink&);
void copy_favourites(const Reading&, const std::string& position, Sink&);
void copy_bookmarks(const Reading&, const std::string& position, Sink&);
void copy_follows(const Reading&, const std::string& position, Sink&);
void copy_follow_requests(const Reading&, const std::string& position, Sink&);
void copy_blocks(const Reading&, const std::string& position, Sink&);
void copy_mutes(const Reading&, const std::string& position, Sink&);
void copy_domain_mutes(const Reading&, const std::string& position, Sink&);
void copy_notes(const Reading&, const std::string& position, Sink&);
void copy_thread_mutes(const Reading&, const std::string& position, Sink&);
void copy_followed_tags(const Reading&, const std::string& position, Sink&);
void copy_featured_tags(const Reading&, const std::string& position, Sink&);
void copy_endorsements(const Reading&, const std::string& position, Sink&);
void copy_suggestion_mutes(const Reading&, const std::string& position, Sink&);
void copy_lists(const Reading&, const std::string& position, Sink&);
void copy_list_members(const Reading&, const std::string& position, Sink&);
void copy_filters(const Reading&, const std::string& position, Sink&);
void copy_filter_keywords(const Reading&, const std::string& position, Sink&);
void copy_filter_statuses(const Reading&, const std::string& position, Sink&);
void copy_conversations(const Reading&, const std::string& position, Sink&);
void copy_scheduled(const Reading&, const std::string& position, Sink&);
void copy_notifications(const Reading&, const std::string& position, Sink&);
void copy_notification_rules(const Reading&, const std::string& position, Sink&);
void copy_markers(const Reading&, const std::string& position, Sink&);
void copy_reports(const Reading&, const std::string& position, Sink&);
void copy_strikes(const Reading&, const std::string& position, Sink&);
void copy_announcements(const Reading&, const std::string& position, Sink&);
void copy_tombstones(const Reading&, const std::string& position, Sink&);

}  // namespace takeover::mastodon
