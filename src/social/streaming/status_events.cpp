// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/events.hpp"

#include "social/filters/matching.hpp"
#include "social/labels/effects.hpp"
#include "social/statuses/render/rendered_status.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/timelines/followed_feed.hpp"
#include "social/timelines/public.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace streaming {

using base::StatusId;
using statuses::VisibilityFacts;
using timelines::only;

namespace {

struct PublicStream {
    Kind kind;
    timelines::PublicFilter filter;
};
constexpr PublicStream public_streams[] = {
    {Kind::everything, {}},
    {Kind::everything_media, {.only_media = true}},
    {Kind::local, {.local = true}},
    {Kind::local_media, {.local = true, .only_media = true}},
    {Kind::remote, {.remote = true}},
    {Kind::remote_media, {.remote = true, .only_media = true}},
};

struct TagOf {
    std::string name;
    bool local = false;
};
DESCRIBE(TagOf, name, local)

}  // namespace

// The table status_tags belongs to statuses, tag_follows to tags, list_members to lists.
const db::Query<TagOf> tags_of_streamed{
    "tags_of_streamed",
    "SELECT t.name, x.local FROM status_tags x JOIN tags t ON t.id = x.tag_id WHERE x.status_id = $1"
};
const db::Query<base::TagId> tag_ids_of_streamed{
    "tag_ids_of_streamed", "SELECT tag_id FROM status_tags WHERE status_id = $1"
};
const db::Query<AccountId> listeners_following_tags{
    "listeners_following_tags",
    "SELECT DISTINCT account_id FROM tag_follows WHERE account_id IN LIST($1) AND tag_id IN LIST($2)"
};
const db::Query<lists::ListId> listened_lists_with{
    "listened_lists_with", "SELECT list_id FROM list_members WHERE account_id = $1 AND list_id IN LIST($2)"
};

namespace {

using Seats = std::vector<Seat>;

std::vector<AccountId> accounts_of(const Seats& seats) {
    std::vector<AccountId> out;
    for (const auto& seat : seats) out.push_back(seat.listener->who.viewer.account);
    return out;
}

std::optional<VisibilityFacts> facts_of(db::Read& db, StatusId id) {
    auto found = statuses::visibility_facts(db, statuses::nobody(db), {id});
    return found.empty() ? std::nullopt : std::optional(found[0]);
}

enum class Why { entry, tag };  // why it may be in a home

std::vector<AccountId> following_tags_of(db::Read& db, StatusId id, const std::vector<AccountId>& among) {
    auto tags = db.all(tag_ids_of_streamed, id);
    return tags.empty() ? std::vector<AccountId>() : db.all(listeners_following_tags, among, tags);
}

// Delivers to each in the form of their own home. Returns the accounts that got it.
std::vector<AccountId> notify_in_homes(
    Hub& hub, db::Read& db, timelines::OneForMany& one, std::string_view event,
    const std::vector<AccountId>& accounts, Why why
) {
    const auto& status = one.status();
    std::vector<AccountId> told;
    const auto people = viewers(db, accounts);
    std::vector<const statuses::Audience*> looking;
    for (const auto& [account, viewer] : people) {
        bool shown = why == Why::entry ? timelines::shows(db, viewer.audience, one)
                                       : !timelines::home(db, viewer.audience, only(status.id)).empty();
        if (shown) looking.push_back(&viewer.audience);
    }
    auto rendered = statuses::json_for_many(db, status, looking);
    std::vector<Message> messages;
    for (auto& text : rendered.texts) messages.emplace_back(event, std::move(text));
    for (std::size_t i = 0; i < looking.size(); ++i) {
        hub.tell(hub.at_home(looking[i]->viewer), messages[rendered.of_viewer[i]]);
        told.push_back(looking[i]->viewer);
    }
    return told;
}

// Delivers to followers of the author, and to followers of its hashtags. Returns the accounts that got it.
// Works in batches, so that the first get it while the others are determined.
std::vector<AccountId> notify_homes(
    Hub& hub, db::Read& db, const VisibilityFacts& status, std::string_view event,
    const std::vector<AccountId>& home, timelines::ReachedHomes reach
) {
    constexpr std::size_t most_at_once = 200;
    std::size_t at_once = 25;
    std::vector<AccountId> told;
    timelines::OneForMany one(db, status);
    auto notify = [&](const std::vector<AccountId>& some, Why why) {
        auto heard = notify_in_homes(hub, db, one, event, some, why);
        told.insert(told.end(), heard.begin(), heard.end());
    };
    const auto under_tags = following_tags_of(db, status.id, home);
    std::unordered_set<AccountId> by_tag(under_tags.begin(), under_tags.end());
    for (auto some = reach.next(at_once); !some.empty(); some = reach.next(at_once)) {
        notify(some, Why::entry);
        for (auto account : some) by_tag.erase(account);
        at_once = std::min(2 * at_once, most_at_once);
    }
    std::vector<AccountId> some;
    for (auto account : by_tag) {
        some.push_back(account);
        if (some.size() == most_at_once) notify(std::exchange(some, {}), Why::tag);
    }
    notify(some, Why::tag);
    return told;
}

void notify_in_lists(Hub& hub, db::Read& db, const VisibilityFacts& status, std::string_view event) {
    auto open = hub.lists();
    if (open.empty()) return;
    for (auto list : db.all(listened_lists_with, status.account_id, open)) {
        auto seats = hub.seats(key_of(Kind::list, list.value));
        for (const auto& [account, viewer] : viewers(db, accounts_of(seats))) {
            if (!owns_list(db, account, list)) continue;
            auto found = timelines::list(db, viewer.audience, list, only(status.id));
            if (found.empty()) continue;
            Message message(event, statuses::json(db, viewer.audience, found[0]));
            hub.tell(seats, message);
        }
    }
}

// The form for anonymous viewers, made once, with the results of each viewer's filters.
class OpenForm {
public:
    OpenForm(db::Read& db, std::string_view event, const VisibilityFacts& status)
        : db_(db), event_(event), status_(status) {}

