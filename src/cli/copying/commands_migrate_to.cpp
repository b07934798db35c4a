// SPDX-License-Identifier: AGPL-3.0-or-later
// dunlin migrate-to: from SQLite to PostgreSQL or back, while the server runs.
#include "base/json_read.hpp"
#include "cli/cli_context.hpp"
#include "cli/copying/copying.hpp"
#include "config/clock.hpp"
#include "config/data_directory.hpp"
#include "db/portable/move.hpp"
#include "net/local/control_socket.hpp"
#include "server/backups.hpp"
#include "server/nodes/node_rows.hpp"
#include "server/pauses.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace server {

namespace {

namespace portable = db::portable;
using Clock = std::chrono::steady_clock;

struct Done {
    std::string from, to;
    std::int64_t rows = 0, changed = 0;
    double seconds = 0, stopped_seconds = 0;
    std::vector<std::string> next;
    std::vector<portable::Moved> tables;
};
DESCRIBE(Done, from, to, rows, changed, seconds, stopped_seconds, next, tables)

struct Compared {
    std::string here, there;
    std::vector<portable::Difference> differences;
};
DESCRIBE(Compared, here, there, differences)

double since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

Config target_of(const Config& config, const std::string& to) {
    constexpr std::string_view folder = "sqlite:";
    Config there = config;
    there.backup_to.clear();  // the new database is not backed up yet
    if (to.starts_with("postgres://") || to.starts_with("postgresql://")) {
        there.database = to;
        return there;
    }
    if (!to.starts_with(folder) || to.size() == folder.size())
        throw Refused(
            "\"" + to +
            "\" is no database; write postgres://USER:PASSWORD@HOST/NAME, or sqlite:FOLDER with a data folder"
        );
    there.database.clear();
    there.data = to.substr(folder.size());
    return there;
}

bool same_folder(const Config& a, const Config& b) {
    std::error_code none;
    return a.data == b.data || std::filesystem::equivalent(a.data_path(), b.data_path(), none);
}

std::vector<PauseState> servers_of(const Config& config) {
    std::vector<PauseState> all;
    for (const auto& answer : net::ask_servers(config.data_path(), pauses_question))
        all.push_back(answer.empty() ? PauseState{.still = false} : base::json::read<PauseState>(answer));
    return all;
}

// Nodes on other machines have their own write gates: a change waiting there for the lock would be made in
// the old database.
void wait_for_nodes_elsewhere(const Config& config) {
    if (!config.postgres()) return;
    char here[256] = {};
    ::gethostname(here, sizeof here - 1);
    for (bool told = false;; std::this_thread::sleep_for(std::chrono::seconds(1))) {
        CliContext cli(config, CliContext::Missing::refuse);
        const auto all = cli.read([](db::Read& db) { return nodes(db); });
        const auto other = std::ranges::find_if(all, [&](const NodeRow& node) { return node.host != here; });
        if (other == all.end()) return;
        if (!std::exchange(told, true))
            print_note(
                "A server on " + other->host +
                " still writes: give `dunlin read-only on` there; this goes on half a minute later."
            );
    }
}

// Makes the servers of the data folder read-only while it lives, or for good once keep() is called.
class ReadOnly {
public:
    explicit ReadOnly(const Config& config) : config_(config), before_(paused(config, Pause::read_only)) {
        if (!before_)
            begin_pause(config_, Pause::read_only, "This server is moving, please try again in a moment");
        constexpr int most_looks = 20;  // each waits a few seconds itself
        for (int looks = 0; looks < most_looks; ++looks) {
            const auto servers = servers_of(config_);
            const auto stopped = [](const PauseState& one) { return one.read_only && one.still; };
            if (std::ranges::all_of(servers, stopped)) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        open();
        throw Refused(
            "The server does not become read-only, or a change that began before does not end; see its log, "
            "and run "
            "this again as the user of the server"
        );
    }
    ~ReadOnly() {
        if (!kept_) open();
    }
    ReadOnly(const ReadOnly&) = delete;
    void keep() { kept_ = true; }

private:
    void open() noexcept {
        if (before_) return;
        try {
            end_pause(config_, Pause::read_only);
            servers_of(config_);
        } catch (const std::exception& e) {
            print_note(std::string(e.what()) + "; `dunlin read-only off` lets the server write again");
        }
    }

    const Config& config_;
    const std::optional<std::string> before_;
    bool kept_ = false;
};

std::vector<std::string> what_follows(const Config& from, const Config& to, const std::string& given) {
    std::vector<std::string> next{"Stop the server, on every machine: systemctl stop dunlin."};
    if (to.postgres())
        next.push_back("Set database = \"" + name_of(to) + "\", with the password, in dunlin.toml.");
    else if (same_folder(from, to)) next.push_back("Take database out of dunlin.toml.");
    else if (std::filesystem::exists(from.data_path() / "dunlin.toml"))
        next.push_back(
            std::string(from.postgres() ? "Take database out of dunlin.toml, and give" : "Give") +
            " --data " + given.substr(given.find(':') + 1) +
            " wherever the server is started, once dunlin.toml lies there."
        );
    else
        next.push_back(
            std::string(from.postgres() ? "Take database out of dunlin.toml, and set" : "Set") +
            " data = \"" + given.substr(given.find(':') + 1) + "\"" +
            (from.postgres() ? "." : " in dunlin.toml.")
        );
    if (!same_folder(from, to)) {
        if (from.media_store == MediaStore::folder && from.media_path() != to.media_path())
            next.push_back(
                "Uploaded files are still in " + from.media_path().string() + ": move that folder to " +
                to.media_path().string() + ", or name it as media."
            );
        next.push_back(
            "Move dunlin.toml and the folder acme, where they lie in " + from.data + ", to " + to.data + "."
        );
    } else {
        next.push_back("Uploaded files stay where they are.");
        next.push_back("Let changes be made again: dunlin read-only off.");
    }
    next.push_back("Start it: systemctl start dunlin. What can be searched for is made anew while it runs.");
    next.push_back(
        "To go back instead: leave dunlin.toml as it is and run dunlin read-only off; what is in " +
        name_of(from) + " was not changed."
    );
    return next;
}

void print_moved(const Done& done) {
    for (const auto& one : done.tables)
        if (one.changed > 0)
            print_note(
                one.table + ": " + std::to_string(one.changed) +
                " rows changed meanwhile and were copied once more"
            );
    print(
        std::to_string(done.rows) + " rows of " + std::to_string(done.tables.size()) + " tables are in " +
        done.to + ", read again there and compared, in " +
        std::to_string(static_cast<std::int64_t>(done.seconds)) + " seconds; for the last " +
        std::to_string(static_cast<std::int64_t>(done.stopped_seconds * 1000)) +
        " ms nothing was written. The server is read-only now. What is left to do:"
    );
    for (std::size_t i = 0; i < done.next.size(); ++i) print(std::to_string(i + 1) + ". " + done.next[i]);
}

void prepare_target(const Config& there, std::optional<DataDirectoryLock>& lock) {
    if (there.postgres()) return;
    prepare_data_directory(there);
    lock.emplace(there);
}

}  // namespace

int migrate_to(const Settings& settings, const std::string& to) {
    const auto config = settings.load().config;
    const auto there = target_of(config, to);
    { const CliContext up_to_date(config, CliContext::Missing::refuse); }
    std::optional<DataDirectoryLock> lock;
    prepare_target(there, lock);
    if (config.postgres())
        print_note(
            "Servers on other machines wait while the rest is copied; run `dunlin read-only on` on each of "
            "them when "
            "this one is read-only, and stop them all before you switch."
        );
    const auto begun = Clock::now();
    Done done{name_of(config), name_of(there)};
    portable::Move move(database_of(config), database_of(there), clock_now());
    CopyNotes notes("copied");
    move.copy(notes.progress());
    print_note(
        "All that was there is copied and compared. Now nothing is written until the rest is there, too."
    );
    const auto stopped = Clock::now();
    wait_for_nodes_elsewhere(config);
    ReadOnly read_only(config);
    move.stop_writing();
    done.tables = move.finish(clock_now());
    read_only.keep();
    done.stopped_seconds = since(stopped);
    done.seconds = since(begun);
    for (const auto& one : done.tables) {
        done.rows += one.rows;
        done.changed += one.changed;
    }
    done.next = what_follows(config, there, to);
    if (settings.json) print_json(done);
    else print_moved(done);
    return 0;
}

int compare_with(const Settings& settings, const std::string& to) {
    const auto config = settings.load().config;
    const auto there = target_of(config, to);
    { const CliContext up_to_date(config, CliContext::Missing::refuse); }
    if (!there.postgres() && !std::filesystem::exists(there.database_file()))
        throw Refused("There is no database in the folder " + there.data);
    CopyNotes notes("compared");
    const Compared compared{
        name_of(config),
        name_of(there),
        portable::compare(database_of(config), database_of(there), notes.progress())
    };
    if (settings.json) print_json(compared);
    else if (compared.differences.empty()) print("Every table is the same in both.");
    else {
        for (const auto& one : compared.differences)
            print(
                (one.here.table.empty() ? one.there.table : one.here.table) + ": " +
                std::to_string(one.here.rows) + " rows here, " + std::to_string(one.there.rows) +
                " there, and not the same"
            );
        if (!servers_of(config).empty())
            print_note(
                "A server writes meanwhile, which makes differences by itself; `dunlin read-only on` stops "
                "that."
            );
    }
    return compared.differences.empty() ? 0 : 1;
}

int forget_move(const Settings& settings) {
    const auto config = settings.load().config;
    { const CliContext up_to_date(config, CliContext::Missing::refuse); }
    const auto store = portable::open_store(database_of(config), db::Mode::write);
    portable::Changes changes(*store, {});
    const bool left = !portable::Changes::kept_in(*store).empty();
    changes.begin();
    changes.stop_writing();
    changes.end();
    print(
        left ? "What an interrupted run had left in the database is removed." : "No run has left anything."
    );
    return 0;
}

}  // namespace server
