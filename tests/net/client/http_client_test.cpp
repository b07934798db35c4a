// SPDX-License-Identifier: AGPL-3.0-or-later
// The outgoing client against servers that mean harm. Numbers are those of the list of attacks.
#include "net/client/http_client.hpp"

#include <future>

#include "net/certificate.hpp"
#include "net/client/http_exchange.hpp"
#include "net/client/public_address.hpp"
#include "net/hostile.hpp"

using base::Fetch, base::Fetched, base::FetchFailure;
using namespace net_test;

TEST(HttpClient, gets_and_posts_with_headers_and_body) {
    std::string request, body;
    Hostile server([&](int socket, const std::string& head) {
        request = head;
        char bytes[4];
        if (head.starts_with("POST") && ::recv(socket, bytes, 4, MSG_WAITALL) == 4) body.assign(bytes, 4);
        say(socket, answer("hello", "X-Told: yes\r\n"));
    });
    auto options = on_loopback();
    options.user_agent = "Dunlin/1 (+https://a.example/)";
    net::HttpClient client(options);
    Fetch asked;
    asked.url = server.url("/x?y=1");
    asked.headers = {{"Accept", "text/html"}, {"X-Bad", "a\r\nX-Injected: 1"}};
    auto got = client.fetch(asked);
    EXPECT_TRUE(got.ok());
    EXPECT_EQ(got.body, "hello");
    EXPECT_EQ(got.header("x-told"), "yes");
    EXPECT_EQ(got.url, server.url("/x?y=1"));
    EXPECT_TRUE(request.starts_with("GET /x?y=1 HTTP/1.1\r\n"));
    EXPECT_NE(request.find("\r\nUser-Agent: Dunlin/1 (+https://a.example/)\r\n"), request.npos);
    EXPECT_NE(request.find("\r\nAccept: text/html\r\n"), request.npos);
    EXPECT_EQ(request.find("Injected"), request.npos);

    asked.post = true;
    asked.body = "a=bc";
    EXPECT_TRUE(client.fetch(asked).ok());
    EXPECT_TRUE(request.starts_with("POST /x?y=1 "));
    EXPECT_EQ(body, "a=bc");
}

TEST(HttpClient, refuses_every_address_that_is_not_public_attack_96) {
    for (auto text :
         {"0.0.0.0",
          "0.1.2.3",
          "10.0.0.1",
          "10.255.255.255",
          "100.64.0.1",
          "100.127.255.254",
          "127.0.0.1",
          "127.255.255.254",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.255",
          "192.0.0.1",
          "192.0.0.170",
          "192.0.2.1",
          "192.88.99.1",
          "192.168.0.1",
          "192.168.255.255",
          "198.18.0.1",
          "198.19.255.255",
          "198.51.100.7",
          "203.0.113.9",
          "224.0.0.1",
          "239.255.255.255",
          "240.0.0.1",
          "255.255.255.255",
          "::",
          "::1",
          "::7f00:1",
          "::ffff:7f00:1",
          "::ffff:10.0.0.1",
          "::10.0.0.1",
          "::ffff:0.0.0.0",
          "64:ff9b::7f00:1",
          "64:ff9b:1::1",
          "100::1",
          "2001::1",
          "2001:10::1",
          "2001:20::1",
          "2001:db8::1",
          "2002:7f00:1::",
          "3fff::1",
          "fc00::1",
          "fdff::1",
          "fe80::1",
          "febf::1",
          "fec0::1",
          "ff02::1",
          "ff0e::1",
          "::ffff:0:7f00:1",
          "64:ff9b::a00:1"})
        EXPECT_FALSE(net::is_public(*net::Address::parse(text))) << text;
    for (auto text :
         {"1.1.1.1",
          "9.255.255.255",
          "11.0.0.1",
          "100.63.255.255",
          "100.128.0.1",
          "126.255.255.255",
          "128.0.0.1",
          "172.15.255.255",
          "172.32.0.1",
          "192.167.255.255",
          "192.169.0.1",
          "198.17.255.255",
          "198.20.0.1",
          "223.255.255.255",
          "2606:4700::1111",
          "2001:4860:4860::8888",
          "2a00::1",
          "::ffff:1.1.1.1"})
        EXPECT_TRUE(net::is_public(*net::Address::parse(text))) << text;
}

