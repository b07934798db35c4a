// SPDX-License-Identifier: AGPL-3.0-or-later
// Push messages end to end: a real queue, the thread that sends, and push services on loopback that behave in every way.
#include "federating/pusher.hpp"

#include "base/crypto.hpp"
#include "config/clock.hpp"
#include "net/stage.hpp"
#include "social/accounts/users/user.hpp"
#include "social/instance/settings.hpp"
#include "support/database.hpp"

#include <gmock/gmock.h>

#include <future>

namespace {

using net_test::App, net_test::eventually, net_test::text;
using testing::ElementsAre;

const db::Command test_subscribe{
    "test_subscribe_push",
    R"(INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, standard, policy, alerts, created_at)
       VALUES ($1, $2, $3, $4, $5, TRUE, 'all', '{"follow":true}', $1))"
};
const db::Command test_notify{
    "test_notify_push",
    R"(INSERT INTO notifications (id, account_id, from_account_id, type, status_id, about_id, group_key, created_at)
       VALUES ($1, $2, $2, 'follow', 0, $1, 'x', $3))"
};
const db::Query<std::int64_t> test_count_subscriptions{
    "test_count_push_subscriptions", "SELECT count(*) FROM push_subscriptions"
};

const std::string point = base::base64url(base::new_p256_key().public_point),
                  secret = base::base64url(std::string(16, 's'));

// A push service; notes the paths of what it takes.
class Service {
public:
    using Mood = std::function<int(const http::Request&)>;  // the status to answer with; 0: never

    explicit Service(Mood mood = [](const http::Request&) { return 201; }) : mood_(std::move(mood)) {
        app_.on = [this](http::Request request, http::Pending reply) {
            std::lock_guard lock(mutex_);
            ++requests_;
            auto status = mood_(request);
            if (status == 0) {
                kept_.push_back(std::move(reply));
                return;
            }
            if (status < 300) taken_.push_back(request.target);
            auto response = text("said");
            response.status = status;
            if (status == 429) response.headers.emplace_back("Retry-After", "1");
            reply.answer(std::move(response));
        };
        net::ServerOptions options;
        options.listen = {{"127.0.0.1", 0}};
        server_ = std::make_unique<net::Server>(options, app_);
        server_->start();
        origin = "http://127.0.0.1:" + std::to_string(server_->endpoints().at(0).port);
    }
    ~Service() { server_->stop(std::chrono::seconds(1)); }

    std::vector<std::string> taken() {
        std::lock_guard lock(mutex_);
        return taken_;
    }
    int requests() {
        std::lock_guard lock(mutex_);
        return requests_;
    }

    std::string origin;

private:
    App app_;
    Mood mood_;
    std::mutex mutex_;
    std::vector<std::string> taken_;
    std::vector<http::Pending> kept_;
    int requests_ = 0;
    std::unique_ptr<net::Server> server_;
};

class Pushers : public support::OnEachMigratedDatabase {
protected:
    Pushers() {
        auto& options = database.options;
        options.readers = 2;
        options.context.clock = server::clock_now;
        options.prepare = [this](db::Connection& connection) {
            db::migrate(connection, server::clock_now());
            db::write_now(connection, database.options.context, [this](db::Write& db) {
                instance::ensure_keys(db);
                accounts::NewUser alice;
                alice.username = "alice";
                alice.email = "alice@example.org";
                alice.confirmed = true;
                user_ = accounts::create_user(db, alice);
                account_ = accounts::user(db, user_).account_id;
            });
        };
        options.announced = [this](const std::vector<db::Announcement>&) {
            if (pusher) pusher->wake();
        };
        engine = db::open_engine(options);
        engine->start();
        open();
    }
    ~Pushers() override {
        pusher->stop();
        engine->stop();
    }

