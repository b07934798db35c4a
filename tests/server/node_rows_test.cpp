// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/nodes/node_rows.hpp"

#include "jobs/runner.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/media/processing.hpp"
#include "social/push/queue.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/post_import.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

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

// Two pieces of each kind of work that nodes lease.
struct Leases : NodeRows {
    void SetUp() override {
        const auto now = std::to_string(w.now().ms);
        for (const std::string id : {"1", "2"}) {
            const auto host = "'far" + id + ".example'";
            w.connection().script(
                "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (" + id +
                ", 'unknown', '{}', " + now +
                ", 0); INSERT INTO inbox_items (id, order_key, recipient_id, run_at, signer, body) VALUES (" +
                id + ", " + id + ", 0, " + now +
                ", '', ''); INSERT INTO activities (id, signer, object, low, always, synchronized, body) "
                "VALUES (" +
                id +
                ", 1, '', FALSE, FALSE, FALSE, ''); INSERT INTO deliveries (activity_id, inbox, host, "
                "object, run_at) VALUES (" +
                id + ", " + host + ", " + host + ", '', " + now +
                "); INSERT INTO archives (id, account_id, secret, created_at) VALUES (" + id +
                ", 1, '', 0); INSERT INTO post_imports (id, account_id, file, created_at) VALUES (" + id +
                ", 1, '', 0); INSERT INTO hosts (authority, next_at) VALUES (" + host + ", " + now +
                " - 10 + " + id +
                "); INSERT INTO push_messages (id, subscription_id, notification_id, due_at) VALUES (" + id +
                ", 1, 1, " + now + "); INSERT INTO media_processing (media_id, source) VALUES (" + id +
                ", '');"
            );
        }
    }
    // What the node gets when it asks for one of each.
    std::vector<std::string> taken_by(std::string_view node) {
        std::vector<std::string> out;
        const db::Context context{&w.site(), [this] { return w.now(); }, &w.reactions(), node};
        db::write_now(w.connection(), context, [&](db::Write& db) {
            for (const auto& one : jobs::lease_due(db, 1))
                out.push_back("job " + std::to_string(one.id.value));
            for (const auto& one : federation::lease_items(db, 1, false))
                out.push_back("item " + std::to_string(one.id.value));
            for (const auto& one : federation::exchange(db, {}, {1, 0}, {}).batches) out.push_back(one.host);
            for (const auto id : push::exchange(db, {}, 1, 1000).leased)
                out.push_back("push " + std::to_string(id.value));
            if (const auto one = media::next_task(db))
                out.push_back("media " + std::to_string(one->media_id.value));
            if (const auto one = transfer::lease_next_archive(db))
                out.push_back("archive " + std::to_string(one->id.value));
            if (const auto one = transfer::lease_post_import(db))
                out.push_back("import " + std::to_string(one->id.value));
        });
        return out;
    }
    void beat(const std::string& name) { NodeRows::beat(name, "jobs", 1); }
    bool left(const std::string& seen_by) {
        return w.read([&](db::Read& db) { return server::others_left_leases(db, seen_by); });
    }
    void free_them() { w.write(server::free_leases_of_gone); }
};
ON_EACH_DATABASE(Leases);

TEST_P(Leases, of_a_node_that_is_gone_are_free_before_their_time_and_those_of_no_other) {
    beat("a"), beat("b");
    const auto first = taken_by("a");
    EXPECT_THAT(
        first, ElementsAre("job 1", "item 1", "far1.example", "push 1", "media 1", "archive 1", "import 1")
    );
    EXPECT_THAT(
        taken_by("b"),
        ElementsAre("job 2", "item 2", "far2.example", "push 2", "media 2", "archive 2", "import 2")
    );
    w.advance(server::node_gone_seconds - 1);
    beat("b");
    EXPECT_FALSE(left("b")) << "it may be there yet";
    free_them();
    EXPECT_THAT(taken_by("c"), IsEmpty());
    w.advance(2);
    EXPECT_TRUE(left("b"));
    free_them();
    EXPECT_FALSE(left("b")) << "once is enough";
    EXPECT_EQ(taken_by("c"), first);
    EXPECT_THAT(taken_by("c"), IsEmpty());
}

TEST_P(Leases, are_left_to_all_while_the_database_was_away_from_everybody) {
    beat("a"), beat("b");
    w.advance(10 * server::node_gone_seconds);
    EXPECT_FALSE(left("b")) << "nobody could say that they are there";
    beat("a"), beat("b");
    w.advance(5);
    EXPECT_FALSE(left("b"));
}

TEST_P(Leases, of_who_was_taken_for_gone_are_looked_after_once_it_is_back) {
    beat("a"), beat("b");
    w.advance(server::node_gone_seconds + 1);
    beat("b");
    free_them();
    beat("a");
    taken_by("a");
    w.advance(server::node_gone_seconds + 1);
    beat("b");
    EXPECT_TRUE(left("b"));
}

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
