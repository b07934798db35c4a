// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include "base/text/catalogue.hpp"
#include "contract/contract.hpp"
#include "contract/schema.hpp"
#include "federating/remote_resolvers.hpp"
#include "http/dispatch.hpp"
#include "internet.hpp"
#include "jobs/runner.hpp"
#include "server/staff_routes.hpp"
#include "server/tables.hpp"
#include "server/web/pages.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/accounts/users/user.hpp"
#include "social/discovery/status_index.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/federation/documents/reader_api.hpp"
#include "social/federation/inbox/unverified.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/former/former.hpp"
#include "social/insight/vitals.hpp"
#include "social/instance/settings.hpp"
#include "social/media/copy.hpp"
#include "social/media/store.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/oauth/app.hpp"
#include "social/oauth/cookies.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/oauth/token.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "streams_stage.hpp"
#include "support/key_pair.hpp"
#include "support/left_frames.hpp"
#include "support/migrated.hpp"
#include "world_engine.hpp"
#include "world_tables.hpp"

#include <array>
#include <boost/container_hash/hash.hpp>
#include <unordered_set>

const db::Command test_confirm_user{
    "test_confirm_user", "UPDATE users SET confirmed_at = $2 WHERE account_id = $1"
};
const db::Command test_suspend_account{
    "test_suspend_account", "UPDATE accounts SET suspended_at = $2, version = version + 1 WHERE id = $1"
};
const db::Command test_silence_account{
    "test_silence_account", "UPDATE accounts SET silenced_at = $2, version = version + 1 WHERE id = $1"
};
const db::Command test_forget_jobs{"test_forget_jobs", "DELETE FROM jobs WHERE id > $1"};
const db::Query<std::int64_t> test_last_job{"test_last_job", "SELECT COALESCE(MAX(id), 0) FROM jobs"};

namespace {

constexpr const char* every_scope = "read write follow push profile crypto";

struct Count {
    std::int64_t place = 0;
    std::string name;
    std::int64_t rows = 0;
};
DESCRIBE(Count, place, name, rows)

// Statements live for ever, so each text is made once.
const db::Query<Count>& counts() {
    static const std::string text = [] {
        std::string all;
        int place = 0;
        for (std::string table : stage::tables)
            all +=
                (all.empty() ? "" : " UNION ALL ") + ("SELECT " + std::to_string(++place) + " AS place, '" +
                                                      table + "' AS name, count(*) AS rows FROM " + table);
        return all + " ORDER BY 1";
    }();
    static const db::Query<Count> sql{"test_counts", text.c_str()};
    return sql;
}

const db::Command& everything_in(const std::string& table) {
    static std::map<std::string, std::unique_ptr<db::Command>> all;
    static std::deque<std::string> texts;
    auto& sql = all[table];
    if (!sql) {
        auto& sqlite = texts.emplace_back("SELECT * FROM " + table);
        auto& postgres = texts.emplace_back("SELECT CAST(t.* AS TEXT) AS whole FROM " + table + " t");
        sql = std::make_unique<db::Command>("test_everything", sqlite.c_str(), postgres.c_str());
    }
    return *sql;
}

}  // namespace

struct World::Parts {
    jobs::Reactions reactions{server::reactions()};
    stage::Spy spy{reactions};
    std::unique_ptr<stage::Counting> connection;
    std::unique_ptr<stage::AtOnce> engine;
    http::Router router;
    base::ExternalServices services;
    jobs::Sessions sessions;
    std::unique_ptr<http::Limiter> limiter;
    std::unique_ptr<http::Dispatch> dispatch;
    std::vector<Letter> mails;
    std::map<std::string, std::int64_t> rows;
    base::AppId app;
    std::set<std::string> told;  // what was found wrong is told once
};

