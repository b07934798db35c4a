// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy out of Mitra has, and small readings that several share.
#pragma once
#include "takeover/json.hpp"
#include "takeover/kept_files.hpp"
#include "takeover/mitra/tables.hpp"
#include "takeover/reading_by_text.hpp"

namespace takeover::mitra {

bool is_one(db::Foreign&);
std::unique_ptr<Source> open(db::Foreign&, const Settings& old_settings);
// People whose ids are of no server (FEP-ef61) cannot go on here: they stay behind, where without this nothing is taken. Of other
// sources nothing is lost by it.
void lose_portable(Source&);

// Where files are, of those that come along.
inline constexpr const char* files_folder = "media/";

struct Reading : ReadingByText {
    // Of somebody here: there it is made of the name.
    std::string actor(const std::string& username) const { return site.public_url + "/users/" + username; }
    std::string object(const std::string& id) const { return site.public_url + "/objects/" + id; }
    // Older versions gave activities addresses of objects.
    std::string activity(const char* type, const std::string& id, bool older) const {
        return older ? object(id) : site.public_url + "/activities/" + type + "/" + id;
    }
};

// People that come into question, as a table x: of this site, and of servers that have addresses.
extern const char* const people;
// People of this site, as a condition on actor_profile a.
#define MITRA_HERE "a.user_id IS NOT NULL"

// Both of somebody here; fewer where one is none.
std::vector<KeyRow> own_keys(const std::string& actor, const Person&);
constexpr std::size_t keys_of_each = 2;
std::vector<KeyRow> server_keys(const std::string& actor, const ServerKeys&);
extern const char* const server_keys_table;

// Two letters, where there are two. Nothing: it is not known here.
MaybeText language_of(const std::string& three_letters);
// Not later than now, whatever is said.

// {"type": "file", "file_name": "…", "media_type": "image/png", "url": null} or {"type": "link", …}.
struct Media {
    std::string file, address, mime;  // file: of this server; address: of another
};
Media media_of(const std::string& json);
// The file of a picture as it is stored here. Empty: there is none, or it was refused.
std::string
take_picture(const Reading&, const std::string& json, bool local, const std::string& of_whom, Sink&);
// Nothing: it was refused.
MaybeId
take_medium(const Reading&, const Medium&, bool local, Id owner, Id status, std::int64_t position, Sink&);

std::vector<std::pair<std::string, std::int64_t>> options_of(const std::string& results);

// Rules about servers, by domain; and who may be talked to, where all others may not.
struct ServerRules {
    std::map<std::string, ServerRuleRow> rules;
    std::vector<std::string> allowed;
    bool limited = false;
    std::int64_t left = 0;  // that say what nothing here says

    // As it is asked here: the longest decides alone. Nothing: there is none.
    const ServerRuleRow* on(std::string_view host) const;
};
ServerRules server_rules(db::Foreign&);

std::vector<Loss> losses_of(db::Foreign&);
std::vector<PersonSample> sample_people(db::Foreign&, const std::string& public_url, std::size_t most);
std::vector<PostSample> sample_posts(db::Foreign&, const std::string& public_url, std::size_t most);

void give_numbers(const Reading&, const std::string& position, Sink&);
void copy_site(const Reading&, const std::string& position, Sink&);
void copy_accounts(const Reading&, const std::string& position, Sink&);
void copy_users(const Reading&, const std::string& position, Sink&);
void copy_invites(const Reading&, const std::string& position, Sink&);
void copy_apps(const Reading&, const std::string& position, Sink&);
void copy_tokens(const Reading&, const std::string& position, Sink&);
void copy_statuses(const Reading&, const std::string& position, Sink&);
void copy_quotes(const Reading&, const std::string& position, Sink&);
void copy_votes(const Reading&, const std::string& position, Sink&);
void copy_favourites(const Reading&, const std::string& position, Sink&);
void copy_bookmarks(const Reading&, const std::string& position, Sink&);
void copy_follows(const Reading&, const std::string& position, Sink&);
void copy_follow_requests(const Reading&, const std::string& position, Sink&);
void copy_mutes(const Reading&, const std::string& position, Sink&);
void copy_lists(const Reading&, const std::string& position, Sink&);
void copy_list_members(const Reading&, const std::string& position, Sink&);
void copy_notifications(const Reading&, const std::string& position, Sink&);
void copy_markers(const Reading&, const std::string& position, Sink&);

}  // namespace takeover::mitra
