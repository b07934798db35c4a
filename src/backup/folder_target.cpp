// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/target.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <deque>
#include <future>
#include <set>
#include <thread>

namespace backup {

namespace {

class FolderTarget final : public Target {
public:
    explicit FolderTarget(const fs::path& folder)
        : folder_(folder.has_filename() ? folder : folder.parent_path()) {}

    std::string where() const override { return folder_.string(); }

    std::optional<std::uint64_t> size(const std::string& name) override {
        std::error_code error;
        const auto bytes = fs::file_size(folder_ / name, error);
        if (is_absent(error)) return std::nullopt;
        if (error) throw_unreadable(folder_ / name, error);
        return bytes;
    }
    std::vector<Stored> list(const std::string& folder) override {
        std::vector<Stored> all;
        add_all(folder_ / folder, all);
        std::ranges::sort(all, {}, &Stored::name);
        return all;
    }
    std::string read(const std::string& name) override { return contents(folder_ / name); }
    std::string part(const std::string& name, std::uint64_t offset, std::size_t bytes) override {
        return readable([&] { return part_of(folder_ / name, offset, bytes); });
    }
    void fetch(const std::string& name, const fs::path& to) override {
        if (!size(name)) throw Broken(Target::where(name) + " is missing");
        copy_whole(folder_ / name, to);
    }
    std::string sha256(const std::string& name) override {
        return readable([&] { return sha256_of(folder_ / name); });
    }

    void put(const std::string& name, std::string_view bytes, bool kept) override {
        backup::put(made(name, kept), bytes, kept);
    }
    void put_file(const std::string& name, const fs::path& from) override {
        copy_whole(from, made(name, false));
    }
    void remove(const std::string& name) override {
        std::error_code ignored;
        fs::remove(folder_ / name, ignored);
        if (is_deep(name)) fs::remove((folder_ / name).parent_path(), ignored);  // fails unless it is empty
    }
    // File by file: syncing the whole file system would stall those who write to a database on it.
    void keep(const std::vector<std::string>& names) override {
        std::set<fs::path> folders{folder_};
        for (const auto& name : names) {
            const auto path = folder_ / name;
            if (is_old(path)) continue;
            try {
                keep_file(path);
            } catch (const Away&) {
                remove(name);  // a second fsync would not report the error again
                throw;
            }
            for (auto folder = path.parent_path(); folders.insert(folder).second;)
                folder = folder.parent_path();
        }
        for (const auto& folder : folders) keep_names(folder);
    }
    void prepare() override {
        for (const char* name : {"base", "blocks", "log", "media", "lists", "check"})
            make_folder(folder_ / name);
    }
    std::unique_ptr<Hold> hold() override { return std::make_unique<FileLock>(folder_ / "lock", where()); }

    bool grows() const override { return true; }
    std::unique_ptr<Hold> hold_list() override {
        using namespace std::chrono_literals;
        return std::make_unique<FileLock>(folder_ / "media.list.lock", where(), 30s);
    }
    void write_at(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        backup::write_at(made(name), offset, bytes);
    }
    void append(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        backup::append(made(name), bytes, offset);
    }

private:
    static bool is_absent(const std::error_code& error) {
        return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    }
    [[noreturn]] static void throw_unreadable(const fs::path& path, const std::error_code& error) {
        throw Away(path.string() + " cannot be read (" + error.message() + ")");
    }
    template <class F>
    static std::string readable(F&& read) {
        try {
            return read();
        } catch (const Away& e) {
            throw Broken(e.what());
        }
    }
    // A concurrent prune may remove a file or folder. Any other error does not mean that it is gone.
    void add_all(const fs::path& folder, std::vector<Stored>& all) const {
        std::error_code error;
        fs::directory_iterator at(folder, error);
        if (is_absent(error)) return;
        for (; !error && at != fs::directory_iterator(); at.increment(error)) {
            std::error_code unknown;
            if (at->is_directory(unknown) && !at->is_symlink(unknown)) {
                add_all(at->path(), all);
                continue;
            }
            const bool file = !unknown && at->is_regular_file(unknown);
            const auto bytes = file ? at->file_size(unknown) : 0;
            if (unknown && !is_absent(unknown)) throw_unreadable(at->path(), unknown);
            if (file && !unknown)
                all.push_back({at->path().string().substr((folder_ / "").string().size()), bytes});
        }
        if (error) throw_unreadable(folder, error);
    }
    // Was written to disk long ago; syncing it again would cost a disk flush.
    static bool is_old(const fs::path& path) {
        std::error_code absent;
        const auto written = fs::last_write_time(path, absent);
        return !absent && fs::file_time_type::clock::now() - written > std::chrono::hours(1);
    }
    static bool is_deep(const std::string& name) { return std::ranges::count(name, '/') > 1; }
    // prepare() creates the top-level folders: if one is missing later, something is wrong with the disk.
    fs::path made(const std::string& name, bool keep = true) const {
        auto path = folder_ / name;
        if (is_deep(name)) make_folder(path.parent_path(), keep);
        return path;
    }

    const fs::path folder_;
};

}  // namespace

FileLock::FileLock(const fs::path& path, const std::string& where, std::chrono::milliseconds patience)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ < 0) throw_away(path, "opened");
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
        if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
        if (std::chrono::steady_clock::now() >= end) break;
    }
    ::close(file_);
    throw Away("Another process is at work on the backup in " + where + "; try again when it is done");
}

FileLock::~FileLock() { ::close(file_); }

std::shared_ptr<Target> folder_target(const fs::path& folder) {
    return std::make_shared<FolderTarget>(folder);
}

void read_in_order(
    Target& target, const std::vector<std::string>& names,
    const std::function<void(const std::string& name, std::string bytes)>& take
) {
    std::deque<std::future<std::string>> ahead;
    const auto lanes = target.lanes();
    for (std::size_t i = 0, begun = 0; i < names.size(); ++i) {
        for (; begun < names.size() && begun < i + lanes; ++begun)
            ahead.push_back(std::async(
                lanes > 1 ? std::launch::async : std::launch::deferred,
                [&target, &name = names[begun]] { return target.read(name); }
            ));
        auto bytes = ahead.front().get();
        ahead.pop_front();
        take(names[i], std::move(bytes));
    }
}

void remove_all(Target& target, const std::vector<Stored>& files, const Hold& turn) {
    std::deque<std::future<void>> under_way;
    const auto wait = [&] {
        auto oldest = std::move(under_way.front());
        under_way.pop_front();
        oldest.get();
    };
    for (const auto& file : files) {
        turn.require();
        if (target.lanes() == 1) {
            target.remove(file.name);
            continue;
        }
        if (under_way.size() >= target.lanes()) wait();
        under_way.push_back(std::async(std::launch::async, [&target, &file] { target.remove(file.name); }));
    }
    while (!under_way.empty()) wait();
}

}  // namespace backup
