// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/nodes/node_rows.hpp"

#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;

struct NodeRows : OnEachWorld {
    void beat(const std::string& name, const std::string& roles, std::int64_t started) {
        w.write([&](db::Write& db) { server::write_node(db, {name, "host", roles, "1", {started}}); });
    }
    std::string leading() { return w.read(server::leading_node); }
    std::vector<std::string> there() {
        std::vector<std::string> names;
        for (const auto& one : w.read(server::nodes)) names.push_back(one.name);
        return names;
    }
};
ON_EACH_DATABASE(NodeRows);

TEST_P(NodeRows, name_who_came_first_of_those_who_work) {
    EXPECT_EQ(leading(), "");
    beat("a", "web,streaming", 1);
    EXPECT_EQ(leading(), "");
    beat("c", "jobs", 3);
    beat("b", "web,streaming,jobs", 2);
    EXPECT_EQ(leading(), "b");
    EXPECT_THAT(there(), ElementsAre("a", "b", "c"));
    w.write([](db::Write& db) { server::remove_node(db, "b"); });
    EXPECT_EQ(leading(), "c");
}

TEST_P(NodeRows, forget_who_is_not_seen) {
    beat("a", "jobs", 1);
    beat("b", "jobs", 2);
    w.advance(server::node_gone_seconds - 5);
    beat("b", "jobs", 2);
    EXPECT_EQ(leading(), "a");
    w.advance(6);
    EXPECT_EQ(leading(), "b");
    EXPECT_THAT(there(), ElementsAre("b"));
    beat("a", "jobs", 1);
    EXPECT_EQ(leading(), "a");
}

TEST_P(NodeRows, tell_what_waits) {
    EXPECT_EQ(w.read(server::backlog).jobs_waiting, 0);
    w.connection().script(
        "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (7, 'unknown', '{}', " +
        std::to_string(w.now().ms) + ", 0)"
    );
    w.advance(90);
    const auto found = w.read(server::backlog);
    EXPECT_EQ(found.jobs_waiting, 1);
    EXPECT_EQ(found.jobs_late_seconds, 90);
}

}  // namespace
