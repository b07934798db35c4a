// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/figures.hpp"
#include "cli/cli_context.hpp"
#include "cli/tune/advice.hpp"
#include "server/site_settings.hpp"

namespace server {

namespace {

struct Report {
    MachineFigures machine;
    bool running = false;
    std::vector<Advice> options;
    std::vector<std::string> notes;
};
DESCRIBE(Report, machine, running, options, notes)

std::string shown(std::int64_t bytes) { return base::text::shown_bytes(static_cast<std::uint64_t>(bytes)); }

void show(const Report& report) {
    using base::text::figure;
    const auto& machine = report.machine;
    print(
        "# " + figure(machine.usable_cores()) + " cores, " + shown(machine.usable_memory()) +
        " of memory; a write is on the disk after " + figure(machine.sync_ms) + " ms" +
        (machine.database_bytes ? "; the database takes " + shown(*machine.database_bytes) : "") +
        (report.running ? "; with what the running server says" : "; no server is running")
    );
    for (const auto& note : report.notes) print("# " + note);
    if (report.options.empty()) return print("# There is nothing to change.");
    for (const auto& one : report.options) {
        print("");
        print("# Now " + one.now + ": " + one.because + ".");
        print(one.option + " = " + one.value);
    }
}

}  // namespace

int tune(const Settings& settings) {
    const auto config = with_stored_there(settings.load().config);
    if (!std::filesystem::is_directory(config.data_path()))
        throw Refused("There is no folder " + config.data + "; name the server's with --data");
    const auto running = vitals_of_running(config);
    Report report;
    report.machine = look_at_machine(config);
    if (!config.postgres() && running && running->database_bytes)
        report.machine.database_bytes = running->database_bytes;
    report.running = running.has_value();
    auto found = tuning(config, report.machine, running);
    report.options = std::move(found.options);
    report.notes = std::move(found.notes);
    if (settings.json) print_json(report);
    else show(report);
    return 0;
}

}  // namespace server
