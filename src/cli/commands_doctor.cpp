// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/log.hpp"
#include "cli/cli_context.hpp"
#include "server/doctor/doctor.hpp"

#include <algorithm>

namespace server {

namespace {

std::string count(std::ptrdiff_t number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string summary(const Diagnosis& all) {
    const auto faults = std::ranges::count(all, Level::fault, &Seen::level);
    const auto warnings = std::ranges::count(all, Level::warning, &Seen::level);
    if (faults + warnings == 0) return "All is well.";
    return count(faults, "fault") + ", " + count(warnings, "warning") + ".";
}

Diagnosis diagnosis(const Settings& settings, const std::string& mail_to) {
    try {
        return examine(settings.load(), {mail_to});
    } catch (const Mistakes& e) {
        Diagnosis all;
        for (const auto& mistake : e.all) all.push_back({mistake.level, "configuration", line_of(mistake)});
        return all;
    }
}

}  // namespace

int doctor(const Settings& settings, const std::string& mail_to) {
    base::set_log(base::LogLevel::error, false);  // what is found is told below
    const auto all = diagnosis(settings, mail_to);
    if (settings.json) {
        print_json(all);
    } else {
        std::vector<std::vector<std::string>> rows;
        for (const auto& seen : all)
            rows.push_back({std::string(base::word(seen.level)), seen.check, seen.text});
        print_table(rows);
        print(summary(all));
    }
    return static_cast<int>(std::ranges::max(all, {}, &Seen::level).level);
}

}  // namespace server