    Message& for_viewer(const statuses::Audience& viewer) {
        // For viewers without choices of their own it is computed once.
        const bool usual = viewer.relations && viewer.viewer != status_.original_account_id &&
                           filters::filters(db_, viewer.viewer, viewer.relations->version)->empty() &&
                           !labels::chooses(db_, viewer.viewer, viewer.relations->version);
        if (usual && usual_) return *usual_;
        auto& made = made_for(viewer);
        if (usual) usual_ = &made;  // references into a map stay valid
        return made;
    }

private:
    Message& made_for(const statuses::Audience& viewer) {
        auto filtered = statuses::filtered(db_, viewer, {&status_, 1});
        auto found = filtered.find(status_.original_id);
        const std::string results = found == filtered.end() ? "[]" : found->second;
        auto known = messages_.find(results);
        if (known != messages_.end()) return known->second;
        if (json_.empty()) json_ = statuses::json(db_, statuses::nobody(db_), status_);
        auto text = json_.substr(0, json_.size() - 1) + ",\"filtered\":" + results + "}";
        return messages_.emplace(results, Message(event_, std::move(text))).first->second;
    }

    db::Read& db_;
    std::string_view event_;
    const VisibilityFacts& status_;
    std::string json_;
    std::map<std::string, Message> messages_;
    Message* usual_ = nullptr;
};

// treatment of posts without a language, for viewers who chose languages
enum class Unsaid { heard, left_out };

bool understands(const Viewer& viewer, timelines::OneForMany& one, Unsaid unsaid) {
    if (viewer.languages.empty()) return true;
    const auto& language = one.language();
    return language ? std::ranges::find(viewer.languages, *language) != viewer.languages.end()
                    : unsaid == Unsaid::heard;
}

// Delivers to each viewer who may see it, in the form for anonymous viewers.
void tell_viewers(
    Hub& hub, db::Read& db, timelines::OneForMany& one, const Seats& seats, OpenForm& form, Unsaid unsaid
) {
    const auto known = viewers_with_languages(db, accounts_of(seats));
    std::unordered_map<AccountId, Message*> decided;  // null: does not get it
    for (const auto& [account, viewer] : known) {
        bool hears = understands(viewer, one, unsaid) && one.shown(viewer.audience);
        decided.emplace(account, hears ? &form.for_viewer(viewer.audience) : nullptr);
    }
    for (const auto& seat : seats) {
        auto found = decided.find(seat.listener->who.viewer.account);
        if (found != decided.end() && found->second) hub.tell(seat, *found->second);
    }
}

// Delivers to the public timelines.
void notify_in_public(Hub& hub, db::Read& db, timelines::OneForMany& one, OpenForm& form) {
    for (const auto& stream : public_streams) {
        auto seats = hub.seats(key_of(stream.kind));
        if (seats.empty()) continue;
        if (timelines::candidates(db, only(one.status().id), stream.filter, {}).facts.empty()) continue;
        tell_viewers(hub, db, one, seats, form, Unsaid::left_out);
    }
}

void notify_under_tags(Hub& hub, db::Read& db, timelines::OneForMany& one, OpenForm& form) {
    Seats seats;
    const auto id = one.status().id;
    for (const auto& tag : db.all(tags_of_streamed, id)) {
        auto add = [&](Kind kind) {
            auto more = hub.seats(key_of(kind, tag.name));
            seats.insert(seats.end(), more.begin(), more.end());
        };
        add(Kind::hashtag);
        if (tag.local) add(Kind::hashtag_local);
    }
    if (!seats.empty() && timelines::stands_under_its_tags(db, id))
        tell_viewers(hub, db, one, seats, form, Unsaid::heard);
}

void notify_in_the_open(Hub& hub, db::Read& db, const VisibilityFacts& status, std::string_view event) {
    notify_in_lists(hub, db, status, event);
    if (status.visibility != statuses::Visibility::public_ || status.is_reblog()) return;
    timelines::OneForMany one(db, status);
    OpenForm form(db, event, status);
    notify_in_public(hub, db, one, form);
    notify_under_tags(hub, db, one, form);
}

std::vector<AccountId> among(const std::vector<AccountId>& some, const std::vector<AccountId>& all) {
    std::vector<AccountId> out;
    for (auto id : some)
        if (std::ranges::find(all, id) != all.end()) out.push_back(id);
    return out;
}

// Mentioned accounts get the edit in the stream of notifications, although there is no new notification.
void notify_mentioned(
    Hub& hub, db::Read& db, const VisibilityFacts& status, const std::vector<AccountId>& told_at_home
) {
    auto mentioned = statuses::mentioned(db, status.id);
    std::erase_if(mentioned, [&](AccountId id) {
        return !hub.anybody(key_of(Kind::notifications, id.value)) && !hub.anybody_at_home(id);
    });
    for (const auto& [account, viewer] : viewers(db, mentioned)) {
        auto found = statuses::visibility_facts(db, viewer.audience, {status.id});
        if (found.empty() || !statuses::shown(found[0], viewer.audience)) continue;
        Message message("status.update", statuses::json(db, viewer.audience, found[0]));
        hub.tell(hub.seats(key_of(Kind::notifications, account.value)), message);
        if (std::ranges::find(told_at_home, account) != told_at_home.end()) continue;
        auto seats = hub.at_home(account);
        std::erase_if(seats, [](const Seat& seat) {
            return !hears_notifications(seat.listener->who.scopes);
        });
        hub.tell(seats, message);
    }
}

}  // namespace

