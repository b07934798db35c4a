// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/remote/thread_wanted.hpp"
#include "social/statuses/render/rendered_status.hpp"

#include <charconv>

namespace statuses {
namespace {

using http::Viewer;

base::json::Raw shown(db::Read& db, const Audience& viewer, const VisibilityFacts& status) {
    auto found = rendered_statuses(db, {{status.id, status.version}});
    auto rendered = found.find(status.id);
    if (rendered == found.end() || !rendered->second->poll) throw base::NoSuchStatus();
    std::string out;
    append_poll(
        out,
        status.id,
        *rendered->second->poll,
        viewer,
        viewer.anonymous() ? std::vector<OwnVote>() : votes_of(db, viewer.viewer, {status.id})
    );
    return {out};
}

base::json::Raw show(const base::Ask& ask, db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    auto viewer = audience(db, me);
    auto status = visible_facts(db, viewer, path.id);
    if (me)
        if (auto uri = stale_poll(db, path.id)) ask(accounts::Resolve{*uri, {}, true, 1});
    return shown(db, viewer, status);
}

// After a change no external service can be asked.
base::json::Raw show_known(db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    auto viewer = audience(db, me);
    return shown(db, viewer, visible_facts(db, viewer, path.id));
}

struct Form {
    StatusId id;
    std::vector<std::string> choices;
};
DESCRIBE(Form, id, choices)

// Text that is not a number is an invalid option.
std::int64_t choice(const std::string& text) {
    std::int64_t out = -1;
    auto end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, out);
    return stop == end && error == std::errc() ? out : -1;
}

StatusId cast(db::Write& db, const Viewer& me, const Form& form) {
    std::vector<std::int64_t> choices;
    for (const auto& text : form.choices) choices.push_back(choice(text));
    vote(db, me.account, form.id, choices);
    return form.id;
}

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<show>              ("/api/v1/polls/:id",       "read:statuses").answering("Poll").cached(Caching::if_anonymous),
    http::post<cast, show_known> ("/api/v1/polls/:id/votes", "write:statuses").answering("Poll"),
};
// clang-format on

}  // namespace

std::span<const http::Route> poll_routes() { return table; }

}  // namespace statuses
