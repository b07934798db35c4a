// SPDX-License-Identifier: AGPL-3.0-or-later
// Mails of jobs, to a mail server that refuses: which are tried again, and that all of it is counted.
#include "server/external_services.hpp"

#include "net/smtp_server.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/media/store.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

struct SentMail : testing::Test {
    std::shared_ptr<server::MailFigures> figures = std::make_shared<server::MailFigures>();

    // Throws what the job would see.
    bool send(const net_test::SmtpServer& to) {
        server::Config config;
        config.smtp_url = to.url();
        config.smtp_from = "noreply@a.example";
        const auto services = server::external_services(
            config, media::Store(std::filesystem::temp_directory_path()), {}, figures
        );
        const accounts::SendMail mail{"bob@b.example", "Hello", "text", "", ""};
        return std::any_cast<bool>(services.answer({"", typeid(mail), mail}));
    }
};

TEST_F(SentMail, that_is_refused_for_what_the_operator_can_mend_is_tried_again_and_counted) {
    EXPECT_THROW(send(net_test::SmtpServer({.sender = "530 log in first"})), net::MailError);
    EXPECT_THROW(send(net_test::SmtpServer({.greeting = "554 not you"})), net::MailError);
    EXPECT_THROW(send(net_test::SmtpServer({.hello = "550 not you"})), net::MailError);
    EXPECT_EQ(figures->all_failed(), 3);
    EXPECT_EQ(figures->failed_in_a_row(), 3);
    EXPECT_THAT(figures->last_failure(), HasSubstr("(550 not you)"));
    EXPECT_TRUE(send(net_test::SmtpServer()));
    EXPECT_EQ(figures->all_sent(), 1);
    EXPECT_EQ(figures->failed_in_a_row(), 0);
}

TEST_F(SentMail, that_its_recipient_refuses_for_good_is_dropped_and_counted) {
    EXPECT_FALSE(send(net_test::SmtpServer({.recipient = "550 5.1.1 no such user"})));
    EXPECT_EQ(figures->all_failed(), 1);
    EXPECT_THAT(figures->last_failure(), HasSubstr("no such user"));
}

}  // namespace
