// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/reactions.hpp"

namespace jobs {

const db::Command insert_job{
    "insert_job",
    "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES ($1, $2, $3, $4, $4) ON CONFLICT (id) "
    "DO NOTHING"
};

namespace {

// FNV-1a; the result is far below time-ordered ids.
base::JobId only_id(std::string_view name) {
    std::uint32_t hash = 2166136261U;
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return {std::int64_t{hash}};
}

}  // namespace

std::vector<Reaction> joined(std::initializer_list<std::vector<Reaction>> events) {
    std::vector<Reaction> all;
    for (const auto& reactions : events) all.insert(all.end(), reactions.begin(), reactions.end());
    return all;
}

Reactions::Reactions(std::vector<Reaction> table) : table_(std::move(table)) {
    for (const auto& reaction : table_) by_event_[reaction.event].push_back(&reaction);
}

void Reactions::emitted(db::Write& db, std::type_index type, const void* event) {
    auto found = by_event_.find(type);
    if (found == by_event_.end()) return;
    bool queued = false;
    for (const auto* one : found->second) {
        const Reaction& reaction = *one;
        if (reaction.now) {
            reaction.now(db, event);
            continue;
        }
        auto id = reaction.coalesced ? only_id(reaction.name) : db.new_id<base::JobId>();
        auto rows = db.run(insert_job, id, reaction.name, reaction.payload(event), db.now());
        if (!reaction.coalesced || rows != 0) queued = true;
    }
    if (queued) db.announce({std::string(wake_channel), {}, {}});
}

const Reaction* Reactions::by_name(std::string_view name) const {
    for (const auto& reaction : table_)
        if (reaction.payload && reaction.name == name) return &reaction;
    return nullptr;
}

std::vector<std::string> Reactions::asking() const {
    std::vector<std::string> names;
    for (const auto& reaction : table_)
        if (reaction.outside) names.emplace_back(reaction.name);
    return names;
}

}  // namespace jobs
