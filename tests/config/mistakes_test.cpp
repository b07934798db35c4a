// SPDX-License-Identifier: AGPL-3.0-or-later
// What an operator is told about a mistake: the option, where it stands, what is wrong with it, and what to write.
#include <gmock/gmock.h>

#include <ctime>

#include "net/certificate.hpp"
#include "net/smtp_server.hpp"
#include "server/program.hpp"

namespace {

using testing::HasSubstr;

constexpr const char* cert_help =
    "; name the PEM file with the certificate and those between it and its authority, for example "
    "/etc/letsencrypt/live/social.example.org/fullchain.pem";
constexpr const char* key_help =
    "; name the PEM file with the certificate's private key, for example "
    "/etc/letsencrypt/live/social.example.org/privkey.pem";
constexpr const char* kinds =
    "write a text in quotes, a whole number, true or false, or a list of texts like [\"a\", \"b\"]";

struct Mistakes : Program {
    Mistakes() {
        std::filesystem::create_directories(data);
        std::ofstream(words) << "words\n";
    }

    // Of a file with these lines, whose name stands for @.
    Outcome check(const std::string& lines, const std::string& how = "--offline") const {
        std::ofstream(file) << lines;
        return run("config check " + how);
    }
    std::string sentence(std::string text) const {
        for (auto at = text.find('@'); at != text.npos && text[at + 1] == ':'; at = text.find('@', at + 1))
            text.replace(at, 1, file);
        return text + "\n";
    }
    static std::string line(const std::string& option, const std::string& value) {
        return option + " = \"" + value + "\"\n";
    }

    struct Case {
        std::string lines, sentence;
    };

