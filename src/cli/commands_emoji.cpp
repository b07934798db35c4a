// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "server/media/places.hpp"
#include "social/emojis/emoji.hpp"
#include "social/media/hashes/hash.hpp"

namespace server {

namespace fs = std::filesystem;

namespace {

struct Made {
    std::string shortcode, url, static_url;
};
DESCRIBE(Made, shortcode, url, static_url)

}  // namespace

int create_emoji(const Settings& settings, const NewEmoji& given) {
    auto config = settings.load().config;
    if (!fs::is_regular_file(given.file))
        throw Refused("There is no file " + given.file + "; name a PNG, GIF or WebP image");
    CliContext cli(config, CliContext::Missing::refuse);
    auto store = media_places(config).store;
    media::watch_pictures(store, sessions(cli));
    auto files = media::store_emoji(store, given.file);
    auto category = given.category.empty() ? std::nullopt : std::optional(given.category);
    try {
        cli.write([&](db::Write& db) {
            emojis::put(db, given.shortcode, files.file, files.static_file, category);
        });
    } catch (...) {
        store.remove({{files.file, files.static_file}});  // nobody knows of them
        throw;
    }
    auto site = site_of(config);
    Made made{given.shortcode, site.media(files.file), site.media(files.static_file)};
    if (settings.json) print_json(made);
    else print("Emoji :" + made.shortcode + ": is " + made.url);
    return 0;
}

}  // namespace server
