// SPDX-License-Identifier: AGPL-3.0-or-later
// Goes back to the replaced server: its database was never written to, and newer posts are kept as archives.
#include "cli/copying/copying.hpp"
#include "server/media/places.hpp"
#include "social/media/store_files.hpp"
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

namespace {

namespace fs = std::filesystem;

// Renames the archives only once all are written, so an interrupted run can simply be repeated.
std::vector<Kept> keep(
    CliContext& cli, const Alone& alone, const Config& config, const takeover::Since& since,
    const fs::path& folder
) {
    std::vector<Kept> out;
    for (const auto& person : since.people) {
        const auto file = folder / (person.username + ".zip");
        if (fs::exists(file))
            throw Refused("There is a file " + file.string() + " already; name another folder");
        out.push_back({person.username, file.string(), person.posts});
    }
    fs::create_directories(folder);
    const auto store = media_places(config).store;
    for (std::size_t i = 0; i < out.size(); ++i)
        transfer::make_archive(
            sessions(cli),
            {since.people[i].id,
             store,
             out[i].file + ".part",
             [](std::int64_t) { return true; },
             since.last_before()}
        );
    alone.check(cli);  // otherwise what was posted meanwhile would be lost
    for (const auto& kept : out) fs::rename(kept.file + ".part", kept.file);
    media::sync(folder);
    return out;
}

}  // namespace

int undo_takeover(const Settings& settings, const TakeoverOrder& order) {
    const auto config = settings.load().config;
    if (order.to.empty() && !order.dry_run)
        throw Refused("Say with --to into which folder the posts go that came since, or --dry-run");
    std::optional<Alone> alone;  // so that no server keeps posting
    if (!order.dry_run) alone.emplace(config);
    CliContext cli(config, CliContext::Missing::refuse);
    if (alone) alone->check(cli);
    Undone result;
    result.since = cli.read(takeover::since_finish);
    if (alone) {
        result.archives = keep(cli, *alone, config, result.since, fs::absolute(order.to));
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
