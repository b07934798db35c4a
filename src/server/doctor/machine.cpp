// SPDX-License-Identifier: AGPL-3.0-or-later
// The data folder, system resources, and settings that work but are dangerous.
#include "base/text/figures.hpp"
#include "config/data_directory.hpp"
#include "server/doctor/parts.hpp"
#include "server/monitoring/process_figures.hpp"
#include "server/pauses.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include <fstream>

namespace server {

namespace {

constexpr std::uint64_t mega = 1 << 20;

std::string name_of_user(uid_t user) {
    const auto* known = ::getpwuid(user);
    return known ? known->pw_name : std::to_string(user);
}

std::optional<std::uint64_t> free_memory() {
    std::ifstream facts("/proc/meminfo");
    for (std::string line; std::getline(facts, line);)
        if (line.starts_with("MemAvailable:")) return std::strtoull(line.c_str() + 13, nullptr, 10) * 1024;
    return std::nullopt;
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
    std::error_code error;
    const auto way = std::filesystem::relative(path, folder, error);
    return !error && !way.empty() && *way.begin() != "..";
}

}  // namespace

bool may_open_database(const Config& config) {
    if (config.postgres()) return true;
    struct stat facts{};
    return ::stat(config.database_file().c_str(), &facts) == 0 && facts.st_uid == ::geteuid();
}

std::optional<Seen> remark_on_room(const DiskRoom& disk) {
    if (disk.free >= 2048 * mega && disk.room() == Room::plenty) return std::nullopt;
    const bool full = disk.room() == Room::none;
    const auto level = full || disk.free < 256 * mega ? Level::fault : Level::warning;
    const auto of_reserve = ", less than disk_reserve_mb, so nothing new is taken";
    return Seen{
        level,
        "data",
        "only " + base::text::shown_bytes(disk.free) + " are free on the disk of " + disk.folder +
            (full ? of_reserve : "") +
            "; make room there, for example with dunlin media prune --to 1024, or move it to a larger one"
    };
}

std::optional<std::string> network_file_system(std::int64_t type) {
    switch (static_cast<std::uint32_t>(type)) {
        case 0x6969: return "NFS";
        case 0x517B: return "SMB";
        case 0xFF534D42: return "CIFS";
        case 0xFE534D42: return "SMB";
        case 0x01021997: return "9P";
        case 0x00C36400: return "Ceph";
        default: return std::nullopt;
    }
}

Diagnosis see_data_folder(const Patient& patient) {
    const auto& config = patient.config;
    const auto folder = config.data_path().string();
    Part part("data");
    struct stat facts{};
    if (::stat(folder.c_str(), &facts) != 0) {
        part.fault(
            "there is no folder " + folder +
            " yet; start the server once (dunlin serve), or name the right folder with --data"
        );
        return part.or_well({});
    }
    if (const auto owner = other_owner(config))
        part.warn(
            folder + " belongs to " + *owner + " and you are " + name_of_user(::geteuid()) +
            "; run this as the user of the server, for example sudo -u " + *owner + " dunlin doctor"
        );
    if (auto advice = advice_on_access(config)) {
        const bool may_be_served =
            (facts.st_mode & (S_IXGRP | S_IXOTH)) != 0 && is_below(config.media_path(), config.data_path());
        part.warn(
            "other users of this machine can read " + folder + "; run " + *advice +
            (may_be_served ? ", or chmod go-r there if a proxy serves the media in it" : "")
        );
        if (!may_be_served) offer_to_close_folder(patient);
    }
    for (const char* name : {".verify", ".verify-now"})
        if (const auto leftover = config.data_path() / name; left_over_since(leftover)) {
            part.warn(
                leftover.string() +
                " is left of a verification that was broken off; remove it with rm -r, "
                "if none is under way"
            );
            offer_to_remove(patient, leftover);
        }
    struct statfs disk{};
    if (!config.postgres() && ::statfs(folder.c_str(), &disk) == 0)
        if (auto name = network_file_system(disk.f_type))
            part.fault(
                folder + " lies on " + *name +
                ", where SQLite's database breaks; move data to a disk of this machine, or use PostgreSQL"
            );
    const auto room = disk_room(config, config.data_path());
    if (room) part.add(remark_on_room(*room));
    if (!config.media.empty())
        if (auto of_media = disk_room(config, config.media_path())) part.add(remark_on_room(*of_media));
    return part.or_well(
        folder + " belongs to this user alone, with " + base::text::shown_bytes(room ? room->free : 0) +
        " free"
    );
}

// Pauses are set on purpose, but easily forgotten.
Diagnosis see_pauses(const Patient& patient) {
    Part part("pauses");
    auto see = [&](Pause pause, const char* what, const char* end) {
        const auto sentence = paused(patient.config, pause);
        if (!sentence) return;
        part.warn(what + (sentence->empty() ? "" : " (" + *sentence + ")") + "; when that is done, " + end);
    };
    see(Pause::read_only, "read-only mode is on, so nobody can write", "run dunlin read-only off");
    see(Pause::maintenance,
        "maintenance is on, so nobody but the team is let in",
        "run dunlin maintenance off");
    return part.or_well("neither read-only mode nor maintenance is on");
}

Diagnosis see_limits(const Patient& patient) {
    const auto& config = patient.config;
    Part part("limits");
    const auto files = most_files(process_of(config.data_path()));
    // In addition to connections: the database, files being sent, outgoing requests.
    const auto wanted = static_cast<std::uint64_t>(config.max_connections) + 256;
    if (files < wanted)
        part.warn(
            "the server may have " + std::to_string(files) + " files open, and max_connections = " +
            std::to_string(config.max_connections) + " wants " + std::to_string(wanted) +
            "; write LimitNOFILE=65536 into its unit (ulimit -n elsewhere), or lower max_connections"
        );
    const auto memory = free_memory();
    if (memory && *memory < 200 * mega)
        part.warn(
            "only " + base::text::shown_bytes(*memory) +
            " of memory are free, and a large picture or film takes more; end other programs, or add swap"
        );
    return part.or_well(
        "up to " + (files == UINT64_MAX ? "any number of" : std::to_string(files)) + " open files, " +
        base::text::shown_bytes(memory.value_or(0)) + " of memory free"
    );
}

Words risks_of(const Config& config) {
    Words risks;
    const bool open = config.registrations == Registrations::open;
    if (open && config.confirmation && config.smtp_url.empty())
        risks.emplace_back(
            "registrations: everybody may sign up, and nobody gets the mail with the link, as smtp_url is "
            "not "
            "set; set it, for example smtp://mail.example.org:587, or write registrations = \"closed\""
        );
    if (open && !config.confirmation)
        risks.emplace_back(
            "confirmation: whoever signs up may post at once, machines too; write confirmation = true or "
            "registrations = \"approval\""
        );
    if (config.test_mode)
        risks.emplace_back(
            "test_mode: there are no limits and no mail is sent; it is for tests, so leave it out"
        );
    if (config.media_without_sandbox)
        risks.emplace_back(
            "media_without_sandbox: an upload with a trap may reach this server's files; mend the sandbox "
            "and "
            "leave it out"
        );
    if (!config.rate_limits)
        risks.emplace_back("rate_limits: anybody may try passwords without end; write rate_limits = true");
    if (config.metrics == Metrics::all)
        risks.emplace_back(
            "metrics: everybody may read how this server does; write metrics = \"local\" unless that is meant"
        );
    if (!config.postgres() && config.backup_to.empty())
        risks.emplace_back(
            "backup_to: there is no backup; name a folder on another disk, for example /mnt/backup/dunlin"
        );
    return risks;
}

Diagnosis see_values(const Patient& patient) {
    Part part("values");
    part.add(patient.loaded, Level::warning, risks_of(patient.config));
    return part.or_well("no option is set to something dangerous");
}

}  // namespace server
