// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/tune/advice.hpp"

#include "server/monitoring/process_figures.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

namespace server {

namespace fs = std::filesystem;

namespace {

template <class T>
void lower(T& known, T found) {
    if (found > 0 && (known == 0 || found < known)) known = found;
}

std::string group_of(const std::string& process) {
    std::ifstream in("/proc/" + process + "/cgroup");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("0::")) return line.substr(3);
    return "/";
}

// The median duration of several writes, made as a commit does.
double sync_ms(const fs::path& folder) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds at_most{1};
    auto name = (folder / ".tune-XXXXXX").string();
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) return 0;
    ::unlink(name.c_str());
    std::vector<double> took;
    std::array<char, 4096> page{};
    for (const auto begun = Clock::now(); took.size() < 21 && Clock::now() - begun < at_most;) {
        const auto from = Clock::now();
        if (::write(file, page.data(), page.size()) != static_cast<ssize_t>(page.size())) break;
        if (::fdatasync(file) != 0) break;
        took.push_back(std::chrono::duration<double, std::milli>(Clock::now() - from).count());
    }
    ::close(file);
    if (took.empty()) return 0;
    std::ranges::nth_element(took, took.begin() + std::ssize(took) / 2);
    return took[took.size() / 2];
}

}  // namespace

GroupLimits group_limits(const fs::path& root, std::string_view group) {
    GroupLimits out;
    auto place = fs::path(group).relative_path();
    for (;; place = place.parent_path()) {
        double quota = 0, period = 0;
        if (std::ifstream in(root / place / "cpu.max"); in >> quota >> period && period > 0)
            lower(out.cores, quota / period);
        std::int64_t bytes = 0;
        if (std::ifstream in(root / place / "memory.max"); in >> bytes) lower(out.memory_bytes, bytes);
        if (place.empty()) return out;
    }
}

MachineFigures look_at_machine(const Config& config) {
    MachineFigures out;
    out.cores = std::max<std::int64_t>(std::thread::hardware_concurrency(), 1);
    out.memory_bytes = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
    const auto server = process_of(config.data_path());  // a shell has other limits than a systemd unit
    const auto group = group_limits("/sys/fs/cgroup", group_of(server));
    out.quota = group.cores;
    out.memory_limit_bytes = group.memory_bytes;
    if (const auto files = most_files(server); files < std::numeric_limits<std::int64_t>::max())
        out.most_files = static_cast<std::int64_t>(files);
    out.sync_ms = sync_ms(config.data_path());
    if (const auto free = free_bytes(config.data_path()))
        out.free_for_data = static_cast<std::int64_t>(*free);
    if (struct statvfs disk{}; ::statvfs(config.data_path().c_str(), &disk) == 0)
        out.size_for_data =
            static_cast<std::int64_t>(disk.f_blocks) * static_cast<std::int64_t>(disk.f_frsize);
    std::error_code failed;
    const auto size = fs::file_size(config.database_file(), failed);
    if (!config.postgres() && !failed) out.database_bytes = static_cast<std::int64_t>(size);
    return out;
}

}  // namespace server
