// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/remote_resolvers.hpp"

#include "base/crypto.hpp"
#include "base/fetch.hpp"
#include "federating/signed_fetcher.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/fetch/read_collection.hpp"
#include "social/federation/fetch/thread_jobs.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/media/copy.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/media/remote.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/remote/thread_wanted.hpp"

#include <fstream>
#include <memory>
#include <mutex>

namespace server {

namespace fs = std::filesystem;

namespace {

// One at a time, so that concurrent requests for the same key create only one.
class OwnKeys {
public:
    explicit OwnKeys(jobs::Sessions sessions) : sessions_(std::move(sessions)) {}

    bool operator()(const federation::OwnKeyMissing& asked) const {
        std::lock_guard lock(*one_);
        bool there = false;
        sessions_.look([&](db::Read& db) { there = federation::has_key(db, asked.account); });
        if (there) return true;
        federation::NewKeyPair question{asked.account};
        auto pair = std::any_cast<federation::KeyPair>(sessions_.answer({{}, typeid(question), question}));
        sessions_.change("keep_own_key", [&](db::Write& db) {
            federation::keep_key(db, asked.account, pair);
        });
        return true;
    }

private:
    jobs::Sessions sessions_;
    std::shared_ptr<std::mutex> one_ = std::make_shared<std::mutex>();
};

}  // namespace

void register_remote_resolvers(base::ExternalServices& services, const jobs::Sessions& sessions) {
    services.answers<federation::Get>(SignedFetcher(sessions));
    services.answers<federation::GetKey>([fetcher = SignedFetcher(sessions)](const auto& asked) {
        return fetcher(asked.get);
    });
    services.answers<federation::OwnKeyMissing>(OwnKeys(sessions));
    services.answers<accounts::Resolve>([sessions](const accounts::Resolve& asked) {
        return federation::resolve(sessions, asked);
    });
    services.answers<statuses::LookForReplies>([sessions](const statuses::LookForReplies& asked) {
        std::string header;
        sessions.change("want_replies", [&](db::Write& db) {
            federation::want_replies(db, asked.status);
            auto refresh = instance::find_refresh(db, federation::refresh_key(asked.status));
            bool running = refresh && refresh->status == instance::RefreshStatus::running;
            header = running ? instance::refresh_header(*refresh, 3) : "";
        });
        return header;
    });
    services.answers<collections::LookAtCollections>([sessions](const collections::LookAtCollections& asked) {
        bool first = false;
        sessions.change("want_collections", [&](db::Write& db) {
            first = federation::want_collections(db, asked);
        });
        if (!first) return false;
        auto change = sessions.ask([&](const base::Ask& ask, db::Read& db) {
            return federation::read_collections_now(ask, db, asked.owner);
        });
        if (change) sessions.change("keep_collections", change);
        return true;
    });
}

media::Copy keep_copy(db::Write& db, const media::MakeCopy& asked, const MadeCopy& made) {
    media::Copy copy;
    if (const auto& picture = made.picture) {
        // Animations have become videos, which cannot be used in place of a picture.
        copy.file = picture->type == media::Type::image ? picture->file : picture->preview;
        copy.small = picture->preview;
    }
    media::keep_copy(db, asked.url, copy, made.bytes);
    if (copy.file.empty()) return copy;
    media::tell_whose(db, copy.file, {asked.account, {}, asked.status});
    if (asked.status.value && media::complete_remote(db, asked.status, asked.url, *made.picture))
        statuses::touch(db, asked.status);
    return copy;
}

namespace {

class Copies {
public:
    Copies(jobs::Sessions sessions, media::Store store, fs::path spool)
        : sessions_(std::move(sessions)), store_(std::move(store)), spool_(std::move(spool)) {}

    media::Copy operator()(const media::MakeCopy& asked) const {
        std::optional<media::Copy> known;
        sessions_.look([&](db::Read& db) { known = media::find_copy(db, asked.url); });
        if (known && !known->file.empty()) {
            sessions_.change("note_copy_used", [&](db::Write& db) { media::note_copy_used(db, asked.url); });
            return *known;
        }
        const auto copy = made(asked.url);
        media::Copy kept;
        sessions_.change("keep_copy", [&](db::Write& db) { kept = keep_copy(db, asked, copy); });
        return kept;
    }

private:
    MadeCopy made(const std::string& url) const {
        base::Fetch question;
        question.url = url;
        question.headers = {{"Accept", "image/*"}};
        question.plain_http = true;
        question.most_bytes = 16 << 20;
        question.seconds = 20;
        question.per_minute = 240;
        auto fetched = std::any_cast<base::Fetched>(sessions_.answer({{}, typeid(base::Fetch), question}));
        if (!fetched.ok() || fetched.body.empty()) return {};
        auto file = spool_ / ("copy-" + base::hex(base::random_bytes(16)));
        auto size = static_cast<std::int64_t>(fetched.body.size());
        std::ofstream(file, std::ios::binary) << fetched.body;
        auto processed = store_.process({file.string(), media::Kind::attachment, {}});
        std::error_code ignored;
        fs::remove(file, ignored);
        auto* stored = std::get_if<media::Stored>(&processed);
        if (!stored) return {};
        return {std::move(*stored), 2 * size};
    }

    jobs::Sessions sessions_;
    media::Store store_;
    fs::path spool_;
};

}  // namespace

void register_copy_resolver(
    base::ExternalServices& services, const jobs::Sessions& sessions, media::Store store, fs::path spool
) {
    services.answers<media::MakeCopy>(Copies(sessions, std::move(store), std::move(spool)));
}

}  // namespace server