World::World(support::Database kind, WorldOptions wanted)
    : database_(kind, kind == support::Database::postgres), parts_(std::make_unique<Parts>()) {
    auto& p = *parts_;
    notifications::use_attachments(server::attachments());
    statuses::use_gate(server::gate());
    database_.site.streaming_url = "ws://localhost:3000";
    if (wanted.site) wanted.site(database_.site);
    database_.options.sqlite_file.clear();  // in memory
    database_.options.context.events = &p.spy;
    p.connection = std::make_unique<stage::Counting>(support::migrated(database_, now()));
    p.engine = std::make_unique<stage::AtOnce>(*p.connection, database_.options.context);
    write(instance::ensure_keys);
    write([](db::Write& db) { federation::keep_key(db, {}, support::key_pair()); });
    p.services.answers<federation::NewKeyPair>([](const auto&) { return support::key_pair(); });
    p.services.answers<federation::KeepKey>([this](const auto& asked) {
        auto key = asked.key;
        key.fetched_at = now();
        write([&](db::Write& db) { federation::remember(db, key); });
        return true;
    });
    p.services.answers<accounts::HashPassword>([](const auto& asked) { return "hash:" + asked.password; });
    p.services.answers<accounts::PasswordMatches>([](const auto& asked) {
        return asked.hash == "hash:" + asked.given;
    });
    p.services.answers<media::ProcessImage>([](const auto&) {
        media::Stored made;
        made.file = made.preview = "made/of/an/upload.png";
        made.mime = "image/png";
        made.width = made.preview_width = 40;
        made.height = made.preview_height = 20;
        return made;
    });
    p.services.answers<accounts::SendMail>([&p](const auto& asked) {
        p.mails.push_back({asked.to, asked.subject, asked.text});
        if (internet().while_mailing) internet().while_mailing();
        return true;
    });
    internet() = {};
    p.services.answers<insight::LookAtPause>([](const auto&) { return std::string(); });
    p.services.answers<insight::LookAtServer>([](const auto&) {
        insight::Vitals now;
        now.host = "machine";
        now.free_for_data = std::int64_t{20} << 30;
        now.statements = {{"slow_one", 3, 900}, {"slower_one", 1, 1200}};
        now.queues.emplace().hosts_failing = 4;
        return now;
    });
    p.services.answers<statuses::TranslationLanguages>([](const auto&) { return internet().languages; });
    p.services.answers<statuses::Translate>([](const auto& asked) { return internet().translate(asked); });
    p.services.answers<base::Fetch>([](const base::Fetch& asked) { return internet().answer(asked); });
    p.services.answers<moderation::TellWebhook>([](const auto& asked) {
        return internet().answer(asked.request);
    });
    p.services.answers<accounts::FindMailHosts>([](const accounts::FindMailHosts& asked) {
        auto found = internet().mail_hosts.find(asked.domain);
        return found == internet().mail_hosts.end() ? accounts::MailHosts{} : found->second;
    });
    p.services.answers<media::TakeUpload>([](const auto&) -> media::Taken {
        media::Stored stored;
        stored.file = "made/of/an/upload.png";
        stored.preview = "made/of/an/upload_small.png";
        stored.mime = "image/png";
        return stored;
    });
    p.services.answers<media::RemoveFiles>([](const auto& asked) {
        return static_cast<int>(asked.files.size());
    });
    p.services.answers<media::KeepFiles>([](const auto& asked) {
        for (const auto& file : asked.files) internet().kept.insert(file);
        return static_cast<int>(asked.files.size());
    });
    p.services.answers<media::ForgetKept>([](const auto& asked) {
        for (const auto& file : asked.files) internet().kept.erase(file);
        return static_cast<int>(asked.files.size());
    });
    p.services.answers<media::Quarantine>([](const auto& asked) {
        for (const auto& name : asked.names)
            if (asked.in) internet().quarantined.insert(name);
            else internet().quarantined.erase(name);
        return static_cast<int>(asked.names.size());
    });
    p.services.answers<media::DestroyQuarantined>([](const auto& asked) {
        for (const auto& name : asked.names) internet().quarantined.erase(name);
        return static_cast<int>(asked.names.size());
    });
    p.services.answers<media::ReadQuarantined>([](const auto& asked) {
        return internet().quarantined.contains(asked.name) ? std::string("bytes") : std::string();
    });
    p.services.answers<statuses::FetchPicture>([](const statuses::FetchPicture& asked) {
        auto found = internet().pictures.find(asked.url);
        return found == internet().pictures.end() ? std::nullopt : std::optional(found->second);
    });
    auto& sessions = p.sessions;
    sessions.look = [this](const auto& f) { read(f); };
    sessions.change = [this](const char*, const auto& f) { write(f); };
    sessions.answer = [&p](const base::Needs& needs) { return p.services.answer(needs); };
    server::register_remote_resolvers(p.services, sessions);
    p.services.answers<media::MakeCopy>([this](const media::MakeCopy& asked) {
        auto found = internet().pictures.find(asked.url);
        server::MadeCopy made{std::nullopt, 1000};
        if (found != internet().pictures.end()) made.picture = found->second;
        media::Copy copy;
        write([&](db::Write& db) { copy = server::keep_copy(db, asked, made); });
        return copy;
    });
    open_streams(*this, *p.engine, p.services, [&p]() -> http::Dispatch& { return *p.dispatch; });
    for (auto slice : server::routes()) p.router.add(slice);
    server::add_client_routes(p.router);
    p.limiter = std::make_unique<http::Limiter>(wanted.limits);
    http::DispatchOptions options;
    options.site = &database_.site;
    options.clock = database_.options.context.clock;
    options.spool = std::filesystem::temp_directory_path();
    options.authenticate = oauth::credentials;
    options.authenticate_session = oauth::session_credentials;
    options.user_of_page = oauth::user_of_page;
    options.other_face = server::other_face;
    options.staff_routes = server::staff_routes();
    options.open_to_suspended = server::routes_of_suspended();
    options.barred = accounts::has_no_access;
    options.took_over = former::took_over;
    options.otherwise = federation::former_routes();
    options.has_other_ids = former::has_other_ids;
    options.use_own_ids = former::use_own_ids;
    options.cpu = [&p](std::function<void()> task) { return p.engine->later(std::move(task)); };
    p.dispatch =
        std::make_unique<http::Dispatch>(p.router, *p.engine, *p.limiter, p.services, std::move(options));
    p.app = write([](db::Write& db) {
        return oauth::register_app(
                   db, {"An app", "https://app.example", {"https://app.example/cb"}, every_scope}
        )
            .id;
    });
    changed();
    queries();
}

