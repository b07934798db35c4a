// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/process_figures.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace server {

namespace {

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// The machine's boot time, in seconds since 1970.
double booted_at() {
    std::ifstream lines("/proc/stat");
    for (std::string word; lines >> word;)
        if (double time = 0; word == "btime" && lines >> time) return time;
    return 0;
}

// In clock ticks since boot: the 22nd field, the 20th after the process name, which may contain spaces.
double started_after_boot() {
    std::ifstream file("/proc/self/stat");
    const std::string line(std::istreambuf_iterator<char>(file), {});
    std::size_t at = line.rfind(')');
    for (int n = 0; n < 20 && at != line.npos; ++n) at = line.find(' ', at + 1);
    if (at == line.npos) return 0;
    return std::stod(line.substr(at)) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

ProcessFigures process_figures() {
    ProcessFigures out;
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    out.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    static const double started_at = booted_at() + started_after_boot();
    out.started_at = started_at;
    std::uint64_t whole = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> whole >> resident;
    out.resident_bytes = resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::error_code ignored;
    for (auto file = std::filesystem::directory_iterator("/proc/self/fd", ignored); file != end(file);
         file.increment(ignored))
        ++out.open_files;
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    out.open_files_at_most = files.rlim_cur;
    return out;
}

std::optional<std::uint64_t> free_bytes(const std::filesystem::path& folder) {
    struct statvfs facts{};
    if (::statvfs(folder.c_str(), &facts) != 0) return std::nullopt;
    return static_cast<std::uint64_t>(facts.f_bavail) * facts.f_frsize;
}

std::string process_of(const std::filesystem::path& data) {
    long pid = 0;
    std::ifstream(data / "lock") >> pid;
    return pid > 0 && ::kill(static_cast<pid_t>(pid), 0) == 0 ? std::to_string(pid) : "self";
}

std::uint64_t most_files(const std::string& process) {
    std::ifstream limits("/proc/" + process + "/limits");
    for (std::string line; std::getline(limits, line);) {
        if (!line.starts_with("Max open files")) continue;
        std::istringstream words(line.substr(14));
        std::string soft, hard;
        words >> soft >> hard;
        return hard == "unlimited" ? UINT64_MAX : std::strtoull(hard.c_str(), nullptr, 10);
    }
    rlimit own{};
    return ::getrlimit(RLIMIT_NOFILE, &own) == 0 ? own.rlim_max : 0;
}

}  // namespace server