    net_test::Certificate one{"one.example"}, other{"other.example"};
    std::string cert = one.path("cert.pem"), key = one.path("key.pem"), others = other.path("key.pem");
    std::string file = (data / "dunlin.toml").string(), words = (folder / "words.pem").string();
};

TEST_F(Mistakes, that_keep_a_server_from_its_work) {
    const std::string local = "listen = \"127.0.0.1:3000\"\n";
    const std::string pictures =
        line("s3_bucket", "pictures") + line("s3_access_key", "a") + line("s3_secret_key", "b");
    const std::string not_apart =
        " and media are not apart in that bucket, so who moves media away takes the backup along; write "
        "another bucket, or have the names of both begin differently, for example s3_prefix = \"social/\" "
        "and s3://pictures/backup";
    const auto media = (folder / "pictures").string(), key_in_media = (folder / "key.pem").string();
    std::filesystem::create_directories(media);
    std::filesystem::copy_file(key, key_in_media);
    const auto of_all =
        " is the data folder or holds it, and everybody can read what is in it; name a folder for uploaded "
        "files alone, for example " +
        (data / "media").string();
    const auto of_media =
        " lies in " + media + ", the folder of media, which everybody can read; name one outside of it";
    const Case cases[] = {
        {"title = Dunlin\n", "@:1: title: a text stands in quotes; write title = \"Dunlin\""},
        {local + "title \"Dunlin\"\n",
         "@:2: title: there is no = behind the name; write title = and the value"},
        {"title = \"Dunlin\n",
         "@:1: title: the quote at the end of the text is missing; write title = \"Dunlin\""},
        {"title =\n", std::string("@:1: title: there is no value behind the =; ") + kinds},
        {"min_age = 1.5\n", std::string("@:1: min_age: it takes no such value; ") + kinds},
        {"min_age = 3\nmin_age = 4\n", "@:2: min_age: it is set a second time; keep one of the two lines"},
        {"[people]\nmin_age = 3\n",
         "@:1: people: there are no sections; take the line [people] away and write the options one below "
         "the "
         "other"},
        {"pubic_url = \"https://a.example\"\n",
         "@:1: there is no option \"pubic_url\"; did you mean \"public_url\"?"},
        {"weather = \"fine\"\n", "@:1: there is no option \"weather\"; docs/config.md lists them all"},
        {"data = \"x\"\n",
         "@:1: data cannot be set in the file inside the data folder; give it with --data or DUNLIN_DATA"},
        {"min_age = 500\n", "@:1: min_age must be a whole number from 0 to 120, not \"500\""},
        {"confirmation = \"maybe\"\n", "@:1: confirmation must be true or false, not \"maybe\""},
        {"registrations = \"ajar\"\n", "@:1: registrations must be open, approval or closed, not \"ajar\""},
        {"title = [\"a\", \"b\"]\n", "@:1: title takes one value, not a list"},
        {"listen = \"3000\"\n",
         "@:1: listen: \"3000\" is not an address; write ADDR:PORT, for example 127.0.0.1:3000 or "
         "0.0.0.0:3000"},
        {"listen = \"unix:http.sock\"\n",
         "@:1: listen: \"unix:http.sock\" is no place for a socket; write unix: and a path from the root on "
         "of at "
         "most 107 bytes, for example unix:/run/dunlin/http.sock"},
        {"listen = \"unix:/no-such-folder/http.sock\"\npublic_url = \"http://localhost\"\n",
         "@:1: listen: there is no folder /no-such-folder for unix:/no-such-folder/http.sock; make it and "
         "give it to "
         "the user of the server (systemd: RuntimeDirectory=)"},
        {"listen = \"\"\n", "@:1: listen: give at least one address, for example 127.0.0.1:3000"},
        {"listen = [\"127.0.0.1:1\", \"127.0.0.1:1\"]\n",
         "@:1: listen: 127.0.0.1:1 stands there twice; name it once"},
        {"listen = \"127.0.0.1:0\"\n",
         "public_url must be given when the system chooses the port (listen with port 0), for example "
         "https://social.example.org"},
        {"tls_listen = \"0.0.0.0:443\"\n",
         "@:1: tls_listen: nobody issues a certificate for localhost; write the name by which others reach "
         "this server into public_url, or name the PEM files of a certificate in tls_cert and tls_key"},
        {line("tls_key", key),
         "@:1: tls_key: tls_cert is missing; the two belong together, so name both PEM files or none"},
        {line("tls_cert", "/nope.pem") + line("tls_key", key),
         std::string("@:1: tls_cert: /nope.pem cannot be read (No such file or directory)") + cert_help},
        {line("tls_cert", words) + line("tls_key", key),
         "@:1: tls_cert: " + words + " holds no certificate in PEM" + cert_help},
        {line("tls_cert", cert) + line("tls_key", "/nope.pem"),
         std::string("@:2: tls_key: /nope.pem cannot be read (No such file or directory)") + key_help},
        {line("tls_cert", cert) + line("tls_key", words),
         "@:2: tls_key: " + words + " holds no private key in PEM without a password" + key_help},
        {line("tls_cert", cert) + line("tls_key", others),
         "@:2: tls_key: the key in " + others + " does not belong to the certificate in " + cert +
             "; name the two files of one certificate"},
        {line("extra_ca_file", "/nope.pem"),
         "@:1: extra_ca_file: /nope.pem cannot be read (No such file or directory); name a PEM file with the "
         "authority's certificate, or leave it out"},
        {line("extra_ca_file", words),
         "@:1: extra_ca_file: " + words +
             " holds no certificate in PEM; name a PEM file with the authority's certificate, or leave it out"
        },
        {line("public_url", "social.example.org"),
         "@:1: public_url: \"social.example.org\" is not understood; write http or https, host and port, "
         "without a path, for example https://social.example.org"},
        {line("public_url", "https://ex\u00e4mple.org"),
         "@:1: public_url: \"https://ex\u00e4mple.org\" is not understood; write letters beyond a to z as "
         "DNS "
         "does, for example https://xn--exmple-cua.org for ex\u00e4mple.org"},
        {line("streaming_url", "wss://social.example.org"),
         "@:1: streaming_url: \"wss://social.example.org\" is not understood; write http or https, host and "
         "port, without a path, for example https://streaming.example.org"},
        {line("domain", "https://example.org"),
         "@:1: domain: \"https://example.org\" is not a host name; write it without http:// and path, for "
         "example example.org"},
        {line("host_names", "https://old.example.org"),
         "@:1: host_names: \"https://old.example.org\" is not a host name; write it without https:// and "
         "path, "
         "for example social.example.org"},
        {line("trusted_proxies", "everybody"),
         "@:1: trusted_proxies: not a network: everybody; write addresses or networks, for example "
         "10.0.0.0/8 or "
         "192.0.2.7"},
        {line("backup_to", "s3://"),
         "@:1: backup_to: a bucket needs a key; set backup_s3_access_key and backup_s3_secret_key, or those "
         "without backup_\n@:1: backup_to: \"s3://\" is not understood; write the bucket and what the names "
         "in it begin with, for example s3://backups/dunlin"},
        {line("backup_to", "s3://pictures/backup") + pictures,
         "@:1: backup_to: s3://pictures/backup" + not_apart},
        {line("backup_to", "s3://pictures") + pictures + line("s3_prefix", "social/"),
         "@:1: backup_to: s3://pictures" + not_apart},
        {line("backup_to", "s3://backups") + line("backup_s3_access_key", "a"),
         "backup_s3_secret_key: backup_s3_access_key is alone; the two belong together, so set both or none"},
        {line("backup_key", "secret"),
         "@:1: backup_key: 64 digits from 0 to f are needed; make a key with `dunlin backup key`"},
        {line("database", "mysql://a"),
         "@:1: database must begin with postgres://, for example "
         "postgres://dunlin:PASSWORD@127.0.0.1/dunlin; "
         "leave it empty for SQLite in the data folder"},
        {line("database_replica", "postgres://a/b"),
         "@:1: database_replica needs a PostgreSQL database; set database too, or leave it out"},
        {line("shared_liveness", "localhost:6379") + line("database", "postgres://a/b"),
         "@:1: shared_liveness is not understood; write redis://USER:PASSWORD@HOST:6379, or rediss:// with "
         "TLS"},
        {line("roles", "web,cooking") + line("database", "postgres://a/b"),
         "@:1: roles: \"cooking\" is none; write web, streaming, jobs, or some of them"},
        {line("smtp_url", "mail.example.org"),
         "@:1: smtp_url is not understood; write smtp://HOST:587, smtps://HOST:465 or, inside one machine, "
         "smtp+insecure://HOST:25"},
        {line("translate_url", "deepl"),
         "@:1: translate_url must begin with https:// or http://, for example https://api-free.deepl.com"},
        {"allow_http_peers = true\n",
         "@:1: allow_http_peers: it opens the machines behind your firewall to strangers; it works with "
         "test_mode only, so leave it out"},
        {line("backup_keep", "sometimes"),
         "@:1: backup_keep: \"sometimes\" is not understood; write lengths with what stays of them, for "
         "example "
         "2d all, 30d daily, 1y monthly"},
        {line("media", words + "/media"),
         "@:1: media: nothing can be written to " + words + "/media (" + words +
             " is no folder); give the folder to the user of the server, or name another one"},
        {line("media", data), "@:1: media: " + data.string() + of_all},
        {line("media", "/"), "@:1: media: /" + of_all},
        {line("media", media + "/../data"), "@:1: media: " + media + "/../data" + of_all},
        {line("media", media) + line("log_file", media + "/a.log"),
         "@:2: log_file: " + media + "/a.log" + of_media},
        {line("backup_to", data / "media/backup"),
         "@:1: backup_to: " + (data / "media/backup").string() + " lies in " + (data / "media").string() +
             ", the folder of media, which everybody can read; name one outside of it"},
        {line("media", folder) + line("tls_cert", cert) + line("tls_key", key_in_media),
         "@:1: media: " + folder.string() + of_all + "\n@:3: tls_key: " + key_in_media + " lies in " +
             folder.string() + ", the folder of media, which everybody can read; name one outside of it"},
        {line("backup_to", folder),
         "@:1: backup_to: " + folder.string() +
             " is the data folder or holds it; name a folder for the backup alone, on another disk"},
        {line("log_file", folder),
         "@:1: log_file: " + folder.string() + " is a folder; name a file, for example " +
             (folder / "dunlin.log").string()},
        {line("tls_listen", "0.0.0.0:443") + line("public_url", "https://a.example.org") +
             line("acme_names", "*.example.org"),
         "@:3: acme_names: no certificate can be had here for \"*.example.org\"; write each name by itself, "
         "for "
         "example social.example.org"},
    };
    EXPECT_GE(std::size(cases), 40u);
    for (const auto& [lines, text] : cases) {
        auto outcome = check(lines);
        EXPECT_EQ(outcome.status, 2) << lines;
        EXPECT_EQ(outcome.err, sentence(text)) << lines;
        EXPECT_EQ(outcome.out, "") << lines;
        auto served = run("serve");
        EXPECT_EQ(served.status, 2) << lines;
        EXPECT_EQ(served.err, sentence(text)) << lines;
    }
}

TEST_F(Mistakes, in_a_bucket_that_nobody_uses_stop_nobody) {
    for (const auto& left_over : {line("s3_access_key", "a"), line("backup_s3_access_key", "a")})
        EXPECT_EQ(check(left_over).err, check("").err);
}

TEST_F(Mistakes, that_a_server_can_live_with_are_not_called_good) {
    net_test::Certificate old{"one.example", -60};
    const auto old_files =
        line("tls_cert", old.path("cert.pem")) + line("tls_key", old.path("key.pem").string());
    const auto today = [] {
        char text[16];
        auto now = std::time(nullptr) - 60;
        std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
        return std::string(text);
    }();
    const std::string no_address =
        " is no e-mail address, nor a name with one behind it; write one like Dunlin <social@example.org>";
    const Case cases[] = {
        {line("public_url", "http://social.example.org"),
         "@:1: public_url: other servers and apps reach social.example.org over https only; write "
         "https://social.example.org, with a proxy in front that speaks TLS, or with tls_listen"},
        {line("public_url", "https://192.0.2.7"),
         "@:1: public_url: 192.0.2.7 is an address; other servers and certificates know names only, for "
         "example "
         "https://social.example.org"},
        {line("contact_email", "nobody"),
         "@:1: contact_email: \"nobody\" is no e-mail address; write one like admin@example.org"},
        {line("contact_account", "@alice@a.example"),
         "@:1: contact_account: \"@alice@a.example\" is more than a name; write the name of an account of "
         "this "
         "server alone, for example admin"},
        {line("language", "deutsch"),
         "@:1: language: \"deutsch\" is no language we know; write a code like en, de or pt-BR"},
        {line("smtp_user", "dunlin"),
         "@:1: smtp_user: no mail is sent without smtp_url; write it, too, for example "
         "smtp://mail.example.org:587"},
        {line("smtp_url", "smtp://mail.example.org") + line("smtp_user", "dunlin"),
         "@:2: smtp_user: smtp_password is missing; write both or none"},
        {line("smtp_url", "smtp://mail.example.org") + line("smtp_from", "Dunlin"),
         "@:2: smtp_from: \"Dunlin\"" + no_address},
        {line("smtp_url", "smtp://mail.example.org") + line("smtp_from", "Dunlin social@example.org"),
         "@:2: smtp_from: \"Dunlin social@example.org\"" + no_address},
        {line("smtp_url", "smtp://mail.example.org") + line("smtp_from", "Dunlin <social@example.org"),
         "@:2: smtp_from: \"Dunlin <social@example.org\"" + no_address},
        {line("smtp_url", "smtp://mail.example.org") + line("smtp_from", "a@b@example.org"),
         "@:2: smtp_from: \"a@b@example.org\"" + no_address},
        {line("trusted_proxies", "0.0.0.0/0"),
         "@:1: trusted_proxies: 0.0.0.0/0 lets everybody pretend to come from any address; name the proxy "
         "alone, "
         "for example 10.0.0.5"},
        {"limited_federation = true\n",
         "@:1: limited_federation: allowed_servers is empty, so no other server is talked to but those that "
         "the "
         "team allows; name some, for example [\"example.org\"]"},
        {line("allowed_servers", "example.org"),
         "@:1: allowed_servers: without limited_federation all servers are talked to; write "
         "limited_federation = "
         "true, or leave this out"},
        {line("backup_to", data / "backup"),
         "@:1: backup_to: " + (data / "backup").string() +
             " is on the same disk as data, which takes both with it when it breaks; name a folder of "
             "another "
             "one"},
        {old_files,
         "@:1: tls_cert: the certificate in " + old.path("cert.pem").string() + " ended on " + today +
             "; have it renewed, for example with certbot renew, and send the server SIGHUP"},
        {line("tls_cert", cert) + line("tls_key", key) + line("public_url", "https://two.example"),
         "@:1: tls_cert: the certificate in " + cert +
             " is not for two.example, the host of public_url; name the files of one that is, for example "
             "/etc/letsencrypt/live/two.example/fullchain.pem"},
    };
    for (const auto& [lines, text] : cases) {
        auto outcome = check(lines);
        EXPECT_EQ(outcome.status, 1) << lines;
        EXPECT_EQ(outcome.err, sentence(text)) << lines;
        EXPECT_EQ(outcome.out, "") << lines;
    }
    for (const auto& good :
         {line("public_url", "https://social.example.org"),
          line("public_url", "http://127.0.0.1:3000"),
          line("public_url", "http://localhost:3000"),
          line("contact_email", "admin@example.org"),
          line("media", data / "media"),
          line("smtp_url", "smtp://mail.example.org") + line("smtp_from", "A, B (c) <a@example.org>"),
          line("language", "pt-BR"),
          line("tls_cert", cert) + line("tls_key", key) + line("public_url", "https://one.example")}) {
        auto outcome = check(good);
        EXPECT_EQ(outcome.status, 0) << good;
        EXPECT_EQ(outcome.err, "") << good;
        EXPECT_EQ(outcome.out, "The configuration in " + file + " is good.\n") << good;
    }
}

TEST_F(Mistakes, about_secrets_do_not_tell_them) {
    const std::string secrets[] = {
        "smtp_password = hunter2\n",
        "smtp_password = \"hunter2\n",
        "smtp_password = [hunter2\n",
        "smtp_pasword = hunter2\n",
        "database = postgres://dunlin:hunter2@127.0.0.1/dunlin\n",
        line("database", "postgres://dunlin:p/hunter2@127.0.0.1/dunlin"),
        line("database", "postgres://dunlin:p@hunter2@127.0.0.1/dunlin"),
        line("database", "postgres://dunlin:%hunter2@127.0.0.1/dunlin"),
        line("database", "postgres://dunlin:hunter2@[::1/dunlin"),
        line("database", "postgres://dunlin:hunter2@127.0.0.1/dunlin?nonsense=1"),
        line("shared_liveness", "redis//dunlin:hunter2@127.0.0.1"),
    };
    for (const auto& lines : secrets) {
        auto outcome = check(lines, "");
        EXPECT_EQ(outcome.status, 2) << lines;
        EXPECT_NE(outcome.err, "") << lines;
        EXPECT_THAT(outcome.err, testing::Not(HasSubstr("hunter2")));
        EXPECT_THAT(run("doctor").out + run("serve").err, testing::Not(HasSubstr("hunter2")));
    }
    EXPECT_EQ(
        check(line("database", "postgres://dunlin:p/w@127.0.0.1/dunlin")).err,
        sentence(
            "@:1: database: in the user and password write %2F for /, %40 for @ and %25 for %, for example "
            "postgres://dunlin:PASSWORD@127.0.0.1/dunlin"
        )
    );
    EXPECT_EQ(check(line("database", "postgres://dunlin:p%2Fw%40%25:?@127.0.0.1/dunlin")).status, 0);
}

TEST_F(Mistakes, are_told_with_the_flag_or_variable_that_made_them) {
    EXPECT_EQ(
        run("config check --offline --language deutsch").err,
        "--language: \"deutsch\" is no language we know; write a code like en, de or pt-BR\n"
    );
    ::setenv("DUNLIN_MIN_AGE", "old", 1);
    EXPECT_EQ(
        run("config check --offline").err,
        "DUNLIN_MIN_AGE: min_age must be a whole number from 0 to 120, not \"old\"\n"
    );
    ::unsetenv("DUNLIN_MIN_AGE");
}

TEST_F(Mistakes, can_be_read_by_machines) {
    auto refused = check("min_age = 500\n", "--offline --json");
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(
        refused.out,
        R"({"file":"","findings":[{"level":"fault","option":"min_age","place":")" + file +
            R"(:1","text":"min_age must be a whole number from 0 to 120, not \"500\""}]})" + "\n"
    );
    auto doubted = check(line("language", "deutsch"), "--offline --json");
    EXPECT_EQ(doubted.status, 1);
    EXPECT_THAT(doubted.out, HasSubstr(R"("level":"warning","option":"language","place":")" + file + ":1\""));
    auto good = check("", "--offline --json");
    EXPECT_EQ(good.status, 0);
    EXPECT_EQ(good.out, R"({"file":")" + file + R"(","findings":[]})" + "\n");
}

