// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/log.hpp"
#include "base/log_file.hpp"
#include "cli/cli_context.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "config/data_directory.hpp"
#include "net/local/supervisor.hpp"
#include "server/app.hpp"
#include "server/checks/checks.hpp"
#include "server/site_settings.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <thread>

namespace server {

namespace {

// The main thread handles signals one at a time; the server's threads never receive them.
class Signals {
public:
    Signals() {
        std::signal(SIGPIPE, SIG_IGN);
        ::sigemptyset(&set_);
        for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) ::sigaddset(&set_, signal);
        ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    }
    int wait() const {
        int signal = 0;
        ::sigwait(&set_, &signal);
        return signal;
    }
    // A second Ctrl-C ends the program immediately. Signals other than those that stop it are ignored from
    // here on.
    void let_through() const {
        for (int signal : {SIGHUP, SIGUSR1}) std::signal(signal, SIG_IGN);
        ::pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
    }

private:
    sigset_t set_{};
};

// Ends the program if stopping takes too long: everything that was confirmed to clients is on disk.
class Limit {
public:
    explicit Limit(std::chrono::milliseconds most)
        : thread_([most](const std::stop_token& ended) {
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              if (wake.wait_for(lock, ended, most, [] { return false; }) || ended.stop_requested()) return;
              base::log_error("stopping takes too long; the rest is cut off");
              std::_Exit(1);
          }) {}

private:
    std::jthread thread_;
};

// Each connection needs a descriptor, and the usual limit of 1024 exists only for select().
void allow_many_files() {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return;
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
}

// Disables everything that contacts others: deliveries, push messages, mail, webhooks, previews,
// translations, certificates.
void begin_rehearsal(Config& config) {
    config.rehearsal = true;  // makes client_options() refuse all requests
    config.smtp_url.clear();
    config.translate_url.clear();
    config.check_mail_hosts = false;
    config.backup_to.clear();
    // The server being replaced may still use these addresses.
    config.tls_listen.clear();
}

std::string started(const Config& config, const App& app) {
    std::string line = "Dunlin " + base::Site{}.version + " at " + config.public_url + ", listening on ";
    const char* separator = "";
    for (const auto& endpoint : app.endpoints()) {
        line += separator + to_string(endpoint) + (endpoint.tls ? " (TLS)" : "");
        separator = ", ";
    }
    line += config.postgres() ? ", PostgreSQL" : ", SQLite in " + config.database_file().string();
    return line + (config.rehearsal ? "; a rehearsal: nothing is sent to anybody" : "");
}

void say_how_to_begin(const Config& config, const std::string& code) {
    print("This server has no owner yet, and nobody can sign up before. Make the owner in the browser:");
    print("  " + config.public_url + "/setup?code=" + code);
    print("or on the command line:");
    print(
        "  dunlin account create NAME --email YOU@EXAMPLE.ORG --confirmed --role owner --data " + config.data
    );
}

// If sockets were inherited, no others are opened.
void use_sockets(Config& config, const std::vector<net::Endpoint>& sockets) {
    if (sockets.empty()) return;
    config.listen.clear();
    config.tls_listen.clear();
    for (const auto& at : sockets) (at.tls ? config.tls_listen : config.listen).push_back(to_string(at));
}

void warn_of_unused(const Loaded& loaded, const net::Supervisor& supervisor) {
    if (supervisor.sockets().empty()) return;
    for (const char* option : {"listen", "tls_listen"})
        if (loaded.origins.contains(option))
            base::log_warning(
                "an option is not used, as sockets were handed over at the start; change their socket unit "
                "instead, or mask it",
                {{"option", option}}
            );
}

void reload(const Settings& settings, bool rehearsal, App& app, const net::Supervisor& supervisor) {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto microseconds = std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
    supervisor.say("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
    try {
        auto config = settings.load().config;
        if (rehearsal) begin_rehearsal(config);
        use_sockets(config, supervisor.sockets());
        app.reload(config);
        base::log_info("the configuration was read again");
    } catch (const std::exception& e) {
        base::log_error("the configuration cannot be read again; the old one stays", {{"cause", e.what()}});
    }
    supervisor.say("READY=1");
}

// The time limit for stopping, after which the program is ended.
std::chrono::milliseconds longest_stop(const Config& config) {
    return std::chrono::seconds(config.stop_grace) + std::chrono::milliseconds(4500);
}

void say_it_stops(const Config& config, const net::Supervisor& supervisor) {
    base::log_info("stopping");
    const auto most = std::chrono::microseconds(longest_stop(config) + std::chrono::seconds(5));
    supervisor.say(
        "STOPPING=1\nSTATUS=Finishing what is under way\nEXTEND_TIMEOUT_USEC=" + std::to_string(most.count())
    );
}

}  // namespace

int serve(const Settings& settings, bool rehearsal) {
    const auto supervisor = net::Supervisor::of_environment();
    const auto loaded = settings.load();
    auto config = loaded.config;
    if (rehearsal) begin_rehearsal(config);
    use_sockets(config, supervisor.sockets());
    allow_many_files();
    Signals signals;
    use_log(config, config.log_format);
    clock_offset_ms = config.clock_offset_seconds * std::int64_t{1000};
    auto wrong = faults_of_files(config);
    if (supervisor.sockets().empty()) std::ranges::move(faults_of_sockets(config), std::back_inserter(wrong));
    if (auto faults = loaded.findings(Level::fault, wrong); !faults.empty())
        throw Mistakes(std::move(faults));
    warn_of_unused(loaded, supervisor);
    App app(config, supervisor);
    for (const auto& doubt : loaded.findings(Level::warning, doubts(with_stored_there(config))))
        base::log_warning(line_of(doubt));
    if (auto advice = advice_on_access(config))
        base::log_warning("other users of this machine can read the data folder", {{"run", *advice}});
    app.start();
    print(started(config, app));
    if (app.setup_code()) say_how_to_begin(config, *app.setup_code());
    if (config.smtp_url.empty())
        base::log_info(
            rehearsal ? "mail is not sent but written"
                      : "mail is not sent but written; set smtp_url to send it",
            {{"folder", config.mail_path().string()}}
        );
    std::fflush(stdout);
    supervisor.say("READY=1\nSTATUS=Serving " + config.public_url);
    for (;;) {
        const int signal = signals.wait();
        if (signal == SIGHUP) reload(settings, rehearsal, app, supervisor);
        else if (signal == SIGUSR1) base::reopen_log();
        else break;
    }
    signals.let_through();
    say_it_stops(config, supervisor);
    const Limit limit(longest_stop(config));
    app.stop();
    return 0;
}

}  // namespace server
