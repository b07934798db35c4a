// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/urlencoded.hpp"
#include "server/web/plain/reading.hpp"

namespace server::plain {

namespace {

using instance::View;

struct Field {
    std::string name, value;
};
DESCRIBE(Field, name, value)
struct Profile {
    std::string id, username, acct, display_name, note, avatar_static;
    bool locked = false, bot = false;
    std::int64_t statuses_count = 0, following_count = 0, followers_count = 0;
    std::vector<Field> fields;
    std::vector<pages::ShownEmoji> emojis;
};
DESCRIBE(
    Profile, id, username, acct, display_name, note, avatar_static, locked, bot, statuses_count,
    following_count, followers_count, fields, emojis
)
struct Bond {
    bool following = false, followed_by = false, requested = false, muting = false, blocking = false;
};
DESCRIBE(Bond, following, followed_by, requested, muting, blocking)

void add_person(View& view, const Reading& reading, const Profile& person) {
    bool here = person.acct.find('@') == person.acct.npos;
    view.set("HANDLE", here ? person.acct + "@" + reading.site().domain : person.acct)
        .set("AVATAR", person.avatar_static)
        .set("NOTE", pages::with_emojis(person.note, person.emojis))
        .set("WHO_ID", person.id)
        .count("STATUSES", person.statuses_count)
        .count("FOLLOWING", person.following_count)
        .count("FOLLOWERS", person.followers_count);
    view.show_if(person.bot, "BOT");
    if (person.fields.empty()) return;
    auto& list = view.add("FIELDS");
    for (const auto& field : person.fields)
        list.add("FIELD")
            .set("NAME_HTML", pages::words_html(field.name, person.emojis))
            .set("VALUE", pages::with_emojis(field.value, person.emojis));
}

void add_acts(View& view, const Bond& with) {
    auto& acts = view.add("RELATION");
    auto state = [&](bool holds, std::string_view sentence) {
        if (holds) acts.add("STATE").say("SAID", sentence);
    };
    state(with.followed_by, "Follows you");
    state(with.following, "You follow them");
    state(with.requested, "You have asked to follow them");
    state(with.muting, "You have muted them");
    state(with.blocking, "You have blocked them");
    if (!with.blocking) add_act(acts, with.following || with.requested, "follow", "Follow", "Unfollow");
    add_act(acts, with.muting, "mute", "Mute", "Unmute");
    add_act(acts, with.blocking, "block", "Block", "Unblock");
}

std::string posts_of(const Reading& reading, const Profile& person, std::string_view part) {
    auto target = "/api/v1/accounts/" + person.id + "/statuses?limit=20";
    if (part.empty()) target += "&exclude_replies=true";
    if (part == "media") target += "&only_media=true";
    auto below = reading.query("max_id");
    return below.empty() ? target : target + "&max_id=" + http::percent_encoded(below);
}

}  // namespace

http::Response profile(const Reading& reading, const std::string& acct, std::string_view part) {
    auto person = reading.get<Profile>("/api/v1/accounts/lookup?acct=" + http::percent_encoded(acct));
    bool own = person.id == reading.me();
    View view;
    add_person(view, reading, person);
    pages::ShownAuthor author;
    author.acct = person.acct;
    auto address = address_of(author);
    for (auto [ending, name] :
         {std::pair<std::string_view, std::string_view>{"", "Posts"},
          {"replies", "Posts and replies"},
          {"media", "Media"}}) {
        auto& one = view.add("TAB").say("NAME", name);
        one.set("URL", address + (ending.empty() ? "" : "/") + std::string(ending));
        one.show_if(part == ending, "HERE");
    }
    if (own) view.add("MINE");
    else if (auto with = reading.get<std::vector<Bond>>("/api/v1/accounts/relationships?id[]=" + person.id);
             !with.empty())
        add_acts(view, with.front());
    auto answer = reading.answer(posts_of(reading, person, part));
    add_posts(reading, view, answer.body);
    add_older(view, reading, answer);
    view.show_if(answer.body == "[]", "NOTHING");
    auto name = person.display_name.empty() ? person.username : person.display_name;
    return page(
        reading.site(),
        reading.who,
        {"plain_profile",
         name,
         own ? std::string_view(address) : std::string_view(),
         false,
         pages::words_html(name, person.emojis)},
        std::move(view)
    );
}

}  // namespace server::plain
