// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "base/text/join.hpp"
#include "cli/cli_context.hpp"
#include "net/local/control_socket.hpp"
#include "server/monitoring/control_questions.hpp"
#include "social/oauth/app.hpp"

#include <algorithm>
#include <map>

namespace server {

namespace {

struct Listed {
    std::string account, application, transport;
    std::int64_t seconds = 0;
    std::vector<std::string> streams;
};
DESCRIBE(Listed, account, application, transport, seconds, streams)

std::vector<streaming::StreamFigures> open_streams(const Config& config) {
    auto answers = net::ask_servers(config.data_path(), streams_question);
    if (answers.empty()) throw Refused("No server is running on the folder " + config.data);
    std::vector<streaming::StreamFigures> all;
    for (const auto& answer : answers)
        if (!answer.empty())
            for (auto& one : base::json::read<std::vector<streaming::StreamFigures>>(answer))
                all.push_back(std::move(one));
    return all;
}

std::string application(db::Read& db, base::AppId id) {
    try {
        return oauth::app(db, id).name;
    } catch (const base::NotFound&) {
        return "";
    }
}

// Who listens longest comes first.
std::vector<Listed> named(db::Read& db, std::vector<streaming::StreamFigures> all) {
    std::ranges::sort(all, std::ranges::greater{}, &streaming::StreamFigures::seconds);
    std::vector<base::AccountId> ids;
    for (const auto& one : all) ids.push_back(one.account);
    std::map<base::AccountId, std::string> names;
    for (const auto& account : accounts::accounts(db, ids)) names[account.id] = account.username;
    std::map<base::AppId, std::string> applications;
    std::vector<Listed> out;
    for (auto& one : all) {
        auto known = applications.find(one.application);
        if (known == applications.end())
            known = applications.emplace(one.application, application(db, one.application)).first;
        out.push_back({names[one.account], known->second, one.transport, one.seconds, std::move(one.streams)}
        );
    }
    return out;
}

}  // namespace

int list_streams(const Settings& settings) {
    auto config = settings.load().config;
    auto all = open_streams(config);
    CliContext cli(config, CliContext::Missing::refuse);
    auto listed = cli.read([&](db::Read& db) { return named(db, std::move(all)); });
    if (settings.json) return print_json(listed), 0;
    std::vector<std::vector<std::string>> rows{{"ACCOUNT", "APPLICATION", "BY", "SECONDS", "STREAMS"}};
    for (const auto& one : listed)
        rows.push_back(
            {one.account,
             one.application,
             one.transport,
             std::to_string(one.seconds),
             base::text::joined(one.streams)}
        );
    print_table(rows);
    return 0;
}

}  // namespace server
