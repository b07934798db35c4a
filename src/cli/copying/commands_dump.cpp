// SPDX-License-Identifier: AGPL-3.0-or-later
// The portable dump: writes a database as text, and loads it into one of either engine.
#include "cli/cli_context.hpp"
#include "cli/copying/copying.hpp"
#include "config/clock.hpp"
#include "config/data_directory.hpp"
#include "db/portable/target.hpp"
#include "net/fd.hpp"
#include "server/backups.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace server {

namespace {

namespace portable = db::portable;

struct Done {
    std::string file, database;
    std::int64_t rows = 0;
    std::vector<portable::Tallied> tables;
};
DESCRIBE(Done, file, database, rows, tables)

[[noreturn]] void fail(const std::string& file, const char* what) {
    throw Refused("The file " + file + " cannot be " + what + " (" + std::strerror(errno) + ")");
}

// Writes under a temporary name until complete; "-": to standard output.
class DumpFile {
public:
    explicit DumpFile(const std::string& name) : name_(name), made_(name + ".part") {
        if (piped()) return;
        if (std::filesystem::exists(name_))
            throw Refused("There is a file " + name_ + " already; name another one");
        file_ = net::Fd(::open(made_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        if (!file_) fail(name_, "written");
    }
    void add(std::string_view lines) {
        constexpr std::size_t enough = 1 << 20;
        waiting_ += lines;
        if (waiting_.size() >= enough) write();
    }
    void end() {
        write();
        if (piped()) return;
        if (::fsync(file_.get()) != 0) fail(name_, "written");
        if (::rename(made_.c_str(), name_.c_str()) != 0) fail(name_, "written");
    }
    ~DumpFile() {
        if (!piped()) ::unlink(made_.c_str());
    }
    DumpFile(const DumpFile&) = delete;

private:
    bool piped() const { return name_ == "-"; }
    void write() {
        std::string_view rest = waiting_;
        while (!rest.empty()) {
            const auto n = ::write(piped() ? STDOUT_FILENO : file_.get(), rest.data(), rest.size());
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) fail(name_, "written");
            rest.remove_prefix(static_cast<std::size_t>(n));
        }
        waiting_.clear();
    }

    const std::string name_, made_;
    net::Fd file_;
    std::string waiting_;
};

std::function<std::string_view()> pieces_of(const std::string& name) {
    const bool piped = name == "-";
    auto file =
        std::make_shared<net::Fd>(piped ? ::dup(STDIN_FILENO) : ::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!*file) fail(name, "read");
    auto piece = std::make_shared<std::string>();
    return [=]() -> std::string_view {
        constexpr std::size_t most = 1 << 20;
        piece->resize(most);
        ssize_t n;
        do n = ::read(file->get(), piece->data(), most);
        while (n < 0 && errno == EINTR);
        if (n < 0) fail(name, "read");
        return {piece->data(), static_cast<std::size_t>(n)};
    };
}

}  // namespace

int dump_database(const Settings& settings, const std::string& to) {
    const auto config = settings.load().config;
    const CliContext up_to_date(config, CliContext::Missing::refuse);
    DumpFile file(to);
    const auto store = portable::open_store(database_of(config), db::Mode::read);
    store->look_anew();
    CopyNotes notes("dumped");
    const auto tables =
        portable::write_dump(*store, [&](std::string_view lines) { file.add(lines); }, notes.progress());
    file.end();
    const Done done{to, name_of(config), rows_of(tables), tables};
    if (to == "-") return 0;
    if (settings.json) print_json(done);
    else
        print(
            std::to_string(done.rows) + " rows of " + std::to_string(tables.size()) + " tables are in " + to +
            ". It holds every secret of the server; uploaded files are not in it."
        );
    return 0;
}

int load_database(const Settings& settings, const std::string& from) {
    const auto config = settings.load().config;
    std::optional<DataDirectoryLock> lock;
    if (!config.postgres()) {
        prepare_data_directory(config);
        lock.emplace(config);
    }
    portable::DumpReader dump(pieces_of(from));
    CopyNotes notes("loaded");
    const auto tables = portable::load_dump(dump, database_of(config), clock_now(), notes.progress());
    const Done done{from, name_of(config), rows_of(tables), tables};
    if (settings.json) print_json(done);
    else
        print(
            std::to_string(done.rows) + " rows of " + std::to_string(tables.size()) + " tables are in " +
            done.database +
            ", read again there and compared. What can be searched for is made anew once the "
            "server runs; uploaded files belong in " +
            config.media_path().string() + "."
        );
    return 0;
}

}  // namespace server
