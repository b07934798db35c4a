// SPDX-License-Identifier: AGPL-3.0-or-later
// A sound server is well in all its parts; each fault made on purpose is found, and said in its part.
#include "doctoring.hpp"
#include "net/certificate.hpp"
#include "net/smtp_server.hpp"
#include "server/doctor/parts.hpp"
#include "server/root_handler.hpp"
#include "support/replica.hpp"

namespace {

using server::Level, server::Seen, server_test::Doctor, server_test::fault, server_test::free_port,
    server_test::says, server_test::warning;
using testing::Each, testing::Field, testing::HasSubstr;

TEST_F(Doctor, finds_nothing_where_all_is_well) {
    const std::filesystem::path elsewhere = "/dev/shm";
    struct stat here{}, there{};
    if (::stat(folder.c_str(), &here) != 0 || ::stat(elsewhere.c_str(), &there) != 0 ||
        here.st_dev == there.st_dev)
        GTEST_SKIP() << "a backup wants another disk";
    const auto backup = elsewhere / folder.filename();
    net_test::SmtpServer mail({.conversations = 100});
    const auto port = std::to_string(free_port());
    const auto lines = "listen = \"127.0.0.1:" + port + "\"\npublic_url = \"http://127.0.0.1:" + port +
                       "\"\nregistrations = \"approval\"\nsmtp_url = \"" + mail.url() + "\"\nbackup_to = \"" +
                       backup.string() + "\"\nmax_connections = 100\n";
    std::filesystem::create_directories(data);
    std::filesystem::permissions(data, std::filesystem::perms::owner_all);
    std::ofstream(data / "dunlin.toml") << lines;
    start("--listen 127.0.0.1:" + port + " --public-url http://127.0.0.1:" + port);
    EXPECT_TRUE(net_test::eventually([&] { return run("backup verify").status == 0; }));
    auto told = ask(lines, "--mail-to you@example.org");
    EXPECT_EQ(told.status, 0);
    EXPECT_THAT(told.all, Each(Field(&Seen::level, Level::ok)));
    for (const auto& seen : told.all) EXPECT_EQ(seen.level, Level::ok) << seen.check << ": " << seen.text;
    EXPECT_THAT(mail.letter, HasSubstr("dunlin doctor --mail-to"));
    auto shown = run("doctor");
    EXPECT_EQ(shown.status, 0);
    EXPECT_THAT(shown.out, HasSubstr("\nok  address "));
    EXPECT_TRUE(shown.out.ends_with("All is well.\n")) << shown.out;
    EXPECT_EQ(stop(SIGTERM), 0);
    auto without = ask(lines);
    EXPECT_EQ(without.status, 2);
    EXPECT_THAT(without.all, fault("address", "cannot be reached from here (unreachable)"));
    EXPECT_THAT(without.all, fault("names", "nobody answers at 127.0.0.1:" + port));
    std::filesystem::remove_all(backup);
}

TEST_F(Doctor, judges_what_the_team_has_changed_and_not_the_file_alone) {
    make_database();
    EXPECT_THAT(ask().all, warning("values", "registrations: everybody may sign up"));
    ASSERT_EQ(run("setting set registrations closed").status, 0);
    ASSERT_EQ(run("setting set limited_federation true").status, 0);
    const auto told = ask().all;
    EXPECT_THAT(told, Each(Field(&Seen::text, testing::Not(HasSubstr("everybody may sign up")))));
    EXPECT_THAT(told, warning("configuration", "limited_federation: allowed_servers is empty"));
    EXPECT_THAT(run("config check").out + run("config check").err, HasSubstr("allowed_servers is empty"));
    EXPECT_THAT(
        ask("limited_federation = false\n").all,
        Each(Field(&Seen::text, testing::Not(HasSubstr("allowed_servers is empty"))))
    ) << "the file wins";
}

TEST_F(Doctor, finds_a_folder_without_a_server) {
    auto told = ask("", "--data " + (folder / "nothing").string());
    EXPECT_EQ(told.status, 2);
    EXPECT_THAT(told.all, fault("data", "there is no folder"));
    EXPECT_THAT(told.all, fault("database", "there is no database in"));
    std::filesystem::create_directories(data);
    std::filesystem::permissions(data, std::filesystem::perms::all);
    auto open = base::json::read<server::Diagnosis>(run("doctor --json").out);
    EXPECT_THAT(open, warning("data", "other users of this machine can read"));
}

TEST_F(Doctor, finds_what_is_dangerous) {
    make_database();
    auto told = ask(
        "rate_limits = false\nmetrics = \"all\"\nmedia_without_sandbox = true\ncontact_email = \"nobody\"\n"
        "max_connections = 1000000\n"
    );
    EXPECT_EQ(told.status, 2) << "there is no server";
    EXPECT_THAT(
        told.all, warning("configuration", "dunlin.toml:4: contact_email: \"nobody\" is no e-mail address")
    );
    EXPECT_THAT(
        told.all, warning("values", "dunlin.toml:1: rate_limits: anybody may try passwords without end")
    );
    EXPECT_THAT(told.all, warning("values", "metrics: everybody may read"));
    EXPECT_THAT(told.all, warning("values", "media_without_sandbox: an upload with a trap"));
    EXPECT_THAT(
        told.all, warning("values", "registrations: everybody may sign up, and nobody gets the mail")
    );
    EXPECT_THAT(told.all, warning("values", "backup_to: there is no backup"));
    EXPECT_THAT(told.all, warning("limits", "max_connections = 1000000 wants 1000256"));
    EXPECT_THAT(ask("", "--mail-to you@example.org").all, warning("mail", "no mail goes to you@example.org"));
    told = ask("confirmation = false\ntest_mode = true\n");
    EXPECT_THAT(told.all, warning("values", "confirmation: whoever signs up may post at once"));
    EXPECT_THAT(told.all, warning("values", "test_mode: there are no limits"));
}

TEST_F(Doctor, finds_a_configuration_that_cannot_be_used) {
    auto told = ask("min_age = 500\npubic_url = \"https://a.example\"\n");
    EXPECT_EQ(told.status, 2);
    EXPECT_EQ(told.all.size(), 2u);
    EXPECT_THAT(told.all, fault("configuration", "dunlin.toml:1: min_age must be a whole number"));
    EXPECT_THAT(told.all, fault("configuration", "dunlin.toml:2: there is no option \"pubic_url\""));
}

TEST_F(Doctor, finds_what_is_wrong_with_the_database) {
    make_database();
    EXPECT_THAT(ask().all, says("database", "is sound and up to date", Level::ok));
    database()->script("INSERT INTO schema_migrations VALUES ('9999_future', 0)");
    EXPECT_THAT(ask().all, fault("database", "brought up to date by a newer Dunlin (9999_future)"));
    database()->script(
        "DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations WHERE name < "
        "'9999');"
        "DELETE FROM schema_migrations WHERE name = '9999_future'"
    );
    EXPECT_THAT(ask().all, warning("database", "of an earlier version and lacks 1 steps"));
    const auto file = data / "dunlin.db";
    std::filesystem::remove(file.string() + "-wal");
    const auto size = std::filesystem::file_size(file);
    std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
    for (std::uintmax_t at = 4096 * 4; at < size; at += 4096)
        bytes.seekp(static_cast<std::streamoff>(at)) << "\x7f\x7f\x7f";
    bytes.close();
    EXPECT_THAT(ask().all, fault("database", "is damaged"));
    std::ofstream(file) << std::string(8192, 'x');
    EXPECT_THAT(ask().all, fault("database", "is damaged, or is no SQLite database"));
    EXPECT_THAT(
        ask("database = \"postgres://nobody@/nothing?host=/nowhere\"\n").all,
        fault("database", "dunlin.toml:1: database: it does not answer")
    );
}

TEST_F(Doctor, finds_what_is_wrong_with_postgres) {
    if (!support::postgres_url()) GTEST_SKIP() << "there is no PostgreSQL";
    support::TestDatabase there(support::Database::postgres);
    const auto lines = "database = \"" + there.options.postgres_url + "\"\n";
    EXPECT_THAT(ask(lines).all, fault("database", "does not answer as one of Dunlin"));
    make_database();
    const auto with_replica = lines + "database_replica = \"" + there.options.postgres_url + "\"\n";
    EXPECT_THAT(ask(lines).all, says("database", "PostgreSQL answers and is up to date", Level::ok));
    EXPECT_THAT(ask(with_replica).all, warning("database", "database_replica is no replica (any more)"));
    auto& replica = support::Replica::here();
    const auto real = lines + "database_replica = \"" + replica.url(there.options.postgres_url) + "\"\n";
    replica.resume();
    replica.catch_up();
    EXPECT_THAT(ask(real).all, says("database", "PostgreSQL answers and is up to date", Level::ok));
    replica.pause();
    there.connection()->script("CREATE TABLE test_more (n BIGINT)");
    EXPECT_THAT(ask(real).all, warning("database", "the replica has not got in 3 s what the primary had"));
    replica.resume();
    replica.catch_up();
    EXPECT_THAT(
        ask(lines + "readers = 256\n").all, warning("database", " connections and this server wants 276")
    );
    EXPECT_THAT(
        ask(lines + "database_replica = \"postgres://nobody@/nothing?host=/nowhere\"\n").all,
        warning("database", "dunlin.toml:2: database_replica: it does not answer")
    );
}

TEST_F(Doctor, finds_work_that_waits_and_servers_that_fail) {
    make_database();
    database()->script(
        "DELETE FROM jobs;"
        "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (1, 'x', '{}', 1, 1);"
        "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (2, 'y', '{}', 9000000000000000, 1);"
        "INSERT INTO hosts (authority, failures) VALUES ('a.example', 3), ('b.example', 3), ('c.example', 3)"
    );
    auto told = ask();
    EXPECT_THAT(told.all, fault("work", "background work has waited for"));
    EXPECT_THAT(told.all, warning("work", "1 job was given up after many tries, such as y"));
    EXPECT_THAT(
        told.all, warning("work", "nothing can be delivered to 3 of 3 other servers, such as a.example")
    );
}

TEST_F(Doctor, finds_what_was_left_paused) {
    make_database();
    EXPECT_THAT(ask().all, says("pauses", "neither read-only mode nor maintenance is on", Level::ok));
    ASSERT_EQ(run("read-only on --reason 'a larger disk'").status, 0);
    ASSERT_EQ(run("maintenance on").status, 0);
    const auto told = ask();
    EXPECT_THAT(told.all, warning("pauses", "read-only mode is on, so nobody can write (a larger disk)"));
    EXPECT_THAT(told.all, warning("pauses", "so nobody but the team is let in; when that is done"));
}

TEST_F(Doctor, finds_a_backup_that_is_none) {
    make_database();
    const auto backup = folder / "backup";
    const auto lines = "backup_to = \"" + backup.string() + "\"\n";
    EXPECT_THAT(ask(lines).all, fault("backup", "there is no copy in"));
    ASSERT_EQ(run("backup '" + backup.string() + "'").status, 0);
    auto told = ask(lines);
    EXPECT_THAT(told.all, warning("backup", "was never tried"));
    EXPECT_THAT(told.all, warning("configuration", "is on the same disk as data"));
    ASSERT_EQ(run("backup verify").status, 0);
    EXPECT_THAT(ask(lines).all, says("backup", "was found sound when it was tried", Level::ok));
    for (const auto& block : std::filesystem::recursive_directory_iterator(backup / "blocks"))
        if (block.is_regular_file()) std::filesystem::resize_file(block.path(), block.file_size() / 2);
    ASSERT_EQ(run("backup verify").status, 1);
    EXPECT_THAT(ask(lines).all, fault("backup", "is not sound"));
    for (const std::string part : {"base", "check"})
        for (const auto& one : std::filesystem::directory_iterator(backup / part)) {
            auto name = one.path().filename().string();
            std::filesystem::rename(one.path(), one.path().parent_path() / ("2020" + name.substr(4)));
        }
    told = ask(lines);
    EXPECT_THAT(told.all, fault("backup", "days old; see what the server's log says of the backup"));
    for (const auto& one : std::filesystem::directory_iterator(backup / "base"))
        std::filesystem::rename(
            one.path(), backup / "base" / ("2999" + one.path().filename().string().substr(4))
        );
    EXPECT_THAT(ask(lines).all, fault("backup", "is dated 2999-"));
}

TEST_F(Doctor, finds_mail_that_does_not_go) {
    const auto none = ask("smtp_url = \"smtp+insecure://127.0.0.1:1\"\n");
    EXPECT_THAT(none.all, fault("mail", "dunlin.toml:1: smtp_url: 127.0.0.1:1 cannot be used"));
    net_test::SmtpServer stern(
        {.recipient = "550 no such user", .login = "535 who are you", .conversations = 9}
    );
    const auto lines = "smtp_url = \"" + stern.url() + "\"\n";
    EXPECT_THAT(
        ask(lines + "smtp_user = \"a\"\nsmtp_password = \"b\"\n").all, fault("mail", "does not let us log in")
    );
    net_test::SmtpServer strict({.sender = "530 5.7.0 log in first", .conversations = 9});
    EXPECT_THAT(
        ask("smtp_url = \"" + strict.url() + "\"\nsmtp_from = \"us@example.org\"\n").all,
        fault(
            "mail", "takes no mail from us@example.org (SMTP: Command failed: 530 (530 5.7.0 log in first))"
        )
    );
    EXPECT_THAT(ask(lines, "--mail-to nobody@example.org").all, fault("mail", "does not take a mail from"));
    EXPECT_THAT(ask(lines).all, says("mail", "takes our mail", Level::ok));
}

// What stands at public_url instead of the server.
struct Outside : Doctor {
    net_test::App app;
    std::unique_ptr<net::Server> there;
    std::string url, lines;
    std::string arrival, finger, info, ready = "OK", actor_type = "application/activity+json";

