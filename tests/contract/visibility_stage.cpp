// SPDX-License-Identifier: AGPL-3.0-or-later
#include "contract/visibility_stage.hpp"

#include "social/oauth/session.hpp"

namespace {

// The same person in a browser: the cookie that it sends along by itself, and no token.
Person in_a_browser(World& w, Person person, const std::string& secret) {
    person.token.clear();
    return person.with("Cookie", "dunlin_session=" + secret).with("Origin", w.site().public_url);
}

std::string session_of(World& w, const Person& person) {
    return w.write([&](db::Write& db) {
        auto user = accounts::find_user_of(db, base::AccountId{std::stoll(person.id)})->id;
        return oauth::begin_session(db, user, "192.0.2.1", "A browser");
    });
}

const db::Command test_limit_reach{
    "test_limit_reach", "UPDATE statuses SET visibility = 'limited' WHERE id = $1"
};

}  // namespace

Stage::Stage(World& world) : w(world), author(w.local("author")), friend_(w.local("carol")) {
    for (auto name : {"stranger", "follower", "mentioned", "blocked", "blocking", "muting", "suspended"})
        viewers.emplace(name, w.local(name));
    viewers.emplace("author", author);
    viewers.emplace("anonymous", w.anonymous());
    viewers.at("follower").follows(author);
    viewers.at("suspended").follows(author);
    // Who follows by a session of the web client; and whose cookie is sent by a page that does not know the proof.
    auto session = w.local("session"), cookie = w.local("cookie");
    for (const auto& person : {session, cookie}) person.follows(author);
    auto secret = session_of(w, session);
    viewers.emplace(
        "session",
        in_a_browser(w, session, secret).with("Authorization", "Session " + oauth::masked_proof(secret))
    );
    viewers.emplace("cookie", in_a_browser(w, cookie, session_of(w, cookie)));
    friend_.follows(author);
    auto root = friend_.status("what do you say? #stage");
    make_posts(root);
    author.blocks(viewers.at("blocked"));
    viewers.at("blocking").blocks(author);
    viewers.at("muting").mutes(author);
    w.suspend(viewers.at("suspended"));
    w.catch_up();
    // What others do with what they may see must not carry it further.
    for (const auto& post : posts)
        if (post.visibility == "public" && post.name != "public boost") friend_.favourites(post.id);
    w.catch_up();
}

void Stage::post(const std::string& kind, const std::string& visibility, Fields fields) {
    auto marker = "zq" + visibility + kind + "zq";
    bool limited = visibility == "limited";
    fields.emplace_back("visibility", limited ? "direct" : visibility);
    auto id = author.status("@mentioned says " + marker + " #stage", fields);
    if (limited) w.write([&](db::Write& db) { db.run(test_limit_reach, base::StatusId{std::stoll(id)}); });
    posts.push_back({kind.empty() ? visibility : visibility + " " + kind, id, visibility, marker});
}

void Stage::make_posts(const std::string& root) {
    for (auto visibility : {"public", "unlisted", "private", "direct", "limited"}) {
        post("", visibility, {});
        post("reply", visibility, {{"in_reply_to_id", root}});
        post("warned", visibility, {{"spoiler_text", "zqw" + std::string(visibility)}});
        // Quoting somebody in a message to others alone is refused.
        bool open = std::string_view(visibility) != "direct" && std::string_view(visibility) != "limited";
        if (open) post("quote", visibility, {{"quoted_status_id", root}});
    }
    for (auto visibility : {"public", "unlisted", "private"}) {
        auto boosted = friend_.status("to be boosted " + std::string(visibility));
        auto answer = author.post("/api/v1/statuses/" + boosted + "/reblog", {{"visibility", visibility}});
        EXPECT_EQ(answer.status, 200) << answer.body;
        auto id = answer.id();
        posts.push_back({std::string(visibility) + " boost", id, visibility, "\"id\":\"" + id + "\""});
    }
    w.catch_up();
}

std::string Stage::name_of(const Person& viewer) const {
    for (const auto& [name, person] : viewers)
        if (person.token == viewer.token && person.id == viewer.id) return name;
    return {};
}

bool Stage::may_see(const Person& viewer, const Post& post) const {
    auto who = name_of(viewer);
    if (who == "suspended") return false;
    if (who == "author") return true;
    bool boost = post.name.ends_with("boost");  // mentions nobody
    if (who == "mentioned" && !boost) return true;
    if (post.visibility == "public" || post.visibility == "unlisted") return who != "blocked";
    if (post.visibility == "private") return who == "follower" || who == "session";
    return false;
}

Answer Stage::ask(const Person& who, const http::Route& route, const std::string& id) const {
    auto path = filled(route.path, id);
    if (route.method == http::Method::get) return who.get(path);
    return who.send(route.method, path, "status=x", "application/x-www-form-urlencoded");
}

std::vector<Answer> Stage::ask_all(const Person& who, const http::Route& route) const {
    Fields query{
        {"q", "says"},
        {"limit", "40"},
        {"acct", "author"},
        {"id[]", author.id},
        {"id[]", friend_.id},
        {"timeline[]", "home"},
        {"url", "https://example.com/"},
        {"name", "stage"}
    };
    for (const auto& post : posts) query.emplace_back("id[]", post.id);
    std::vector<Answer> out;
    if (route.path.find(':') == route.path.npos) {
        out.push_back(who.get(std::string(route.path), query));
        query.emplace_back("type", "statuses");
        out.push_back(who.get(std::string(route.path), query));
        return out;
    }
    // An account's route is asked for accounts, a hashtag's for the hashtag, all others for everything.
    bool of_accounts = route.path.find("/accounts/:") != route.path.npos;
    bool of_tags =
        route.path.find("/tag/:") != route.path.npos || route.path.find("/tags/:") != route.path.npos;
    std::vector<std::string> ids{"stage"};
    if (!of_tags) ids = {author.id, friend_.id};
    if (!of_tags && !of_accounts)
        for (const auto& post : posts) ids.push_back(post.id);
    for (const auto& id : ids) out.push_back(who.get(filled(route.path, id), query));
    return out;
}

Answer Stage::ask_with_status(const Person& who, const http::Route& route, const std::string& status) const {
    Fields form{{"status", "what is this"}};
    for (auto name :
         {"in_reply_to_id", "quoted_status_id", "status_id", "status_ids[]", "home[last_read_id]", "id"})
        form.emplace_back(name, status);
    form.emplace_back("account_id", author.id);
    return who.send(
        route.method, filled(route.path, status), form_encoded(form), "application/x-www-form-urlencoded"
    );
}

std::vector<std::string> Stage::shown(const Answer& answer) const {
    std::vector<std::string> out;
    auto ids = answer.ids();
    for (const auto& post : posts)
        if (std::ranges::find(ids, post.id) != ids.end()) out.push_back(post.name);
    return out;
}
