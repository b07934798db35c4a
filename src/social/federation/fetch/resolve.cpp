// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/fetch.hpp"

#include "ap/activity.hpp"
#include "ap/actor.hpp"
#include "ap/url.hpp"
#include "jobs/reactions.hpp"
#include "social/federation/fetch/read_actor.hpp"
#include "social/federation/fetch/read_status.hpp"
#include "social/instance/remote_file.hpp"
#include "social/statuses/core/gate.hpp"

namespace federation {

using accounts::Resolution, accounts::Resolve, accounts::Resolved;

namespace {

// How many accounts are fetched for one post, besides its author.
constexpr std::size_t most_asked_for = 10;

Resolution resolution_of(FetchOutcome outcome) {
    switch (outcome) {
        case FetchOutcome::found: return Resolution::found;
        case FetchOutcome::gone: return Resolution::gone;
        case FetchOutcome::missing:
        case FetchOutcome::refused: return Resolution::missing;
        case FetchOutcome::failed: break;
    }
    return Resolution::failed;
}

Resolved ended(FetchOutcome outcome) { return {resolution_of(outcome), {}, {}}; }

class Resolver {
public:
    Resolver(const jobs::Sessions& sessions, const Resolve& question)
        : sessions_(sessions), question_(question) {}

    Resolved resolve() {
        const auto& what = question_.what;
        if (!instance::is_elsewhere(what)) return by_handle();
        if (!question_.again)
            if (auto known = known_as(what)) return *known;
        auto verified = document(what);
        if (verified.outcome != FetchOutcome::found) return unavailable(what, verified.outcome);
        // The id of a Create resolves to its post.
        if (verified.document.node().is("Create")) {
            auto post = verified.document["object"].id();
            if (!ap::same_host(post, verified.id)) return ended(FetchOutcome::missing);
            if (auto known = known_as(post)) return *known;
            verified = document(post);
            if (verified.outcome != FetchOutcome::found) return ended(verified.outcome);
        }
        if (!question_.again)
            if (auto known = known_as(verified.id)) return *known;
        if (ap::kind_of(verified.document.node()) != ap::Kind::actor) return status(verified);
        return question_.author.empty() ? actor(verified) : ended(FetchOutcome::refused);
    }

private:
    VerifiedDocument document(const std::string& url) {
        return sessions_.ask([&](const base::Ask& ask, db::Read& db) {
            return fetch(ask, db, url, question_.reader, question_.depth == 0);
        });
    }

    std::optional<Resolved> known_as(const std::string& uri) {
        std::optional<Resolved> out;
        sessions_.look([&](db::Read& db) {
            auto account = accounts::find_by_uri(db, uri);
            if (account && !accounts::is_gone(db, *account)) out = {Resolution::found, *account, {}};
            else if (auto status = statuses::find_by_uri(db, uri)) out = {Resolution::found, {}, *status};
        });
        return out;
    }

    Resolved by_handle() {
        auto found = sessions_.ask([&](const base::Ask& ask, db::Read& db) {
            return find_handle(ask, db, question_.what);
        });
        if (found.outcome != FetchOutcome::found) return ended(found.outcome);
        return person(found.actor, question_.again);
    }

    Resolved person(const std::string& uri, bool again) {
        if (!again)
            if (auto known = known_as(uri); known && known->account) return *known;
        bool counts = question_.depth == 0;
        auto found = sessions_.ask([&](const base::Ask& ask, db::Read& db) {
            return find_actor(ask, db, uri, counts);
        });
        if (found.outcome != FetchOutcome::found) return unavailable(uri, found.outcome);
        return keep(*found.record);
    }

    Resolved actor(const VerifiedDocument& verified) {
        auto found = sessions_.ask([&](const base::Ask& ask, db::Read& db) {
            return read_actor(ask, db, verified, question_.depth == 0);
        });
        if (found.outcome != FetchOutcome::found) return ended(found.outcome);
        return keep(*found.record);
    }

    Resolved keep(const ActorRecord& record) {
        Resolved out;
        try {
            sessions_.change("store_actor", [&](db::Write& db) {
                out = {Resolution::found, store_actor(db, record, question_.depth), {}};
            });
        } catch (const base::Invalid&) {
            return ended(FetchOutcome::refused);  // not fit to be stored
        } catch (const base::Forbidden&) {
            return ended(FetchOutcome::refused);  // of a blocked domain
        }
        return out;
    }

