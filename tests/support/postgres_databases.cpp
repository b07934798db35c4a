// SPDX-License-Identifier: AGPL-3.0-or-later
#include "support/postgres_databases.hpp"

#include "db/migrate.hpp"
#include "db/open.hpp"

#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace support {

namespace {

// An emptied database is refilled from the schema "kept", which holds the rows that migrations wrote. A
// database that was analysed is not reused, because it plans queries differently.
constexpr const char* keep_what_migrations_wrote = R"(
    CREATE SCHEMA kept;
    DO $$ DECLARE name TEXT; BEGIN
        FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
                    AND pg_relation_size(oid) > 0 LOOP
            EXECUTE format('CREATE TABLE kept.%1$I AS TABLE public.%1$I', name);
        END LOOP;
    END $$)";
constexpr const char* empty = R"(
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
    DO $$ DECLARE names TEXT; name TEXT; BEGIN
        IF EXISTS (SELECT 1 FROM pg_statistic s JOIN pg_class c ON c.oid = s.starelid
                   WHERE c.relnamespace = 'public'::regnamespace) THEN
            RAISE 'it was analysed';
        END IF;
        SET LOCAL session_replication_role = replica; -- what an audit holds is refused to go otherwise
        SELECT string_agg(oid::regclass::text, ', ') INTO names FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0;
        EXECUTE 'TRUNCATE ' || names || ' RESTART IDENTITY';
        FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace AND relkind = 'r' LOOP
            EXECUTE format('INSERT INTO public.%1$I TABLE kept.%1$I', name);
        END LOOP;
    END $$)";

constexpr int uses_at_most = 100;  // each use leaves dead rows in the catalogue

std::string url_of(const std::string& database) {
    const std::string url = postgres_url();
    return url + (url.find('?') != url.npos ? "&" : "?") + "dbname=" + database;
}

void run(const std::string& url, const std::string& script) {
    db::Options there;
    there.postgres_url = url;
    db::open_connection(there, db::Mode::write)->script(script);
}

void drop(const std::string& database) {
    try {
        run(postgres_url(), "DROP DATABASE " + database + " WITH (FORCE)");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
}

// The spare databases of this process.
class Spare {
public:
    ~Spare() {
        for (const auto& [name, uses] : migrated_) drop(name);
        if (!template_.empty()) drop(template_);
    }

    std::pair<std::string, int> take() {
        const std::lock_guard hold(lock_);
        while (!migrated_.empty()) {
            auto [name, uses] = *migrated_.begin();
            migrated_.erase(migrated_.begin());
            try {
                run(url_of(name), empty);
                return {name, uses};
            } catch (const std::exception&) {
                drop(name);
            }
        }
        if (template_.empty()) {
            template_ = fresh_name();
            run(postgres_url(), "CREATE DATABASE " + template_);
            db::Options there;
            there.postgres_url = url_of(template_);
            auto connection = db::open_connection(there, db::Mode::write);
            db::migrate(*connection, {1000});
            connection->script(keep_what_migrations_wrote);
        }
        auto name = fresh_name();
        run(postgres_url(), "CREATE DATABASE " + name + " TEMPLATE " + template_);
        return {name, 0};
    }

    void put_back(const std::string& name, int uses) {
        const std::lock_guard hold(lock_);
        migrated_.emplace(name, uses);
    }

private:
    std::mutex lock_;
    std::string template_;
    std::map<std::string, int> migrated_;  // how often each was used
};

Spare& spare() {
    static Spare of_this_process;
    return of_this_process;
}

}  // namespace

const char* postgres_url() { return std::getenv("DUNLIN_TEST_POSTGRES"); }

std::string fresh_name() {
    static std::atomic<int> count = 0;
    return "dunlin_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
}

PostgresDatabase::PostgresDatabase(bool migrated) : migrated_(migrated) {
    if (migrated_) {
        std::tie(name_, uses_) = spare().take();
    } else {
        name_ = fresh_name();
        run(postgres_url(), "CREATE DATABASE " + name_);
    }
}

PostgresDatabase::~PostgresDatabase() {
    if (migrated_ && uses_ < uses_at_most) spare().put_back(name_, uses_ + 1);
    else drop(name_);
}

std::string PostgresDatabase::url() const { return url_of(name_); }

}  // namespace support
