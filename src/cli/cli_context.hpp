// SPDX-License-Identifier: AGPL-3.0-or-later
// The environment of a command: its own database connection, beside a server that may be running, and output
// functions.
#pragma once
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "db/open.hpp"
#include "jobs/reactions.hpp"
#include "jobs/sessions.hpp"
#include "social/accounts/account.hpp"
#include "social/insight/vitals.hpp"

namespace server {

class CliContext {
public:
    enum class Missing { refuse, create };
    enum class Before { is_kept, is_elsewhere };

    // Opens the database and migrates it, as the server does at startup, after making a copy of it, unless
    // `before` says that there is one elsewhere. Refuses a missing SQLite file unless it may be created: a
    // mistyped folder should not become a new server.
    CliContext(const Config&, Missing, Before = Before::is_kept);

    template <class F>
    auto read(F&& f) {
        return db::read_now(*connection_, context_, f);
    }
    template <class F>
    auto write(F&& f) {
        return db::write_now(*connection_, context_, f);
    }
    // For functions that make their own transactions.
    template <class F>
    auto with_connection(F&& f) {
        return f(*connection_, std::as_const(context_));
    }
    std::vector<std::string> migrated() const { return migrated_; }

private:
    base::Site site_;
    jobs::Reactions reactions_;
    db::Context context_;
    std::unique_ptr<db::Connection> connection_;
    std::vector<std::string> migrated_;
};

// Throws Refused if the server could not use media files created by this process.
void require_media_access(const Config&);

void print(std::string_view line);       // to stdout, with a newline
void print_note(std::string_view line);  // to stderr

template <class T>
void print_json(const T& value) {
    print(base::json::to_string(value));
}

// Columns with a header row, as wide as their widest cell.
void print_table(const std::vector<std::vector<std::string>>& rows);

// 2026-12-24T18:00:00Z in ms; nullopt for an empty text. Throws Refused.
std::optional<std::int64_t> time_given(const std::string&);

// The number of something. Throws Refused: `"TEXT" is no number of WHAT; WHERE_TO_LOOK`.
std::int64_t number_of(const std::string& text, std::string_view what, std::string_view where_to_look);
template <class Id>
Id id_of(const std::string& text, std::string_view what, std::string_view where_to_look) {
    return Id{number_of(text, what, where_to_look)};
}

// "-": what is piped in. Throws Refused.
std::string contents_of_file_or_stdin(const std::string& file);

std::string new_password();
// Argon2id. Throws Refused if the password is unacceptable.
std::string checked_hash(const std::string& password);

// Sessions like those of a server thread, but without external services.
jobs::Sessions sessions(CliContext&);

// A local account, by a name with or without @. Throws Refused.
accounts::Account local_account(db::Read&, const std::string& name);

// What the server on this data folder says of itself. Nothing where none runs, or none has the time.
std::optional<insight::Vitals> vitals_of_running(const Config&);

// For commands that take an account of any server.

// Fetches the account again from its own server. Throws Refused when there is no such account.
accounts::AccountId resolve_account(CliContext&, const Config&, const std::string& handle_or_address);

}  // namespace server
