// SPDX-License-Identifier: AGPL-3.0-or-later
// The server's tables: what it serves, which reactions follow which event, what is done periodically. Each
// has a source file beside this header.
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

// What notifications contain besides a status, by type.
std::span<const notifications::Attachment> attachments();

// The functions that judge posts before they are stored.
statuses::Gate gate();

// Entities that no route returns as a struct because they are assembled from parts, with their OpenAPI
// descriptions.
std::span<const base::json::Describe> entities();

// The handlers of incoming activities, by their type and the type of their object.
federation::Handlers inbox();

// The rows that a deleted account loses, other than those of its posts and relationships: a table in order of
// deletion. Parts come before the whole.
std::span<const accounts::PrivateRows> private_rows();

void continue_forgetting_rows(db::Write&, const accounts::PrivateRowsContinued&);  // reaction

// Two tables: the reactions to events, and the periodic work. The reactions to one event run in the order of
// their lines.
std::vector<jobs::Reaction> reactions();
std::vector<jobs::Periodic> periodic();

// The whole API: one line for each subject.
std::vector<std::span<const http::Route>> routes();
std::vector<const http::Route*> sorted_routes();  // by path and method

// What is done even on a full disk: posted forms, and the names of jobs and periodic work.
std::unordered_set<const http::Route*> routes_making_room();
std::vector<std::string> work_making_room();

// The threads that answer each type of question of a request.
// `keys`: few threads that fetch signature keys, so that forged requests naming slow servers do not occupy
// the threads that people wait for. `files`: the compute threads; if files are in a bucket, threads that may
// wait for it.
enum class Pool { compute, files, fetch, keys, encode };
struct Question {
    std::type_index type;
    Pool pool;
};
std::span<const Question> questions();
// Sentences about types of questions that are used but have no pool or no answer, which is a bug.
std::vector<std::string> unanswered(const base::ExternalServices&, std::span<const Question>);

}  // namespace server
