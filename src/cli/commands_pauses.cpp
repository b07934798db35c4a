// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "cli/cli_context.hpp"
#include "net/local/control_socket.hpp"
#include "server/pauses.hpp"

#include <chrono>
#include <thread>

namespace server {

namespace {

std::vector<PauseState> running(const Config& config) {
    std::vector<PauseState> out;
    for (const auto& answer : net::ask_servers(config.data_path(), pauses_question))
        out.push_back(answer.empty() ? PauseState{.still = false} : base::json::read<PauseState>(answer));
    return out;
}

struct Told {
    bool paused = false;
    std::string sentence;
    std::vector<PauseState> servers;
};
DESCRIBE(Told, paused, sentence, servers)

Config existing(const Settings& settings) {
    auto config = settings.load().config;
    if (std::filesystem::is_directory(config.data_path())) return config;
    throw Refused("There is no folder " + config.data + "; name the data folder of your server with --data");
}

Told state(const Config& config, Pause pause) {
    const auto sentence = paused(config, pause);
    return {sentence.has_value(), sentence.value_or(""), running(config)};
}

std::string count_of_servers(const Told& told) {
    if (told.servers.empty()) return "no server is running";
    return std::to_string(told.servers.size()) + (told.servers.size() == 1 ? " server" : " servers");
}

// Waits up to a minute for running changes to end.
Told read_only_when_still(const Config& config) {
    constexpr int most_looks = 15;  // each waits a few seconds itself
    auto told = state(config, Pause::read_only);
    for (int looks = 1; looks < most_looks && !std::ranges::all_of(told.servers, &PauseState::still);
         ++looks) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        told = state(config, Pause::read_only);
    }
    return told;
}

int show(const Told& told, const char* paused, const char* going) {
    print(std::string(told.paused ? paused : going) + " (" + count_of_servers(told) + ").");
    if (!told.sentence.empty()) print("People are told: " + told.sentence);
    if (std::ranges::any_of(told.servers, &PauseState::full))
        print("The disk is full: only what makes room is written.");
    return 0;
}

void advise_on_nodes(const Config& config) {
    if (config.postgres())
        print_note("This is for the servers on this data folder: run it once on each machine of the site.");
}

}  // namespace

int show_read_only(const Settings& settings) {
    const auto told = state(existing(settings), Pause::read_only);
    if (settings.json) return print_json(told), 0;
    return show(told, "Read-only: nothing is written", "Changes are made as always");
}

int set_read_only(const Settings& settings, bool on, const std::string& reason) {
    const auto config = existing(settings);
    if (on) begin_pause(config, Pause::read_only, reason);
    else end_pause(config, Pause::read_only);
    const auto told = read_only_when_still(config);
    const bool done = std::ranges::all_of(told.servers, [&](const PauseState& one) {
        return one.read_only == on && one.still;
    });
    if (settings.json) print_json(told);
    else if (done) show(told, "Read-only: nothing is written any more", "Changes are made again");
    advise_on_nodes(config);
    if (!done)
        throw Refused(
            "The server has not taken notice, or a change that began before has not ended for a minute; see "
            "its log"
        );
    return 0;
}

int show_maintenance(const Settings& settings) {
    const auto told = state(existing(settings), Pause::maintenance);
    if (settings.json) return print_json(told), 0;
    return show(told, "Maintenance: only the team is let in", "Everybody is let in");
}

int set_maintenance(const Settings& settings, bool on, const std::string& message) {
    const auto config = existing(settings);
    if (on) begin_pause(config, Pause::maintenance, message);
    else end_pause(config, Pause::maintenance);
    const auto told = state(config, Pause::maintenance);
    const bool done =
        std::ranges::all_of(told.servers, [&](const PauseState& one) { return one.maintenance == on; });
    if (settings.json) print_json(told);
    else if (done) show(told, "Maintenance: only the team is let in", "Everybody is let in");
    advise_on_nodes(config);
    if (!done)
        throw Refused("The server has not taken notice; see its log, and run this as the user of the server");
    return 0;
}

}  // namespace server
