// SPDX-License-Identifier: AGPL-3.0-or-later
// Replacing another server on the same domain: checks, copies and compares its data.
#include "base/text/utf8.hpp"
#include "cli/copying/copying.hpp"
#include "config/clock.hpp"
#include "server/media/places.hpp"
#include "server/site_settings.hpp"
#include "takeover/check.hpp"
#include "takeover/compare.hpp"
#include "takeover/mitra/reading.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>

namespace server {

namespace {

takeover::Settings settings_in(const std::string& file) {
    if (file.empty()) return {};
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Refused("There is no file " + file);
    std::string text(1 << 20, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return takeover::settings_of(text);
}

// The source of a copy, and the folder with its files.
struct Before {
    takeover::Settings settings;
    std::unique_ptr<db::Foreign> database;
    std::unique_ptr<takeover::Source> source;
    std::filesystem::path media;

    explicit Before(const TakeoverOrder& order)
        : settings(settings_in(order.old_config)),
          database(db::open_foreign(order.source)),
          source(takeover::recognise(*database, settings)),
          media(order.media) {
        for (const auto* name : {"storage-local-base-path", "PAPERCLIP_ROOT_PATH", "FS_STORAGE_PATH"})
            if (const auto told = settings.find(name); media.empty() && told != settings.end())
                media = told->second;
        // Mitra keeps them in a subfolder.
        if (const auto told = settings.find("storage_dir"); media.empty() && told != settings.end())
            media = std::filesystem::path(told->second) / "media";
        if (order.newer) source->take_newer();
        if (order.lose_portable) takeover::mitra::lose_portable(*source);
    }
    void need_media() const {
        if (media.empty()) throw Refused("Say with --files where the files of the other server are");
        if (!std::filesystem::is_directory(media)) throw Refused("There is no folder " + media.string());
    }
};

void print_report(const takeover::Report& report) {
    print(
        report.program + " " + report.version + " at " + report.public_url + ", handles @NAME@" +
        report.domain
    );
    for (const auto& count : report.rows) print("  " + std::to_string(count.there) + " " + count.what);
    print(
        std::to_string(report.keys_checked) + " pairs of keys were tried, " +
        std::to_string(report.bad_keys.size()) + " of them fit nothing."
    );
    for (const auto& actor : report.bad_keys) print("  " + actor);
    if (report.files_checked > 0)
        print(
            std::to_string(report.files_found) + " of " + std::to_string(report.files_checked) +
            " files that were looked for are there."
        );
    print("What does not come along:");
    for (const auto& loss : report.losses)
        print("  " + (loss.rows > 0 ? std::to_string(loss.rows) + " " : std::string()) + loss.what);
    print("These lines belong into dunlin.toml:");
    for (const auto& line : report.configuration) print("  " + line);
}

// Overwrites one line on a terminal; elsewhere prints one line per step.
class Shown {
public:
    void operator()(const takeover::Progress& p) {
        const bool terminal = ::isatty(STDERR_FILENO) == 1;
        if (!terminal && p.step == step_) return;
        step_ = p.step;
        const auto part = p.total > 0 ? std::min<std::int64_t>(100, p.done * 100 / p.total) : 0;
        const auto line = p.step + ": " + std::to_string(p.done) + " rows, " + std::to_string(part) + " %";
        if (terminal) std::fprintf(stderr, "\r\33[K%s", line.c_str());
        else print_note(line);
    }
    ~Shown() {
        if (::isatty(STDERR_FILENO) == 1 && !step_.empty()) std::fprintf(stderr, "\n");
    }

private:
    std::string step_;
};

struct Copied {
    takeover::Takeover takeover;
    std::vector<takeover::Count> counts;
    std::int64_t refused = 0;
    std::vector<takeover::Refused> refusals;
};
DESCRIBE(Copied, takeover, counts, refused, refusals)

constexpr int most_shown = 1000;

Copied outcome(CliContext& cli, std::vector<takeover::Count> counts) {
    return cli.read([&](db::Read& db) {
        return Copied{
            takeover::current(db).value_or(takeover::Takeover{}),
            std::move(counts),
            takeover::refusal_count(db),
            takeover::refusals(db, most_shown)
        };
    });
}

void print_counts(const std::vector<takeover::Count>& counts) {
    std::vector<std::vector<std::string>> rows{{"", "there", "here"}};
    for (const auto& c : counts) rows.push_back({c.what, std::to_string(c.there), std::to_string(c.here)});
    if (!counts.empty()) print_table(rows);
}

bool print_outcome(const Settings& settings, const Copied& copied) {
    const bool whole = std::ranges::all_of(copied.counts, [](const auto& c) { return c.there == c.here; });
    if (settings.json) {
        print_json(copied);
        return whole;
    }
    print_counts(copied.counts);
    print(std::to_string(copied.refused) + " rows could not be taken" + (copied.refused > 0 ? ":" : "."));
    for (const auto& r : copied.refusals) print("  " + r.kind + " " + r.former + ": " + r.reason);
    if (copied.refused > static_cast<std::int64_t>(copied.refusals.size())) print("  …");
    return whole;
}

// Both servers must have the same addresses, or no id or link would work any more.
void need_same_addresses(const Config& config, takeover::Source& source) {
    const auto site = site_of(config);
    const auto there = source.addresses();
    if (site.public_url == there.public_url && site.domain == there.domain) return;
    throw Refused(
        "The other server is " + there.public_url + " with handles of " + there.domain + ", this one " +
        site.public_url + " with handles of " + site.domain +
        "; write what `dunlin takeover check` shows into dunlin.toml"
    );
}

// `anew`: start over even if an unfinished copy could be continued, part of which would be outdated.
void make_copy(CliContext& cli, const Config& config, const TakeoverOrder& order, Before& before, bool anew) {
    if (!config.backup_to.empty())
        throw Refused(
            "Copy without backup_to, and set it when the take-over is finished: the log of a copy is large"
        );
    const auto places = media_places(config);
    const takeover::Files files(before.media, &places.store.files(), places.store.folder() / ".work");
    takeover::Choice choice;
    choice.everything = order.everything;
    choice.notification_days = order.notification_days;
    choice.limited = with_stored(config, cli.read(instance::stored_options)).limited_federation;
    choice.anew = anew;
    choice.now = clock_now();
    Shown shown;
    cli.with_connection([&](db::Connection& connection, const db::Context& context) {
        takeover::copy({connection, context}, *before.source, files, choice, std::ref(shown));
    });
}

std::vector<takeover::Count> counts_of(CliContext& cli, Before& before) {
    return cli.with_connection([&](db::Connection& connection, const db::Context& context) {
        return takeover::compare_counts({connection, context}, *before.source);
    });
}

}  // namespace

int check_takeover(const Settings& settings, const TakeoverOrder& order) {
    Before before(order);
    const auto report = takeover::check(*before.source, before.media);
    if (settings.json) print_json(report);
    else print_report(report);
    return report.bad_keys.empty() ? 0 : 1;
}

int copy_takeover(const Settings& settings, const TakeoverOrder& order) {
    const auto config = settings.load().config;
    Before before(order);
    before.source->check_schema();
    before.need_media();
    need_same_addresses(config, *before.source);
    if (!config.postgres()) prepare_data_directory(config);
    const Alone alone(config);
    CliContext cli(config, CliContext::Missing::create);
    alone.check(cli);
    const auto known = cli.read([](db::Read& db) { return takeover::current(db); });
    const bool goes_on = known && known->state == "copying";
    if (goes_on)
        print_note(
            "The copy of " + base::to_string(known->started_at) +
            " was cut off and goes on; what it had copied by then stays as it was."
        );
    make_copy(cli, config, order, before, false);
    print_outcome(settings, outcome(cli, counts_of(cli, before)));
    if (settings.json) return 0;
    print("The copy is whole. It can be made again at any time, until `dunlin takeover finish`.");
    if (goes_on)
        print("Parts of it are older than others, since it was cut off: the next one is of one moment again."
        );
    return 0;
}

int finish_takeover(const Settings& settings, const TakeoverOrder& order) {
    const auto config = settings.load().config;
    Before before(order);
    before.source->check_schema();
    before.need_media();
    need_same_addresses(config, *before.source);
    const Alone alone(config);
    CliContext cli(config, CliContext::Missing::refuse);
    alone.check(cli);
    if (!cli.read([](db::Read& db) { return takeover::current(db); }))
        throw Refused("Nothing was copied yet: dunlin takeover copy");
    const auto report = takeover::check(*before.source, {});
    if (!report.bad_keys.empty() && !order.anyway)
        throw Refused(
            "The keys of " + std::to_string(report.bad_keys.size()) + " actors fit nothing, first " +
            report.bad_keys.front() + "; --anyway leaves these people behind"
        );
    make_copy(cli, config, order, before, true);
    const auto copied = outcome(cli, counts_of(cli, before));
    const bool whole = std::ranges::all_of(copied.counts, [](const auto& c) { return c.there == c.here; });
    if (!whole && copied.refused == 0 && !order.anyway) {
        print_outcome(settings, copied);
        throw Refused("Some counts differ and nothing was refused; --anyway finishes all the same");
    }
    alone.check(cli);
    cli.with_connection([&](db::Connection& connection, const db::Context& context) {
        takeover::finish({connection, context});
    });
    print_outcome(settings, outcome(cli, copied.counts));
    if (!settings.json)
        print(
            "Finished: start the server. Going back: stop it, `dunlin takeover undo --to FOLDER`, and start "
            "the old one."
        );
    return 0;
}

namespace {

std::string shortened(const std::string& value) {
    constexpr std::size_t most = 60;
    auto out = base::json::to_string(value);
    return out.size() <= most ? out : base::text::clean_utf8(out.substr(0, most)) + "…";
}

void print_comparison(const takeover::Comparison& found, base::Time copied_at) {
    print_counts(found.counts);
    if (found.refused > 0)
        print(std::to_string(found.refused) + " rows could not be taken: dunlin takeover show");
    print(
        std::to_string(found.people) + " people and " + std::to_string(found.posts) +
        " posts were looked at, " + std::to_string(found.differences.size()) + " things about them differ."
    );
    for (const auto& d : found.differences)
        print(
            "  " + d.address + ": " + d.what + " " + shortened(d.there) + " there, " + shortened(d.here) +
            " here"
        );
    if (!found.same())
        print(
            "The copy was begun at " + base::to_string(copied_at) +
            "; what changed at the other server since then counts, too."
        );
}

}  // namespace

int compare_takeover(const Settings& settings, const TakeoverOrder& order) {
    const auto config = settings.load().config;
    Before before(order);
    before.source->check_schema();
    before.source->check_secrets();
    need_same_addresses(config, *before.source);
    CliContext cli(config, CliContext::Missing::refuse);
    const auto known = cli.read([](db::Read& db) { return takeover::current(db); });
    if (!known || known->state == "copying")
        throw Refused("There is no whole copy yet: dunlin takeover copy");
    const auto found = cli.with_connection([&](db::Connection& connection, const db::Context& context) {
        return takeover::compare(
            {connection, context}, *before.source, static_cast<std::size_t>(order.samples)
        );
    });
    if (settings.json) print_json(found);
    else print_comparison(found, known->started_at);
    return found.same() ? 0 : 1;
}

int show_takeover(const Settings& settings) {
    const auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    const auto now = outcome(cli, {});
    if (now.takeover.id == 0) throw Refused("Nothing was taken over here");
    if (settings.json) return print_json(now), 0;
    const auto& t = now.takeover;
    print(t.source + " " + t.version + ": " + t.state + (t.step.empty() ? "" : ", at " + t.step));
    print_outcome(settings, now);
    return 0;
}

}  // namespace server
