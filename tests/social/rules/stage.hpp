// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules, for tests: made by the API, switched as the program does it.
#pragma once
#include "social/federation/remote.hpp"
#include "social/moderation/staff.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/rehearsal.hpp"

#include <gtest/gtest.h>

namespace rule_stage {

const std::string path = "/api/dunlin/v1/moderation/rules";

struct Rules : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice");

    Answer send(http::Method method, const std::string& where, const std::string& rule) {
        return owner.send(method, where, "{\"rule\":" + rule + "}", "application/json");
    }
    std::string made(const std::string& rule) {
        auto answer = send(http::Method::post, path, rule);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.id();
    }
    Answer mode(const std::string& id, const std::string& mode) {
        return owner.post(path + "/" + id + "/mode", {{"mode", mode}});
    }
    Answer rehearsed(const std::string& id, const std::string& days = "7") {
        auto begun = owner.post(path + "/" + id + "/rehearsals", {{"days", days}});
        EXPECT_EQ(begun.status, 200) << begun.body;
        w.run_jobs();
        return owner.get(path + "/rehearsals/" + begun.id());
    }
    // Of a rule that is in force.
    std::string on(const std::string& rule) {
        auto id = made(rule);
        EXPECT_EQ(rehearsed(id)["state"], "done");
        EXPECT_EQ(mode(id, "on")["mode"], "on");
        return id;
    }
    Answer hits(const std::string& id) { return owner.get(path + "/hits", {{"rule_id", id}}); }
    // As its server brings it: judged, then stored. Its id, or empty.
    std::string brought(statuses::RemoteStatus status) {
        w.read([&](db::Read& db) { statuses::judge(db, status); });
        return remote::stored(w, status);
    }
};

// {"name":…,"if":[…],"then":[…]} with one condition and one action
inline std::string simple(
    const std::string& condition, const std::string& action, const std::string& more = ""
) {
    return R"({"name":"Test","if":[)" + condition + R"(],"then":[)" + action + "]" + more + "}";
}
inline std::string word(const std::string& text) {
    return R"({"field":"text","op":"contains_word","values":[")" + text + R"("]})";
}
inline std::string act(const std::string& name, const std::string& text = "") {
    return R"({"act":")" + name + (text.empty() ? "\"}" : R"(","text":")" + text + "\"}");
}

}  // namespace rule_stage
