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

TEST(Mail, is_refused_for_good_by_its_recipient_or_for_its_text_alone) {
    using net::MailStep;
    struct Case {
        SmtpServer::Answers answers;
        MailStep step;
        bool permanent;
    };
    for (const auto& [answers, step, permanent] : {
             Case{{.recipient = "550 no such user"}, MailStep::letter, true},
             Case{{.recipient = "550 5.1.1 no such user"}, MailStep::letter, true},
             Case{{.recipient = "451 later"}, MailStep::letter, false},
             // What many servers say only here is about us.
             Case{{.recipient = "530 log in first"}, MailStep::letter, false},
             Case{{.recipient = "554 5.7.1 no relaying"}, MailStep::letter, false},
             Case{{.recipient = "550 5.1.8 who sends this"}, MailStep::letter, false},
             Case{{.data = "554 none of them"}, MailStep::letter, true},
             Case{{.text = "554 5.7.1 spam"}, MailStep::letter, true},
             Case{{.text = "452 no room"}, MailStep::letter, false},
             Case{{.greeting = "554 not you"}, MailStep::connecting, false},
             Case{{.hello = "550 not you"}, MailStep::connecting, false},
             Case{{.login = "535 who are you"}, MailStep::login, false},
             Case{{.sender = "530 log in first"}, MailStep::sender, false},
             Case{{.sender = "553 not yours"}, MailStep::sender, false},
         }) {
        SmtpServer server(answers);
        auto options = server.options();
        options.user = "dunlin";
        options.password = "secret";
        try {
            net::send_mail(options, {"bob@b.example", "Hello", "text", ""});
            FAIL();
        } catch (const net::MailError& error) {
            EXPECT_EQ(error.step, step) << error.what();
            EXPECT_EQ(error.permanent, permanent) << error.what();
        }
    }
}

TEST(Mail, that_is_refused_tells_the_words_of_the_server) {
    SmtpServer server({.sender = "550-5.7.1 no\r\n550 5.7.1 not \x1b[31mhere\xff"});
    try {
        net::send_mail(server.options(), {"bob@b.example", "Hello", "text", ""});
        FAIL();
    } catch (const net::MailError& error) {
        EXPECT_STREQ(error.what(), "SMTP: MAIL failed: 550 (550 5.7.1 not [31mhere\uFFFD)");
    }
}

TEST(Mail, is_tried_again_where_nobody_answers) {
    net::SmtpOptions nobody;
    nobody.host = "127.0.0.1";
    nobody.port = 1;
    nobody.from = "a@a.example";
    EXPECT_THROW(net::send_mail(nobody, {"bob@b.example", "Hello", "text", ""}), net::MailError);
}

TEST(Mail, greets_by_name_without_sending_anything) {
    SmtpServer server;
    auto options = server.options();
    options.user = "dunlin";
    options.password = "secret";
    EXPECT_NO_THROW(net::greet(options));
    server.join();
    EXPECT_NE(server.commands.find("AUTH PLAIN"), std::string::npos) << server.commands;
    EXPECT_NE(server.commands.find("MAIL FROM:<noreply@a.example>\r\nRSET\r\n"), std::string::npos)
        << server.commands;
    EXPECT_EQ(server.commands.find("RCPT"), std::string::npos) << server.commands;

    auto step = [&](std::uint16_t port) {
        options.port = port;
        try {
            net::greet(options);
        } catch (const net::MailError& error) {
            EXPECT_FALSE(error.permanent) << error.what();
            return std::optional(error.step);
        }
        return std::optional<net::MailStep>();
    };
    EXPECT_EQ(step(SmtpServer({.login = "535 who are you"}).port), net::MailStep::login);
    EXPECT_EQ(step(SmtpServer({.sender = "530 log in first"}).port), net::MailStep::sender);
    EXPECT_EQ(step(SmtpServer({.sender = "553 not yours"}).port), net::MailStep::sender);
    EXPECT_EQ(step(1), net::MailStep::connecting);
    options.from = "Dünlin <noreply@müller.example>";
    SmtpServer other;
    EXPECT_EQ(step(other.port), std::nullopt);
    other.join();
    EXPECT_NE(other.commands.find("MAIL FROM:<noreply@xn--mller-kva.example>"), std::string::npos)
        << other.commands;
    options.from = "noreply@a.example\r\nQUIT";
    EXPECT_THROW(net::greet(options), net::MailError);
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

TEST(Mail, names_its_sender_so_that_nothing_of_the_name_is_taken_for_an_address) {
    const auto from = [](const std::string& sender) {
        const auto text = net::mail_text(sender, {"b@b", "Hello", "text", ""});
        return text.substr(0, text.find("\r\nTo: "));
    };
    EXPECT_EQ(from("Dunlin <a@a.example>"), "From: Dunlin <a@a.example>");
    EXPECT_EQ(from("a@a.example"), "From: a@a.example");
    EXPECT_EQ(from("<a@a.example>"), "From: <a@a.example>");
    EXPECT_EQ(from("A, B (c) <a@a.example>"), "From: \"A, B (c)\" <a@a.example>");
    EXPECT_EQ(from("x@y: [z]; <a@a.example>"), "From: \"x@y: [z];\" <a@a.example>");
    EXPECT_EQ(from(R"(say "hi" \o/ <a@a.example>)"), R"(From: "say \"hi\" \\o/" <a@a.example>)");
    EXPECT_EQ(from(R"("A \"b\", c" <a@a.example>)"), R"(From: "A \"b\", c" <a@a.example>)");
    EXPECT_EQ(from("\"Dünlin\" <a@a.example>"), "From: =?UTF-8?Q?D=C3=BCnlin?= <a@a.example>");
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
