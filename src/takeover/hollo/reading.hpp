// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy out of Hollo has, and small readings that several share.
#pragma once
#include "takeover/hollo/tables.hpp"
#include "takeover/json.hpp"
#include "takeover/kept_files.hpp"
#include "takeover/reading_by_text.hpp"

namespace takeover::hollo {

// Where files are, of those that come along.
inline constexpr const char* files_folder = "assets/";

struct Reading : ReadingByText {
    std::vector<std::string> storage;  // what the addresses of uploaded files begin with
};

// People, each with what they have set who are of this site; as a table x.
extern const char* const people;

struct Handle {
    std::string name, domain;
};
// "@alice@social.example".
Handle handle_of(std::string_view written);

// Both of somebody here, one of them by two names; fewer where one is none.
std::vector<KeyRow> own_keys(const Person&);
constexpr std::size_t keys_of_each = 3;

statuses::Visibility visibility_of(std::string_view word);

// The file of a picture or a medium as it is stored here; what lies elsewhere keeps its address. Empty: it was refused.
std::string take_address(const Reading&, const std::string& address, const std::string& of_whom, Sink&);
// Nothing: it was refused.
MaybeId take_medium(const Reading&, const Medium&, bool local, Id owner, Id status, Sink&);

std::vector<Loss> losses_of(db::Foreign&);
std::vector<PersonSample> sample_people(db::Foreign&, std::size_t most);
std::vector<PostSample> sample_posts(db::Foreign&, std::size_t most);

void give_numbers(const Reading&, const std::string& position, Sink&);
void copy_site(const Reading&, const std::string& position, Sink&);
void copy_accounts(const Reading&, const std::string& position, Sink&);
void copy_users(const Reading&, const std::string& position, Sink&);
void copy_passkeys(const Reading&, const std::string& position, Sink&);
void copy_apps(const Reading&, const std::string& position, Sink&);
void copy_tokens(const Reading&, const std::string& position, Sink&);
void copy_statuses(const Reading&, const std::string& position, Sink&);
void copy_quotes(const Reading&, const std::string& position, Sink&);
void copy_votes(const Reading&, const std::string& position, Sink&);
void copy_favourites(const Reading&, const std::string& position, Sink&);
void copy_bookmarks(const Reading&, const std::string& position, Sink&);
void copy_follows(const Reading&, const std::string& position, Sink&);
void copy_blocks(const Reading&, const std::string& position, Sink&);
void copy_mutes(const Reading&, const std::string& position, Sink&);
void copy_featured_tags(const Reading&, const std::string& position, Sink&);
void copy_lists(const Reading&, const std::string& position, Sink&);
void copy_list_members(const Reading&, const std::string& position, Sink&);
void copy_notifications(const Reading&, const std::string& position, Sink&);
void copy_markers(const Reading&, const std::string& position, Sink&);
void copy_reports(const Reading&, const std::string& position, Sink&);

}  // namespace takeover::hollo
