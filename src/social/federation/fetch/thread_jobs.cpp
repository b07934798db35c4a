// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/thread_jobs.hpp"

#include "ap/activity.hpp"
#include "ap/collection.hpp"
#include "ap/url.hpp"
#include "base/crypto.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/statuses/remote/thread_wanted.hpp"

#include <algorithm>
#include <cstring>

namespace federation {

using accounts::Resolution, accounts::Resolve;
using base::StatusId;

namespace {

constexpr std::size_t most_of_one = 500;  // replies taken from one collection
constexpr int most_posts = 1000, most_pages = 500;
// Reading a thread stops after this many failed requests.
constexpr int most_failures = 20;
// Replies to the thread are wanted; the parents of those replies are known already or left out.
constexpr int depth_of_replies = accounts::deepest - 2;

std::int64_t mark(std::string_view address) {
    auto hash = base::sha256(address);
    std::int64_t out = 0;
    std::memcpy(&out, hash.data(), sizeof out);
    return out;
}

class Reading {
public:
    Reading(const base::Ask& ask, db::Read& db, const ThreadContinued& left)
        : left(left), ask_(ask), db_(db) {}

    bool more() const {
        if (left.asked >= most_posts || left.failed >= most_failures) return false;
        return !left.posts.empty() || (!left.collections.empty() && left.pages < most_pages);
    }

    // Posts come before further pages, as somebody waits for them. Never both in one run: which items of a
    // page are new depends on what is stored, which must not change while the questions are asked again.
    void some() {
        constexpr std::size_t posts_at_once = base::max_rounds - 1;
        constexpr int pages_at_once = posts_at_once / 2;  // a page may take a second request, for its id
        if (auto posts = std::min(left.posts.size(), posts_at_once); posts > 0) {
            bool going = true;
            for (std::size_t i = 0; going && i < posts && more(); ++i)
                going = step(i == 0, &Reading::next_post);
            return;
        }
        bool going = true;
        for (int i = 0; going && i < pages_at_once && left.posts.empty() && more(); ++i)
            going = step(i == 0, &Reading::next_page);
    }

    void add_collection(const std::string& id, std::string_view of) {
        if (ap::same_host(id, of) && first_met(id)) left.collections.push_back({id, id, 0});
    }

    void add_replies(const statuses::RemoteFacts& facts) {
        if (facts.replies.empty()) return;
        add_collection(facts.replies, facts.uri);
        if (!facts.replies_page.empty()) add_collection(facts.replies + facts.replies_page, facts.uri);
    }

    ThreadContinued left;
    std::int64_t found = 0;

private:
    // False: a host was asked often enough for now. What was read before that is kept, or it would be
    // requested again.
    bool step(bool first, void (Reading::*next)()) {
        auto before = left;
        try {
            (this->*next)();
            return true;
        } catch (const jobs::Reschedule&) {
            if (first) throw;
            left = std::move(before);
            return false;
        }
    }

    bool first_met(std::string_view address) {
        auto m = mark(address);
        if (std::ranges::find(left.met, m) != left.met.end()) return false;
        left.met.push_back(m);
        return true;
    }

    void add_answers_to(StatusId post) {
        if (auto facts = statuses::remote_facts(db_, post)) add_replies(*facts);
    }

    void next_post() {
        auto uri = left.posts.front();
        left.posts.erase(left.posts.begin());
        ++left.asked;
        const auto& answer = ask_(Resolve{uri, {}, false, depth_of_replies, true});
        if (answer.busy_for > 0) throw jobs::Reschedule(answer.busy_for);
        if (answer.resolution == Resolution::failed) ++left.failed;
        if (!answer.status) return;
        ++found;
        add_answers_to(answer.status);
    }

    void next_page() {
        auto at = left.collections.front();
        left.collections.erase(left.collections.begin());
        ++left.pages;
        auto page = fetch_bulk(ask_, db_, at.next);
        if (page.outcome == FetchOutcome::failed) ++left.failed;
        if (page.outcome != FetchOutcome::found) return;
        auto read = ap::read_collection(page.document);
        if (!read) return;
        for (const auto& item : read->items) {
            if (at.items == most_of_one) return;
            auto post = ap::post_meant(item);
            if (post.empty() || !first_met(post)) continue;
            ++at.items;
            if (auto known = statuses::find_by_uri(db_, post)) add_answers_to(*known);
            else if (may_ask(db_, post)) left.posts.push_back(std::move(post));
        }
        at.next = ap::next_page(*read, at.collection);
        // A page that was seen before ends the collection.
        if (!at.next.empty() && first_met(at.next)) left.collections.insert(left.collections.begin(), at);
    }

    const base::Ask& ask_;
    db::Read& db_;
};

}  // namespace

std::string refresh_key(StatusId id) { return "replies of " + std::to_string(id.value); }

void want_replies(db::Write& db, StatusId id) {
    if (!statuses::replies_due(db, id)) return;
    statuses::doubt_old_authorization(db, id);
    statuses::note_replies_read(db, id);
    auto facts = statuses::remote_facts(db, id);
    if (!facts || !instance::begin_refresh(db, refresh_key(id))) return;
    const base::Ask nobody;
    Reading reading(nobody, db, {id, {}, {}, {}});
    // The conversation's collection, if its server has one, contains what the replies lead to, and more.
    reading.add_collection(facts->context, facts->uri);
    reading.add_replies(*facts);
    db.emit(reading.left);
}

jobs::Change read_thread(const base::Ask& ask, db::Read& db, const ThreadContinued& e) {
    Reading reading(ask, db, e);
    reading.some();
    return [left = reading.left, found = reading.found, more = reading.more()](db::Write& write) {
        auto key = refresh_key(left.status);
        instance::count_results(write, key, found);
        if (more) write.emit(left);
        else instance::finish_refresh(write, key);
    };
}

}  // namespace federation
