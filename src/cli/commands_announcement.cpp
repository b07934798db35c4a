// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/announcements/announcement.hpp"

namespace server {

using announcements::Announcement, announcements::State;

namespace {

struct Shown {
    announcements::AnnouncementId id;
    std::string state, text;
    base::Time published_at;
    std::optional<base::Time> starts_at, ends_at;
};
DESCRIBE(Shown, id, state, text, published_at, starts_at, ends_at)

std::string word(State state) {
    switch (state) {
        case State::scheduled: return "scheduled";
        case State::published: return "published";
        case State::ended: break;
    }
    return "ended";
}

std::optional<base::Time> time_of(const char* flag, const std::string& text) {
    if (text.empty()) return std::nullopt;
    auto time = base::parse_time(text);
    if (!time) throw Refused("Give " + std::string(flag) + " as 2026-12-24 or 2026-12-24T18:00:00Z");
    return time;
}

std::string first_line(const std::string& text) {
    constexpr std::size_t width = 60;
    auto line = text.substr(0, text.find('\n'));
    if (line.size() <= width) return line;
    auto end = width;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    return line.substr(0, end) + "…";
}

}  // namespace

int create_announcement(const Settings& settings, const NewAnnouncement& given) {
    auto config = settings.load().config;
    announcements::Draft draft{
        given.text,
        time_of("--publish-at", given.publish_at),
        time_of("--starts-at", given.starts_at),
        time_of("--ends-at", given.ends_at),
        given.all_day
    };
    CliContext cli(config, CliContext::Missing::refuse);
    auto id = cli.write([&](db::Write& db) { return announcements::create(db, draft); });
    print(std::to_string(id.value));
    return 0;
}

int list_announcements(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    std::vector<Shown> shown;
    cli.read([&](db::Read& db) {
        for (auto& a : announcements::all(db))
            shown.push_back(
                {a.id, word(state_of(a, db.now())), a.text, a.published_at, a.starts_at, a.ends_at}
            );
    });
    if (settings.json) return print_json(shown), 0;
    std::vector<std::vector<std::string>> rows{{"ID", "STATE", "FROM", "UNTIL", "TEXT"}};
    for (const auto& one : shown)
        rows.push_back(
            {std::to_string(one.id.value),
             one.state,
             base::to_string(one.published_at),
             one.ends_at ? base::to_string(*one.ends_at) : "",
             first_line(one.text)}
        );
    print_table(rows);
    return 0;
}

int delete_announcement(const Settings& settings, const std::string& name) {
    const auto id = id_of<announcements::AnnouncementId>(
        name, "an announcement", "`dunlin announcement list` shows them"
    );
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    try {
        cli.write([&](db::Write& db) { announcements::remove(db, id); });
    } catch (const base::NotFound&) {
        throw Refused("There is no announcement " + name + "; `dunlin announcement list` shows them");
    }
    if (!settings.json) print("Deleted");
    return 0;
}

}  // namespace server