Internet& internet() {
    static Internet one;
    return one;
}

Fetched Internet::answer(const base::Fetch& question) {
    asked.push_back(question);
    auto found = pages.find(question.url);
    if (found != pages.end()) return found->second(question);
    Fetched nothing;
    nothing.failure = base::FetchFailure::unresolvable;
    nothing.url = question.url;
    return nothing;
}

void Internet::page(const std::string& url, const std::string& body, const std::string& type) {
    pages[url] = [=](const base::Fetch&) {
        Fetched answer;
        answer.status = 200;
        answer.url = url;
        answer.headers = {{"content-type", type}};
        answer.body = body;
        return answer;
    };
}

World::~World() { close_streams(*this); }

db::Connection& World::connection() { return *parts_->connection; }
const http::Router& World::router() const { return parts_->router; }
jobs::Reactions& World::reactions() { return parts_->reactions; }

// ---- people ----

namespace {

base::AccountId number(const Person& person) { return {std::stoll(person.id)}; }

}  // namespace

Person World::account(const std::string& name, bool confirmed) {
    accounts::NewUser form;
    form.username = name;
    form.email = name + "@example.com";
    form.password_hash = "hash:password of " + name;
    form.confirmed = confirmed;
    form.locale = "en";
    Person person = anonymous();
    person.name = name;
    auto before = read([](db::Read& db) { return db.one(test_last_job); });
    auto seen = parts_->spy.seen.size();
    person.id = std::to_string(write([&](db::Write& db) {
        auto user = accounts::user(db, accounts::create_user(db, form));
        person.token = oauth::issue_token(db, parts_->app, user.id, every_scope).token;
        federation::keep_key(db, user.account_id, support::key_pair());
        return user.account_id.value;
    }));
    write([&](db::Write& db) { db.run(test_forget_jobs, before); });
    parts_->spy.seen.resize(seen);
    changed();
    return person;
}

Person World::local(const std::string& name) { return account(name, true); }
Person World::unconfirmed(const std::string& name) { return account(name, false); }

Person World::anonymous() {
    Person person;
    person.world_ = this;
    return person;
}

Person World::bearer(const std::string& token) {
    auto person = anonymous();
    person.token = token;
    return person;
}

Person World::app(const std::string& scopes) {
    auto person =
        bearer(write([&](db::Write& db) { return oauth::issue_token(db, parts_->app, {}, scopes).token; }));
    changed();
    return person;
}

Person World::with_scopes(const Person& whose, const std::string& scopes) {
    auto person = whose;
    person.token = write([&](db::Write& db) {
        auto user = accounts::find_user_of(db, number(whose));
        return oauth::issue_token(db, parts_->app, user->id, scopes).token;
    });
    changed();
    return person;
}

void World::change(const std::function<void(db::Write&)>& f) { parts_->engine->change(f); }

void World::revoke(const Person& whose) {
    auto seen = parts_->spy.seen.size();
    change([&](db::Write& db) { oauth::revoke(db, oauth::find_live(db, whose.token)->id); });
    parts_->spy.seen.resize(seen);
    changed();
}

