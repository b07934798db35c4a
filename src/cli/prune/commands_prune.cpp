// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/figures.hpp"
#include "cli/cli_context.hpp"
#include "social/insight/room.hpp"
#include "social/media/copy.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/remote/old_posts.hpp"
#include "social/timelines/idle_homes.hpp"

#include <algorithm>

namespace server {

namespace {

using base::text::shown_bytes;

struct Pruned {
    std::int64_t copies = 0, previews = 0, posts = 0, homes = 0;
};
DESCRIBE(Pruned, copies, previews, posts, homes)

// The effect of pruning is measured by what is left.
struct Left {
    std::int64_t previews = 0, posts = 0, empty_homes = 0;
};
DESCRIBE(Left, previews, posts, empty_homes)
const db::Query<Left> rows_left{
    "prune_rows_left",
    R"(SELECT (SELECT count(*) FROM preview_cards) AS previews, (SELECT count(*) FROM remote_statuses) AS posts,
              (SELECT count(*) FROM users WHERE away = TRUE) AS empty_homes)"
};

std::string shown(std::int64_t bytes) { return shown_bytes(static_cast<std::uint64_t>(bytes)); }

void show(const insight::Room& room, std::int64_t days) {
    std::vector<std::vector<std::string>> rows{{"NUMBER", "ROOM", "WOULD GO", "KIND"}};
    for (const auto& one : room.kinds)
        rows.push_back({std::to_string(one.number), shown(one.bytes), std::to_string(one.goes), one.kind});
    print_table(rows);
    print("");
    rows = {{"ROOM", "POSTS", "FILES", "SERVER"}};
    for (const auto& one : room.servers)
        rows.push_back({shown(one.bytes), std::to_string(one.posts), std::to_string(one.files), one.domain});
    print_table(rows);
    print("");
    print(
        days > 0 ? "Posts that nobody here touched would go after " + std::to_string(days) + " days."
                 : "Posts stay: remote_posts_days is 0. With --days 90 it is shown what would go then."
    );
    print("What rows of the database take is estimated. Nothing was changed.");
}

// A server may be doing the same at the same time.
template <class F>
void to_the_end(CliContext& cli, F prepare) {
    while (auto change = cli.read(prepare)) cli.write(change);
}

// Options set in the running server's environment are not known here.
int prune_now(const Settings& settings, CliContext& cli, const Config& config) {
    const bool said = config.set_at.contains("remote_posts_days");
    const auto days = said ? config.remote_posts_days : cli.read(statuses::days_of_remote_posts);
    const auto before = cli.read([](db::Read& db) { return db.one(rows_left); });
    const auto copies = cli.read(media::usage_of_copies).files;
    const auto most = cli.read(media::most_bytes_of_copies);
    while (cli.write([&](db::Write& db) { return media::prune_copies_to(db, most); })) {}
    cli.write([&](db::Write& db) {
        if (said) statuses::keep_remote_posts_for(db, days);
        if (config.set_at.contains("home_days")) timelines::keep_idle_homes_for(db, config.home_days);
        statuses::begin_with_old_posts(db);
        statuses::begin_with_previews(db);
        timelines::begin_with_idle_homes(db);
    });
    to_the_end(cli, statuses::remove_old_posts);
    to_the_end(cli, statuses::purge_previews);
    to_the_end(cli, timelines::empty_idle_homes);
    const auto left = cli.read([](db::Read& db) { return db.one(rows_left); });
    // A server that stores new rows meanwhile could make these numbers negative.
    const Pruned gone{
        std::max<std::int64_t>(copies - cli.read(media::usage_of_copies).files, 0),
        std::max<std::int64_t>(before.previews - left.previews, 0),
        std::max<std::int64_t>(before.posts - left.posts, 0),
        std::max<std::int64_t>(left.empty_homes - before.empty_homes, 0)
    };
    if (settings.json) return print_json(gone), 0;
    print(
        std::to_string(gone.copies) + " copies of pictures, " + std::to_string(gone.previews) +
        " previews of links and " + std::to_string(gone.posts) + " posts of other servers are gone, and " +
        std::to_string(gone.homes) + " homes of people who are away were emptied."
    );
    if (days == 0) print("Posts stay: remote_posts_days is 0.");
    return 0;
}

}  // namespace

int prune(const Settings& settings, const PruneOrder& order) {
    if (order.days && !order.dry_run)
        throw Refused("--days goes with --dry-run; what is removed is said by the option remote_posts_days");
    const auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    if (!order.dry_run) return prune_now(settings, cli, config);
    const auto days = order.days.value_or(config.remote_posts_days);
    const bool said = config.set_at.contains("home_days");
    const auto home_days = said ? config.home_days : cli.read(timelines::days_of_idle_homes);
    const auto room = insight::room_taken(sessions(cli), {days, home_days});
    if (settings.json) print_json(room);
    else show(room, days);
    return 0;
}

}  // namespace server
