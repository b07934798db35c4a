// SPDX-License-Identifier: AGPL-3.0-or-later
#include "contract/account_stage.hpp"

namespace {

const db::Command test_authorization_for_far{
    "test_authorization_for_far",
    "UPDATE accounts SET domain = 'far.example', url = 'https://far.example/@x', version = version + 1 "
    "WHERE id = $1"
};
const db::Command test_await_approval{
    "test_await_approval", "UPDATE users SET approved = FALSE WHERE account_id = $1"
};

constexpr const char* relations[] = {
    "stranger", "follower", "mentioned", "blocked", "blocking", "muting", "suspended", "domain_blocking"
};
constexpr const char* states[] = {
    "plain", "reclusive", "shy", "silenced", "suspended", "remote", "unconfirmed", "unapproved"
};

}  // namespace

AccountStage::AccountStage(World& world) : w(world), friend_(w.local("carol")) {
    for (auto name : relations) viewers.emplace(name, w.local(name));
    viewers.emplace("anonymous", w.anonymous());
    post = friend_.status("a post");
    auto made = friend_.post(
        "/api/v1/collections", {{"name", "Friends"}, {"sensitive", "false"}, {"discoverable", "true"}}
    );
    collection = made["collection.id"];
    for (auto state : states) subjects.push_back(make(state));
    w.run_jobs();
    for (const auto& one : subjects) change(one);
    viewers.at("domain_blocking").post("/api/v1/domain_blocks", {{"domain", "far.example"}});
    w.suspend(viewers.at("suspended"));
    w.run_jobs();
    w.changed();
}

Subject AccountStage::make(const std::string& state) {
    auto name = "zqx" + state;
    Subject out{state == "unconfirmed" ? w.unconfirmed(name) : w.local(name), state, "zqx" + state + "zq"};
    if (state == "unconfirmed") return out;
    auto answer = out.person.patch(
        "/api/v1/accounts/update_credentials",
        {{"display_name", out.marker},
         {"note", out.marker},
         {"fields_attributes[0][name]", out.marker},
         {"fields_attributes[0][value]", out.marker},
         {"discoverable", state == "shy" ? "false" : "true"},
         {"hide_collections", state == "reclusive" ? "true" : "false"}}
    );
    EXPECT_EQ(answer.status, 200) << answer.body;
    if (exists(out)) make_relations(out);
    return out;
}

void AccountStage::make_relations(const Subject& one) {
    const auto& person = one.person;
    person.follows(friend_);
    friend_.follows(person);
    person.favourites(post);
    person.reblogs(post);
    EXPECT_EQ(friend_.post("/api/v1/accounts/" + person.id + "/endorse").status, 200);
    if (one.state != "shy") {
        auto items = "/api/v1/collections/" + collection + "/items";
        EXPECT_EQ(friend_.post(items, {{"account_id", person.id}}).status, 200);
    }
    for (auto name : {"follower", "suspended"}) viewers.at(name).follows(person);
    person.status("@mentioned, this is for you", {{"visibility", "direct"}});
    person.blocks(viewers.at("blocked"));
    viewers.at("blocking").blocks(person);
    viewers.at("muting").mutes(person);
}

void AccountStage::change(const Subject& one) {
    base::AccountId id{std::stoll(one.person.id)};
    if (one.state == "silenced") w.silence(one.person);
    if (one.state == "suspended") w.suspend(one.person);
    if (one.state == "remote") w.write([&](db::Write& db) { db.run(test_authorization_for_far, id); });
    if (one.state == "unapproved") w.write([&](db::Write& db) { db.run(test_await_approval, id); });
}

bool AccountStage::exists(const Subject& one) {
    return one.state != "unconfirmed" && one.state != "unapproved";
}

const Subject& AccountStage::subject(const std::string& state) const {
    return *std::ranges::find(subjects, state, &Subject::state);
}

bool AccountStage::shows(const Answer& answer, const Subject& one) {
    return answer.body.find("{\"id\":\"" + one.person.id + "\",\"username\":") != std::string::npos;
}

Answer AccountStage::ask(const Person& who, const http::Route& route, const std::string& id) const {
    Fields all;
    for (auto name :
         {"id", "id[]", "account_id", "account_ids[]", "target_account_id", "device[][account_id]"})
        all.emplace_back(name, id);
    auto path = filled(route.path, id);
    if (route.method == http::Method::get) return who.get(path, all);
    return who.send(route.method, path, form_encoded(all), "application/x-www-form-urlencoded");
}

Answer AccountStage::list(const Person& who, std::string_view path) const {
    Fields query{{"q", "zqx"}, {"limit", "80"}, {"acct", "carol"}, {"timeline[]", "home"}, {"name", "zqx"}};
    for (const auto& one : subjects) query.emplace_back("id[]", one.person.id);
    auto id = path.find("/statuses/") != path.npos      ? post
              : path.find("/collections/") != path.npos ? collection
                                                        : friend_.id;
    return who.get(filled(path, id), query);
}
