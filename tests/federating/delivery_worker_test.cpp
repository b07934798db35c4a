// SPDX-License-Identifier: AGPL-3.0-or-later
// Deliveries end to end: a real queue, the thread that sends, and inboxes on loopback that behave in every way.
#include "federating/delivery_worker.hpp"
#include "ap/signatures/signature.hpp"
#include "config/clock.hpp"
#include "net/stage.hpp"
#include "social/federation/delivery/hosts.hpp"
#include "support/database.hpp"

#include <gmock/gmock.h>

#include <future>
#include <map>

namespace {

using namespace federation;
using net_test::App, net_test::eventually, net_test::text;
using testing::ElementsAre, testing::IsEmpty;

const db::Command test_add_key{
    "test_add_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, private_key, created_at)
       VALUES ($1, $2, 'rsa', $3, $4, 0))"
};

// Keys take long to make.
const ap::PrivateKey& private_key() {
    static const auto key = ap::PrivateKey::new_rsa();
    return key;
}
constexpr const char* key_id = "http://localhost:3000/ap/users/1#main-key";

// Somebody else's server. Checks every signature; notes the bodies of what it takes.
class Inbox {
public:
    using Mood = std::function<int(const http::Request&)>;  // the status to answer with

    explicit Inbox(Mood mood = [](const http::Request&) { return 202; }) : mood_(std::move(mood)) {
        app_.on = [this](http::Request request, http::Pending reply) {
            answer(std::move(request), std::move(reply));
        };
        net::ServerOptions options;
        options.listen = {{"127.0.0.1", 0}};
        server_ = std::make_unique<net::Server>(options, app_);
        server_->start();
        origin = "http://127.0.0.1:" + std::to_string(server_->endpoints().at(0).port);
    }
    ~Inbox() { server_->stop(std::chrono::seconds(1)); }

    std::vector<std::string> taken() {
        std::lock_guard lock(mutex_);
        return taken_;
    }
    int requests() {
        std::lock_guard lock(mutex_);
        return requests_;
    }
    std::string url(const std::string& path = "/inbox") const { return origin + path; }
    std::string host() const { return origin.substr(7); }

    std::string origin;
    std::vector<std::string> forged;  // what was not signed as it should be

private:
    void answer(http::Request request, http::Pending reply) {
        std::lock_guard lock(mutex_);
        ++requests_;
        ap::SignedRequest as_signed{"POST", request.target, origin, request.headers, request.body};
        auto reading = ap::read_signature(as_signed, server::clock_now());
        bool good = std::ranges::any_of(reading.claims, [](const ap::Claim& claim) {
            return claim.key_id == key_id && holds(claim, private_key().public_key());
        });
        if (!good) forged.push_back(request.body + ": " + reading.refusal.sentence);
        auto status = mood_(request);
        if (status == 0) {
            kept_.push_back(std::move(reply));
            return;
        }
        if (status >= 200 && status < 300) taken_.push_back(request.body);
        auto response = text(status == 299 ? std::string(4 << 20, 'x') : "said");
        response.status = status;
        if (status == 503) response.headers.emplace_back("Retry-After", "1");
        if (status == 307) response.headers.emplace_back("Location", origin + request.target);
        reply.answer(std::move(response));
    }

    App app_;
    Mood mood_;
    std::mutex mutex_;
    std::vector<std::string> taken_;
    std::vector<http::Pending> kept_;
    int requests_ = 0;
    std::unique_ptr<net::Server> server_;
};

class DeliveryWorkers : public support::OnEachMigratedDatabase {
protected:
    DeliveryWorkers() {
        auto& options = database.options;
        options.readers = 2;
        options.context.clock = server::clock_now;
        options.prepare = [this](db::Connection& connection) {
            db::migrate(connection, server::clock_now());
            db::write_now(connection, database.options.context, [](db::Write& db) {
                db.run(
                    test_add_key, key_id, AccountId{1}, private_key().public_key().pem(), private_key().pem()
                );
            });
        };
        options.announced = [this](const std::vector<db::Announcement>&) {
            if (delivery_worker) delivery_worker->wake();
        };
        engine = db::open_engine(options);
        engine->start();
        open();
    }
    ~DeliveryWorkers() override {
        delivery_worker->stop();
        engine->stop();
    }

    void open() {
        server::DeliveryWorkerOptions options;
        options.pace.retry_ms = 60;
        options.poll_seconds = 60;
        if (GetParam() == support::Database::sqlite)
            write([](db::Write& db) { federation::release_hosts(db, ""); });
        net::HttpClientOptions client;
        client.allowed_networks = {"127.0.0.0/8"};
        client.plain_http = true;
        delivery_worker = std::make_unique<server::DeliveryWorker>(*engine, client, options);
        delivery_worker->start();
    }
    void write(const std::function<void(db::Write&)>& f) {
        std::promise<void> finished;
        engine->write("test", f, [&](std::exception_ptr error) {
            error ? finished.set_exception(error) : finished.set_value();
        });
        finished.get_future().get();
    }
    QueueFigures figures() {
        std::promise<QueueFigures> found;
        engine->read([&](db::Read& db) { found.set_value(queue_figures(db)); }, db::newest);
        return found.get_future().get();
    }
    bool all_settled() {
        return eventually([&] {
            auto now = figures();
            return now.waiting + now.retrying == 0;
        });
    }
    void send(
        const std::string& body, const std::vector<std::string>& inboxes, const std::string& object = "o"
    ) {
        write([&](db::Write& db) {
            OutgoingActivity out;
            out.signer = {1};
            out.body = body;
            out.object = object;
            federation::send(db, out, inboxes);
        });
    }

