// SPDX-License-Identifier: AGPL-3.0-or-later
// Back to the server whose place was taken: its database was never written, and what came since is kept as archives.
#include "cli/cli_context.hpp"
#include "config/data_directory.hpp"
#include "server/media/places.hpp"
#include "social/transfer/archive.hpp"
#include "takeover/undo.hpp"

namespace server {

namespace {

struct Kept {
    std::string username, file;
    std::int64_t posts = 0;
};
DESCRIBE(Kept, username, file, posts)

struct Undone {
    takeover::Since since;
    std::vector<Kept> archives;
    bool undone = false;
};
DESCRIBE(Undone, since, archives, undone)

void print_undone(const Undone& result) {
    const auto& since = result.since;
    print("The place was taken on " + base::to_string(since.finished_at) + ". Since then there came:");
    for (const auto& person : since.people)
        print("  " + std::to_string(person.posts) + " posts of @" + person.username);
    print(
        "  " + std::to_string(since.accounts) + " people who are new, and " + std::to_string(since.follows) +
        " follows"
    );
    for (const auto& kept : result.archives)
        print("The posts of @" + kept.username + " are in " + kept.file + ".");
    if (!result.undone)
        return print(
            "Nothing was changed. `dunlin takeover undo --to FOLDER` keeps these posts and gives the place "
            "back."
        );
    print(
        "Now start the other server. It knows nothing of what came since: other servers find these posts at "
        "no address "
        "any more, and new people, follows, profiles and passwords are as they were before. This server does "
        "not start "
        "with this database until a copy is made and finished again."
    );
}

}  // namespace

int undo_takeover(const Settings& settings, const TakeoverOrder& order) {
    namespace fs = std::filesystem;
    const auto config = settings.load().config;
    if (order.to.empty() && !order.dry_run)
        throw Refused("Say with --to into which folder the posts go that came since, or --dry-run");
    std::optional<DataDirectoryLock> lock;  // no server may go on posting
    if (!order.dry_run && !config.postgres()) lock.emplace(config);
    CliContext cli(config, CliContext::Missing::refuse);
    Undone result;
    result.since = cli.read(takeover::since_finish);
    if (!order.dry_run) {
        const auto folder = fs::absolute(order.to);
        fs::create_directories(folder);
        const auto store = media_places(config).store;
        for (const auto& person : result.since.people) {
            const auto file = folder / (person.username + ".zip");
            if (fs::exists(file)) throw Refused("There is a file " + file.string() + " already");
            transfer::make_archive(
                sessions(cli),
                {person.id, store, file, [](std::int64_t) { return true; }, result.since.last_before()}
            );
            result.archives.push_back({person.username, file.string(), person.posts});
        }
        cli.with_connection([](db::Connection& connection, const db::Context& context) {
            takeover::undo({connection, context});
        });
        result.undone = true;
    }
    if (settings.json) print_json(result);
    else print_undone(result);
    return 0;
}

}  // namespace server
