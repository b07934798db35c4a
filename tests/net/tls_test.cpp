// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <fstream>
#include <memory>

#include "net/certificate.hpp"
#include "net/stage.hpp"

using namespace net_test;

namespace {

class TlsClient {
public:
    TlsClient(const net::Server& server, int most_version = TLS1_3_VERSION) {
        SSL_CTX_set_max_proto_version(context_.get(), most_version);
        SSL_CTX_set_security_level(context_.get(), 0);
        const unsigned char alpn[] = "\x02h2\x08http/1.1";
        SSL_CTX_set_alpn_protos(context_.get(), alpn, sizeof alpn - 1);
        bio_.reset(BIO_new_ssl_connect(context_.get()));
        BIO_get_ssl(bio_.get(), &ssl_);
        const auto at = "127.0.0.1:" + std::to_string(server.endpoints()[0].port);
        BIO_set_conn_hostname(bio_.get(), at.c_str());
        connected = BIO_do_connect(bio_.get()) == 1 && BIO_do_handshake(bio_.get()) == 1;
        ERR_clear_error();
    }
    std::string ask(const std::string& request) {
        BIO_write(bio_.get(), request.data(), static_cast<int>(request.size()));
        std::string all;
        char bytes[16384];
        for (int size; (size = BIO_read(bio_.get(), bytes, sizeof bytes)) > 0;)
            all.append(bytes, static_cast<std::size_t>(size));
        return all;
    }
    bool told_goodbye() const { return SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN; }
    std::string version() const { return SSL_get_version(ssl_); }
    std::string protocol() const {
        const unsigned char* name = nullptr;
        unsigned size = 0;
        SSL_get0_alpn_selected(ssl_, &name, &size);
        return {reinterpret_cast<const char*>(name), size};
    }
    std::string server_name() const {
        char name[100] = "";
        std::unique_ptr<X509, decltype(&X509_free)> peer(SSL_get1_peer_certificate(ssl_), X509_free);
        X509_NAME_get_text_by_NID(X509_get_subject_name(peer.get()), NID_commonName, name, sizeof name);
        return name;
    }
    bool connected = false;

private:
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{
        SSL_CTX_new(TLS_client_method()), SSL_CTX_free
    };
    std::unique_ptr<BIO, decltype(&BIO_free_all)> bio_{nullptr, BIO_free_all};
    SSL* ssl_ = nullptr;
};

const std::string closing_get = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

}  // namespace

TEST(Tls, serves_http) {
    Certificate certificate("one.example");
    Stage s(certificate.options());
    s.app.on = [](http::Request request, http::Pending reply) {
        reply.answer(text(request.secure ? "secure" : "open"));
    };
    s.start();
    TlsClient c(s.server);
    ASSERT_TRUE(c.connected);
    EXPECT_EQ(c.version(), "TLSv1.3");
    EXPECT_EQ(c.protocol(), "http/1.1");
    EXPECT_TRUE(c.ask(closing_get).ends_with("\r\n\r\nsecure"));
    EXPECT_TRUE(c.told_goodbye());
}

TEST(Tls, sends_large_bodies_and_files) {
    Certificate certificate("one.example");
    Stage s(certificate.options());
    const std::string large(3'000'000, 'x');
    std::ofstream(certificate.path("file"), std::ios::binary) << large;
    s.app.on = [&](http::Request request, http::Pending reply) {
        auto response = text(large);
        if (request.target == "/file") response.file = http::FileBody{certificate.path("file")};
        std::thread([&] { reply.answer(std::move(response)); }).join();
    };
    s.start();
    for (const std::string target : {"/body", "/file"}) {
        TlsClient c(s.server);
        const auto all = c.ask(
            "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\nGET " + target +
            " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        );
        EXPECT_TRUE(all.ends_with("\r\n\r\n" + large)) << target;
        EXPECT_GT(all.size(), 2 * large.size()) << target;
    }
}

TEST(Tls, knows_no_old_versions) {
    Certificate certificate("one.example");
    Stage s(certificate.options());
    s.start();
    EXPECT_TRUE(TlsClient(s.server, TLS1_2_VERSION).connected);
    EXPECT_FALSE(TlsClient(s.server, TLS1_1_VERSION).connected);
}

TEST(Tls, takes_a_new_certificate_on_demand) {
    Certificate certificate("one.example");
    Stage s(certificate.options());
    s.start();
    TlsClient old(s.server);
    certificate.write("two.example");
    s.server.reload_tls();
    TlsClient fresh(s.server);
    EXPECT_EQ(old.server_name(), "one.example");
    EXPECT_EQ(fresh.server_name(), "two.example");
    EXPECT_TRUE(old.ask(closing_get).ends_with("\r\n\r\n/x"));
    std::ofstream(certificate.path("cert.pem")) << "nonsense";
    EXPECT_THROW(s.server.reload_tls(), std::runtime_error);
    EXPECT_EQ(TlsClient(s.server).server_name(), "two.example");
}

TEST(Tls, drops_who_does_not_shake_hands) {
    Certificate certificate("one.example");
    auto options = certificate.options();
    options.head_timeout = std::chrono::milliseconds(50);
    Stage s(options);
    s.start();
    Client silent(s.server), plain(s.server);
    plain.get("/");
    EXPECT_EQ(plain.read().status, 0);
    EXPECT_TRUE(silent.ended());
    EXPECT_TRUE(eventually([&] { return s.server.counters().connections_open == 0; }));
}

TEST(Tls, is_what_browsers_are_told_to_insist_on) {
    const std::string told = "Strict-Transport-Security: max-age=31536000\r\n";
    Certificate certificate("one.example");
    for (const bool wanted : {true, false}) {
        auto options = certificate.options();
        options.listen.push_back({"127.0.0.1", 0, false});
        options.strict_transport = wanted;
        Stage s(options);
        s.start();
        TlsClient over_tls(s.server);
        EXPECT_EQ(over_tls.ask(closing_get).find(told) != std::string::npos, wanted);
        TlsClient refused(s.server);
        EXPECT_EQ(refused.ask("nonsense\r\n\r\n").find(told) != std::string::npos, wanted);
        // Told over plain HTTP it would be worth nothing, unless a proxy spoke TLS.
        Client plain(s.server.endpoints().at(1).port);
        EXPECT_EQ(plain.get("/").read().head.find(told), std::string::npos);
        const auto proxied =
            plain.send("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\n\r\n").read();
        EXPECT_EQ(proxied.head.find(told) != std::string::npos, wanted);
    }
}