void notify_published(Hub& hub, db::Read& db, StatusId id) {
    auto status = facts_of(db, id);
    if (!status) return;
    if (auto home = hub.at_home(); !home.empty())
        notify_homes(hub, db, *status, "update", home, timelines::ReachedHomes(db, *status, home));
    notify_in_the_open(hub, db, *status, "update");
}

void notify_edited(Hub& hub, db::Read& db, StatusId id) {
    auto status = facts_of(db, id);
    if (!status) return;
    std::vector<AccountId> told;
    if (auto home = hub.at_home(); !home.empty()) {
        // Accounts that a restricted status mentions since an edit got no entry.
        bool for_some = status->visibility == statuses::Visibility::direct ||
                        status->visibility == statuses::Visibility::limited;
        auto reach = for_some ? timelines::ReachedHomes::by_entries(db, *status, home)
                              : timelines::ReachedHomes(db, *status, home);
        told = notify_homes(hub, db, *status, "status.update", home, std::move(reach));
    }
    notify_mentioned(hub, db, *status, told);
    notify_in_the_open(hub, db, *status, "status.update");
}

namespace {

// What timelines would show if the status was not deleted.
bool was_shown(db::Read& db, const statuses::Audience& viewer, timelines::OneForMany& one) {
    const auto& status = one.status();
    const bool in_the_open = status.visibility == statuses::Visibility::public_ ||
                             status.visibility == statuses::Visibility::unlisted;
    const bool followed = status.visibility == statuses::Visibility::private_ && viewer.relations &&
                          viewer.relations->follows(status.account_id);
    if (in_the_open || followed || status.account_id == viewer.viewer) return one.shown(viewer);
    auto found = statuses::deleted_visibility_facts(db, viewer, {status.id});
    if (found.empty()) return false;
    found[0].gone = false;
    return statuses::shown(found[0], viewer);
}

}  // namespace