void World::confirm(const Person& p) {
    write([&](db::Write& db) { db.run(test_confirm_user, number(p), db.now()); });
}
void World::suspend(const Person& p) {
    write([&](db::Write& db) { db.run(test_suspend_account, number(p), db.now()); });
}
void World::silence(const Person& p) {
    write([&](db::Write& db) { db.run(test_silence_account, number(p), db.now()); });
}

// ---- side effects ----

int World::run_jobs() {
    int ran = 0;
    for (;;) {
        auto due = write([](db::Write& db) { return jobs::lease_due(db, 16); });
        if (due.empty()) return ran;
        for (const auto& job : due) {
            ++ran;
            auto* reaction = parts_->reactions.by_name(job.kind);
            if (!reaction) ADD_FAILURE() << "no reaction for the job " << job.kind;
            if (!reaction || !reaction->ask) {
                parts_->engine->change([&](db::Write& db) { jobs::finish(db, parts_->reactions, job); });
                continue;
            }
            base::Ask ask;
            jobs::Change change;
            std::optional<std::int64_t> wait;
            for (int round = 0; round < base::max_rounds; ++round) {
                std::optional<base::Needs> needs;
                read([&](db::Read& db) {
                    try {
                        change = reaction->ask(ask, db, job.payload);
                    } catch (base::Needs& asked) {
                        needs = std::move(asked);
                    } catch (const jobs::Reschedule& pause) {
                        wait = pause.seconds;
                    }
                });
                if (!needs) break;
                ask.answer(*needs, parts_->services.answer(*needs));
            }
            parts_->engine->change([&](db::Write& db) {
                if (wait) jobs::reschedule(db, job, *wait);
                else jobs::finish(db, change, job);
            });
        }
    }
}

void World::catch_up() {
    do write(discovery::find_index_queue);
    while (run_jobs() > 0);
}

namespace {

// What the first round after all that are needed answers; what it throws is thrown on.
federation::Doing prepared(World& w, const base::ExternalServices& services, const federation::Item& item) {
    base::Ask ask;
    federation::Doing doing;
    for (int round = 0;; ++round) {
        std::optional<base::Needs> needs;
        w.read([&](db::Read& db) {
            try {
                const auto parsed = federation::read(item, server::inbox(), db.now());
                federation::look_ahead(db, {&parsed, 1});
                doing = federation::prepare(ask, db, server::inbox(), parsed);
            } catch (base::Needs& asked) {
                needs = std::move(asked);
            }
        });
        if (!needs) return doing;
        if (round == 12) throw base::Unavailable();
        ask.answer(*needs, services.answer(*needs));
    }
}

}  // namespace

int World::run_inbox() {
    while (!federation::verify_some(parts_->sessions)) {}
    int ran = 0;
    for (;;) {
        auto due = write([](db::Write& db) { return federation::lease_items(db, 16, false); });
        if (due.empty()) return ran;
        for (const auto& item : due) {
            ++ran;
            std::exception_ptr error;
            try {
                auto doing = prepared(*this, parts_->services, item);
                parts_->engine->change([&](db::Write& db) {
                    federation::finish(db, std::array{federation::Ready{&item, &doing}});
                });
            } catch (...) {
                error = std::current_exception();
            }
            if (!error) continue;
            write([&](db::Write& db) { federation::settle_failure(db, item, error); });
        }
    }
}

