// SPDX-License-Identifier: AGPL-3.0-or-later
// A person's archive, as a file of the operator's choice.
#include "cli/cli_context.hpp"
#include "social/transfer/archive.hpp"

namespace server {

namespace {

struct Exported {
    std::string username, file;
    std::int64_t posts = 0, bytes = 0;
};
DESCRIBE(Exported, username, file, posts, bytes)

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
    transfer::make_archive(sessions(cli), {account.id, config.media_path(), file, count});
    exported.bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    if (settings.json) return print_json(exported), 0;
    print(
        "The archive of @" + exported.username + " is in " + to + ": " + std::to_string(exported.posts) +
        " posts, " + std::to_string((exported.bytes + (1 << 20) - 1) >> 20) + " MB."
    );
    return 0;
}

}  // namespace server