TEST(HttpClient, reads_every_spelling_of_an_address_attack_96) {
    Hostile server(answering("secret"));
    auto port = ":" + std::to_string(server.port) + "/";
    net::HttpClientOptions production;
    production.plain_http = true;
    for (std::string host :
         {"127.0.0.1",
          "127.1",
          "127.0.1",
          "2130706433",
          "0x7f000001",
          "0x7f.0.0.1",
          "0177.0.0.1",
          "017700000001",
          "0",
          "0.0.0.0",
          "localhost",
          "LOCALHOST",
          "localhost.",
          "[::1]",
          "[::]",
          "[::ffff:127.0.0.1]",
          "[::ffff:7f00:1]",
          "[0:0:0:0:0:ffff:7f00:1]",
          "127.0.0.1.",
          "127%2e0.0.1",
          "%31%32%37.0.0.1",
          "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1",
          "[::127.0.0.1]",
          "[fe80::1%25lo]"}) {
        auto got = get("http://" + host + port, production);
        EXPECT_NE(got.failure, FetchFailure::none) << host;
        EXPECT_EQ(got.body, "") << host;
    }
    EXPECT_EQ(get("http://127.0.0.1" + port, production).failure, FetchFailure::forbidden_address);
    EXPECT_EQ(get("http://[::1]" + port, production).failure, FetchFailure::forbidden_address);
    EXPECT_EQ(get("http://localhost" + port, production).failure, FetchFailure::forbidden_address);
    EXPECT_EQ(server.connections, 0);
}

TEST(HttpClient, checks_the_address_that_a_name_leads_to_attack_96) {
    Hostile server(answering("secret"));
    net::HttpClientOptions options;
    options.plain_http = true;
    options.host_overrides = {"rebound.example=127.0.0.1:" + std::to_string(server.port)};
    EXPECT_EQ(get("http://rebound.example/", options).failure, FetchFailure::forbidden_address);
    EXPECT_EQ(server.connections, 0);
    options.allowed_networks = {"127.0.0.1/32"};
    EXPECT_EQ(get("http://rebound.example/", options).body, "secret");
    EXPECT_EQ(server.connections, 1);
}

TEST(HttpClient, checks_each_redirect_anew_attack_96) {
    Hostile inner(answering("secret"));
    Hostile outer(
        [&](int socket, const std::string&) {
            say(socket, "HTTP/1.1 302 Found\r\nLocation: " + inner.url() + "\r\nContent-Length: 0\r\n\r\n");
        },
        "127.0.0.2"
    );
    auto options = on_loopback();
    options.allowed_networks = {"127.0.0.2/32"};
    auto got = get(outer.url(), options);
    EXPECT_EQ(got.failure, FetchFailure::forbidden_address);
    EXPECT_EQ(got.body, "");
    EXPECT_EQ(inner.connections, 0);
    EXPECT_EQ(outer.connections, 1);
}

TEST(HttpClient, knows_no_scheme_but_http_and_no_passwords_in_addresses_attack_96) {
    net::HttpClient client(on_loopback());
    for (std::string url :
         {"file:///etc/passwd",
          "gopher://127.0.0.1:1/",
          "ftp://127.0.0.1/",
          "dict://127.0.0.1:1/",
          "ldap://127.0.0.1",
          "http://user:pass@127.0.0.1:1/",
          "http://a@127.0.0.1:1/",
          "http://",
          "",
          "no address",
          "//127.0.0.1/",
          "http://a b/",
          "http://127.0.0.1:99999/",
          "unix:///x"}) {
        Fetch asked;
        asked.url = url;
        EXPECT_EQ(client.fetch(asked).failure, FetchFailure::bad_url) << url;
    }
}

TEST(HttpClient, asks_in_the_open_only_where_that_is_wanted) {
    Hostile server(answering("hello"));
    auto options = on_loopback();
    options.plain_http = false;
    EXPECT_EQ(get(server.url(), options).failure, FetchFailure::bad_url);
    EXPECT_EQ(server.connections, 0);
    Fetch asked;
    asked.url = server.url();
    asked.plain_http = true;
    EXPECT_TRUE(net::HttpClient(options).fetch(asked).ok());
}

