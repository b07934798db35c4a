// SPDX-License-Identifier: AGPL-3.0-or-later
// Media over a real database and a real folder: the routes' own steps, the worker behind their questions, and what
// they emitted.
#pragma once
#include "db/migrate.hpp"
#include "db/transaction.hpp"
#include "http/errors.hpp"
#include "http/route.hpp"
#include "sandbox/fixtures.hpp"
#include "server/tables.hpp"
#include "social/media/media_jobs.hpp"
#include "support/database.hpp"

#include <gmock/gmock.h>
#include <boost/json.hpp>

#include <fstream>

namespace media {

namespace fs = std::filesystem;

constexpr AccountId alice{1}, bob{2};
constexpr StatusId post{77}, other_post{78};

inline const db::Command insert_account{
    "test_media_insert_account",
    "INSERT INTO accounts (id, username, avatar, header, created_at) VALUES ($1, $2, $3, $4, 0)"
};

class Stage : public support::OnEachMigratedDatabase, public db::EventSink {
protected:
    Stage() : connection_(database.connection()) {
        db::migrate(*connection_, {1000});
        database.options.context.events = this;
        fs::create_directories(folder / "spool");
        answer_questions(services, store);
    }
    ~Stage() override { fs::remove_all(folder); }

    void emitted(db::Write&, std::type_index type, const void* event) override {
        if (type == typeid(FilesReleased))
            for (const auto& file : static_cast<const FilesReleased*>(event)->files) left.push_back(file);
        if (type == typeid(SweepDue)) due = *static_cast<const SweepDue*>(event);
    }

    template <class F>
    auto write(F f) {
        return db::write_now(*connection_, database.options.context, f);
    }
    template <class F>
    auto read(F f) {
        return db::read_now(*connection_, database.options.context, f);
    }
    void pass(std::int64_t seconds) { database.clock_ms += seconds * 1000; }

    // Runs a function that asks until it has its answers.
    template <class F>
    auto asking(F f) {
        base::Ask ask;
        for (;;) {
            std::optional<base::Needs> needs;
            try {
                return read([&](db::Read& db) { return f(ask, db); });
            } catch (base::Needs& asked) {
                needs = std::move(asked);
            }
            ask.answer(*needs, services.answer(*needs));
            ++answers;
        }
    }

    http::Upload spooled(std::string_view bytes) {
        auto path = folder / "spool" / std::to_string(++uploads_);
        std::ofstream(path, std::ios::binary) << bytes;
        return {"a.exe", "text/html", std::make_shared<const fs::path>(path), bytes.size()};
    }
    http::Params with_file(std::string_view bytes) {
        http::Params params;
        params.add_upload("file", spooled(bytes));
        return params;
    }

    http::Response call(
        http::Method method, std::string_view path, http::Params params, AccountId who = alice
    ) {
        http::Request request;
        try {
            for (const auto* route : server::sorted_routes())
                if (route->method == method && route->path == path)
                    return steps(*route, std::move(params), who);
        } catch (...) {
            return http::failure(std::current_exception(), request, path);
        }
        throw std::logic_error("no such route");
    }
    http::Response call(http::Method method, MediaId id, http::Params params = {}, AccountId who = alice) {
        params.set("id", std::to_string(id.value));
        return call(method, "/api/v1/media/:id", std::move(params), who);
    }

    static boost::json::object json(const http::Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return boost::json::parse(response.body).as_object();
    }
    static std::string error(const http::Response& response) {
        return std::to_string(response.status) + " " +
               std::string(boost::json::parse(response.body).at("error").as_string());
    }

    MediaId made(AccountId owner, const std::string& file = "media/ab/ab1.jpg", Type type = Type::image) {
        Media m;
        m.account_id = owner;
        m.type = type;
        m.file = file;
        m.preview = file + "_small.jpg";
        return write([&](db::Write& db) { return create(db, m); });
    }
    void attach_to(StatusId status, std::vector<MediaId> ids, AccountId owner = alice) {
        write([&](db::Write& db) { attach(db, owner, status, ids); });
    }

    fs::path put(const std::string& name) {
        auto path = folder / "media" / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << "x";
        return path;
    }
    std::vector<std::string> stored() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder / "media"))
            if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder / "media"));
        std::ranges::sort(names);
        return names;
    }

    fs::path folder = [] {
        std::string pattern = (fs::temp_directory_path() / "dunlin-media-XXXXXX").string();
        return fs::path(mkdtemp(pattern.data()));
    }();
    Store store{folder / "media"};
    base::ExternalServices services;
    int answers = 0;
    std::vector<std::string> left;
    std::optional<SweepDue> due;

private:
    http::Response steps(const http::Route& route, http::Params params, AccountId who) {
        http::Call call;
        call.params = std::move(params);
        call.viewer.emplace().account = who;
        if (route.prepare)
            call.prepared = asking([&](const base::Ask& ask, db::Read& db) {
                call.ask = &ask;
                call.read = &db;
                return route.prepare(call);
            });
        if (route.act)
            write([&](db::Write& db) {
                call.write = &db;
                route.act(call);
            });
        return read([&](db::Read& db) {
            call.read = &db;
            return route.show(call);
        });
    }

    std::unique_ptr<db::Connection> connection_;
    int uploads_ = 0;
};

}  // namespace media
