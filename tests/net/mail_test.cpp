// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/mail.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "net/stage.hpp"

namespace {

// Speaks just enough SMTP for one mail.
struct SmtpServer {
    explicit SmtpServer(std::string recipient_answer = "250 ok") : answer_(std::move(recipient_answer)) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof at;
        ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&at), size);
        ::listen(listener_.get(), 1);
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at), &size);
        port = ntohs(at.sin_port);
        thread_ = std::thread([this] { talk(); });
    }
    ~SmtpServer() { join(); }
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    net::SmtpOptions options() const {
        net::SmtpOptions options;
        options.host = "127.0.0.1";
        options.port = port;
        options.tls = net::SmtpOptions::Tls::none;
        options.from = "Dünlin <noreply@a.example>";
        return options;
    }

    std::uint16_t port = 0;
    std::string commands, letter;

private:
    void talk() {
        net::Fd client(::accept(listener_.get(), nullptr, nullptr));
        const auto say = [&](const std::string& line) {
            const auto text = line + "\r\n";
            (void)!::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL);
        };
        say("220 hello");
        std::string line;
        bool data = false;
        for (char c; ::recv(client.get(), &c, 1, 0) == 1;) {
            line += c;
            if (!line.ends_with("\r\n")) continue;
            if (data) {
                data = line != ".\r\n";
                if (data) letter += line;
                else say("250 taken");
            } else {
                commands += line;
                data = line == "DATA\r\n";
                say(data ? "354 go on" : line.starts_with("RCPT") ? answer_ : "250 ok");
            }
            line.clear();
        }
    }

    std::string answer_;
    net::Fd listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    std::thread thread_;
};

}  // namespace

TEST(Mail, goes_to_the_server) {
    SmtpServer server;
    net::send_mail(server.options(), {"bob@b.example", "Hello", "one\n.two\n", "<p>one</p>"});
    server.join();
    EXPECT_NE(server.commands.find("MAIL FROM:<noreply@a.example>"), std::string::npos) << server.commands;
    EXPECT_NE(server.commands.find("RCPT TO:<bob@b.example>"), std::string::npos) << server.commands;
    EXPECT_NE(server.letter.find("From: =?UTF-8?Q?D=C3=BCnlin?= <noreply@a.example>\r\n"), std::string::npos);
    EXPECT_NE(server.letter.find("\r\none\r\n..two\r\n"), std::string::npos) << server.letter;
    EXPECT_NE(server.letter.find("multipart/alternative"), std::string::npos);
}

TEST(Mail, says_whether_to_try_again) {
    for (const auto& [answer, permanent] :
         {std::pair("550 no such user", true), std::pair("451 later", false)}) {
        SmtpServer server(answer);
        try {
            net::send_mail(server.options(), {"bob@b.example", "Hello", "text", ""});
            FAIL();
        } catch (const net::MailError& error) {
            EXPECT_EQ(error.permanent, permanent) << error.what();
        }
    }
    net::SmtpOptions nobody;
    nobody.host = "127.0.0.1";
    nobody.port = 1;
    nobody.from = "a@a.example";
    EXPECT_THROW(net::send_mail(nobody, {"bob@b.example", "Hello", "text", ""}), net::MailError);
}

TEST(Mail, refuses_line_ends_in_headers) {
    EXPECT_THROW(net::mail_text("a@a", {"b@b\r\nBcc: c@c", "s", "t", ""}), net::MailError);
    EXPECT_THROW(net::mail_text("a@a", {"b@b", "s\nX: y", "t", ""}), net::MailError);
    EXPECT_THROW(net::mail_text("a@a\r", {"b@b", "s", "t", ""}), net::MailError);
}

TEST(Mail, encodes_what_is_not_ascii) {
    const auto text = net::mail_text("a@a.example", {"b@b", "Grüße", "für = alle \nund", ""});
    EXPECT_NE(text.find("Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\r\n\r\nf=C3=BCr =3D alle=20\r\nund\r\n"), std::string::npos) << text;
    std::string subject;
    for (int i = 0; i < 100; ++i) subject += "ü";
    std::istringstream lines(net::mail_text("a@a.example", {"b@b", subject, std::string(500, 'x'), ""}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 77u) << line;
}

TEST(Mail, is_written_to_a_folder) {
    auto name = (std::filesystem::temp_directory_path() / "dunlin-mail-XXXXXX").string();
    const std::filesystem::path directory = ::mkdtemp(name.data());
    net::write_mail(directory / "out", "a@a.example", {"b@b", "Hello", "text", ""});
    net::write_mail(directory / "out", "a@a.example", {"b@b", "Hello", "text", ""});
    int letters = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory / "out")) {
        EXPECT_EQ(entry.path().extension(), ".eml");
        ++letters;
    }
    EXPECT_EQ(letters, 2);
    std::filesystem::remove_all(directory);
}