// The public streams it was in. The table statuses belongs to statuses.
struct Stood {
    bool local = false, media = false, listed = false;
};
DESCRIBE(Stood, local, media, listed)
const db::Query<Stood> where_it_stood{
    "where_it_stood",
    R"(SELECT s.local, (s.relations & 4) <> 0 AS media, a.silenced_at IS NULL AND a.suspended_at IS NULL AND
              (s.in_reply_to_account_id IS NULL OR s.in_reply_to_account_id = s.account_id) AS listed
       FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id = $1)"
};

// Its entries are deleted by now, so everybody who may have had one is considered.
void notify_deleted(Hub& hub, db::Read& db, StatusId id) {
    auto gone = statuses::deleted_visibility_facts(db, statuses::nobody(db), {id});
    if (gone.empty()) return;
    gone[0].gone = false;
    timelines::OneForMany one(db, gone[0]);
    const auto& status = one.status();
    Message message("delete", std::to_string(id.value));
    auto tell = [&](Seats seats, std::unordered_map<AccountId, Viewer> known) {
        std::erase_if(known, [&](const auto& viewer) { return !was_shown(db, viewer.second.audience, one); });
        std::erase_if(seats, [&](const Seat& seat) {
            return !known.contains(seat.listener->who.viewer.account);
        });
        hub.tell(seats, message);
    };
    if (auto home = hub.at_home(); !home.empty()) {
        auto heard = timelines::followers(db, status.account_id, home);
        for (const auto& more :
             {following_tags_of(db, id, home),
              among(statuses::mentioned(db, id), home),
              among({status.account_id}, home)})
            heard.insert(heard.end(), more.begin(), more.end());
        Seats seats;
        auto known = viewers(db, std::move(heard));
        for (const auto& [account, viewer] : known)
            for (auto& seat : hub.at_home(account)) seats.push_back(std::move(seat));
        tell(std::move(seats), std::move(known));
    }
    if (auto open = hub.lists(); !open.empty()) {
        for (auto list : db.all(listened_lists_with, status.account_id, open)) {
            auto seats = hub.seats(key_of(Kind::list, list.value));
            tell(seats, viewers(db, accounts_of(seats)));
        }
    }
    if (status.visibility != statuses::Visibility::public_ || status.is_reblog()) return;
    auto stood = db.one(where_it_stood, id);
    for (const auto& [kind, filter] : public_streams) {
        bool fits = stood.listed && (!filter.only_media || stood.media) && (!filter.local || stood.local) &&
                    (!filter.remote || !stood.local);
        auto seats = fits ? hub.seats(key_of(kind)) : Seats{};
        if (!seats.empty()) tell(seats, viewers(db, accounts_of(seats)));
    }
    for (const auto& tag : db.all(tags_of_streamed, id)) {
        auto seats = hub.seats(key_of(Kind::hashtag, tag.name));
        if (tag.local)
            for (auto& seat : hub.seats(key_of(Kind::hashtag_local, tag.name)))
                seats.push_back(std::move(seat));
        if (!seats.empty()) tell(seats, viewers(db, accounts_of(seats)));
    }
}

}  // namespace streaming
