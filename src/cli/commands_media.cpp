// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/commands.hpp"

#include "cli/cli_context.hpp"
#include "social/media/copy.hpp"

namespace server {

namespace {

struct Report {
    std::int64_t files = 0, megabytes = 0, most_megabytes = 0;
};
DESCRIBE(Report, files, megabytes, most_megabytes)

void print_usage(const Settings& settings, CliContext& cli) {
    auto report = cli.read([](db::Read& db) {
        auto usage = media::usage_of_copies(db);
        return Report{usage.files, usage.bytes >> 20, media::most_bytes_of_copies(db) >> 20};
    });
    if (settings.json) return print_json(report);
    print(
        "Copies of pictures of other servers: " + std::to_string(report.files) + ", " +
        std::to_string(report.megabytes) + " MB of at most " + std::to_string(report.most_megabytes) + " MB"
    );
}

}  // namespace

int show_media_usage(const Settings& settings, std::optional<std::int64_t> most_megabytes) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    if (most_megabytes) {
        if (*most_megabytes < 0) throw Refused("The room for copies cannot be less than nothing");
        cli.write([&](db::Write& db) { media::set_most_megabytes_of_copies(db, *most_megabytes); });
    }
    print_usage(settings, cli);
    return 0;
}

// The files go by a job of the server, or when it starts next.
int prune_media(const Settings& settings, std::int64_t megabytes) {
    if (megabytes < 0) throw Refused("Copies cannot take less room than none");
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    while (cli.write([&](db::Write& db) { return media::prune_copies_to(db, megabytes << 20); })) {}
    print_usage(settings, cli);
    return 0;
}

}  // namespace server
