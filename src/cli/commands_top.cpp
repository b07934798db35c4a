// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "base/text/span.hpp"
#include "cli/cli_context.hpp"
#include "net/local/control_socket.hpp"
#include "server/app.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <thread>

namespace server {

namespace {

using insight::Vitals;

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 && value != std::floor(value) ? "%.1f" : "%.0f", value);
    return text;
}
std::string number(std::int64_t value) { return std::to_string(value); }

std::string megabytes(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

std::vector<Vitals> ask(const Config& config) {
    std::vector<Vitals> all;
    const auto answers = net::ask_servers(config.data_path(), vitals_question);
    for (const auto& answer : answers)
        if (!answer.empty()) all.push_back(base::json::read<Vitals>(answer));
    if (all.empty() && !answers.empty())
        throw Refused(
            "The server on the folder " + config.data +
            " did not answer in time: it is very busy, or just stops; try again, and see its log"
        );
    if (all.empty()) throw Refused("No server is running on the folder " + config.data);
    return all;
}

void print_lines(std::string_view head, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    print(head);
    for (const auto& line : lines) print("  " + line);
}

// As much of a list as a terminal has room for.
template <class T>
std::vector<T> first_of(const std::vector<T>& all) {
    constexpr std::size_t lines = 8;
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), lines))};
}

void show(const Vitals& now) {
    print(
        now.host + ", Dunlin " + now.version + ", running for " + base::text::span(now.up_seconds) + ", " +
        megabytes(now.memory_bytes) + ", " + number(now.connections) + " connections, " +
        number(now.listeners) + " streams"
    );
    const auto& rates = now.rates;
    print(
        number(rates.requests) + " requests/s (" + number(rates.failed) + " failed), " +
        number(rates.changes) + " changes/s, " + number(rates.deliveries) + " deliveries/s; writing " +
        number(rates.writer_percent) + " %, reading " + number(rates.readers_percent) + " %, CPU " +
        number(rates.cpu_percent) + " % of one core; " + number(now.reads_waiting) + " reads and " +
        number(now.changes_waiting) + " changes wait"
    );
    if (now.queues)
        print(
            number(now.queues->jobs_waiting) + " jobs wait, " + number(now.queues->jobs_given_up) +
            " were given up; " + number(now.queues->deliveries_waiting) + " deliveries wait, " +
            number(now.queues->deliveries_retrying) + " are tried again; " +
            number(now.queues->hosts_failing + now.queues->hosts_unavailable) + " other servers fail"
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
            {number(one.percent) + " %",
             number(one.requests),
             number(one.mean_ms) + " ms",
             number(one.failed),
             one.method + " " + one.path}
        );
    if (rows.size() > 1) print(""), print_table(rows);
    rows = {{"LONGEST", "TIMES", "SLOW STATEMENT"}};
    for (const auto& one : first_of(now.statements))
        rows.push_back({number(one.longest_ms) + " ms", number(one.times), one.name});
    if (rows.size() > 1) print(""), print_table(rows);
    rows = {{"LONGEST", "CHANGE"}};
    for (const auto& one : first_of(now.long_changes))
        rows.push_back({number(one.longest_ms) + " ms", one.name});
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

}  // namespace server
