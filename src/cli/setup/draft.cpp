// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/setup/draft.hpp"

#include "config/config_table.hpp"
#include "docs/command.hpp"
#include "net/fd.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

namespace server {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file) {
    throw Refused(
        "The file " + file.string() + " cannot be written (" + std::strerror(errno) +
        "); run this as the user who may, or name another file with --file"
    );
}

// Replaces the file atomically, with the owner and permissions of `like`; if that does not exist, readable
// only for the folder's owner, because it may contain passwords. Never follows links or writes into existing
// files, because the folder may belong to another user.
void put(const fs::path& file, const std::string& text, const fs::path& like) {
    const auto made = file.string() + ".new";
    ::unlink(made.c_str());
    const net::Fd out(::open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!out) fail(made);
    struct stat facts{};
    if (::lstat(like.c_str(), &facts) == 0) {
        if (::fchown(out.get(), facts.st_uid, facts.st_gid) != 0 ||
            ::fchmod(out.get(), facts.st_mode & 07777u) != 0)
            fail(file);
    } else if (::geteuid() == 0 && ::stat(file.parent_path().c_str(), &facts) == 0 &&
               ::fchown(out.get(), facts.st_uid, facts.st_gid) != 0) {
        fail(file);
    }
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto written = ::write(out.get(), rest.data(), rest.size());
        if (written < 0 && errno != EINTR) fail(made);
        rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, written)));
    }
    if (::fsync(out.get()) != 0 || ::rename(made.c_str(), file.c_str()) != 0) fail(file);
}

}  // namespace

Draft::Draft(const Settings& settings, fs::path file)
    : flags_(settings.flags),
      file_(std::move(file)),
      before_(fs::exists(file_) ? read_file(file_) : std::vector<Setting>()) {}

bool Draft::is_given(const std::string& option) const {
    return std::ranges::find(flags_, option, &Setting::name) != flags_.end();
}

Loaded Draft::loaded() const {
    auto flags = flags_;
    for (const auto& [option, words] : answers_) flags.push_back({option, words, ""});
    // If the file does not exist yet, another one in the data folder must not be used instead.
    return load({flags, environment(), fs::exists(file_) ? file_.string() : "/dev/null"});
}

std::string Draft::said_of(const std::string& option) const {
    Config config;
    const auto& its = *find_option(option);
    for (const auto* all : {&before_, &flags_})
        for (const auto& setting : *all)
            if (setting.name == option) set_value(config, its, setting.values);
    if (auto answered = answers_.find(option); answered != answers_.end())
        set_value(config, its, answered->second);
    const auto value = value_of(config, its);
    return value == value_of(Config{}, its) ? "" : value;
}

fs::path Draft::write() const {
    const auto config = loaded().config;
    std::set<std::string> said;
    for (const auto& setting : before_) said.insert(setting.name);
    for (const auto& setting : flags_)
        if (setting.name != "data") said.insert(setting.name);  // says where the file is
    for (const auto& [option, words] : answers_)
        if (words.empty() || words.front().empty())
            said.erase(option);  // derived from other options, or unset
        else said.insert(option);
    std::erase_if(said, [&](const std::string& name) {
        return value_of(config, *find_option(name)).empty();
    });
    const auto text = configuration_file(config, said);
    if (!fs::exists(file_)) {
        std::error_code ignored;
        if (fs::create_directories(file_.parent_path(), ignored))
            fs::permissions(file_.parent_path(), fs::perms::owner_all);
        put(file_, text, file_);
        return {};
    }
    const auto kept = fs::path(file_.string() + ".old");
    std::ifstream before(file_, std::ios::binary);
    put(kept, std::string{std::istreambuf_iterator<char>(before), {}}, file_);
    put(file_, text, file_);
    return kept;
}

}  // namespace server