TEST(HttpClient, never_asks_ourselves) {
    Hostile server(answering("hello"));
    auto options = on_loopback();
    options.own_hosts = {"127.0.0.1:" + std::to_string(server.port), "social.example"};
    EXPECT_EQ(get(server.url(), options).failure, FetchFailure::forbidden_address);
    EXPECT_EQ(get("https://Social.example/x", options).failure, FetchFailure::forbidden_address);
    EXPECT_EQ(server.connections, 0);
}

TEST(HttpClient, asks_nobody_in_a_rehearsal) {
    Hostile server(answering("hello"));
    auto options = on_loopback();
    options.asks_nobody = true;
    EXPECT_EQ(get(server.url(), options).failure, FetchFailure::unreachable);
    EXPECT_EQ(server.connections, 0);
}

TEST(HttpClient, follows_few_redirects_and_none_in_circles_attack_68) {
    Hostile circle([&](int socket, const std::string&) {
        say(socket, "HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n");
    });
    EXPECT_EQ(get(circle.url()).failure, FetchFailure::too_many_redirects);
    EXPECT_EQ(circle.connections, 1);
    Hostile endless([&](int socket, const std::string& request) {
        auto next = request.substr(4, request.find(' ', 4) - 4) + "x";
        say(socket, "HTTP/1.1 307 On\r\nLocation: " + next + "\r\nContent-Length: 0\r\n\r\n");
    });
    EXPECT_EQ(get(endless.url()).failure, FetchFailure::too_many_redirects);
    EXPECT_EQ(endless.connections, 4);
}

TEST(HttpClient, tells_another_host_nothing_of_us) {
    std::string heard;
    Hostile second([&](int socket, const std::string& request) {
        heard = request;
        say(socket, answer("there"));
    });
    Hostile first(
        [&](int socket, const std::string&) {
            say(socket, "HTTP/1.1 302 F\r\nLocation: " + second.url("/z") + "\r\nContent-Length: 0\r\n\r\n");
        },
        "127.0.0.2"
    );
    Fetch asked;
    asked.url = first.url();
    asked.headers = {
        {"Authorization", "Bearer s3cret"}, {"Signature", "x"}, {"Cookie", "a=b"}, {"Accept", "text/html"}
    };
    auto got = net::HttpClient(on_loopback()).fetch(asked);
    EXPECT_EQ(got.body, "there");
    EXPECT_EQ(got.url, second.url("/z"));
    EXPECT_EQ(heard.find("s3cret"), heard.npos);
    EXPECT_EQ(heard.find("Signature"), heard.npos);
    EXPECT_EQ(heard.find("Cookie"), heard.npos);
    EXPECT_NE(heard.find("Accept: text/html"), heard.npos);
}

TEST(HttpClient, does_not_post_to_where_a_redirect_points) {
    Hostile server([&](int socket, const std::string&) {
        say(socket, "HTTP/1.1 307 On\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n");
    });
    Fetch asked;
    asked.url = server.url();
    asked.post = true;
    EXPECT_EQ(net::HttpClient(on_loopback()).fetch(asked).status, 307);
    EXPECT_EQ(server.connections, 1);
}

TEST(HttpClient, gives_up_what_drips_attack_69) {
    std::atomic<bool> stop = false;
    Hostile drip([&](int socket, const std::string&) {
        say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        while (!stop && say(socket, "x")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    });
    auto options = on_loopback();
    options.silence = std::chrono::seconds(1);
    EXPECT_EQ(get(drip.url(), options).failure, FetchFailure::timeout);
    stop = true;
}

TEST(HttpClient, gives_up_what_never_answers_attack_69) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    Hostile silent([ended](int, const std::string&) { ended.wait(); });
    Fetch asked;
    asked.url = silent.url();
    asked.seconds = 1;
    EXPECT_EQ(net::HttpClient(on_loopback()).fetch(asked).failure, FetchFailure::timeout);
    // Neither does the greeting of TLS come.
    asked.url = "https" + silent.url().substr(4);
    EXPECT_EQ(net::HttpClient(on_loopback()).fetch(asked).failure, FetchFailure::timeout);
    end.set_value();
}

