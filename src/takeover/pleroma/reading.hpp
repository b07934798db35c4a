// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy out of Pleroma or Akkoma has, and small readings that several share. There everything names everything by
// its address: so numbers are asked for by addresses here, and flakes (ids of the API) are further names of the same.
#pragma once
#include "takeover/json.hpp"
#include "takeover/kept_files.hpp"
#include "takeover/pleroma/tables.hpp"
#include "takeover/pleroma/terms.hpp"
#include "takeover/reading.hpp"

#include <map>
#include <memory>

namespace takeover::pleroma {

// What the team set by its pages, by group and key: ":pleroma :instance". What stands in files is not read.
class Config {
public:
    void load(db::Foreign&);
    // Something empty, where it is not set.
    const Term& of(const char* group, const char* key) const;

private:
    std::map<std::string, Term> all_;
};

// Which posts come along, by their numbers there, ascending; and who has to do with somebody here, by their addresses.
struct KeptRows {
    std::vector<std::int64_t> objects;
};

// The key of push messages, from wherever it is set; empty: it is not known.
struct PushKey {
    std::string point, number;
};

struct Reading : takeover::Reading {
    const Config& config;
    const KeptRows& kept;
    std::vector<std::string> uploads;  // what the addresses of uploaded files begin with
    PushKey push;

    bool has(const char* table_name) const { return !db.columns_of(table_name).empty(); }

    // Rows of `from`, which calls them x, from behind `position` on, in the order of their ids.
    template <class T, class F>
    void each(const char* kind, const std::string& from, const std::string& position, Sink& sink, F f) const {
        constexpr bool flakes = std::same_as<decltype(T::id), Text>;
        const char* none = flakes ? "00000000-0000-0000-0000-000000000000" : "0";
        each_behind<T>(
            kind,
            from,
            flakes ? "WHERE x.id > CAST($1 AS uuid) ORDER BY x.id"
                   : "WHERE x.id > CAST($1 AS bigint) ORDER BY x.id",
            position.empty() ? none : position,
            sink,
            std::move(f)
        );
    }
};

// A UUID as ids of the API are written; those of the first years are numbers.
std::string flake_of(std::string_view uuid);
std::string uuid_of(std::string_view flake);  // empty: it is none

// Two actors of the server itself.
bool is_server_actor(std::string_view address);
extern const char* const people_here;  // a condition on users: local ones, without those two

// What an activity `a` is about.
#define PLEROMA_ABOUT "COALESCE(a.data->'object'->>'id', a.data->>'object')"
// What an object quotes, which Pleroma and Akkoma name differently.
#define PLEROMA_QUOTED(OBJECT) "COALESCE(" OBJECT ".data->>'quoteUrl', " OBJECT ".data->>'quoteUri')"
// Kinds of objects that are posts here.
#define PLEROMA_POSTS "('Note', 'Question', 'Article', 'Page')"

// When it was said to be published; not later than it came, whatever is said.
Time dated(const MaybeText& published, Time inserted);
// What posts that wait will show, as a table o.
extern const char* const waiting_uploads;
// The thread of a post; some have none but themselves.
std::string thread_of(const std::string& context, const std::string& address);

struct Audience {
    statuses::Visibility visibility = statuses::Visibility::direct;
    bool local_only = false;
};
// `followers`: the address of those of the author, where it is known; most end in that word.
Audience audience_of(
    const Reading&, const std::vector<std::string>& to, const std::vector<std::string>& cc, bool direct,
    const std::string& followers = {}
);

// Where uploads are, of the files that come along.
inline constexpr const char* uploads_folder = "media/";
// The path of an uploaded file, out of its address; nothing: it lies elsewhere.
std::optional<std::string> upload_path(const Reading&, std::string_view address);

std::optional<KeyRow> own_key(const User&, const SigningKey*);
// Of people here, by their ids.
std::map<std::string, SigningKey> own_signing_keys(db::Foreign&);

// What was attached to a post, or waits to be; `former` names the medium for good.
// Nothing: it was refused.
MaybeId
take_medium(const Reading&, const JsonObject&, const std::string& former, Id owner, MaybeId status, std::int64_t position, Time created_at, bool local, Sink&);
std::string media_former(const std::string& address, const JsonObject& attachment);

KeptRows find_kept(db::Foreign&, bool everything);

std::vector<Loss> losses_of(db::Foreign&, const Config&, bool has_push_key);
std::vector<PersonSample> sample_people(db::Foreign&, std::size_t most);
std::vector<PostSample> sample_posts(db::Foreign&, std::size_t most);

// By domain. `bad` gets what names none.
using ServerRules = std::map<std::string, ServerRuleRow>;
ServerRules server_rules(const Config&, const std::function<void(const std::string&)>& bad);

PushKey push_key(const Config&, const Settings&);

void give_numbers(const Reading&, const std::string& position, Sink&);
void name_statuses(const Reading&, const std::string& position, Sink&);
void copy_site(const Reading&, const std::string& position, Sink&);
void copy_accounts(const Reading&, const std::string& position, Sink&);
void copy_users(const Reading&, const std::string& position, Sink&);
void copy_apps(const Reading&, const std::string& position, Sink&);
void copy_tokens(const Reading&, const std::string& position, Sink&);
void copy_pushes(const Reading&, const std::string& position, Sink&);
void copy_statuses(const Reading&, const std::string& position, Sink&);
void copy_boosts(const Reading&, const std::string& position, Sink&);
void copy_quotes(const Reading&, const std::string& position, Sink&);
void copy_votes(const Reading&, const std::string& position, Sink&);
void copy_favourites(const Reading&, const std::string& position, Sink&);
void copy_bookmarks(const Reading&, const std::string& position, Sink&);
void copy_follows(const Reading&, const std::string& position, Sink&);
void copy_relations(const Reading&, const std::string& position, Sink&);
void copy_notes(const Reading&, const std::string& position, Sink&);
void copy_thread_mutes(const Reading&, const std::string& position, Sink&);
void copy_followed_tags(const Reading&, const std::string& position, Sink&);
void copy_lists(const Reading&, const std::string& position, Sink&);
void copy_list_members(const Reading&, const std::string& position, Sink&);
void copy_filters(const Reading&, const std::string& position, Sink&);
void copy_conversations(const Reading&, const std::string& position, Sink&);
void copy_scheduled(const Reading&, const std::string& position, Sink&);
void copy_notifications(const Reading&, const std::string& position, Sink&);
void copy_reports(const Reading&, const std::string& position, Sink&);
void copy_markers(const Reading&, const std::string& position, Sink&);

}  // namespace takeover::pleroma
