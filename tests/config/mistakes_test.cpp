// SPDX-License-Identifier: AGPL-3.0-or-later
// What an operator is told about a mistake: the option, what is wrong with it, and what to write.
#include <gmock/gmock.h>

#include "net/certificate.hpp"
#include "server/program.hpp"

namespace {

using testing::HasSubstr;

struct Mistakes : Program {
    net_test::Certificate one{"one.example"}, other{"other.example"};
    std::string cert = one.path("cert.pem"), key = one.path("key.pem");
    std::string usual = " --listen 127.0.0.1:0 --public-url http://dunlin.example ";

    struct Case {
        std::string arguments, sentence;
    };
};

constexpr const char* cert_help =
    "; name the PEM file with the certificate and those between it and its authority, for example "
    "/etc/letsencrypt/live/social.example.org/fullchain.pem\n";
constexpr const char* key_help =
    "; name the PEM file with the certificate's private key, for example "
    "/etc/letsencrypt/live/social.example.org/privkey.pem\n";

TEST_F(Mistakes, in_files_are_refused_by_check_and_serve_alike) {
    std::filesystem::create_directories(data);
    auto words = (folder / "words.pem").string();
    std::ofstream(words) << "words\n";
    const Case cases[] = {
        {"--tls-cert /nope.pem --tls-key " + key,
         "tls_cert: /nope.pem cannot be read (No such file or directory)" + std::string(cert_help)},
        {"--tls-cert " + words + " --tls-key " + key,
         "tls_cert: " + words + " holds no certificate in PEM" + cert_help},
        {"--tls-cert " + cert + " --tls-key /nope.pem",
         "tls_key: /nope.pem cannot be read (No such file or directory)" + std::string(key_help)},
        {"--tls-cert " + cert + " --tls-key " + words,
         "tls_key: " + words + " holds no private key in PEM without a password" + key_help},
        {"--tls-cert " + cert + " --tls-key " + other.path("key.pem").string(),
         "tls_key: the key in " + other.path("key.pem").string() + " does not belong to the certificate in " +
             cert + "; name the two files of one certificate\n"},
        {"--extra-ca-file /nope.pem",
         "extra_ca_file: /nope.pem cannot be read (No such file or directory); name a PEM file with the "
         "authority's certificate, or leave it out\n"},
        {"--extra-ca-file " + words,
         "extra_ca_file: " + words +
             " holds no certificate in PEM; name a PEM file with the authority's certificate, or leave it "
             "out\n"},
        {"--backup-keep sometimes",
         "backup_keep: \"sometimes\" is not understood; write lengths with what stays of them, for example "
         "2d "
         "all, 30d daily, 1y monthly\n"},
    };
    for (const auto& [arguments, sentence] : cases)
        for (const std::string command : {"config check --offline", "serve"}) {
            auto outcome = run(command + usual + arguments);
            EXPECT_EQ(outcome.status, 2) << command << " " << arguments;
            EXPECT_EQ(outcome.err, sentence) << command << " " << arguments;
        }
    EXPECT_EQ(run("config check --offline" + usual + "--tls-cert " + cert + " --tls-key " + key).err, "");
}

TEST_F(Mistakes, that_a_server_can_live_with_are_not_called_good) {
    const Case cases[] = {
        {"--public-url http://social.example.org",
         "public_url: other servers and apps reach social.example.org over https only; write "
         "https://social.example.org, with a proxy in front that speaks TLS, or with tls_listen\n"},
        {"--public-url https://192.0.2.7",
         "public_url: 192.0.2.7 is an address; other servers and certificates know names only, for example "
         "https://social.example.org\n"},
        {"--contact-email nobody",
         "contact_email: \"nobody\" is no e-mail address; write one like admin@example.org\n"},
        {"--language deutsch",
         "language: \"deutsch\" is no language we know; write a code like en, de or pt-BR\n"},
    };
    for (const auto& [arguments, sentence] : cases) {
        auto outcome = run("config check --offline" + usual + arguments);
        EXPECT_EQ(outcome.status, 1) << arguments;
        EXPECT_EQ(outcome.err, sentence);
        EXPECT_EQ(outcome.out, "");
    }
    for (std::string good :
         {"--public-url https://social.example.org",
          "--public-url http://127.0.0.1:3000",
          "--public-url http://localhost:3000",
          "--contact-email admin@example.org",
          "--language pt-BR"})
        EXPECT_EQ(run("config check --offline" + usual + good).status, 0) << good;
}

TEST_F(Mistakes, about_the_database_are_seen_when_it_is_asked) {
    auto away = "--database 'postgres://nobody@/nothing?host=/nowhere'";
    auto outcome = run("config check" + usual + away);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("database: it does not answer ("));
    EXPECT_EQ(run("config check --offline" + usual + away).status, 0);

    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    EXPECT_EQ(run("config check" + usual + "--contact-account alice").status, 0);
    auto unknown = run("config check" + usual + "--contact-account bob");
    EXPECT_EQ(unknown.status, 1);
    EXPECT_EQ(
        unknown.err,
        "contact_account: nobody here is called \"bob\"; make the account, or write the name of another one\n"
    );

    std::ofstream(data / "dunlin.db") << std::string(8192, 'x');
    for (const std::string command : {"config check", "serve", "account list"}) {
        auto damaged = run(command + usual);
        EXPECT_NE(damaged.status, 0);
        EXPECT_THAT(
            damaged.err, HasSubstr((data / "dunlin.db").string() + " is damaged, or is no SQLite database")
        );
        EXPECT_THAT(damaged.err, HasSubstr("put a backup in its place"));
    }
}

TEST_F(Mistakes, about_a_folder_name_the_option_that_gave_it) {
    std::ofstream(folder / "file") << "x";
    auto below = (folder / "file" / "below").string();
    auto of_media = run("migrate --media '" + below + "'");
    EXPECT_EQ(of_media.status, 1);
    EXPECT_THAT(of_media.err, HasSubstr("The folder " + below + " cannot be made (Not a directory)"));
    EXPECT_THAT(of_media.err, HasSubstr("name another one with --media\n"));
    auto of_data = run("migrate --data '" + below + "'");
    EXPECT_EQ(of_data.status, 1);
    EXPECT_THAT(of_data.err, HasSubstr("name another one with --data\n"));
}

}  // namespace
