// SPDX-License-Identifier: AGPL-3.0-or-later
// The stage for tests of behaviour: a fresh database, the real routes, reactions and dispatch over an engine that
// does everything at once, a clock of its own, no sockets and no threads.
//
//     struct Follows : OnEachWorld {};
//     ON_EACH_DATABASE(Follows);
//     TEST_P(Follows, are_told_once) {
//         auto alice = w.local("alice"), bob = w.local("bob");
//         EXPECT_EQ(alice.post("/api/v1/accounts/" + bob.id + "/follow")["following"], "true");
//         EXPECT_EQ(w.happened(), "Followed");     // this, and nothing else
//     }
//
// Every answer is checked: never 5xx, the headers all answers carry, and a successful one against entities.tsv.
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

    // A member by its way ("account.acct", "0.id"), as text: strings without quotes, "null", "true", "3";
    // "absent" when there is none.
    std::string operator[](std::string_view way) const;
    std::string id() const { return (*this)["id"]; }
    std::string error() const { return (*this)["error"]; }
    std::vector<std::string> all(std::string_view member) const;  // of each element of an array
    std::vector<std::string> ids() const { return all("id"); }
    std::string header(std::string_view name) const { return std::string(http::find_header(headers, name)); }
    std::string link(std::string_view rel) const;  // path and query of a Link, or empty
};

// Somebody who sends requests; `id` and `name` are those of the account, where there is one.
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
    Person with(const std::string& header, const std::string& value) const;  // in all that follows

    // The usual actions, each of which must succeed.
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
    Person local(const std::string& name);        // confirmed, with a token of all scopes
    Person unconfirmed(const std::string& name);  // the same, but for the confirmation
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
    // Runs all jobs that are due until none is left; how many there were.
    int run_jobs();
    // The same, after what the clock of a server would do within a second: what was written can be searched for.
    void catch_up();
    // Processes what came to the inboxes until nothing is due; how many there were.
    int run_inbox();
    // Names of the events since last asked, in order, joined by ", "; empty when nothing happened.
    std::string happened();
    // The same with what they carry: "Followed {"follow":…}".
    std::vector<std::string> events();
    // How the numbers of rows changed since last asked: "follows +1, jobs +2"; empty when they did not.
    std::string changed();
    struct Letter {
        std::string to, subject, text;
    };
    std::vector<Letter> mails();  // since last asked
    // Statements run since last asked.
    int queries();
    // The contents of all tables but `jobs`, for comparing before and after.
    std::string dump();

    // ---- below the API ----
    Answer send(http::Request);
    int status_of(http::Request);  // also of one that may be answered with 503
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

// What a form is on the wire.
std::string form_encoded(const Fields&);
