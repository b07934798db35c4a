// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/mail.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "net/smtp_server.hpp"

using net_test::SmtpServer;

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
        SmtpServer server({.recipient = answer});
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

TEST(Mail, greets_without_sending_anything) {
    SmtpServer server;
    auto options = server.options();
    options.user = "dunlin";
    options.password = "secret";
    EXPECT_NO_THROW(net::greet(options));
    server.join();
    EXPECT_NE(server.commands.find("AUTH PLAIN"), std::string::npos) << server.commands;
    EXPECT_EQ(server.commands.find("MAIL FROM"), std::string::npos) << server.commands;

    SmtpServer stern({.login = "535 who are you"});
    options.port = stern.port;
    try {
        net::greet(options);
        FAIL();
    } catch (const net::MailError& error) {
        EXPECT_TRUE(error.permanent) << error.what();
    }
    options.port = 1;
    try {
        net::greet(options);
        FAIL();
    } catch (const net::MailError& error) {
        EXPECT_FALSE(error.permanent) << error.what();
    }
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
