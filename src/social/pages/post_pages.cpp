// SPDX-License-Identifier: AGPL-3.0-or-later
// A post with the thread around it, and a post alone as other sites embed it.
#include "http/route.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/pages/open_graph.hpp"
#include "social/pages/page.hpp"
#include "social/pages/profile.hpp"
#include "social/statuses/core/context.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <charconv>

namespace pages {
namespace {

using http::Request;
using instance::View;

struct Found {
    accounts::Account account;
    statuses::VisibilityFacts facts;
    Shown shown;
};

Found find(db::Read& db, const Request& request) {
    auto asked = federation::asked_of_active(db, request);
    auto facts = statuses::visible_facts(db, statuses::nobody(db), asked.what.status());
    if (facts.account_id != asked.account.id) throw base::NoSuchStatus();
    auto shown = shown_to_all(db, {facts});
    if (shown.empty()) throw base::NoSuchStatus();
    return {std::move(asked.account), facts, std::move(shown[0])};
}

std::string title_of_post(const accounts::Account& account) { return "A post of " + name_of(account); }

struct PostForm {
    std::string username, status;
};
DESCRIBE(PostForm, username, status)

// Of somebody of another server.
http::Response post_elsewhere(db::Read& db, const Request& request, const PostForm& form) {
    auto author = accounts::find_by_acct(db, form.username);
    base::StatusId id;
    std::from_chars(form.status.data(), form.status.data() + form.status.size(), id.value);
    auto facts = statuses::visible_facts(db, statuses::nobody(db), id);
    if (!author || facts.account_id != author->id) throw base::NoSuchStatus();
    auto shown = shown_to_all(db, {facts}).at(0);
    return author->local() ? federation::page_at(shown.address(), 302)
                           : elsewhere(db, request, *author, shown.address());
}

http::Response post(const base::Ask& ask, db::Read& db, const Request& request, const PostForm& form) {
    if (federation::wants_activity(request)) return federation::status_activity(ask, db, request);
    if (form.username.find('@') != form.username.npos) return post_elsewhere(db, request, form);
    if (auto moved = federation::from_former_page(db, request)) return *std::move(moved);
    const auto& site = db.site();
    auto [account, facts, shown] = find(db, request);
    if (facts.is_reblog()) {
        auto original =
            shown_to_all(db, {statuses::visible_facts(db, statuses::nobody(db), facts.original_id)});
        return federation::page_at(original.at(0).address(), 302);
    }
    View view;
    auto thread = statuses::thread(db, statuses::nobody(db), facts.id);
    for (const auto& before : shown_to_all(db, thread.ancestors)) add_post(view, before, site);
    bool alone = thread.ancestors.empty() && thread.descendants.empty();
    add_post(view, shown, site, 0, !alone);
    auto answers = shown_to_all(db, thread.descendants);
    auto depths = depths_of(answers, shown);
    for (std::size_t i = 0; i < answers.size(); ++i) add_post(view, answers[i], site, depths[i]);
    view.add("ANSWER").set("URI", shown.uri);
    add_indexing(db, view, account);
    add_open_graph(view, site, graph_of(site, account, shown));
    return html(
        db,
        request,
        {.name = "post", .title = title_of_post(account), .id = shown.uri, .said = true},
        std::move(view)
    );
}

http::Response embed(db::Read& db, const Request& request, const PostForm& form) {
    Request asked;
    asked.target = "/@" + form.username + "/" + form.status;
    auto [account, facts, shown] = find(db, asked);
    if (facts.is_reblog()) throw base::NoSuchStatus();
    View view;
    add_post(view, shown, db.site());
    view.add("UNLISTED");
    return html(
        db,
        request,
        {.name = "post", .title = title_of_post(account), .embedded = true, .said = true},
        std::move(view)
    );
}

// clang-format off
constexpr http::Route table[] = {
    http::get<post> ("/@:username/:status"),
    http::get<embed>("/@:username/:status/embed"),
    http::get<embed>("/users/:username/statuses/:status/embed"),
};
// clang-format on

}  // namespace

std::span<const http::Route> post_routes() { return table; }

}  // namespace pages
