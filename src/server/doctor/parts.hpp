// SPDX-License-Identifier: AGPL-3.0-or-later
// What doctor looks at, part by part.
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

// Nobody but the server itself is waited for any longer.
constexpr std::chrono::seconds doctor_patience{5};

// What is seen of one part. Where nothing else was said of it, it is well.
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

// mending.cpp: what is done about what is found, each asked for by the part that found it.
void offer_to_close_folder(const Patient&);
void offer_to_remove(const Patient&, const std::filesystem::path& leftover);
void offer_to_take_steps(const Patient&, int missing);
void offer_to_verify(const Patient&);
void offer_to_back_up(const Patient&);

// Of a folder that a broken-off verification has left below the data: when it was written to last. Nothing while there is
// none, or it may still be in use.
std::optional<base::Time> left_over_since(const std::filesystem::path&);

// machine.cpp
// SQLite's files would belong to whoever opens them while no server runs, so only its owner does.
bool may_open_database(const Config&);
Diagnosis see_data_folder(const Patient&);
Diagnosis see_pauses(const Patient&);
Diagnosis see_limits(const Patient&);
Diagnosis see_values(const Patient&);
// stored.cpp
// For a look, of the database at `postgres` or the file of the data folder: moves no log when it ends, for the backup follows that.
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

// What follows from figures.
std::optional<Seen> remark_on_room(const DiskRoom&);
std::optional<std::string> network_file_system(std::int64_t type);  // its name
// Of the clock here against others', in seconds; the one in the middle counts.
Seen remark_on_clock(std::vector<std::int64_t> ahead);

}  // namespace server
