// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"

#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "base/text/count.hpp"
#include "config/clock.hpp"
#include "config/data_directory.hpp"
#include "db/migrate.hpp"
#include "net/local/control_socket.hpp"
#include "server/backups.hpp"
#include "server/monitoring/control_questions.hpp"
#include "server/site_settings.hpp"
#include "server/tables.hpp"
#include "social/accounts/users/password.hpp"
#include "social/former/former.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace server {

namespace {

db::Options database(const Config& config, CliContext::Missing missing) {
    auto options = database_of(config);
    if (config.postgres()) return options;
    if (missing == CliContext::Missing::refuse && !std::filesystem::exists(options.sqlite_file))
        throw Refused(
            "There is no database in the folder " + config.data +
            "; name the data folder of your server with --data"
        );
    prepare_data_directory(config);
    return options;
}

void write(std::FILE* file, std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), file);
    std::fputc('\n', file);
}

std::unique_ptr<db::Connection> opened(
    const db::Options& options, const Config& config, CliContext::Before before
) {
    if (before == CliContext::Before::is_kept) keep_before_upgrade(config);
    return db::open_connection(options, db::Mode::write);
}

}  // namespace

CliContext::CliContext(const Config& config, Missing missing, Before before)
    : site_(site_of(config)),
      reactions_(server::reactions()),
      context_{&site_, clock_now, &reactions_},
      connection_(opened(database(config, missing), config, before)),
      migrated_(db::migrate(*connection_, clock_now())) {
    if (!migrated_.empty()) write(instance::ensure_keys);
    instance::use_options(site_settings_of(config));
    site_ = site_of(with_stored(config, read(instance::stored_options)));
    former::use_past(read(former::read_past));
}

void require_media_access(const Config& config) {
    if (const auto user = user_for_media(config))
        throw Refused(
            config.media_path().string() + " belongs to " + *user +
            ": run this as that user, for example sudo -u " + *user + " dunlin"
        );
}

void print(std::string_view line) { server::write(stdout, line); }
void print_note(std::string_view line) { server::write(stderr, line); }

// Its columns are those of a terminal, near enough: characters, not bytes.
void print_table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], base::text::code_points(row[i]));
    }
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] - base::text::code_points(row[i]) + 2, ' ');
        }
        print(line.substr(0, line.find_last_not_of(' ') + 1));
    }
}

std::optional<std::int64_t> time_given(const std::string& text) {
    if (text.empty()) return std::nullopt;
    auto time = base::parse_time(text);
    if (!time) throw Refused("\"" + text + "\" is no time; write one like 2026-12-24T18:00:00Z");
    return time->ms;
}

std::int64_t number_of(const std::string& text, std::string_view what, std::string_view where_to_look) {
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end)
        throw Refused(
            "\"" + text + "\" is no number of " + std::string(what) + "; " + std::string(where_to_look)
        );
    return number;
}

std::string contents_of_file_or_stdin(const std::string& file) {
    if (file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Refused("The file \"" + file + "\" cannot be read");
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string new_password() { return base::base64url(base::random_bytes(15)); }

std::string checked_hash(const std::string& password) {
    auto errors = accounts::password_errors(password);
    if (!errors.empty())
        throw Refused(
            "The password " + errors.front().description + "; leave --password out to get a good one"
        );
    return base::hash_password(password);
}

jobs::Sessions sessions(CliContext& cli) {
    jobs::Sessions out;
    out.look = [&cli](const std::function<void(db::Read&)>& f) { cli.read(f); };
    out.change = [&cli](const char*, const std::function<void(db::Write&)>& f) { cli.write(f); };
    return out;
}

std::optional<insight::Vitals> vitals_of_running(const Config& config) {
    for (const auto& answer : net::ask_servers(config.data_path(), vitals_question))
        if (!answer.empty()) return base::json::read<insight::Vitals>(answer);
    return std::nullopt;
}

accounts::Account local_account(db::Read& db, const std::string& name) {
    auto found = accounts::find_local(db, name.starts_with('@') ? name.substr(1) : name);
    if (!found) throw Refused("There is no account \"" + name + "\"; `dunlin account list` shows them all");
    return *std::move(found);
}

}  // namespace server