TEST(HttpClient, makes_nobody_wait_again_for_what_never_answers_attack_69) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    Hostile silent([ended](int, const std::string&) { ended.wait(); });
    Hostile other([](int socket, const std::string&) {
        say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    });
    net::HttpClient client(on_loopback());
    Fetch asked;
    asked.url = silent.url();
    asked.seconds = 1;
    EXPECT_EQ(client.fetch(asked).failure, FetchFailure::timeout);
    EXPECT_EQ(client.fetch(asked).failure, FetchFailure::busy);
    asked.url = other.url();
    asked.seconds = 20;
    EXPECT_EQ(client.fetch(asked).body, "hi");
    end.set_value();
}

TEST(HttpClient, gives_up_at_the_end_of_its_time_however_many_redirects_attack_69) {
    Hostile slow([&](int socket, const std::string& request) {
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        auto next = request.substr(4, request.find(' ', 4) - 4) + "x";
        say(socket, "HTTP/1.1 307 On\r\nLocation: " + next + "\r\nContent-Length: 0\r\n\r\n");
    });
    Fetch asked;
    asked.url = slow.url();
    asked.seconds = 1;
    asked.redirects = 20;
    EXPECT_EQ(net::HttpClient(on_loopback()).fetch(asked).failure, FetchFailure::timeout);
    EXPECT_LE(slow.connections, 2);
}

TEST(HttpClient, takes_no_more_than_it_asked_for) {
    Hostile told(answering(std::string(5000, 'x')));
    Hostile endless([](int socket, const std::string&) {
        say(socket, "HTTP/1.1 200 OK\r\n\r\n");
        while (say(socket, std::string(1000, 'x'))) {}
    });
    Hostile headers([](int socket, const std::string&) {
        say(socket, "HTTP/1.1 200 OK\r\n");
        while (say(socket, "X-More: " + std::string(1000, 'x') + "\r\n")) {}
    });
    net::HttpClient client(on_loopback());
    Fetch asked;
    asked.most_bytes = 4096;
    for (auto* server : {&told, &endless, &headers}) {
        asked.url = server->url();
        EXPECT_EQ(client.fetch(asked).failure, FetchFailure::too_large);
    }
    asked.cut = true;
    for (auto* server : {&told, &endless}) {
        asked.url = server->url();
        auto got = client.fetch(asked);
        EXPECT_TRUE(got.ok());
        EXPECT_EQ(got.body, std::string(4096, 'x'));
    }
}

