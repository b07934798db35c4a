// SPDX-License-Identifier: AGPL-3.0-or-later
// How a site looks from outside: each fault of a proxy or a name made on purpose, and two servers of which one looks at the
// other.
#include "doctoring.hpp"
#include "net/certificate.hpp"
#include "server/doctor/stranger.hpp"
#include "server/root_handler.hpp"
#include "support/database.hpp"

namespace {

using server::Diagnosis, server::Level, server_test::fault, server_test::free_port, server_test::says,
    server_test::warning;
using testing::Each, testing::ElementsAre, testing::Field, testing::HasSubstr;

// What stands at the public address, as far as a stranger sees it.
struct Site : testing::Test {
    net_test::App app;
    std::unique_ptr<net::Server> there;
    std::string url, host;
    std::map<std::string, http::Response> answers;  // by path
    std::vector<http::Request> asked;
    net::HttpClientOptions options;

    static http::Response json(const std::string& body, const std::string& type = "application/json") {
        auto response = net_test::text(body);
        response.content_type = type;
        return response;
    }
    void open(net::ServerOptions server = {}) {
        app.on = [this](http::Request request, http::Pending reply) {
            const auto found = answers.find(std::string(request.path()));
            auto answer = found == answers.end() ? net_test::text("nothing") : found->second;
            if (found == answers.end()) answer.status = 404;
            asked.push_back(std::move(request));
            reply.answer(answer);
        };
        there = std::make_unique<net::Server>(server, app);
        there->start();
        host = "localhost:" + std::to_string(there->endpoints().at(0).port);
        url = (server.listen.at(0).tls ? "https://" : "http://") + host;
        options.allowed_networks = {"127.0.0.0/8", "::1/128"};
        arrives({host, url.substr(0, url.find(':')), "203.0.113.7", "websocket"});
        answers["/actor"] = json("{\"id\":\"" + url + "/actor\"}", "application/activity+json");
        answers["/.well-known/webfinger"] =
            json("{\"subject\":\"acct:" + host + "@" + host + "\",\"href\":\"" + url + "\"}");
        answers["/.well-known/nodeinfo"] = json("{\"href\":\"" + url + "/nodeinfo/2.0\"}");
        answers["/inbox"] = json("{\"error\":\"Request not signed\"}");
        answers["/inbox"].status = 401;
        answers["/api/v2/instance"] = json("{\"thumbnail\":{\"url\":\"" + url + "/static/a.png\"}}");
        answers["/static/a.png"] = json("a picture", "image/png");
        answers["/static/a.png"].headers.emplace_back("X-Content-Type-Options", "nosniff");
        answers["/api/v1/streaming/health"] = net_test::text("OK");
    }
    void arrives(const server::Arrival& arrival) {
        answers[std::string(server::path_of_arrival)] = json(base::json::to_string(arrival));
    }
    Diagnosis look(bool elsewhere = true) {
        net::HttpClient client(options);
        return server::see_as_stranger(
            [&](const base::Fetch& question) { return client.fetch(question); }, url, elsewhere
        );
    }
};

TEST_F(Site, is_well_for_strangers_and_nothing_is_brought_to_it) {
    open();
    EXPECT_THAT(look(), ElementsAre(Field(&server::Seen::level, Level::ok)));
    for (const auto& request : asked)
        if (request.method == http::Method::post) EXPECT_EQ(request.body, "{}") << request.target;
}

TEST_F(Site, does_not_believe_a_visitor_who_says_where_from) {
    open();
    arrives({host, "http", "192.0.2.123", "websocket"});
    EXPECT_THAT(look(), fault("outside", "whoever asks may say from where"));
    EXPECT_THAT(look(false), Each(Field(&server::Seen::level, Level::ok))) << "this machine may be a proxy";
    EXPECT_EQ(
        std::ranges::count_if(
            asked, [](const auto& one) { return one.header("X-Forwarded-For") == "192.0.2.123"; }
        ),
        1
    );
}

TEST_F(Site, is_found_to_have_a_proxy_that_hands_on_too_little) {
    open();
    arrives({"10.0.0.1:3000", "http", "203.0.113.7", "websocket"});
    EXPECT_THAT(look(), fault("outside", "the proxy calls the server 10.0.0.1:3000 instead of " + host));
    arrives({host, "https", "203.0.113.7", "websocket"});
    EXPECT_THAT(look(), fault("outside", "requests from outside arrive as https"));
    arrives({host, "http", "203.0.113.7", ""});
    EXPECT_THAT(look(), fault("outside", "lets no WebSockets through"));
    arrives({host, "http", "203.0.113.7", "websocket"});
    answers["/inbox"] = net_test::text("a page of a firewall");
    answers["/inbox"].status = 403;
    answers["/actor"].content_type = "text/html";
    answers.erase("/.well-known/webfinger");
    answers.erase("/.well-known/nodeinfo");
    answers["/static/a.png"].content_type = "text/html";
    answers.erase("/api/v1/streaming/health");
    const auto seen = look();
    EXPECT_THAT(seen, fault("outside", "/inbox does not take what other servers bring (status 403)"));
    EXPECT_THAT(seen, fault("outside", "/actor is not answered with the actor of this server"));
    EXPECT_THAT(seen, fault("outside", "/.well-known/webfinger does not answer as this server (status 404)"));
    EXPECT_THAT(seen, warning("outside", "/.well-known/nodeinfo does not answer"));
    EXPECT_THAT(seen, fault("outside", "/static/a.png is not answered with a picture"));
    EXPECT_THAT(seen, fault("outside", "/api/v1/streaming/health does not answer (status 404)"));
    EXPECT_EQ(seen.size(), 6u);
    answers["/static/a.png"] = json("a picture", "image/png");
    answers["/inbox"].status = 503;
    answers.erase("/api/v2/instance");
    EXPECT_THAT(look(), warning("outside", "the inbox takes nothing now (503)"));
    EXPECT_THAT(look(), fault("outside", "/api/v2/instance does not answer as this server"));
    arrives({});
    answers[std::string(server::path_of_arrival)] = net_test::text("hello, robot");
    EXPECT_THAT(look(), fault("outside", "does not answer as Dunlin does (status 200)"));
}

TEST_F(Site, whose_handles_are_of_another_domain_is_asked_for_there) {
    open();
    net_test::App other;
    std::string finger = "{\"href\":\"" + url + "\"}";
    other.on = [&](http::Request, http::Pending reply) { reply.answer(json(finger)); };
    net::Server domain({}, other);
    domain.start();
    const auto name = "handles.example";
    options.host_overrides = {
        std::string(name) + "=127.0.0.1:" + std::to_string(domain.endpoints().at(0).port)
    };
    answers["/.well-known/webfinger"] = json(std::string("{\"subject\":\"acct:a@") + name + "\"}");
    EXPECT_THAT(look(), ElementsAre(Field(&server::Seen::level, Level::ok)));
    finger = "somebody else";
    EXPECT_THAT(look(), fault("outside", "handles.example/.well-known/webfinger does not lead to " + url));
}

TEST_F(Site, sends_the_visitor_to_nobody_else) {
    open();
    net_test::App other;
    std::vector<std::string> came;
    other.on = [&](http::Request request, http::Pending reply) {
        came.push_back(request.target);
        reply.answer(net_test::text("OK"));
    };
    net::Server elsewhere({}, other);
    elsewhere.start();
    const auto target = "localhost:" + std::to_string(elsewhere.endpoints().at(0).port);
    for (const char* path :
         {"/actor", "/.well-known/nodeinfo", "/static/a.png", "/api/v1/streaming/health"}) {
        answers[path].status = 302;
        answers[path].headers.emplace_back("Location", "http://" + target + path);
    }
    auto handles_of = [&](const std::string& domain) {
        answers["/.well-known/webfinger"] = json("{\"subject\":\"acct:a@" + domain + "\"}");
    };
    for (const auto& domain :
         {target + "/api/v1/statuses?a=", target + "#", "a:b/" + target, std::string()}) {
        handles_of(domain);
        EXPECT_THAT(look(), fault("outside", "names handles of what is no domain")) << domain;
    }
    const auto seen = look();
    EXPECT_THAT(seen, fault("outside", "the actor of this server (redirected to http://" + target));
    EXPECT_THAT(came, testing::IsEmpty());
    handles_of(target);
    look();
    EXPECT_THAT(came, ElementsAre(testing::StartsWith("/.well-known/webfinger?resource=acct")))
        << "its domain";
    answers[std::string(server::path_of_arrival)].status = 302;
    answers[std::string(server::path_of_arrival)].headers.emplace_back("Location", "http://" + target);
    EXPECT_THAT(look(), fault("outside", url + " leads to http://" + target));
    EXPECT_EQ(came.size(), 1u);
}

TEST_F(Site, that_cannot_be_reached_is_told_why) {
    open();
    options.allowed_networks.clear();
    EXPECT_THAT(look(), ElementsAre(Field(&server::Seen::text, HasSubstr("not of the public internet"))));
    options.allowed_networks = {"127.0.0.0/8", "::1/128"};
    url = "http://localhost:" + std::to_string(free_port());
    EXPECT_THAT(look(), fault("outside", "nobody answers at " + url));
    url = "http://there-is-no.invalid";
    EXPECT_THAT(look(), fault("outside", "DNS knows no address of there-is-no.invalid"));
}

TEST_F(Site, whose_certificate_is_not_believed_is_told_so) {
    net_test::Certificate certificate("localhost", 3600);
    open(certificate.options());
    EXPECT_THAT(look(), fault("outside", "the certificate of " + url + " is not believed"));
    options.extra_ca_file = certificate.path("cert.pem").string();
    EXPECT_THAT(look(), ElementsAre(Field(&server::Seen::level, Level::ok)));
}

// The one that looks.
struct Other : server_test::Serve {
    void TestBody() override {}
};

struct FromOutside : server_test::Doctor, testing::WithParamInterface<support::Database> {
    void SetUp() override {
        Doctor::SetUp();
        if (IsSkipped()) return;
        if (GetParam() == support::Database::postgres && !support::postgres_url())
            GTEST_SKIP() << "there is no PostgreSQL";
    }
    static std::string address(std::uint16_t port) { return "http://localhost:" + std::to_string(port); }
    // Who listens at this port, and talks to others of this machine.
    std::string flags(const support::TestDatabase& database, std::uint16_t port) const {
        std::string words = "--listen 127.0.0.1:" + std::to_string(port) + " --public-url " + address(port) +
                            " --test-mode --allow-http-peers --allow-private-addresses 127.0.0.0/8,::1/128 "
                            "--trusted-proxies 203.0.113.9";
        if (GetParam() == support::Database::postgres)
            words += " --database '" + database.options.postgres_url + "'";
        return words;
    }
    Diagnosis outside(const std::string& words) const {
        Diagnosis out;
        for (const auto& seen : base::json::read<Diagnosis>(run("doctor --json " + words).out))
            if (seen.check == "outside") out.push_back(seen);
        return out;
    }
};
INSTANTIATE_TEST_SUITE_P(
    db, FromOutside, testing::Values(support::Database::sqlite, support::Database::postgres),
    support::database_name
);

TEST_P(FromOutside, a_server_is_looked_at_by_another_that_it_asks_five_times_a_day) {
    const support::TestDatabase here(GetParam()), there(GetParam());
    const auto port = free_port(), other_port = free_port();
    const auto own = flags(here, port);
    start(own);
    Other other;
    other.start(flags(there, other_port));
    EXPECT_THAT(outside(own), testing::IsEmpty()) << "nobody asked for it";
    EXPECT_THAT(
        outside(own + " --from-outside"),
        ElementsAre(Field(&server::Seen::text, HasSubstr("as it should be")))
    );
    const auto asked = own + " --from-outside " + address(other_port);
    const auto seen = outside(asked);
    EXPECT_THAT(seen, ElementsAre(Field(&server::Seen::level, Level::ok)));
    EXPECT_THAT(seen, says("outside", "(seen from " + address(other_port) + ")", Level::ok));
    for (int times = 2; times <= 5; ++times) outside(asked);
    EXPECT_THAT(outside(asked), warning("outside", "five times a day at most"));

    EXPECT_EQ(other.get("/api/dunlin/v1/outside").status, 401) << "nobody looks at others for strangers";
    EXPECT_THAT(
        outside(own + " --from-outside nonsense"), warning("outside", "nonsense is no address of a server")
    );
    EXPECT_EQ(stop(SIGTERM), 0);
    EXPECT_THAT(outside(asked), Each(Field(&server::Seen::level, testing::Ne(Level::ok))));
}

TEST_P(FromOutside, what_another_server_says_is_shown_as_text_alone) {
    const support::TestDatabase here(GetParam());
    const auto own = flags(here, free_port());
    start(own);  // which makes its key
    EXPECT_EQ(stop(SIGTERM), 0);
    net_test::App other;
    const auto text = "\xc3\x9b ber\xc2\x9b[31m\x1b[0m\n" + std::string(1000 - 18, 'a') + "\xc3\xa9";
    other.on = [&](http::Request, http::Pending reply) {
        auto answer = net_test::text(base::json::to_string(Diagnosis{{Level::warning, "data", text}}));
        answer.content_type = "application/json";
        reply.answer(answer);
    };
    net::Server there({}, other);
    there.start();
    const auto seen = outside(own + " --from-outside " + address(there.endpoints().at(0).port));
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(
        seen.at(0).text.substr(0, seen.at(0).text.find(" (seen from")),
        "\xc3\x9b ber [31m [0m " + std::string(1000 - 18, 'a') + "\xef\xbf\xbd"
    );
}

TEST_P(FromOutside, a_server_that_others_do_not_reach_is_told_so_by_the_one_it_asks) {
    const support::TestDatabase here(GetParam()), there(GetParam());
    const auto port = free_port(), other_port = free_port();
    const auto own = flags(here, port);
    start(own);  // which makes its key
    EXPECT_EQ(stop(SIGTERM), 0);
    Other other;
    other.start(flags(there, other_port));
    EXPECT_THAT(
        outside(own + " --from-outside " + address(other_port)),
        fault("outside", "could not find out that it is this server that asks")
    );
}

}  // namespace
