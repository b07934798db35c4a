// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of the server: what it serves, what reacts to what, what happens by the clock. Each is a source of its own
// beside this header.
#pragma once
#include "base/ask.hpp"
#include "base/schema.hpp"
#include "http/route.hpp"
#include "jobs/reactions.hpp"
#include "jobs/runner.hpp"
#include "social/accounts/private_rows.hpp"
#include "social/federation/inbox/inbox.hpp"
#include "social/notifications/attachment.hpp"
#include "social/statuses/core/gate.hpp"

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace server {

// What notifications carry besides a status, by their type.
std::span<const notifications::Attachment> attachments();

// Who judges posts before they are stored.
statuses::Gate gate();

// Entities that no route returns as a struct, since they are put together from parts: how OpenAPI describes each.
std::span<const base::json::Describe> entities();

// What is done about activities of other servers, by their type and the type of their object.
federation::Handlers inbox();

// What a deleted account loses besides what its posts and its ties bring with them: a table in the order in which rows
// go. Parts stand before the whole.
std::span<const accounts::PrivateRows> private_rows();

void continue_forgetting_rows(db::Write&, const accounts::PrivateRowsContinued&);  // reaction

// Who reacts to which event, and what happens by the clock: two tables. The reactions to one event run in the
// order of their lines.
std::vector<jobs::Reaction> reactions();
std::vector<jobs::Periodic> periodic();

// The whole API on one screen: one line for each slice.
std::vector<std::span<const http::Route>> routes();
std::vector<const http::Route*> sorted_routes();  // by path and method

// What is done on a full disk: forms that are posted, and the names of jobs and of periodic work.
std::unordered_set<const http::Route*> routes_making_room();
std::vector<std::string> work_making_room();

// Which threads answer a question when a request asks it.
// `keys`: few that fetch keys of strangers, so that who sends nonsense in the name of slow servers does not take those that
// people wait for. `files`: those that compute; where a bucket keeps files, threads that may wait for it.
enum class Pool { compute, files, fetch, keys, encode };
struct Question {
    std::type_index type;
    Pool pool;
};
std::span<const Question> questions();
// Sentences about questions that are asked somewhere and have no pool or no answer: a mistake in the program.
std::vector<std::string> unanswered(const base::ExternalServices&, std::span<const Question>);

}  // namespace server
