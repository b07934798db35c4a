// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/insight/digest.hpp"

namespace server {

namespace {

struct Asked {
    bool asked = true;
};
DESCRIBE(Asked, asked)

// The digest as it would be mailed.
accounts::SendMail letter(CliContext& cli, const insight::Digest& digest) {
    accounts::SendMail letter;
    try {
        cli.read([&](db::Read& db) { insight::send_digest(base::Ask(), db, {}, digest); });
    } catch (const base::Needs& needs) {
        letter = *std::any_cast<accounts::SendMail>(&needs.question);
    }
    return letter;
}

}  // namespace

int show_digest(const Settings& settings) {
    const auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    const auto vitals = vitals_of_running(config);
    const auto digest = cli.read([&](db::Read& db) { return insight::digest(db, vitals); });
    if (settings.json) return print_json(digest), 0;
    const auto written = letter(cli, digest);
    print(written.subject + "\n");
    print(written.text);
    if (!vitals)
        print_note("No server runs on the folder " + config.data + ", so what is in its memory is left out.");
    return 0;
}

int send_digest(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    cli.write([](db::Write& db) { db.emit(insight::DigestDue{}); });
    if (settings.json) return print_json(Asked{}), 0;
    print("The running server writes it within seconds, to all whose role has the permission DevOps.");
    return 0;
}

}  // namespace server
