// SPDX-License-Identifier: AGPL-3.0-or-later
// The parts that doctor examines.
#pragma once
#include "base/time.hpp"
#include "config/config_load.hpp"
#include "server/doctor/doctor.hpp"
#include "server/monitoring/disk_room.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace server {

// How long to wait for anything other than the server itself.
constexpr std::chrono::seconds doctor_patience{5};

// The findings about one part. Without any, it is healthy.
class Part {
public:
    explicit Part(std::string check) : check_(std::move(check)) {}
    void warn(std::string text) { seen_.push_back({Level::warning, check_, std::move(text)}); }
    void fault(std::string text) { seen_.push_back({Level::fault, check_, std::move(text)}); }
    void add(std::optional<Seen> one) {
        if (one) seen_.push_back(*std::move(one));
    }
    void add(const Loaded&, Level, const Words& sentences);  // about options
    Diagnosis or_well(std::string text);

private:
    std::string check_;
    Diagnosis seen_;
};

struct Patient {
    const Loaded& loaded;
    const Config& config;
    const Order& order;
    Mends* mends = nullptr;

    void can(const char* check, std::string what, std::function<std::string()> run) const {
        if (mends) mends->add({check, std::move(what), std::move(run)});
    }
};

// mending.cpp: the fixes, each offered by the part that found the problem.
void offer_to_close_folder(const Patient&);
void offer_to_remove(const Patient&, const std::filesystem::path& leftover);
void offer_to_take_steps(const Patient&, int missing);
void offer_to_verify(const Patient&);
void offer_to_back_up(const Patient&);

// When a leftover folder of an interrupted verification in the data folder was last written to. nullopt if
// there is none, or it may still be in use.
std::optional<base::Time> left_over_since(const std::filesystem::path&);

// machine.cpp
// Opening SQLite creates files that belong to the opener while no server runs, so only the owner may do it.
bool may_open_database(const Config&);
Diagnosis see_data_folder(const Patient&);
Diagnosis see_pauses(const Patient&);
Diagnosis see_limits(const Patient&);
Diagnosis see_values(const Patient&);
// stored.cpp
// A read connection to the database at `postgres`, or to the file in the data folder: does not checkpoint on
// close, because the backup follows the log.
std::unique_ptr<db::Connection> connection_to(const Config&, const std::string& postgres);
Diagnosis see_database(const Patient&);
Diagnosis see_work(const Patient&);
// Why the server has no new certificate issued to itself; nothing when it has.
std::optional<Seen> see_issuing(const Config&);
// backup.cpp
Diagnosis see_backup(const Patient&);
// services.cpp
Diagnosis see_configuration(const Patient&);
Diagnosis see_mail(const Patient&);
Diagnosis see_media(const Patient&);
// outside.cpp
Diagnosis see_names(const Patient&);
Diagnosis see_certificate(const Patient&);
Diagnosis see_public_address(const Patient&);
Diagnosis see_clock(const Patient&);

// from_outside.cpp
Diagnosis see_from_outside(const Patient&);

// Conclusions from measurements.
std::optional<Seen> remark_on_room(const DiskRoom&);
std::optional<std::string> network_file_system(std::int64_t type);  // its name
// Compares our clock with others, in seconds; the median counts.
Seen remark_on_clock(std::vector<std::int64_t> ahead);

}  // namespace server
