// SPDX-License-Identifier: AGPL-3.0-or-later
// The stage for behaviour tests: a fresh database, the real routes, reactions and dispatch over an engine
// that does everything immediately, its own clock, no sockets and no threads.
//
//     struct Follows : OnEachWorld {};
//     ON_EACH_DATABASE(Follows);
//     TEST_P(Follows, are_told_once) {
//         auto alice = w.local("alice"), bob = w.local("bob");
//         EXPECT_EQ(alice.post("/api/v1/accounts/" + bob.id + "/follow")["following"], "true");
//         EXPECT_EQ(w.happened(), "Followed");     // this, and nothing else
//     }
//
// Every response is checked: never 5xx, the common headers, and if successful, its body against entities.tsv.
#pragma once
#include "http/message.hpp"
#include "support/database.hpp"

namespace jobs {
class Reactions;
}
namespace http {
class Router;
}

class World;

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Answer {
    int status = 0;
    std::string body;
    http::Headers headers;

    // A member by its path ("account.acct", "0.id"), as text: strings without quotes, "null", "true", "3";
    // "absent" if it does not exist.
    std::string operator[](std::string_view way) const;
    std::string id() const { return (*this)["id"]; }
    std::string error() const { return (*this)["error"]; }
    std::vector<std::string> all(std::string_view member) const;  // of each element of an array
    std::vector<std::string> ids() const { return all("id"); }
    std::string header(std::string_view name) const { return std::string(http::find_header(headers, name)); }
    std::string link(std::string_view rel) const;  // path and query of a Link header, or empty
};

// Somebody who sends requests; `id` and `name` are the account's, if there is one.
class Person {
public:
    std::string id, name, token;

    Answer get(const std::string& path, const Fields& = {}) const;
    Answer post(const std::string& path, const Fields& = {}) const;
    Answer put(const std::string& path, const Fields& = {}) const;
    Answer patch(const std::string& path, const Fields& = {}) const;
    Answer del(const std::string& path, const Fields& = {}) const;
    Answer send(http::Method, const std::string& target, const std::string& body, const std::string& type)
        const;
    Person with(const std::string& header, const std::string& value) const;  // in later requests

    // Common actions, each of which must succeed.
    void follows(const Person&, const Fields& = {}) const;
    void unfollows(const Person&) const;
    void blocks(const Person&) const;
    void mutes(const Person&, const Fields& = {}) const;
    std::string status(const std::string& text, const Fields& = {}) const;  // its id
    std::string answers(const std::string& status, const std::string& text, const Fields& = {}) const;
    void favourites(const std::string& status) const;
    std::string reblogs(const std::string& status) const;     // the id of the reblog
    std::vector<std::string> home(const Fields& = {}) const;  // ids

private:
    friend class World;
    World* world_ = nullptr;
    http::Headers headers_;
};

struct WorldOptions {
    bool limits = false;
    std::function<void(base::Site&)> site = nullptr;
};

class World {
public:
    explicit World(support::Database, WorldOptions = {});
    ~World();
    World(const World&) = delete;

    // ---- people ----
    Person local(const std::string& name);        // confirmed, with a token for all scopes
    Person unconfirmed(const std::string& name);  // the same, but unconfirmed
    Person anonymous();
    Person app(const std::string& scopes = "read write follow push");  // an app's own token
    Person bearer(const std::string& token);                           // any text as token
    Person with_scopes(const Person&, const std::string& scopes);      // another token of the same user
    void revoke(const Person&);
    void confirm(const Person&);
    void suspend(const Person&);
    void silence(const Person&);

    // ---- time and side effects ----
    void advance(std::int64_t seconds) { database_.clock_ms += seconds * 1000; }
    base::Time now() const { return {database_.clock_ms}; }
    // Runs due jobs until there are none left; returns how many there were.
    int run_jobs();
    // Also runs the periodic work that a server does within a second: afterwards, everything written is
    // searchable.
    void catch_up();
    // Processes incoming activities until none is due; returns how many there were.
    int run_inbox();
    // The names of the events since the last call, in order, joined by ", "; empty if there were none.
    std::string happened();
    // The same with their contents: "Followed {"follow":…}".
    std::vector<std::string> events();
    // How the numbers of rows changed since the last call: "follows +1, jobs +2"; empty if they did not.
    std::string changed();
    struct Letter {
        std::string to, subject, text;
    };
    std::vector<Letter> mails();  // since the last call
    // The number of statements since the last call.
    int queries();
    // The contents of all tables except `jobs`, for comparing before and after.
    std::string dump();

    // ---- below the API ----
    Answer send(http::Request);
    int status_of(http::Request);  // also for requests that may be answered with 503
    // As the server itself does: unlike after write(), streams hear of it.
    void change(const std::function<void(db::Write&)>&);
    template <class F>
    auto write(F&& f) {
        return db::write_now(connection(), database_.options.context, std::forward<F>(f));
    }
    template <class F>
    auto read(F&& f) {
        return db::read_now(connection(), database_.options.context, std::forward<F>(f));
    }
    db::Connection& connection();
    const http::Router& router() const;
    jobs::Reactions& reactions();
    bool is_postgres() const { return database_.is_postgres(); }
    base::Site& site() { return database_.site; }

private:
    struct Parts;
    Person account(const std::string& name, bool confirmed);
    void check(const http::Request&, const Answer&);

    support::TestDatabase database_;
    std::unique_ptr<Parts> parts_;
};

struct OnEachWorld : testing::TestWithParam<support::Database> {
    World w{GetParam()};
};

// The encoding of a form's fields.
std::string form_encoded(const Fields&);