TEST_F(Mistakes, about_others_are_seen_when_those_are_asked) {
    const auto away = line("database", "postgres://nobody@/nothing?host=/nowhere");
    auto outcome = check(away, "");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr(file + ":1: database: it does not answer ("));
    EXPECT_THAT(outcome.err, HasSubstr("start it, or correct the address, for example postgres://"));
    EXPECT_EQ(check(away).status, 0);

    const auto no_mail = line("smtp_url", "smtp://127.0.0.1:1");
    outcome = check(no_mail, "");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr(file + ":1: smtp_url: 127.0.0.1:1 cannot be used (SMTP: "));
    EXPECT_EQ(check(no_mail).status, 0);

    net_test::SmtpServer stern({.login = "535 who are you"});
    outcome = check(line("smtp_url", stern.url()) + line("smtp_user", "a") + line("smtp_password", "b"), "");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr(file + ":2: smtp_user: 127.0.0.1:" + std::to_string(stern.port)));
    EXPECT_THAT(outcome.err, HasSubstr("correct smtp_user and smtp_password"));

    net_test::SmtpServer strict({.sender = "553 not yours"});
    outcome = check(line("smtp_url", strict.url()) + line("smtp_from", "us@example.org"), "");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr(file + ":2: smtp_from: 127.0.0.1:" + std::to_string(strict.port)));
    EXPECT_THAT(outcome.err, HasSubstr("(553 not yours)"));

    net_test::SmtpServer kind;
    EXPECT_EQ(check(line("smtp_url", kind.url()), "").status, 0);
}

TEST_F(Mistakes, about_the_database_are_seen_when_it_is_asked) {
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    EXPECT_EQ(check(line("contact_account", "alice"), "").status, 0);
    auto unknown = check(line("contact_account", "bob"), "");
    EXPECT_EQ(unknown.status, 1);
    EXPECT_EQ(
        unknown.err,
        file +
            ":1: contact_account: nobody here is called \"bob\"; make the account, or write the name of "
            "another one\n"
    );

    std::ofstream(data / "dunlin.db") << std::string(8192, 'x');
    for (const std::string command : {"config check", "serve --listen 127.0.0.1:0", "account list"}) {
        auto damaged = run(command + " --public-url http://dunlin.example");
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
