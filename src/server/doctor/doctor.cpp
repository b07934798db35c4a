// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/doctor/doctor.hpp"

#include "base/deadline.hpp"
#include "server/doctor/parts.hpp"
#include "server/site_settings.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <future>
#include <iterator>

namespace server {

namespace {

struct Look {
    const char* check;
    Diagnosis (*see)(const Patient&);
    // Time limit; checking a large database takes this long.
    std::chrono::seconds longest{20};
};

constexpr Look looks[] = {
    {"configuration", see_configuration},
    {"values", see_values},
    {"data", see_data_folder},
    {"pauses", see_pauses},
    {"limits", see_limits},
    {"database", see_database},
    {"work", see_work},
    {"backup", see_backup},
    {"media", see_media},
    {"mail", see_mail},
    {"names", see_names},
    {"certificate", see_certificate},
    {"address", see_public_address},
    {"clock", see_clock},
};

constexpr Look from_outside{"outside", see_from_outside, std::chrono::seconds(40)};

Diagnosis look(const Look& one, const Patient& patient) {
    const base::Within within(std::chrono::steady_clock::now() + one.longest);
    try {
        return one.see(patient);
    } catch (const std::exception& e) {
        return {
            {Level::fault,
             one.check,
             std::string("this could not be looked at (") + e.what() + "); mend that and try again"}
        };
    }
}

// Files that another user creates while fixing would not be readable for the server.
bool may_mend(const Config& config) {
    struct stat facts{};
    return ::stat(config.data_path().c_str(), &facts) == 0 && facts.st_uid == ::geteuid();
}

}  // namespace

void Part::add(const Loaded& loaded, Level level, const Words& sentences) {
    for (const auto& finding : loaded.findings(level, sentences))
        seen_.push_back({level, check_, line_of(finding)});
}

Diagnosis Part::or_well(std::string text) {
    if (seen_.empty()) seen_.push_back({Level::ok, check_, std::move(text)});
    return std::move(seen_);
}

void Mends::add(Mend one) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(all_, one.what, &Mend::what) == all_.end()) all_.push_back(std::move(one));
}

// In the order of the parts: the database is migrated before it is backed up.
std::vector<Mend> Mends::all() const {
    const std::lock_guard lock(mutex_);
    auto sorted = all_;
    std::ranges::stable_sort(sorted, {}, [](const Mend& one) {
        return std::ranges::find(looks, one.check, &Look::check) - std::begin(looks);
    });
    return sorted;
}

Diagnosis examine(const Loaded& loaded, const Order& order, Mends* mends) {
    // Uses the settings that staff have changed, as the server does.
    const auto config = may_open_database(loaded.config) ? with_stored_there(loaded.config) : loaded.config;
    const Patient patient{loaded, config, order, may_mend(config) ? mends : nullptr};
    std::vector<std::future<Diagnosis>> parts;
    for (const auto& one : looks)
        parts.push_back(std::async(std::launch::async, [&one, &patient] { return look(one, patient); }));
    if (order.outside)
        parts.push_back(std::async(std::launch::async, [&patient] { return look(from_outside, patient); }));
    Diagnosis all;
    for (auto& part : parts) std::ranges::move(part.get(), std::back_inserter(all));
    return all;
}

}  // namespace server
