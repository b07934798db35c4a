// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "jobs/listing.hpp"

namespace server {

namespace {

struct Listing {
    std::vector<jobs::KindOfJob> kinds;
    std::vector<jobs::FailedJob> given_up;
};
DESCRIBE(Listing, kinds, given_up)

struct Done {
    std::int64_t jobs = 0;
};
DESCRIBE(Done, jobs)

base::JobId job_id(const std::string& text) {
    return id_of<base::JobId>(text, "a job", "`dunlin jobs list` shows them");
}

int say(const Settings& settings, std::int64_t count, const char* what) {
    if (settings.json) return print_json(Done{count}), 0;
    print(std::to_string(count) + (count == 1 ? " job " : " jobs ") + what);
    return 0;
}

}  // namespace

int list_jobs(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto listing = cli.read([](db::Read& db) { return Listing{jobs::kinds(db), jobs::given_up(db)}; });
    if (settings.json) return print_json(listing), 0;
    if (listing.kinds.empty()) return print("No job waits."), 0;
    std::vector<std::vector<std::string>> rows{{"JOB", "WAITING", "FAILING", "GIVEN UP", "OLDEST OF"}};
    for (const auto& one : listing.kinds)
        rows.push_back(
            {one.kind,
             std::to_string(one.waiting),
             std::to_string(one.failing),
             std::to_string(one.given_up),
             base::to_string(one.oldest)}
        );
    print_table(rows);
    if (listing.given_up.empty()) return 0;
    print("");
    rows = {{"GIVEN UP", "JOB", "TRIES", "OF", "LAST ERROR"}};
    for (const auto& one : listing.given_up)
        rows.push_back(
            {std::to_string(one.id.value),
             one.kind,
             std::to_string(one.attempts),
             base::to_string(one.created_at),
             one.error.value_or("")}
        );
    print_table(rows);
    return 0;
}

int retry_jobs(const Settings& settings, const std::string& id) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    constexpr const char* due = "due now: the running server takes them within seconds";
    if (!id.empty()) {
        const auto job = job_id(id);
        if (!cli.write([&](db::Write& db) { return jobs::try_again(db, job); }))
            throw Refused("There is no job " + id + " any more");
        return say(settings, 1, due);
    }
    std::int64_t all = 0;
    while (const auto some = cli.write(jobs::try_all_again)) all += some;
    return say(settings, all, due);
}

int drop_job(const Settings& settings, const std::string& id) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto job = job_id(id);
    if (!cli.write([&](db::Write& db) { return jobs::drop(db, job); }))
        throw Refused("There is no job " + id + " any more");
    return say(settings, 1, "dropped");
}

}  // namespace server
