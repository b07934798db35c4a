// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/log.hpp"
#include "base/text/figures.hpp"
#include "cli/cli_context.hpp"
#include "cli/dialogue.hpp"
#include "server/doctor/doctor.hpp"

#include <algorithm>
#include <iterator>

namespace server {

namespace {

struct Fix {
    std::string check, what;
    bool done = false;
    std::string text;  // what was done, or why not
};
DESCRIBE(Fix, check, what, done, text)

struct Mended {
    Diagnosis before;
    std::vector<Fix> fixes;
    Diagnosis after;  // empty: nothing was done
};
DESCRIBE(Mended, before, fixes, after)

std::string summary(const Diagnosis& all) {
    const auto faults = std::ranges::count(all, Level::fault, &Seen::level);
    const auto warnings = std::ranges::count(all, Level::warning, &Seen::level);
    if (faults + warnings == 0) return "All is well.";
    return base::text::counted(faults, "fault") + ", " + base::text::counted(warnings, "warning") + ".";
}

int status_of(const Diagnosis& all) {
    return static_cast<int>(std::ranges::max(all, {}, &Seen::level).level);
}

Diagnosis diagnosis(const Settings& settings, const Order& order, Mends& mends) {
    try {
        return examine(settings.load(), order, &mends);
    } catch (const Mistakes& e) {
        Diagnosis all;
        for (const auto& mistake : e.all) all.push_back({mistake.level, "configuration", line_of(mistake)});
        return all;
    }
}

void show(const Diagnosis& all) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& seen : all) rows.push_back({std::string(base::word(seen.level)), seen.check, seen.text});
    print_table(rows);
    print(summary(all));
}

void show(const std::vector<Mend>& mends) {
    print("");
    if (mends.empty()) return print("There is nothing that doctor may mend by itself.");
    print("Doctor mends this:");
    std::vector<std::vector<std::string>> rows;
    for (const auto& mend : mends) rows.push_back({"  " + mend.check, mend.what});
    print_table(rows);
}

Fix carry_out(const Mend& mend) {
    try {
        return {mend.check, mend.what, true, mend.run()};
    } catch (const std::exception& e) {
        return {mend.check, mend.what, false, e.what()};
    }
}

std::vector<Fix> planned(const std::vector<Mend>& mends) {
    std::vector<Fix> fixes;
    for (const auto& mend : mends) fixes.push_back({mend.check, mend.what, false, ""});
    return fixes;
}

// Does not contact others or send a mail a second time: those results of the first run are kept.
Diagnosis looked_again(const Settings& settings, const DoctorOrder& order, const Diagnosis& before) {
    Mends left;
    auto after = diagnosis(settings, {}, left);
    auto stands = [&](const Seen& seen) {
        return seen.check == "outside" || (seen.check == "mail" && !order.mail_to.empty());
    };
    std::erase_if(after, stands);
    std::ranges::copy_if(before, std::back_inserter(after), stands);
    return after;
}

int fix(const Settings& settings, const DoctorOrder& order, const Diagnosis& before, const Mends& found) {
    const auto mends = found.all();
    if (!settings.json) show(mends);
    const bool goes_on =
        !mends.empty() && !order.dry_run && (order.sure || (!settings.json && agreed("Shall it?")));
    if (!goes_on) {
        if (settings.json) print_json(Mended{before, planned(mends), {}});
        else if (order.dry_run) print("Nothing was changed.");
        return status_of(before);
    }
    std::vector<Fix> fixes;
    for (const auto& mend : mends) {
        fixes.push_back(carry_out(mend));
        const auto& done = fixes.back();
        if (!settings.json) print("  " + done.check + (done.done ? ": " : ": not done, ") + done.text);
    }
    const auto after = looked_again(settings, order, before);
    if (settings.json) print_json(Mended{before, fixes, after});
    else print(""), show(after);
    return status_of(after);
}

}  // namespace

int doctor(const Settings& settings, const DoctorOrder& order) {
    base::set_log(base::LogLevel::error, false);  // findings are printed below
    Mends mends;
    const auto all = diagnosis(settings, {order.mail_to, order.outside}, mends);
    if (settings.json && !order.fix) return print_json(all), status_of(all);
    if (!settings.json) show(all);
    if (order.fix) return fix(settings, order, all, mends);
    if (const auto some = mends.all(); !some.empty())
        print(
            "dunlin doctor --fix mends " + std::to_string(some.size()) + " of it; add --dry-run to see what."
        );
    return status_of(all);
}

}  // namespace server