    void open(net::ServerOptions options = {}) {
        app.on = [this](http::Request request, http::Pending reply) {
            auto answer = net_test::text(
                request.path() == "/health/seen"            ? arrival
                : request.path() == "/readyz"               ? ready
                : request.path() == "/.well-known/nodeinfo" ? info
                : request.path() == "/actor"                ? "{}"
                                                            : finger
            );
            if (request.path() == "/actor") answer.content_type = actor_type;
            if (answer.body.empty()) answer.status = 404;
            reply.answer(answer);
        };
        there = std::make_unique<net::Server>(options, app);
        there->start();
        const auto port = std::to_string(there->endpoints().at(0).port);
        url = (options.listen.at(0).tls ? "https://localhost:" : "http://localhost:") + port;
        lines = "listen = \"127.0.0.1:" + port + "\"\npublic_url = \"" + url + "\"\n";
        arrives("localhost:" + port, "http", "websocket", false, false);
        finger = "{\"href\":\"" + url + "\"}";
        info = "{\"href\":\"" + url + "/nodeinfo/2.0\"}";
    }
    void arrives(
        const std::string& host, const std::string& scheme, const std::string& upgrade, bool forwarded,
        bool believed
    ) {
        arrival =
            base::json::to_string(server::Arrival{host, scheme, "192.0.2.1", upgrade, forwarded, believed});
    }
};

TEST_F(Outside, finds_proxies_that_hand_on_too_little) {
    open();
    make_database();
    const auto host = url.substr(7);
    EXPECT_THAT(ask(lines).all, says("address", "leads here", Level::ok));
    arrives("10.0.0.1:3000", "http", "websocket", true, true);
    EXPECT_THAT(
        ask(lines).all, fault("address", "the proxy calls this server 10.0.0.1:3000 instead of " + host)
    );
    arrives(host, "https", "websocket", true, true);
    EXPECT_THAT(ask(lines).all, fault("address", "arrive as https; have the proxy say how they came"));
    arrives(host, "http", "websocket", true, false);
    EXPECT_THAT(ask(lines).all, fault("address", "write trusted_proxies = [\"192.0.2.1\"]"));
    arrives(host, "http", "", true, true);
    EXPECT_THAT(ask(lines).all, fault("address", "lets no WebSockets through"));
    arrives(host, "http", "websocket", false, false);
    EXPECT_THAT(
        ask("public_url = \"" + url + "\"\n").all, fault("address", "the proxy does not say who asks")
    );
    finger = "somebody else";
    EXPECT_THAT(ask(lines).all, fault("address", "/.well-known/webfinger does not answer as this server"));
    info = "";
    EXPECT_THAT(ask(lines).all, warning("address", "/.well-known/nodeinfo does not answer as this server"));
    actor_type = "text/html";
    EXPECT_THAT(
        ask(lines).all, fault("address", "/actor is not answered with an actor (status 200, text/html)")
    );
    ready = "";
    EXPECT_THAT(ask(lines).all, fault("address", "cannot do its work (/readyz: status 404)"));
    arrival = "a page of somebody else";
    EXPECT_THAT(ask(lines).all, fault("address", "does not answer as Dunlin does"));
}

TEST_F(Outside, finds_certificates_that_others_do_not_believe_or_soon_will_not) {
    net_test::Certificate certificate("localhost", 3600);
    open(certificate.options());
    make_database();
    EXPECT_THAT(ask(lines).all, fault("certificate", "others do not believe the certificate of " + url));
    const auto believed = lines + "extra_ca_file = \"" + certificate.path("cert.pem").string() + "\"\n";
    EXPECT_THAT(ask(believed).all, warning("certificate", "the certificate of " + url + " ends today"));
    certificate.write("other.example");
    there->reload_tls();
    EXPECT_THAT(ask(believed).all, fault("certificate", "have one issued for localhost"));
}

TEST(DoctorKnows, which_disks_are_too_full_or_of_others) {
    constexpr std::uint64_t mega = 1 << 20;
    const auto remark = [](std::uint64_t free, std::uint64_t reserve) {
        return server::remark_on_room({"/data", free * mega, reserve * mega});
    };
    EXPECT_FALSE(remark(4096, 1024));
    EXPECT_EQ(remark(1536, 1024)->level, Level::warning);
    EXPECT_EQ(remark(1023, 1024)->level, Level::fault);
    EXPECT_EQ(remark(200, 100)->level, Level::fault);
    EXPECT_EQ(remark(4096, 3000)->level, Level::warning);
    EXPECT_THAT(remark(150, 100)->text, HasSubstr("only 150 MB are free on the disk of /data; make room"));
    EXPECT_THAT(remark(2800, 5000)->text, HasSubstr("less than disk_reserve_mb, so nothing new is taken"));
    EXPECT_EQ(server::network_file_system(0x6969), "NFS");
    EXPECT_FALSE(server::network_file_system(0xEF53));
}

TEST(DoctorKnows, what_time_it_is) {
    EXPECT_EQ(server::remark_on_clock({}).level, Level::ok);
    EXPECT_EQ(server::remark_on_clock({1, -2, 4000}).level, Level::ok) << "one of three is wrong";
    EXPECT_EQ(server::remark_on_clock({90, 91, 0}).level, Level::fault);
    EXPECT_THAT(server::remark_on_clock({-40}).text, HasSubstr("the clock is 40 s late"));
}

}  // namespace
