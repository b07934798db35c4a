// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "base/text/figures.hpp"
#include "cli/cli_context.hpp"
#include "net/local/control_socket.hpp"
#include "server/monitoring/control_questions.hpp"

#include <unistd.h>

#include <cstdio>
#include <thread>

namespace server {

namespace {

using insight::Vitals, base::text::figure, base::text::shown_bytes;

// The answers of all servers on the data folder; throws if there are none.
std::vector<std::string> answers_of(const Config& config, std::string_view question) {
    auto answers = net::ask_servers(config.data_path(), question);
    const bool any = !answers.empty();
    std::erase_if(answers, [](const std::string& answer) { return answer.empty(); });
    if (answers.empty() && any)
        throw Refused(
            "The server on the folder " + config.data +
            " did not answer in time: it is very busy, or just stops; try again, and see its log"
        );
    if (answers.empty()) throw Refused("No server is running on the folder " + config.data);
    return answers;
}

std::vector<Vitals> ask(const Config& config) {
    std::vector<Vitals> all;
    for (const auto& answer : answers_of(config, vitals_question))
        all.push_back(base::json::read<Vitals>(answer));
    return all;
}

void print_lines(std::string_view head, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    print(head);
    for (const auto& line : lines) print("  " + line);
}

// As many items as a terminal has room for.
template <class T>
std::vector<T> first_of(const std::vector<T>& all) {
    constexpr std::size_t lines = 8;
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), lines))};
}

void show(const Vitals& now) {
    print(
        now.host + ", Dunlin " + now.version + ", running for " + base::text::span(now.up_seconds) + ", " +
        shown_bytes(static_cast<std::uint64_t>(now.memory_bytes)) + ", " + figure(now.connections) +
        " connections, " + figure(now.listeners) + " streams"
    );
    const auto& rates = now.rates;
    print(
        figure(rates.requests) + " requests/s (" + figure(rates.failed) + " failed), " +
        figure(rates.changes) + " changes/s, " + figure(rates.deliveries) + " deliveries/s; writing " +
        figure(rates.writer_percent) + " %, reading " + figure(rates.readers_percent) + " %, CPU " +
        figure(rates.cpu_percent) + " % of one core; " + figure(now.reads_waiting) + " reads and " +
        figure(now.changes_waiting) + " changes wait"
    );
    if (now.queues)
        print(
            figure(now.queues->jobs_waiting) + " jobs wait, " + figure(now.queues->jobs_given_up) +
            " were given up; " + figure(now.queues->deliveries_waiting) + " deliveries wait, " +
            figure(now.queues->deliveries_retrying) + " are tried again; " +
            figure(now.queues->hosts_failing + now.queues->hosts_unavailable) + " other servers fail"
        );
    std::vector<std::string> wrong;
    for (const auto& one : now.troubles)
        wrong.push_back(std::string(moderation::sentence_of_trouble(one.kind)) + ". " + one.detail + ".");
    print_lines("Wrong:", wrong);
    std::vector<std::string> slow;
    for (const auto& one : now.slow_because)
        slow.push_back(std::string(insight::sentence_of_slowness(one.kind)) + ": " + one.detail + ".");
    print_lines("Slow because:", slow);
    if (wrong.empty() && slow.empty()) print("Nothing is wrong, and nothing is slow.");
    std::vector<std::vector<std::string>> rows{{"TIME", "REQUESTS", "MEAN", "FAILED", "ROUTE"}};
    for (const auto& one : first_of(now.routes))
        rows.push_back(
            {figure(one.percent) + " %",
             figure(one.requests),
             figure(one.mean_ms) + " ms",
             figure(one.failed),
             one.method + " " + one.path}
        );
    if (rows.size() > 1) print(""), print_table(rows);
    rows = {{"LONGEST", "TIMES", "SLOW STATEMENT"}};
    for (const auto& one : first_of(now.statements))
        rows.push_back({figure(one.longest_ms) + " ms", figure(one.times), one.name});
    if (rows.size() > 1) print(""), print_table(rows);
    rows = {{"LONGEST", "CHANGE"}};
    for (const auto& one : first_of(now.long_changes))
        rows.push_back({figure(one.longest_ms) + " ms", one.name});
    if (rows.size() > 1) print(""), print_table(rows);
}

}  // namespace

int top(const Settings& settings, bool once) {
    constexpr std::chrono::seconds between{2};
    const auto config = settings.load().config;
    if (settings.json) return print_json(ask(config)), 0;
    const bool refreshing = !once && ::isatty(STDOUT_FILENO) == 1;
    for (;;) {
        const auto all = ask(config);
        if (refreshing) std::fputs("\x1b[H\x1b[2J", stdout);
        for (const auto& one : all) {
            if (&one != &all.front()) print("");
            show(one);
        }
        if (!refreshing) return 0;
        std::fflush(stdout);
        std::this_thread::sleep_for(between);
    }
}

int top_limits(const Settings& settings) {
    std::vector<insight::RefusedOne> all;
    const auto config = settings.load().config;
    for (const auto& answer : answers_of(config, limits_question))
        for (auto& one : base::json::read<std::vector<insight::RefusedOne>>(answer))
            all.push_back(std::move(one));
    if (settings.json) return print_json(all), 0;
    if (all.empty()) return print("Nobody was refused by a rate limit since the server began."), 0;
    std::vector<std::vector<std::string>> rows{{"TIMES", "LAST", "FIRST", "LIMIT", "WHO"}};
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.times),
             base::to_string(one.last),
             base::to_string(one.first),
             one.limit,
             one.who}
        );
    print_table(rows);
    return 0;
}

}  // namespace server
