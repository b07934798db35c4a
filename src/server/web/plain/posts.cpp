// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts on these pages: like on public pages, plus the actions available to the reader.
#include "http/body/urlencoded.hpp"
#include "server/web/plain/reading.hpp"

#include <algorithm>

namespace server::plain {

namespace {

using instance::View;
using pages::Shown;

struct Boost {
    std::optional<Shown> reblog;
};
DESCRIBE(Boost, reblog)

std::string encoded_acct(const pages::ShownAuthor& author) {
    auto at = author.acct.find('@');
    auto name = http::percent_encoded(author.acct.substr(0, at));
    return at == author.acct.npos ? name : name + "@" + http::percent_encoded(author.acct.substr(at + 1));
}

bool is_hidden(const Shown& post) {
    return std::ranges::any_of(post.filtered, [](const auto& match) {
        return match.filter.filter_action == "hide";
    });
}

// A filter's warning precedes the author's own.
Shown behind_filters(Shown post) {
    for (const auto& match : post.filtered) {
        const auto& own = post.spoiler_text;
        post.spoiler_text = match.filter.title + (own.empty() ? "" : " · " + own);
        post.sensitive = true;
    }
    return post;
}

void add_acts(View& view, const Shown& post, bool own) {
    auto& acts = view.add("ACTS");
    add_act(acts, post.favourited, "favourite", "Favourite", "Undo favourite");
    bool open = post.visibility == "public" || post.visibility == "unlisted";
    if (open || (own && post.visibility == "private"))
        add_act(acts, post.reblogged, "reblog", "Boost", "Undo boost");
    add_act(acts, post.bookmarked, "bookmark", "Bookmark", "Remove bookmark");
}

void add_vote(View& view, const pages::ShownPoll& poll) {
    auto& vote = view.add("VOTE");
    for (std::size_t i = 0; i < poll.options.size(); ++i)
        vote.add("CHOICE")
            .set("TITLE_HTML", pages::words_html(poll.options[i].title, poll.emojis))
            .set("INDEX", std::to_string(i))
            .add(poll.multiple ? "MANY" : "ONE");
}

}  // namespace

std::string address_of(const pages::ShownAuthor& author) { return "/@" + encoded_acct(author); }
std::string address_of(const Shown& post) { return address_of(post.account) + "/" + post.id; }

View& add_post(
    const Reading& reading, View& parent, const Shown& given, const std::string& anchor, std::size_t depth,
    bool chosen
) {
    auto post = behind_filters(given);
    bool own = post.account.id == reading.me();
    bool asks = post.poll && !post.poll->expired && !post.poll->voted && !own;
    auto poll = post.poll;
    if (asks) post.poll.reset();
    auto& view = pages::add_post(parent, post, reading.site(), depth, chosen);
    view.set("PROFILE", address_of(post.account)).set("URL", address_of(post));
    if (!anchor.empty()) view.set("ANCHOR", anchor);
    if (asks) add_vote(view, *poll);
    add_acts(view, post, own);
    view.show_if(own, "OWN");
    return view;
}

void add_posts(const Reading& reading, View& parent, std::string_view json) {
    const auto parsed = base::json::parse(json);
    std::vector<Shown> posts;
    std::vector<Boost> boosts;
    base::json::read_value(parsed, posts);
    base::json::read_value(parsed, boosts);
    for (std::size_t i = 0; i < posts.size(); ++i) {
        const auto& boosted = boosts[i].reblog;
        const auto& post = boosted ? *boosted : posts[i];
        if (is_hidden(post) || is_hidden(posts[i])) continue;
        auto& view = add_post(reading, parent, post, "post-" + posts[i].id);
        if (boosted)
            view.add("BOOSTED")
                .set("BY", pages::name_of(posts[i].account))
                .set("BY_URL", address_of(posts[i].account));
    }
    parent.set("PLACE", reading.request.target).set("AFTERWARDS", reading.request.target);
}

void add_older(View& view, const Reading& reading, const http::Response& answer) {
    auto link = answer.header("Link");
    constexpr std::string_view mark = "max_id=", next = ">; rel=\"next\"";
    auto end = link.find(next);
    if (end == link.npos) return;
    auto first = link.substr(0, end);
    auto at = first.rfind(mark);
    if (at == first.npos) return;
    auto id = first.substr(at + mark.size());
    view.add("OLDER").set(
        "URL", std::string(reading.request.path()) + "?max_id=" + std::string(id.substr(0, id.find('&')))
    );
}

}  // namespace server::plain
