// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/urlencoded.hpp"
#include "server/web/plain/reading.hpp"

#include <algorithm>

namespace server::plain {

namespace {

using instance::View;
using pages::Shown;

std::string paged(const Reading& reading, std::string target) {
    auto below = reading.query("max_id");
    return below.empty() ? target : target + "&max_id=" + http::percent_encoded(below);
}

// ---- notifications ----

struct Note {
    std::string id, type, created_at;
    pages::ShownAuthor account;
    std::optional<Shown> status;
};
DESCRIBE(Note, id, type, created_at, account, status)

std::string_view title_of(std::string_view type) {
    constexpr std::pair<std::string_view, std::string_view> titles[] = {
        {"mention", "Mention"},
        {"status", "New post"},
        {"reblog", "Boost of your post"},
        {"follow", "New follower"},
        {"follow_request", "Request to follow you"},
        {"favourite", "Favourite of your post"},
        {"poll", "A poll has ended"},
        {"update", "A post has changed"},
        {"quote", "Quote of your post"},
        {"quoted_update", "A post that you quoted has changed"},
        {"admin.sign_up", "New sign-up"},
        {"admin.report", "New report"},
        {"severed_relationships", "Lost connections"},
        {"moderation_warning", "Moderation warning"},
    };
    auto found = std::ranges::find(titles, type, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(titles) ? "News" : found->second;
}

void add_note(const Reading& reading, View& page, const Note& note) {
    auto& view = page.add("NOTE").set("NOTE_ID", note.id).say("WHAT", title_of(note.type));
    view.set("WHO", pages::name_of(note.account)).set("WHO_URL", address_of(note.account));
    view.set("DAY", note.created_at.substr(0, 10)).set("TIME", note.created_at);
    if (note.type == "follow_request") view.add("REQUEST").set("WHO_ID", note.account.id);
    if (note.status) add_post(reading, view, *note.status, "post-of-" + note.id);
}

// ---- a thread ----

struct Around {
    std::vector<Shown> ancestors, descendants;
};
DESCRIBE(Around, ancestors, descendants)

constexpr std::size_t answers_at_once = 40, shown_above = 10;

// Shows the nearest ancestors, and a link to the rest.
void add_above(const Reading& reading, View& view, const std::vector<Shown>& ancestors) {
    auto skipped = ancestors.size() - std::min(ancestors.size(), shown_above);
    if (skipped > 0) view.add("ABOVE").set("URL", address_of(ancestors[skipped - 1]));
    for (auto i = skipped; i < ancestors.size(); ++i) add_post(reading, view, ancestors[i]);
}

// In reading order, starting after the post `after`.
void add_answers(const Reading& reading, View& view, const std::vector<Shown>& answers, const Shown& chosen) {
    auto after = reading.query("after");
    auto last = std::ranges::find(answers, after, &Shown::id);
    auto from = last == answers.end() ? 0 : static_cast<std::size_t>(last - answers.begin()) + 1;
    auto to = std::min(answers.size(), from + answers_at_once);
    auto depths = pages::depths_of(answers, chosen);
    for (auto i = from; i < to; ++i) add_post(reading, view, answers[i], {}, depths[i]);
    if (to < answers.size()) view.add("MORE").set("URL", address_of(chosen) + "?after=" + answers[to - 1].id);
}

}  // namespace

http::Response home(const Reading& reading) {
    View view;
    auto answer = reading.answer(paged(reading, "/api/v1/timelines/home?limit=20"));
    add_posts(reading, view, answer.body);
    add_older(view, reading, answer);
    view.show_if(answer.body == "[]", "NOTHING");
    return page(reading.site(), reading.who, {"plain_home", "Home", "/home"}, std::move(view));
}

http::Response notifications(const Reading& reading) {
    View view;
    auto answer = reading.answer(paged(reading, "/api/v1/notifications?limit=20"));
    auto notes = base::json::read<std::vector<Note>>(answer.body);
    for (const auto& note : notes) add_note(reading, view, note);
    add_older(view, reading, answer);
    view.show_if(notes.empty(), "NOTHING");
    view.set("PLACE", reading.request.target).set("AFTERWARDS", reading.request.target);
    return page(
        reading.site(),
        reading.who,
        {"plain_notifications", "Notifications", "/notifications"},
        std::move(view)
    );
}

http::Response thread(const Reading& reading, const std::string& status) {
    View view;
    auto target = "/api/v1/statuses/" + http::percent_encoded(status);
    auto chosen = reading.get<Shown>(target);
    auto around = reading.get<Around>(target + "/context");
    add_above(reading, view, around.ancestors);
    bool alone = around.ancestors.empty() && around.descendants.empty();
    add_post(reading, view, chosen, {}, 0, !alone).set("AFTERWARDS", "/home");
    add_answers(reading, view, around.descendants, chosen);
    view.set("PLACE", reading.request.target).set("AFTERWARDS", reading.request.target);
    return page(reading.site(), reading.who, {"plain_thread", "Thread"}, std::move(view));
}

}  // namespace server::plain
