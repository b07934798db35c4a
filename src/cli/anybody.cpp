// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/console.hpp"

#include "federating/federating.hpp"
#include "server/outside.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace server {

accounts::AccountId anybody(Console& console, const Config& config, const std::string& what) {
    auto known = console.read([&](db::Read& db) { return accounts::find_by_acct(db, what); });
    if (known && known->local()) return known->id;
    auto outside = server::outside(config);
    jobs::Sessions sessions;
    sessions.look = [&](const std::function<void(db::Read&)>& f) { console.read(f); };
    sessions.change = [&](const char*, const std::function<void(db::Write&)>& f) { console.write(f); };
    sessions.answer = [&](const base::Needs& needs) { return outside.answer(needs); };
    answer_from_elsewhere(outside, sessions);
    accounts::Resolve question{what};
    question.again = true;
    auto found = federation::resolve(sessions, question);
    if (!found.account) throw Refused("There is no account \"" + what + "\", or its server does not answer");
    return found.account;
}

}  // namespace server