// Ten million times x, in gzip: a literal and then "the same again, 258 times" in 13 bits each (RFC 1951).
std::string packed_bomb() {
    std::string bytes("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    unsigned bit = 0, byte = 0;
    auto add = [&](std::string_view bits) {
        for (char b : bits) {
            byte |= (b == '1' ? 1u : 0u) << bit;
            if (++bit < 8) continue;
            bytes += static_cast<char>(byte);
            bit = byte = 0;
        }
    };
    add("11010101000");
    for (int i = 0; i < 40'000; ++i) add("1100010100000");
    return bytes;
}

TEST(HttpClient, counts_what_was_packed_unpacked) {
    Hostile bomb(answering(packed_bomb(), "Content-Encoding: gzip\r\n"));
    ASSERT_LT(packed_bomb().size(), 70'000u);
    EXPECT_EQ(get(bomb.url()).failure, FetchFailure::too_large);
    const char packed[] =
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\xd7\x51\x28\x48\x4c\xce\x4e\x4d\x01\x00"
        "\xeb\xa1\xea\x08\x0d\x00\x00\x00";
    Hostile server(answering(std::string(packed, sizeof packed - 1), "Content-Encoding: gzip\r\n"));
    EXPECT_EQ(get(server.url()).body, "hello, packed");
}

TEST(HttpClient, tells_what_is_not_http) {
    for (std::string nonsense :
         {"SSH-2.0-OpenSSH\r\n", "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"}) {
        Hostile server([&](int socket, const std::string&) { say(socket, nonsense); });
        auto got = get(server.url());
        EXPECT_NE(got.failure, FetchFailure::none) << nonsense;
    }
}

TEST(HttpClient, has_others_wait_in_line_while_it_talks_to_one_host_a_few_times_at_once) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    Hostile held([ended](int socket, const std::string&) {
        ended.wait();
        say(socket, answer("at last"));
    });
    auto options = on_loopback();
    options.per_host = 2;
    options.in_line = 4;
    net::HttpClient client(options);
    Fetch asked;
    asked.url = held.url();
    auto ask = [&] { return client.fetch(asked); };
    auto one = std::async(std::launch::async, ask), two = std::async(std::launch::async, ask);
    ASSERT_TRUE(eventually([&] { return held.connections == 2; }));
    // Who cannot wait long goes away, and the line goes on without them.
    auto hasty = asked;
    hasty.seconds = 1;
    EXPECT_EQ(client.fetch(hasty).failure, FetchFailure::busy);
    std::vector<std::future<base::Fetched>> waiting;
    for (int i = 0; i < 6; ++i) waiting.push_back(std::async(std::launch::async, ask));
    // The line is no longer than four, so two of six hear so at once.
    auto refused = [&] {
        return std::ranges::count_if(waiting, [](auto& one) {
            return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        });
    };
    EXPECT_TRUE(eventually([&] { return refused() == 2; }));
    EXPECT_EQ(held.connections, 2);
    end.set_value();
    EXPECT_TRUE(one.get().ok());
    EXPECT_TRUE(two.get().ok());
    int answered = 0, busy = 0;
    for (auto& each : waiting) (each.get().ok() ? answered : busy)++;
    EXPECT_EQ(answered, 4);
    EXPECT_EQ(busy, 2);
    EXPECT_TRUE(ask().ok());
}

TEST(HttpClient, has_nobody_wait_in_line_for_a_server_that_turns_out_to_be_silent) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    Hostile silent([ended](int, const std::string&) { ended.wait(); });
    auto options = on_loopback();
    options.per_host = 1;
    net::HttpClient client(options);
    Fetch first;
    first.url = silent.url();
    first.seconds = 2;
    auto one = std::async(std::launch::async, [&] { return client.fetch(first); });
    ASSERT_TRUE(eventually([&] { return silent.connections == 1; }));
    auto patient = first;
    patient.seconds = 600;
    EXPECT_EQ(client.fetch(patient).failure, FetchFailure::busy);
    EXPECT_EQ(one.get().failure, FetchFailure::timeout);
    EXPECT_EQ(silent.connections, 1);
    end.set_value();
}

TEST(HttpClient, asks_one_host_so_often_a_minute_and_no_more_attack_77) {
    Hostile victim(answering("hello"));
    net::HttpClient client(on_loopback());
    Fetch asked;
    asked.per_minute = 5;
    int refused = 0;
    for (int i = 0; i < 20; ++i) {
        asked.url = victim.url("/" + std::to_string(i));
        refused += client.fetch(asked).failure == FetchFailure::busy;
    }
    // The minute may end on the way, once.
    EXPECT_LE(victim.connections, 10);
    EXPECT_GE(refused, 10);
}

TEST(HttpClient, leaves_half_of_what_it_may_ask_a_host_to_what_is_not_asked_in_bulk) {
    Hostile victim(answering("hello"));
    net::HttpClient client(on_loopback());
    Fetch asked;
    asked.url = victim.url();
    asked.per_minute = 40;
    asked.bulk = true;
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
        auto got = client.fetch(asked);
        if (got.ok()) continue;
        refused += got.failure == FetchFailure::busy;
        EXPECT_TRUE(got.retry_after >= 1 && got.retry_after <= 60) << got.retry_after;
    }
    // The minute may end on the way, once.
    EXPECT_GE(refused, 20);
    EXPECT_LE(victim.connections, 40);
    asked.bulk = false;
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(client.fetch(asked).ok());
}

TEST(HttpClient, believes_only_the_right_certificate) {
    Certificate certificate("right.example");
    Stage s(certificate.options());
    s.app.on = [](http::Request, http::Pending reply) { reply.answer(text("private")); };
    s.start();
    auto at = "127.0.0.1:" + std::to_string(s.server.endpoints()[0].port);
    auto options = on_loopback();
    options.host_overrides = {"right.example=" + at, "wrong.example=" + at};
    EXPECT_EQ(get("https://right.example/", options).failure, FetchFailure::tls);
    options.extra_ca_file = certificate.path("cert.pem");
    EXPECT_EQ(get("https://wrong.example/", options).failure, FetchFailure::tls);
    EXPECT_EQ(get("https://right.example/", options).body, "private");
}
