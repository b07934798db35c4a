// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "server/https.hpp"

namespace server {

namespace {

Config with_own_certificate(const Settings& settings) {
    auto config = settings.load().config;
    if (has_own_certificate(config)) return config;
    throw Refused(
        config.tls_listen.empty()
            ? "This server speaks no HTTPS by itself: tls_listen is not set"
            : "This server has no certificates issued: tls_cert names " + config.tls_cert
    );
}

std::string day_of(base::Time time) { return base::to_string(base::WholeSeconds{time.ms}); }

}  // namespace

int show_certificate(const Settings& settings) {
    const auto config = with_own_certificate(settings);
    CliContext cli(config, CliContext::Missing::refuse);
    const auto state = cli.read([&](db::Read& db) { return certificate_state(db, config); });
    if (settings.json) return print_json(state), 0;
    print("For " + acme::joined(state.names) + ", from " + state.authority);
    print(
        state.valid_until
            ? "Good until " + day_of(*state.valid_until) + ", to be renewed on " + day_of(*state.renew_at)
            : "There is none yet."
    );
    if (!state.failed_at) return 0;
    print("Failed on " + day_of(*state.failed_at) + ": " + state.failure);
    print("Tried again on " + day_of(*state.next_try) + " or later.");
    return 0;
}

int renew_certificate(const Settings& settings) {
    const auto config = with_own_certificate(settings);
    CliContext cli(config, CliContext::Missing::refuse);
    cli.write([](db::Write& db) { acme::want_certificate(db); });
    const auto state = cli.read([&](db::Read& db) { return certificate_state(db, config); });
    if (settings.json) return print_json(state), 0;
    print(
        "The running server has a new one issued within seconds; `dunlin certificate` shows what comes of it."
    );
    if (state.next_try)
        print("As the last try failed, it does so on " + day_of(*state.next_try) + " or later.");
    return 0;
}

}  // namespace server