    // 410 for an actor deletes it, 404 and 410 for a status delete that; other outcomes change nothing.
    Resolved unavailable(const std::string& uri, FetchOutcome outcome) {
        bool over = outcome == FetchOutcome::gone || outcome == FetchOutcome::missing;
        // Something that was not known when it was requested may have been received meanwhile.
        if (!over || !question_.again || question_.reader) return ended(outcome);
        sessions_.change("forget_vanished", [&](db::Write& db) {
            auto account = accounts::find_by_uri(db, uri);
            if (account && outcome == FetchOutcome::gone && stored_actor(db, *account))
                accounts::delete_remote(db, *account);
            // A restricted status may still be visible to another signer, so only public ones are deleted.
            if (auto status = statuses::find_by_uri(db, uri)) statuses::remove_vanished(db, *status);
        });
        return ended(outcome);
    }

    Resolved status(const VerifiedDocument& verified) {
        std::optional<ap::Object> object;
        sessions_.look([&](db::Read& db) {
            auto read = ap::read_object(verified.document, db.now());
            if (read && read->id == verified.id && is_status(*read)) object = std::move(*read);
        });
        if (!object || !ap::same_host(object->attributed_to, object->id)) return ended(FetchOutcome::refused);
        if (!question_.author.empty() && object->attributed_to != question_.author)
            return ended(FetchOutcome::refused);
        auto author = person(object->attributed_to, false);
        if (!author.account) return {author.resolution, {}, {}};
        std::vector<std::string> mentions;
        auto most = question_.depth == 0 ? most_asked_for : 0;
        sessions_.look([&](db::Read& db) { mentions = unknown_mentions(db, *object, most); });
        for (const auto& mention : mentions) person(mention, false);
        return keep(*object, author.account);
    }

    Resolved keep(const ap::Object& object, AccountId author) {
        Resolved out = ended(FetchOutcome::refused);
        std::shared_ptr<const statuses::Verdict> verdict;
        sessions_.look([&](db::Read& db) {
            if (!statuses::may_be_judged(db)) return;
            auto status = status_of(db, object, author, {}, {});
            statuses::judge(db, status);
            verdict = status.verdict;
        });
        try {
            sessions_.change("store_remote", [&](db::Write& db) {
                auto status = status_of(db, object, author, {}, {});
                status.depth = question_.depth;
                status.verdict = verdict;
                statuses::obey(status);
                if (auto known = statuses::find_by_uri(db, object.id)) {
                    statuses::edit_remote(db, status);
                    out = {Resolution::found, {}, *known};
                } else if (auto made = statuses::store_remote(db, status)) {
                    out = {Resolution::found, {}, made->id};
                }
            });
        } catch (const base::Invalid&) {
            return ended(FetchOutcome::refused);  // not fit to be stored
        }
        return out;
    }

    const jobs::Sessions& sessions_;
    const Resolve& question_;
};

}  // namespace

namespace {

// Turns all requests to other servers into bulk requests.
std::any answer_in_bulk(const jobs::Sessions& sessions, const base::Needs& needs) {
    auto question = needs.question;
    auto* get = std::any_cast<Get>(&question);
    auto* fetch = std::any_cast<base::Fetch>(&question);
    if (get) get->bulk = true;
    if (fetch) fetch->bulk = true;
    auto answer = sessions.answer({needs.key, needs.type, std::move(question)});
    if (auto* fetched = std::any_cast<base::Fetched>(&answer)) reschedule_when_busy(*fetched);
    return answer;
}

}  // namespace

accounts::Resolved resolve(const jobs::Sessions& sessions, const Resolve& question) {
    if (question.depth > accounts::deepest) return ended(FetchOutcome::refused);
    if (!question.bulk) {
        std::int64_t busy_for = 0;
        auto noting = sessions;
        noting.answer = [&](const base::Needs& needs) {
            auto answer = sessions.answer(needs);
            if (auto* fetched = std::any_cast<base::Fetched>(&answer))
                if (fetched->failure == base::FetchFailure::busy)
                    busy_for = busy_seconds(fetched->retry_after);
            return answer;
        };
        auto resolved = Resolver(noting, question).resolve();
        if (resolved.resolution == Resolution::failed) resolved.busy_for = busy_for;
        return resolved;
    }
    auto in_bulk = sessions;
    in_bulk.answer = [&sessions](const base::Needs& needs) { return answer_in_bulk(sessions, needs); };
    try {
        return Resolver(in_bulk, question).resolve();
    } catch (const jobs::Reschedule& pause) {
        return {Resolution::failed, {}, {}, pause.seconds};
    }
}

}  // namespace federation