    std::unique_ptr<db::RunningEngine> engine;
    std::unique_ptr<server::DeliveryWorker> delivery_worker;
};
ON_EACH_DATABASE(DeliveryWorkers);

TEST_P(DeliveryWorkers, bring_what_is_sent_signed_to_every_inbox_once) {
    Inbox a, b;
    send("one", {a.url(), b.url(), a.url()});
    send("two", {a.url("/people/1/inbox")}, "another");
    ASSERT_TRUE(all_settled());
    EXPECT_THAT(a.taken(), testing::UnorderedElementsAre("one", "two"));
    EXPECT_THAT(b.taken(), ElementsAre("one"));
    EXPECT_THAT(a.forged, IsEmpty());
    EXPECT_EQ(delivery_worker->counters().delivered, 3);
}

TEST_P(DeliveryWorkers, keep_the_order_about_one_object_over_failures) {
    std::atomic<int> failing = 2;
    Inbox inbox([&](const http::Request&) { return failing-- > 0 ? 500 : 202; });
    for (auto body : {"create", "update", "delete"}) send(body, {inbox.url()});
    ASSERT_TRUE(all_settled());
    EXPECT_THAT(inbox.taken(), ElementsAre("create", "update", "delete"));
    EXPECT_EQ(inbox.requests(), 5);
    EXPECT_THAT(inbox.forged, IsEmpty());
}

TEST_P(DeliveryWorkers, answer_each_behaviour_of_an_inbox_and_harm_no_other) {
    std::map<std::string, std::atomic<int>> tries;
    for (auto path : {"/500", "/503", "/429", "/307", "/410", "/404", "/501", "/large"}) tries[path] = 0;
    Inbox moody([&](const http::Request& request) {
        int turn = ++tries.at(request.target);
        if (request.target == "/large") return 299;
        auto status = std::stoi(request.target.substr(1));
        return turn < 3 || status == 307 ? status : 202;
    });
    Inbox good;
    std::vector<std::string> inboxes{good.url()};
    for (const auto& [path, count] : tries) inboxes.push_back(moody.url(path));
    inboxes.push_back("http://127.0.0.1:1/inbox");  // nobody listens there
    send("news", inboxes);
    ASSERT_TRUE(eventually([&] { return good.taken().size() == 1; }));
    ASSERT_TRUE(eventually([&] { return tries["/307"] > 2 && moody.taken().size() == 4; }));
    EXPECT_EQ(tries["/500"], 3);
    EXPECT_EQ(tries["/503"], 3);
    EXPECT_EQ(tries["/429"], 3);
    EXPECT_EQ(tries["/large"], 1);
    for (auto path : {"/410", "/404", "/501"}) EXPECT_EQ(tries[path], 1) << path;
    EXPECT_THAT(moody.forged, IsEmpty());
}

TEST_P(DeliveryWorkers, lose_nothing_when_stopped_in_between) {
    std::atomic<bool> works = false;
    Inbox inbox([&](const http::Request&) { return works ? 202 : 500; });
    for (int i = 0; i < 20; ++i) send(std::to_string(i), {inbox.url("/" + std::to_string(i))});
    ASSERT_TRUE(eventually([&] { return inbox.requests() > 0; }));
    delivery_worker->stop();
    EXPECT_EQ(figures().waiting + figures().retrying, 20);
    works = true;
    open();
    ASSERT_TRUE(all_settled());
    EXPECT_EQ(inbox.taken().size(), 20u);
}

TEST_P(DeliveryWorkers, try_the_other_signature_scheme_and_remember_it) {
    Inbox modern([](const http::Request& request) {
        return http::find_header(request.headers, "Signature-Input").empty() ? 401 : 202;
    });
    send("one", {modern.url()});
    ASSERT_TRUE(all_settled());
    EXPECT_EQ(modern.requests(), 2);
    send("two", {modern.url()});
    ASSERT_TRUE(all_settled());
    EXPECT_EQ(modern.requests(), 3);
    EXPECT_THAT(modern.taken(), ElementsAre("one", "two"));
    EXPECT_THAT(modern.forged, IsEmpty());
}

TEST_P(DeliveryWorkers, serve_everybody_while_some_never_answer) {
    Inbox silent([](const http::Request&) { return 0; });
    Inbox good;
    std::vector<std::string> inboxes;
    for (int i = 0; i < 40; ++i) inboxes.push_back(silent.url("/" + std::to_string(i)));
    for (int i = 0; i < 40; ++i) inboxes.push_back(good.url("/" + std::to_string(i)));
    send("news", inboxes);
    ASSERT_TRUE(eventually([&] { return good.taken().size() == 40; }));
    EXPECT_EQ(figures().hosts_unavailable, 0);
    EXPECT_LT(silent.requests(), 40);
}

TEST_P(DeliveryWorkers, rest_while_nothing_is_due) {
    Inbox good;
    send("news", {good.url()});
    ASSERT_TRUE(all_settled());
    ASSERT_TRUE(eventually([&] { return delivery_worker->counters().under_way == 0; }));
    // What follows a delivery may still be written; then nothing is.
    EXPECT_TRUE(eventually([&] {
        auto before = engine->stats().changes;
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        return engine->stats().changes == before;
    }));
}

}  // namespace
