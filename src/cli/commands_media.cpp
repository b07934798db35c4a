// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/commands.hpp"

#include "cli/cli_context.hpp"
#include "social/media/copy.hpp"
#include "social/moderation/pictures/search.hpp"

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

// The files are removed by a job of the server, now or at its next start.
int prune_media(const Settings& settings, std::int64_t megabytes) {
    if (megabytes < 0) throw Refused("Copies cannot take less room than none");
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    while (cli.write([&](db::Write& db) { return media::prune_copies_to(db, megabytes << 20); })) {}
    print_usage(settings, cli);
    return 0;
}

namespace {

struct Purged {
    std::string id;
    bool dry_run = false;
    std::int64_t files_looked_at = 0, files_found = 0, media = 0, copies = 0, portraits = 0, emojis = 0;
};
DESCRIBE(Purged, id, dry_run, files_looked_at, files_found, media, copies, portraits, emojis)

Purged report_of(const moderation::PictureSearch& one) {
    return {
        std::to_string(one.id.value),
        one.dry_run,
        one.looked,
        one.found,
        one.media,
        one.copies,
        one.portraits,
        one.emojis
    };
}

moderation::Removal removal(const PurgeHash& given) {
    moderation::Removal out;
    try {
        out.hashes = moderation::hashes_given(
            given.hash, given.kind == "sha256" ? media::HashKind::sha256 : media::HashKind::pdq
        );
    } catch (const base::Invalid& e) {
        throw Refused(e.what());
    }
    out.distance = given.distance;
    out.dry_run = given.dry_run;
    return out;
}

}  // namespace

// Changes the rows here; if interrupted, a job of the server continues. A job removes the files.
int purge_hash(const Settings& settings, const PurgeHash& given) {
    const auto wanted = removal(given);
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = cli.write([&](db::Write& db) {
        return moderation::remove_everywhere(db, accounts::the_operator(), wanted);
    });
    const auto with = sessions(cli);
    for (;;) {
        const auto change = with.ask([&](const base::Ask& ask, db::Read& db) {
            return moderation::search_some(ask, db, id);
        });
        if (!change) break;
        cli.write(change);
    }
    const auto report = report_of(cli.read([&](db::Read& db) { return moderation::picture_search(db, id); }));
    if (settings.json) return print_json(report), 0;
    print(
        std::to_string(report.files_found) + " of " + std::to_string(report.files_looked_at) +
        " files are that picture: " + std::to_string(report.media) + " attachments, " +
        std::to_string(report.copies) + " copies of pictures of other servers, " +
        std::to_string(report.portraits) + " avatars and headers, " + std::to_string(report.emojis) +
        " emojis."
    );
    print(given.dry_run ? "Nothing was changed." : "They are gone, and whoever brings it again is refused.");
    return 0;
}

}  // namespace server
