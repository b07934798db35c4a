// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy out of GoToSocial has, and small readings that several share.
#pragma once
#include "ap/signatures/key.hpp"
#include "takeover/gotosocial/tables.hpp"
#include "takeover/reading.hpp"

namespace takeover::gotosocial {

struct Reading : takeover::Reading {
    std::string instance;  // the id of the account that is the server itself

    // A table from behind `position` on, in the order of its ids, each row as it is read.
    template <class T, class F>
    void each(const char* kind, const std::string& table, const std::string& position, Sink& sink, F f)
        const {
        each_behind<T>(kind, table, behind, position, sink, std::move(f));
    }
    // The same in parts, between which more may be asked.
    template <class T, class F>
    void parts(const char* kind, const std::string& table, const std::string& position, Sink& sink, F f)
        const {
        parts_behind<T>(kind, table, behind, position, sink, std::move(f));
    }

private:
    static constexpr const char* behind = "WHERE id > $1 ORDER BY id";
};

// Before its random part an ULID tells when it was made.
std::optional<Time> time_of_ulid(std::string_view);

statuses::Visibility visibility_of(std::int64_t number);
std::string content_type_of(std::int64_t number);  // text/plain, text/markdown

// A path below the storage as the address that others know: "former/fileserver/…" of our media.
std::string former_file(const std::string& path);

// Keys, whose numbers stand in JSON.
std::optional<ap::PrivateKey> private_key_of(std::string_view json);
std::optional<ap::PublicKey> public_key_of(std::string_view json);
// Nothing: the two are no pair.
std::optional<KeyRow> own_key(const Account&);
void copy_instance_actor(const Reading&, Sink&);

// The thread of a status; older rows have none but themselves.
std::string thread_of(const std::string& thread, const std::string& status);

// As it is stored here; nothing for those that exist there alone.
std::optional<std::string> notification_type(std::int64_t number);

// What the server itself, an account, says about itself. Nothing: it cannot be read.
std::optional<Instance> own_instance(db::Foreign&, const std::string& account, const db::Foreign::Refuse&);

std::vector<PersonSample> sample_people(db::Foreign&, const std::string& instance, std::size_t most);
std::vector<PostSample> sample_posts(db::Foreign&, std::size_t most);

void give_numbers(const Reading&, const std::string& position, Sink&);
void copy_accounts(const Reading&, const std::string& position, Sink&);
void copy_apps(const Reading&, const std::string& position, Sink&);
void copy_users(const Reading&, const std::string& position, Sink&);
void copy_tokens(const Reading&, const std::string& position, Sink&);
void copy_pushes(const Reading&, const std::string& position, Sink&);
void copy_tags(const Reading&, const std::string& position, Sink&);
void copy_emojis(const Reading&, const std::string& position, Sink&);
void copy_statuses(const Reading&, const std::string& position, Sink&);
void copy_media(const Reading&, const std::string& position, Sink&);
void copy_edits(const Reading&, const std::string& position, Sink&);
void copy_polls(const Reading&, const std::string& position, Sink&);
void copy_votes(const Reading&, const std::string& position, Sink&);
void copy_favourites(const Reading&, const std::string& position, Sink&);
void copy_bookmarks(const Reading&, const std::string& position, Sink&);
void copy_follows(const Reading&, const std::string& position, Sink&);
void copy_follow_requests(const Reading&, const std::string& position, Sink&);
void copy_blocks(const Reading&, const std::string& position, Sink&);
void copy_mutes(const Reading&, const std::string& position, Sink&);
void copy_notes(const Reading&, const std::string& position, Sink&);
void copy_thread_mutes(const Reading&, const std::string& position, Sink&);
void copy_followed_tags(const Reading&, const std::string& position, Sink&);
void copy_lists(const Reading&, const std::string& position, Sink&);
void copy_list_entries(const Reading&, const std::string& position, Sink&);
void copy_filters(const Reading&, const std::string& position, Sink&);
void copy_filter_keywords(const Reading&, const std::string& position, Sink&);
void copy_filter_statuses(const Reading&, const std::string& position, Sink&);
void copy_conversations(const Reading&, const std::string& position, Sink&);
void copy_scheduled(const Reading&, const std::string& position, Sink&);
void copy_notifications(const Reading&, const std::string& position, Sink&);
void copy_markers(const Reading&, const std::string& position, Sink&);
void copy_reports(const Reading&, const std::string& position, Sink&);
void copy_site(const Reading&, const std::string& position, Sink&);

}  // namespace takeover::gotosocial
