// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"

#include "federating/remote_resolvers.hpp"
#include "server/external_services.hpp"
#include "server/media/places.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace server {

accounts::AccountId resolve_account(CliContext& cli, const Config& config, const std::string& what) {
    auto known = cli.read([&](db::Read& db) { return accounts::find_by_acct(db, what); });
    if (known && known->local()) return known->id;
    auto services = server::external_services(config, media_places(config).store);
    auto asking = sessions(cli);
    asking.answer = [&](const base::Needs& needs) { return services.answer(needs); };
    register_remote_resolvers(services, asking);
    accounts::Resolve question{what};
    question.again = true;
    auto found = federation::resolve(asking, question);
    if (!found.account) throw Refused("There is no account \"" + what + "\", or its server does not answer");
    return found.account;
}

}  // namespace server