std::string World::happened() {
    std::string names;
    for (const auto& [name, json] : std::exchange(parts_->spy.seen, {}))
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

std::vector<std::string> World::events() {
    std::vector<std::string> out;
    for (const auto& [name, json] : std::exchange(parts_->spy.seen, {})) out.push_back(name + " " + json);
    return out;
}

std::string World::changed() {
    std::string out;
    auto counted = parts_->connection->count;
    read([&](db::Read& db) {
        for (const auto& [place, table, rows] : db.all(counts())) {
            auto difference = rows - std::exchange(parts_->rows[table], rows);
            if (difference == 0) continue;
            out += (out.empty() ? "" : ", ") + table + (difference > 0 ? " +" : " ") +
                   std::to_string(difference);
        }
    });
    parts_->connection->count = counted;
    return out;
}

std::string World::dump() {
    std::vector<std::string> lines;
    auto& connection = *parts_->connection;
    db::in_transaction(connection, db::Mode::read, [&] {
        for (std::string table : stage::tables) {
            if (table == "jobs") continue;
            const auto& sql = everything_in(table);
            auto columns = static_cast<int>(connection.columns(sql).size());
            for (auto rows = connection.query(sql, {}); rows->next();) {
                auto line = table;
                for (int i = 0; i < columns; ++i)
                    line += "|" + (rows->null(i) ? "-" : std::string(rows->text(i)));
                lines.push_back(line);
            }
        }
    });
    std::ranges::sort(lines);
    std::string out;
    for (const auto& line : lines) out += line + "\n";
    return out;
}

std::vector<World::Letter> World::mails() { return std::exchange(parts_->mails, {}); }

int World::queries() { return std::exchange(parts_->connection->count, 0); }

// ---- requests ----

int World::status_of(http::Request request) {
    int status = 0;
    request.remote_address = "192.0.2.1";
    parts_->dispatch->serve(std::move(request), http::Pending([&](http::Response r) { status = r.status; }));
    return status;
}

namespace {

http::Headers all_headers(http::Response& response) {
    auto all = std::move(response.headers);
    for (auto rest = response.common_headers; !rest.empty();) {
        auto line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(line.size() + 2);
        auto colon = line.find(": ");
        all.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
    if (!response.content_type.empty()) all.emplace_back("Content-Type", response.content_type);
    return all;
}

}  // namespace

Answer World::send(http::Request request) {
    if (request.remote_address.empty()) request.remote_address = "192.0.2.1";
    std::optional<Answer> answer;
    parts_->dispatch->serve(request, http::Pending([&](http::Response r) {
                                answer = Answer{r.status, std::move(r.body), all_headers(r)};
                            }));
    if (!answer) {
        ADD_FAILURE() << request.target << " was not answered";
        return {};
    }
    if (answer->status >= 400) support::forget_left_frames();
    check(request, *answer);
    return *std::move(answer);
}

void World::check(const http::Request& request, const Answer& answer) {
    auto what = std::string(to_string(request.method)) + " " + request.target.substr(0, 200);
    EXPECT_LT(answer.status, 500) << what << "\n" << request.body.substr(0, 200) << "\n" << answer.body;
    EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff") << what;
    auto match = parts_->router.find(request.method, request.path());
    if (!match.route || !match.route->path.starts_with("/api/")) return;
    if (request.method == http::Method::head) return;  // the headers of what is not shown, or of nothing
    EXPECT_EQ(contract::unread_cursor(*match.route, answer.header("Link")), "") << what;
    if (match.route->path.starts_with("/api/v1/streaming") && answer.status < 400) return;  // no JSON
    if (match.route->path.ends_with(".csv") && answer.status < 400) return;
    constexpr std::string_view nothing = "text/html; charset=utf-8", json = "application/json; charset=utf-8";
    EXPECT_EQ(
        answer.header("Content-Type"),
        !answer.body.empty()   ? json
        : answer.status == 200 ? nothing
                               : ""
    ) << what;
    for (std::string name : {"Limit", "Remaining", "Reset"})
        EXPECT_NE(answer.header("X-RateLimit-" + name), "") << what << " lacks " << name;
    for (auto name : {"Cache-Control", "Access-Control-Allow-Origin"})
        EXPECT_NE(answer.header(name), "") << what << " lacks " << name;
    if (answer.status >= 400) {
        EXPECT_NE(answer.error(), "absent") << what << "\n" << answer.body;
        bool plain = answer["error_description"] == "absent" && answer.header("Content-Language").empty();
        auto text = answer["error.error"] == "absent" ? answer.error() : answer["error.error"];
        if (plain)
            EXPECT_NE(base::text::translated("de", text), text) << "no wording in web/locales: " << what;
    } else if (answer.body.empty() && (answer.status == 202 || match.route->path.starts_with("/api/web/"))) {
        // Work that was only begun has nothing to show, nor has the address that ends push messages.
    } else if (answer.status < 300 && answer.status != 204) {
        // The same bytes from the same route are right or wrong whoever gets them.
        static std::unordered_set<std::size_t> judged;
        auto seed = std::hash<std::string>()(answer.body);
        boost::hash_combine(seed, match.route->path);
        boost::hash_combine(seed, match.route->method);
        if (!judged.insert(seed).second) return;
        auto tell = [&](const std::vector<std::string>& all) {
            for (const auto& wrong : all)
                if (parts_->told.insert(wrong).second) ADD_FAILURE() << what << ": " << wrong;
        };
        tell(contract::violations(*match.route, answer.body));
        tell(contract::against_reference(*match.route, answer.body));
        tell(contract::against_ours(*match.route, answer.body));
    }
}
