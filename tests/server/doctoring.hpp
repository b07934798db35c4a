// SPDX-License-Identifier: AGPL-3.0-or-later
// `dunlin doctor` as an operator runs it, and what it says.
#pragma once
#include "base/json_read.hpp"
#include "db/open.hpp"
#include "net/stage.hpp"
#include "server/doctor/doctor.hpp"
#include "server/serving.hpp"

#include <gmock/gmock.h>

#include <random>

namespace server_test {

using server::Level, server::Seen;

inline auto says(const std::string& check, const std::string& text, Level level) {
    return testing::Contains(testing::AllOf(
        testing::Field(&Seen::check, check),
        testing::Field(&Seen::text, testing::HasSubstr(text)),
        testing::Field(&Seen::level, level)
    ));
}
inline auto fault(const std::string& check, const std::string& text) {
    return says(check, text, Level::fault);
}
inline auto warning(const std::string& check, const std::string& text) {
    return says(check, text, Level::warning);
}

// Below what the system gives to connections that go out: nobody is given it while a server is being started.
inline std::uint16_t free_port() {
    std::random_device chance;
    std::uniform_int_distribution<int> ours(20000, 31999);
    for (int tries = 0;; ++tries) {
        const auto port = ours(chance);
        net_test::App app;
        net::ServerOptions options;
        options.listen = {{"127.0.0.1", static_cast<std::uint16_t>(port), false}};
        net::Server server(options, app);
        try {
            server.start();
            return server.endpoints().at(0).port;
        } catch (const std::exception&) {
            if (tries == 100) throw;  // it was not the port
        }
    }
}

struct Doctor : Serve {
    struct Told {
        int status = -1;
        server::Diagnosis all;
    };
    // Of a server with these options besides those that make it a sound one.
    Told ask(const std::string& lines = "", const std::string& flags = "") const {
        std::filesystem::create_directories(data);
        std::filesystem::permissions(data, std::filesystem::perms::owner_all);
        std::ofstream(data / "dunlin.toml") << lines;
        auto outcome = run("doctor --json " + flags);
        Told told{outcome.status, {}};
        EXPECT_EQ(outcome.err, "");
        told.all = base::json::read<server::Diagnosis>(outcome.out);
        return told;
    }
    std::unique_ptr<db::Connection> database() const {
        db::Options options;
        options.sqlite_file = data / "dunlin.db";
        return db::open_connection(options, db::Mode::write);
    }
    void make_database() const { ASSERT_EQ(run("migrate").status, 0); }
};

}  // namespace server_test
