// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/oauth/token.hpp"

namespace server {

namespace {

struct Made {
    std::string access_token, scope;
};
DESCRIBE(Made, access_token, scope)

}  // namespace

int create_token(const Settings& settings, const NewToken& given) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto name = given.name.starts_with('@') ? given.name.substr(1) : given.name;
    auto token = cli.write([&](db::Write& db) { return oauth::create_token(db, name, given.scopes); });
    if (settings.json) print_json(Made{token, given.scopes});
    else print(token);
    return 0;
}

}  // namespace server