    void open() {
        if (GetParam() == support::Database::sqlite)
            write([](db::Write& db) { push::release_messages(db, ""); });
        net::HttpClientOptions client;
        client.allowed_networks = {"127.0.0.0/8"};
        client.plain_http = true;
        pusher = std::make_unique<server::Pusher>(*engine, client, 60);
        pusher->start();
    }
    void write(const std::function<void(db::Write&)>& f) {
        std::promise<void> finished;
        engine->write("test", f, [&](std::exception_ptr error) {
            error ? finished.set_exception(error) : finished.set_value();
        });
        finished.get_future().get();
    }
    std::int64_t read(const std::function<std::int64_t(db::Read&)>& f) {
        std::promise<std::int64_t> found;
        engine->read([&](db::Read& db) { found.set_value(f(db)); }, db::newest);
        return found.get_future().get();
    }
    bool all_settled() {
        return eventually([&] { return read(push::waiting) == 0; });
    }
    std::int64_t subscriptions() {
        return read([](db::Read& db) { return db.one(test_count_subscriptions); });
    }
    // A subscription each.
    void subscribe(const std::vector<std::string>& endpoints) {
        write([&](db::Write& db) {
            for (const auto& endpoint : endpoints)
                db.run(test_subscribe, ++last_, user_, endpoint, point, secret);
        });
    }
    void happens(int times = 1) {
        for (int i = 0; i < times; ++i)
            write([&](db::Write& db) {
                auto id = db.new_id<base::NotificationId>();
                db.run(test_notify, id, account_, db.now());
                push::want_pushes(db, {account_, account_, id, notifications::Type::follow});
            });
    }

    base::UserId user_;
    base::AccountId account_;
    std::int64_t last_ = 0;
    std::unique_ptr<db::RunningEngine> engine;
    std::unique_ptr<server::Pusher> pusher;
};
ON_EACH_DATABASE(Pushers);

TEST_P(Pushers, bring_each_message_once) {
    Service one, other;
    subscribe({one.origin + "/a", other.origin + "/b"});
    happens(3);
    ASSERT_TRUE(all_settled());
    EXPECT_THAT(one.taken(), ElementsAre("/a", "/a", "/a"));
    EXPECT_THAT(other.taken(), ElementsAre("/b", "/b", "/b"));
    EXPECT_EQ(pusher->counters().sent, 6);
    EXPECT_EQ(subscriptions(), 2);
}

TEST_P(Pushers, answer_each_behaviour_of_a_service) {
    std::map<std::string, int> tries;
    Service moody([&](const http::Request& request) {
        int turn = ++tries[request.target];
        auto status = std::stoi(request.target.substr(1));
        return turn < 3 || status < 400 ? status : 201;
    });
    for (auto path : {"/500", "/503", "/429", "/408", "/307", "/410", "/404", "/401", "/413", "/201"})
        subscribe({moody.origin + path});
    happens();
    ASSERT_TRUE(all_settled());
    EXPECT_EQ(subscriptions(), 6) << "four were refused for good";
    for (auto path : {"/500", "/503", "/429", "/408"}) EXPECT_EQ(tries[path], 3) << path;
    for (auto path : {"/410", "/404", "/401", "/413", "/201"}) EXPECT_EQ(tries[path], 1) << path;
    EXPECT_EQ(tries["/307"], push::most_tries) << "redirects are not followed";
    EXPECT_EQ(pusher->counters().gone, 4);
}

TEST_P(Pushers, serve_everybody_while_some_never_answer) {
    Service silent([](const http::Request&) { return 0; });
    Service good;
    for (int i = 0; i < 20; ++i) subscribe({silent.origin + "/" + std::to_string(i)});
    subscribe({good.origin + "/good"});
    happens(10);
    ASSERT_TRUE(eventually([&] { return good.taken().size() == 10; }));
    EXPECT_LE(silent.requests(), 4) << "so few at a time, until one answers";
}

TEST_P(Pushers, ask_no_private_network) {
    pusher->stop();
    Service inside;
    subscribe({inside.origin + "/a"});
    pusher = std::make_unique<server::Pusher>(
        *engine, net::HttpClientOptions{.plain_http = true}, std::int64_t{60}
    );
    pusher->start();
    happens();
    ASSERT_TRUE(eventually([&] { return pusher->counters().failed > 0; }));
    EXPECT_EQ(inside.requests(), 0);
    EXPECT_EQ(subscriptions(), 1);
}

TEST_P(Pushers, lose_nothing_when_stopped_in_between) {
    std::atomic<bool> works = false;
    Service service([&](const http::Request&) { return works ? 201 : 503; });
    subscribe({service.origin + "/a"});
    happens(20);
    ASSERT_TRUE(eventually([&] { return service.requests() > 0; }));
    pusher->stop();
    EXPECT_EQ(read(push::waiting), 20);
    works = true;
    open();
    ASSERT_TRUE(all_settled());
    EXPECT_EQ(service.taken().size(), 20u);
}

TEST_P(Pushers, rest_while_nothing_is_due) {
    Service service;
    subscribe({service.origin + "/a"});
    happens();
    ASSERT_TRUE(all_settled());
    EXPECT_TRUE(eventually([&] {
        auto before = engine->stats().changes;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return engine->stats().changes == before;
    }));
}

}  // namespace
