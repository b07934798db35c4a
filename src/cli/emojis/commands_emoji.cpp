// SPDX-License-Identifier: AGPL-3.0-or-later
// Custom emojis, one or many at a time. Actions are recorded as the operator's.
#include "cli/cli_context.hpp"
#include "cli/dialogue.hpp"
#include "cli/emojis/pack.hpp"
#include "server/media/places.hpp"
#include "social/emojis/emoji.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/media/store_files.hpp"
#include "social/moderation/site/site_acts.hpp"

#include <map>

namespace server {

namespace fs = std::filesystem;

namespace {

struct Made {
    std::string shortcode, url, static_url;
};
DESCRIBE(Made, shortcode, url, static_url)

struct Failed {
    std::string shortcode, file, problem;
};
DESCRIBE(Failed, shortcode, file, problem)

struct Imported {
    std::int64_t imported = 0, replaced = 0, skipped = 0, passed_over = 0;
    std::vector<Failed> failed;
};
DESCRIBE(Imported, imported, replaced, skipped, passed_over, failed)

struct Shown {
    std::string shortcode, category, state, url;
};
DESCRIBE(Shown, shortcode, category, state, url)

media::Store watched_store(CliContext& cli, const Config& config) {
    auto store = media_places(config).store;
    media::watch_pictures(store, sessions(cli));
    return store;
}

struct Given {
    std::string shortcode, category;
    fs::path file;
};

media::EmojiFiles make(CliContext& cli, const media::Store& store, const Given& given) {
    auto files = media::store_emoji(store, given.file);
    try {
        cli.write([&](db::Write& db) {
            moderation::put_emoji(db, accounts::the_operator(), given.shortcode, given.category, files);
        });
    } catch (...) {
        store.remove({{files.file, files.static_file}});  // nothing refers to them
        throw;
    }
    return files;
}

std::string state_of(const emojis::SiteEmoji& one) {
    if (one.disabled) return "disabled";
    return one.visible_in_picker ? "shown" : "unlisted";
}

class Importing {
public:
    Importing(CliContext& cli, const media::Store& store, const EmojiImport& order)
        : cli_(cli), store_(store), order_(order) {
        for (auto& one : cli.read(emojis::site_emojis)) known_[one.shortcode] = one.category.value_or("");
    }

    Imported run(const Pack& pack) {
        result_.passed_over = pack.passed_over;
        constexpr std::size_t step = 50;
        for (std::size_t i = 0; i < pack.pictures.size(); ++i) {
            take(pack.pictures[i]);
            if ((i + 1) % step == 0)
                print_note(std::to_string(i + 1) + " of " + std::to_string(pack.pictures.size()));
        }
        return std::move(result_);
    }

private:
    void take(const PackPicture& picture) {
        const auto known = known_.find(picture.shortcode);
        const bool there = known != known_.end();
        if (picture.problem.empty() && there && !order_.overwrite) {
            ++result_.skipped;
            return;
        }
        auto fail = [&](const std::string& problem) {
            result_.failed.push_back({picture.shortcode, picture.name, problem});
        };
        if (!picture.problem.empty()) return fail(picture.problem);
        auto category = order_.category.empty() ? picture.category : order_.category;
        if (category.empty() && there) category = known->second;
        try {
            make(cli_, store_, {picture.shortcode, category, picture.file});
            ++(there ? result_.replaced : result_.imported);
        } catch (const base::Invalid& e) {
            // Show the name in the pack instead of the temporary path.
            std::string problem = e.what();
            const auto place = picture.file.string();
            if (const auto at = problem.find(place); at != problem.npos)
                problem.replace(at, place.size(), picture.name);
            fail(problem);
        }
    }

    CliContext& cli_;
    const media::Store& store_;
    const EmojiImport& order_;
    std::map<std::string, std::string> known_;  // category by shortcode
    Imported result_;
};

void tell(const Imported& done) {
    auto line = "Imported " + std::to_string(done.imported);
    if (done.replaced > 0) line += ", replaced " + std::to_string(done.replaced);
    if (done.skipped > 0)
        line += ", skipped " + std::to_string(done.skipped) + " that exist (--overwrite replaces them)";
    if (done.passed_over > 0)
        line += ", passed over " + std::to_string(done.passed_over) + " files that are no pictures";
    print(line + (done.failed.empty() ? "." : "; " + std::to_string(done.failed.size()) + " failed:"));
    std::vector<std::vector<std::string>> rows;
    for (const auto& one : done.failed) rows.push_back({"  " + one.file, one.problem});
    print_table(rows);
}

}  // namespace

int create_emoji(const Settings& settings, const NewEmoji& given) {
    auto config = settings.load().config;
    require_media_access(config);
    if (!fs::is_regular_file(given.file))
        throw Refused("There is no file " + given.file + "; name a PNG, GIF or WebP image");
    CliContext cli(config, CliContext::Missing::refuse);
    auto store = watched_store(cli, config);
    auto files = make(cli, store, {given.shortcode, given.category, given.file});
    auto site = site_of(config);
    Made made{given.shortcode, site.media(files.file), site.media(files.static_file)};
    if (settings.json) print_json(made);
    else print("Emoji :" + made.shortcode + ": is " + made.url);
    return 0;
}

int import_emojis(const Settings& settings, const EmojiImport& order) {
    auto config = settings.load().config;
    require_media_access(config);
    CliContext cli(config, CliContext::Missing::refuse);
    auto store = watched_store(cli, config);
    media::WorkFolder work(store.folder());
    const auto done = Importing(cli, store, order).run(read_pack(order.from, work.path));
    if (settings.json) print_json(done);
    else tell(done);
    return done.failed.empty() ? 0 : 1;
}

int list_emojis(const Settings& settings) {
    auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    auto site = site_of(config);
    std::vector<Shown> shown;
    for (const auto& one : cli.read(emojis::site_emojis))
        shown.push_back({one.shortcode, one.category.value_or(""), state_of(one), site.media(one.file)});
    if (settings.json) return print_json(shown), 0;
    std::vector<std::vector<std::string>> rows{{"SHORTCODE", "CATEGORY", "STATE", "PICTURE"}};
    for (const auto& one : shown) rows.push_back({one.shortcode, one.category, one.state, one.url});
    print_table(rows);
    return 0;
}

int delete_emoji(const Settings& settings, const std::string& given, bool sure) {
    const auto shortcode = given.size() > 2 && given.starts_with(':') && given.ends_with(':')
                               ? given.substr(1, given.size() - 2)
                               : given;
    if (!sure && settings.json)
        throw ConfigError("With --json nothing is asked; say --yes if it is meant so");
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto known = cli.read([&](db::Read& db) { return emojis::find_site_emoji(db, shortcode); });
    if (!known) throw Refused("There is no emoji \"" + given + "\"; `dunlin emoji list` shows them all");
    if (!sure && !agreed("Shall :" + shortcode + ": be deleted?")) return 1;
    cli.write([&](db::Write& db) { moderation::remove_emoji(db, accounts::the_operator(), known->id); });
    if (!settings.json) print("Emoji :" + shortcode + ": is deleted.");
    return 0;
}

}  // namespace server
