// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/addresses.hpp"
#include "config/config_load.hpp"
#include "config/config_table.hpp"

#include <filesystem>
#include <fstream>
#include <set>

namespace {

using server::Loaded, server::Sources;
using testing::ElementsAre, testing::HasSubstr, testing::Not;

namespace fs = std::filesystem;

struct Configuration : testing::Test {
    Configuration() { sources.flags.push_back({"data", {folder.string()}, "--data"}); }
    ~Configuration() override { fs::remove_all(folder); }

    void file(const std::string& text) { std::ofstream(folder / "dunlin.toml") << text; }
    void variable(const std::string& name, const std::string& value) {
        sources.environment.emplace_back(name, value);
    }
    void flag(const std::string& name, const std::string& value) {
        sources.flags.push_back({name, {value}, server::flag_name(*server::find_option(name))});
    }
    Loaded load() const { return server::load(sources); }
    std::string mistakes() const {
        try {
            load();
        } catch (const server::ConfigError& e) {
            return e.what();
        }
        return "";
    }

    static fs::path made() {
        std::string name = fs::temp_directory_path() / "dunlin-config-XXXXXX";
        return ::mkdtemp(name.data());
    }
    fs::path folder = made();
    Sources sources;
};

TEST_F(Configuration, has_defaults_that_need_nothing) {
    auto config = load().config;
    EXPECT_THAT(config.listen, ElementsAre("127.0.0.1:3000"));
    EXPECT_EQ(config.public_url, "http://localhost:3000");
    EXPECT_EQ(config.domain, "localhost:3000");
    EXPECT_EQ(config.smtp_from, "noreply@localhost");
}

TEST_F(Configuration, prefers_flags_to_the_environment_to_the_file_to_the_default) {
    file("title = \"file\"\ndescription = \"file\"\nlanguage = \"de\"\n");
    variable("DUNLIN_TITLE", "environment");
    variable("DUNLIN_DESCRIPTION", "environment");
    flag("title", "flag");
    auto loaded = load();
    EXPECT_EQ(loaded.config.title, "flag");
    EXPECT_EQ(loaded.config.description, "environment");
    EXPECT_EQ(loaded.config.language, "de");
    EXPECT_EQ(loaded.config.contact_email, "");
    EXPECT_EQ(loaded.origin("title"), "--title");
    EXPECT_EQ(loaded.origin("description"), "DUNLIN_DESCRIPTION");
    EXPECT_THAT(loaded.origin("language"), testing::EndsWith("dunlin.toml:3"));
    EXPECT_EQ(loaded.origin("contact_email"), "default");
}

TEST_F(Configuration, reads_every_type_from_the_file) {
    file(R"(
listen = ["127.0.0.1:1", "[::1]:2"]
trusted_proxies = "10.0.0.0/8, 192.168.0.0/16"
max_media = 7
confirmation = false
registrations = "approval"
log_level = "warning"
description = """
two
lines"""
)");
    auto config = load().config;
    EXPECT_THAT(config.listen, ElementsAre("127.0.0.1:1", "[::1]:2"));
    EXPECT_THAT(config.trusted_proxies, ElementsAre("10.0.0.0/8", "192.168.0.0/16"));
    EXPECT_EQ(config.max_media, 7);
    EXPECT_FALSE(config.confirmation);
    EXPECT_EQ(config.registrations, server::Registrations::approval);
    EXPECT_EQ(config.log_level, server::LogLevel::warning);
    EXPECT_EQ(config.description, "two\nlines");
}

TEST_F(Configuration, takes_every_option_from_every_place) {
    for (const auto& option : server::options()) {
        server::Config config;
        EXPECT_NO_THROW(server::set_value(config, option, {server::value_of(config, option)})) << option.name;
        EXPECT_EQ(server::find_option(option.name), &option);
        EXPECT_FALSE(option.help.empty()) << option.name;
    }
}

TEST_F(Configuration, suggests_the_option_that_was_meant) {
    file("pubic_url = \"http://a\"\n");
    variable("DUNLIN_MAX_CHARACTER", "5");
    variable("DUNLIN_WEATHER_FORECAST", "fine");
    EXPECT_THAT(
        mistakes(), HasSubstr("dunlin.toml:1: there is no option \"pubic_url\"; did you mean \"public_url\"?")
    );
    EXPECT_THAT(
        mistakes(),
        HasSubstr(
            "DUNLIN_MAX_CHARACTER: there is no option \"max_character\"; did you mean \"max_characters\"?"
        )
    );
    EXPECT_THAT(
        mistakes(),
        HasSubstr("DUNLIN_WEATHER_FORECAST: there is no option \"weather_forecast\"; docs/config.md")
    );
}

TEST_F(Configuration, leaves_alone_what_containers_and_tests_put_into_the_environment) {
    for (auto name :
         {"DUNLIN_PORT", "DUNLIN_PORT_3000_TCP", "DUNLIN_SERVICE_HOST", "DUNLIN_TEST_POSTGRES", "PATH"})
        variable(name, "tcp://10.0.0.1:3000");
    EXPECT_EQ(mistakes(), "");
}

TEST_F(Configuration, says_what_a_value_must_be) {
    file(
        "max_media = \"many\"\nmin_age = 500\nconfirmation = 5\nregistrations = \"ajar\"\ntitle = [\"a\", "
        "\"b\"]\n"
    );
    EXPECT_THAT(mistakes(), HasSubstr(":1: max_media must be a whole number from 1 to 16, not \"many\""));
    EXPECT_THAT(mistakes(), HasSubstr(":2: min_age must be a whole number from 0 to 120, not \"500\""));
    EXPECT_THAT(mistakes(), HasSubstr(":3: confirmation must be true or false, not \"5\""));
    EXPECT_THAT(mistakes(), HasSubstr(":4: registrations must be open, approval or closed, not \"ajar\""));
    EXPECT_THAT(mistakes(), HasSubstr(":5: title takes one value, not a list"));
}

TEST_F(Configuration, names_the_line_of_a_file_that_is_no_toml) {
    file("title = \"good\"\nlisten = [\n");
    EXPECT_THAT(mistakes(), testing::ContainsRegex("dunlin.toml:[23]: "));
    file("[site]\ntitle = \"a\"\n");
    EXPECT_THAT(mistakes(), HasSubstr("there are no sections"));
    file("title = 1.5\n");
    EXPECT_THAT(mistakes(), HasSubstr("dunlin.toml:1: title: it takes no such value; write a text"));
}

TEST_F(Configuration, reads_the_file_it_is_told_to_read) {
    auto other = folder / "other.toml";
    std::ofstream(other) << "data = \"elsewhere\"\n";
    sources.flags.clear();
    sources.file = other.string();
    EXPECT_EQ(load().config.data, "elsewhere");
    sources.file = "";
    variable("DUNLIN_CONFIG", other.string());
    EXPECT_EQ(load().config.data, "elsewhere");
    sources.file = (folder / "missing.toml").string();
    EXPECT_THAT(mistakes(), HasSubstr("missing.toml: it cannot be read"));
}

TEST_F(Configuration, does_not_look_for_its_data_folder_inside_it) {
    file("data = \"elsewhere\"\n");
    EXPECT_THAT(mistakes(), HasSubstr("data cannot be set in the file inside the data folder"));
}

TEST_F(Configuration, derives_the_domain_and_tidies_the_public_url) {
    flag("public_url", "HTTPS://Social.Example.org:443/");
    auto config = load().config;
    EXPECT_EQ(config.public_url, "https://social.example.org");
    EXPECT_EQ(config.domain, "social.example.org");
    auto site = server::site_of(config);
    EXPECT_EQ(site.streaming_url, "wss://social.example.org");
    EXPECT_EQ(site.public_url, "https://social.example.org");
}

TEST_F(Configuration, keeps_a_domain_of_its_own) {
    flag("public_url", "https://social.example.org");
    flag("domain", "example.org");
    EXPECT_EQ(load().config.domain, "example.org");
    EXPECT_EQ(load().config.smtp_from, "noreply@example.org");
}

TEST_F(Configuration, refuses_what_makes_no_sense_together) {
    struct Row {
        const char *option, *value, *sentence;
    };
    const Row rows[] = {
        {"listen", "3000", "is not an address"},
        {"listen", "example.org:3000", "is not an address"},
        {"listen", "127.0.0.1:70000", "is not an address"},
        {"listen", "unix:http.sock", "is no place for a socket"},
        {"listen", "unix:/run/dunlin/", "is no place for a socket"},
        {"listen", "unix:/run/http.sock", "public_url must be given when the server listens at a path"},
        {"tls_listen", "unix:/run/http.sock", "is for a proxy, which speaks TLS itself"},
        {"listen", "127.0.0.1:0", "public_url must be given"},
        {"listen", "", "at least one address"},
        {"acme_directory", "letsencrypt", "is not the address of an authority"},
        {"acme_eab", "c2VjcmV0", "the id of the key"},
        {"tls_cert", "cert.pem", "belong together"},
        {"public_url", "social.example.org", "is not understood"},
        {"public_url", "https://example.org/social", "is not understood"},
        {"domain", "https://example.org", "is not a host name"},
        {"database", "mysql://a", "must begin with postgres://"},
        {"database_replica", "postgres://a/b", "needs a PostgreSQL database"},
        {"roles", "web", "with SQLite there is nobody else"},
        {"roles", "web,cooking", "\"cooking\" is none"},
        {"shared_liveness", "redis://localhost", "share a PostgreSQL database"},
        {"shared_liveness", "localhost:6379", "is not understood"},
        {"shared_liveness", "https://localhost", "is not understood"},
        {"shared_liveness", "redis://localhost/name", "is not understood"},
        {"shared_liveness", "redis://user@localhost", "is not understood"},
        {"smtp_url", "mail.example.org", "is not understood"},
        {"trusted_proxies", "everybody", "not a network"},
    };
    for (const auto& row : rows) {
        auto before = sources.flags;
        flag(row.option, row.value);
        EXPECT_THAT(mistakes(), HasSubstr(row.sentence)) << row.option << " = " << row.value;
        sources.flags = before;
    }
}

TEST(ValkeyUrl, says_where_and_as_whom) {
    const auto plain = server::parse_valkey_url("redis://10.0.0.5/2");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->host, "10.0.0.5");
    EXPECT_EQ(plain->port, 6379);
    EXPECT_FALSE(plain->tls);
    const auto guarded = server::parse_valkey_url("valkeys://du%6Elin:p%2Fw%40rd@[::1]:6380");
    ASSERT_TRUE(guarded);
    EXPECT_EQ(guarded->host, "::1");
    EXPECT_EQ(guarded->port, 6380);
    EXPECT_EQ(guarded->user, "dunlin");
    EXPECT_EQ(guarded->password, "p/w@rd");
    EXPECT_TRUE(guarded->tls);
    EXPECT_EQ(server::parse_valkey_url("rediss://:secret@cache")->password, "secret");
}

TEST_F(Configuration, has_names_that_work_everywhere) {
    std::set<std::string> variables;
    for (const auto& option : server::options()) {
        EXPECT_THAT(std::string(option.name), testing::MatchesRegex("[a-z][a-z0-9_]*")) << option.name;
        EXPECT_TRUE(variables.insert(server::environment_name(option)).second);
    }
    EXPECT_EQ(server::environment_name(*server::find_option("public_url")), "DUNLIN_PUBLIC_URL");
    EXPECT_EQ(server::flag_name(*server::find_option("public_url")), "--public-url");
}

TEST_F(Configuration, does_in_tests_only_what_endangers_or_bothers_others) {
    auto plain = sources;
    for (auto [name, value] :
         {std::pair("allow_private_addresses", "127.0.0.0/8"),
          {"host_overrides", "a=127.0.0.1:1"},
          {"allow_http_peers", "true"},
          {"delivery_retry_ms", "1"},
          {"failure_day_seconds", "1"},
          {"clock_offset_seconds", "1"}}) {
        sources = plain;
        flag(name, value);
        EXPECT_THAT(mistakes(), HasSubstr("test_mode")) << name;
        flag("test_mode", "true");
        EXPECT_EQ(mistakes(), "") << name;
    }
}

}  // namespace
