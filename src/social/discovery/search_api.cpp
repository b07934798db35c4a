// SPDX-License-Identifier: AGPL-3.0-or-later
// GET /api/v2/search: accounts, statuses and hashtags.
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/accounts/search.hpp"
#include "social/collections/collection_entity.hpp"
#include "social/collections/remote.hpp"
#include "social/discovery/search.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/tags/tag_entity.hpp"

namespace discovery {
namespace {

using http::Viewer;
using statuses::Audience;

BOOST_DEFINE_ENUM_CLASS(Type, accounts, hashtags, statuses)

struct Form {
    http::Param<std::string> q;
    std::optional<Type> type;
    bool resolve = false, following = false, exclude_unreviewed = false;
    std::optional<AccountId> account_id;
    std::optional<std::int64_t> max_id, min_id;
    std::int64_t limit = 20, offset = 0;
};
DESCRIBE(Form, q, type, resolve, following, exclude_unreviewed, account_id, max_id, min_id, limit, offset)

struct Found {
    static constexpr std::string_view entity = "Search";

    base::json::Raw accounts{"[]"}, statuses{"[]"};
    std::vector<tags::TagEntity> hashtags;
    base::json::Raw collections{"[]"};
};
DESCRIBE(Found, accounts, statuses, hashtags, collections)

constexpr std::int64_t most = 40, farthest = 10'000;

void refuse(const std::optional<Viewer>& me, const Form& form) {
    if (form.limit < 0 || form.offset < 0)
        throw base::BadRequest("Pagination values for `offset` and `limit` must be positive");
    if (me) return;
    if (form.resolve)
        throw base::Unauthorized(
            "Search queries that resolve remote resources are not supported without authentication"
        );
    if (form.offset > 0)
        throw base::Unauthorized("Search queries pagination is not supported without authentication");
}

class Request {
public:
    Request(const base::Ask& ask, db::Read& db, const std::optional<Viewer>& me, const Form& form)
        : ask_(ask),
          db_(db),
          me_(me),
          form_(form),
          q_(*form.q),
          limit_(static_cast<int>(std::min(form.limit, most))),
          offset_(form.type ? static_cast<int>(std::min(form.offset, farthest)) : 0) {
        while (q_.starts_with(' ')) q_.erase(0, 1);
        while (q_.ends_with(' ')) q_.pop_back();
    }

    Found answer() const {
        // The author that the search is limited to must exist, whatever else is searched.
        if (form_.account_id) accounts::account(db_, *form_.account_id);
        if (form_.resolve && (q_.starts_with("https://") || q_.starts_with("http://"))) return resolved();
        Found found;
        if (form_.resolve && wants(Type::accounts) && offset_ == 0) meet();
        bool at = q_.find('@') != q_.npos, spaced = q_.find(' ') != q_.npos;
        if (wants(Type::accounts) && !q_.starts_with('#') && !(at && spaced)) find_accounts(found);
        if (wants(Type::statuses) && me_) find_statuses(found);
        if (wants(Type::hashtags) && !at) find_hashtags(found);
        return found;
    }

private:
    bool wants(Type type) const { return !form_.type || *form_.type == type; }
    Audience audience() const { return statuses::audience(db_, me_->account, me_->relations_version); }

    // A remote handle: its account is stored by this, and then found like any other.
    void meet() const {
        if (!accounts::is_handle_elsewhere(db_.site(), q_)) return;
        auto known = accounts::find_by_acct(db_, q_);
        if (!known || accounts::is_stale(db_, known->id)) ask_(accounts::Resolve{q_, {}, known.has_value()});
    }

    // The object of an address: local, known, or fetched now.
    Resolved resolved_id() const {
        auto here = resolve_local(db_, q_);
        if (here.account || here.status || here.collection) return here;
        if (auto account = accounts::find_by_uri(db_, q_); account && !accounts::is_gone(db_, *account))
            return {*account, {}, {}};
        if (auto status = statuses::find_by_uri(db_, q_)) return {{}, *status, {}};
        if (auto collection = collections::find_by_uri(db_, q_)) return {{}, {}, *collection};
        const auto& answer = ask_(accounts::Resolve{q_});
        // A restricted post may be available to an account that its author knows.
        if (answer.resolution == accounts::Resolution::missing &&
            federation::follows_somebody_at(db_, me_->account, q_)) {
            const auto& own = ask_(accounts::Resolve{q_, me_->account});
            return {own.account, own.status, {}};
        }
        return {answer.account, answer.status, {}};
    }

    Found resolved() const {
        Found found;
        auto here = resolved_id();
        if (here.account && wants(Type::accounts))
            found.accounts.text = accounts::render_list(db_, {here.account}, true);
        if (here.collection && !form_.type) add_collection(found, here.collection);
        if (!here.status || !wants(Type::statuses)) return found;
        auto viewer = audience();
        auto facts = statuses::visibility_facts(db_, viewer, {here.status});
        std::erase_if(facts, [&](const auto& f) { return !statuses::visible(f, viewer); });
        found.statuses.text = statuses::json_list(db_, viewer, facts);
        return found;
    }

    void add_collection(Found& found, collections::CollectionId id) const {
        const auto viewer = audience();
        auto shown = collections::collections(db_, {id});
        std::erase_if(shown, [&](const auto& one) {
            return viewer.relations->blocked_by.contains(one.account_id);
        });
        found.collections.text = base::json::to_string(collections::entities(db_, viewer, shown));
    }

    void find_accounts(Found& found) const {
        accounts::Search asked{q_, limit_, offset_, form_.following && me_};
        // Without login, a short query finds only the account with exactly this name.
        asked.exact = !me_ && q_.size() < 3;
        auto ids = accounts::search(db_, me_ ? me_->account : AccountId{}, asked);
        found.accounts.text = accounts::render_list(db_, ids, me_.has_value());
    }

    void find_statuses(Found& found) const {
        auto query = parse_query(db_, me_->account, q_);
        if (query.blank()) return;
        if (form_.account_id) query.every.push_back({{mark::by(*form_.account_id)}, false});
        base::Range page;
        page.limit = limit_;
        if (form_.max_id) page.below = *form_.max_id;
        if (form_.min_id) page.above = *form_.min_id;
        auto viewer = audience();
        auto facts = discovery::find_statuses(db_, viewer, query, page, offset_);
        found.statuses.text = statuses::json_list(db_, viewer, facts);
    }

    void find_hashtags(Found& found) const {
        auto matching = find_tags(db_, {q_, limit_, offset_, !me_, form_.exclude_unreviewed});
        found.hashtags = tags::entities(db_, matching, me_ ? me_->account : AccountId{});
    }

    const base::Ask& ask_;
    db::Read& db_;
    const std::optional<Viewer>& me_;
    const Form& form_;
    std::string q_;
    int limit_, offset_;
};

Found search(const base::Ask& ask, db::Read& db, const std::optional<Viewer>& me, const Form& form) {
    refuse(me, form);
    return Request(ask, db, me, form).answer();
}

// clang-format off
constexpr http::Route table[] = {
    http::get<search>("/api/v2/search", "read:search"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace discovery
