// SPDX-License-Identifier: AGPL-3.0-or-later
// Exports a person's archive to a file, and imports one.
#include "cli/cli_context.hpp"
#include "server/media/places.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/post_import.hpp"

#include <thread>

namespace server {

namespace {

struct Exported {
    std::string username, file;
    std::int64_t posts = 0, bytes = 0;
};
DESCRIBE(Exported, username, file, posts, bytes)

struct Imported {
    std::string username, state, problem;
    std::int64_t posts = 0, failed = 0, items = 0;
};
DESCRIBE(Imported, username, state, problem, posts, failed, items)

transfer::PostImportId begin_import(
    CliContext& cli, const media::Store& store, base::AccountId account, const std::string& file
) {
    const auto kept = transfer::keep_archive(store, file);
    if (!kept.problem.empty()) throw Refused(kept.problem + ": " + file);
    try {
        return cli.write([&](db::Write& db) {
            return transfer::begin_post_import(db, account, kept.file, true);
        });
    } catch (const base::Invalid&) {
        store.files().remove(kept.file);
        throw;
    }
}

transfer::PostImport import_now(db::Read& db, transfer::PostImportId id) {
    auto found = transfer::find_post_import(db, id);
    if (!found) throw Refused("Somebody has taken the import back meanwhile");
    return *std::move(found);
}

// The lease of an interrupted import lasts a little longer, but is no longer renewed.
void take_over_import(CliContext& cli, const transfer::PostImport& import, const std::string& file) {
    print_note(
        "An import of " + base::to_string(import.created_at) + " is not done: it goes on, and " + file +
        " is not looked at; give the command again for another archive"
    );
    auto is_free = [&](db::Write& db) { return transfer::take_over_post_import(db, import.id); };
    auto runs = [&](db::Read& db) {
        return import_now(db, import.id).state == transfer::PostImportState::running;
    };
    for (bool told = false; !cli.write(is_free) && cli.read(runs); told = true) {
        if (!told) print_note("Somebody is at it, or was until just now; waiting");
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
}

}  // namespace

int export_account(const Settings& settings, const std::string& name, const std::string& to) {
    const auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    const auto account = cli.read([&](db::Read& db) { return local_account(db, name); });
    Exported exported{account.username, to};
    auto count = [&](std::int64_t posts) {
        exported.posts = posts;
        return true;
    };
    const auto file = std::filesystem::absolute(to);
    if (std::filesystem::exists(file)) throw Refused("There is a file " + to + " already");
    const auto store = media_places(config).store;
    transfer::make_archive(sessions(cli), {account.id, store, file, count});
    exported.bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    if (settings.json) return print_json(exported), 0;
    print(
        "The archive of @" + exported.username + " is in " + to + ": " + std::to_string(exported.posts) +
        " posts, " + std::to_string((exported.bytes + (1 << 20) - 1) >> 20) + " MB."
    );
    return 0;
}

int import_account(const Settings& settings, const std::string& name, const std::string& file) {
    const auto config = settings.load().config;
    require_media_access(config);
    CliContext cli(config, CliContext::Missing::refuse);
    const auto account = cli.read([&](db::Read& db) { return local_account(db, name); });
    const auto store = media_places(config).store;
    const auto left = cli.read([&](db::Read& db) { return transfer::running_post_import(db, account.id); });
    if (left) take_over_import(cli, *left, file);
    const auto id = left ? left->id : begin_import(cli, store, account.id, file);
    const auto all = sessions(cli);
    auto now = [&] { return cli.read([&](db::Read& db) { return import_now(db, id); }); };
    while (transfer::import_some_posts_of({all, store, [] { return false; }}, id)) {
        const auto so_far = now();
        print_note(std::to_string(so_far.done) + " of " + std::to_string(so_far.total));
    }
    const auto ended = now();
    Imported imported{
        account.username,
        boost::describe::enum_to_string(ended.state, ""),
        ended.problem,
        ended.posts,
        ended.failed,
        ended.done
    };
    const int status = ended.state == transfer::PostImportState::ended ? 0 : 1;
    if (settings.json) return print_json(imported), status;
    print(
        "@" + imported.username + " has " + std::to_string(imported.posts) + " posts more; " +
        std::to_string(imported.failed) + " of " + std::to_string(imported.items) +
        " could not be taken as they are. People of this site see them; the page Import and export publishes "
        "them."
    );
    if (!imported.problem.empty()) print("It ended early: " + imported.problem + ".");
    return status;
}

}  // namespace server
