// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/profile.hpp"

#include "base/text/html/html.hpp"
#include "http/body/urlencoded.hpp"
#include "http/errors.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/emojis/emoji.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/pages/emoji_html.hpp"
#include "social/pages/open_graph.hpp"
#include "social/pages/page.hpp"

#include <algorithm>

namespace pages {

using accounts::Account;
using instance::View;

namespace {

// Which emojis people name in what they say of themselves: asked for all of them at once.
class Emojis {
public:
    Emojis(db::Read& db, const std::vector<Account>& people) : site_(db.site()) {
        for (const auto& one : people)
            for (const auto* text : {&one.display_name, &one.note_html, &one.fields})
                known_.add(*text, one.domain);
        known_.load(db);
    }
    std::vector<ShownEmoji> of(const Account& one) const {
        std::vector<ShownEmoji> out;
        for (const auto& emoji : known_.found({one.display_name, one.note_html, one.fields}, one.domain))
            out.push_back({emoji.shortcode, emojis::entity(site_, emoji).static_url});
        return out;
    }
    std::string name(const Account& one) const { return words_html(name_of(one), of(one)); }

private:
    const base::Site& site_;
    emojis::InTexts known_;
};

}  // namespace

Account account_of(db::Read& db, const std::string& username) {
    if (username.find('@') != username.npos)
        throw http::Refusal(
            federation::page_at(db.site().public_url + "/@" + http::percent_encoded(username), 302)
        );
    http::Request asked;
    asked.target = "/@" + username;
    asked.headers = {{"Accept", "text/html"}};
    return federation::asked_of_active(db, asked).account;
}

http::Response elsewhere(
    db::Read& db, const http::Request& request, const Account& account, const std::string& url
) {
    View view;
    view.set("NAME_HTML", name_html(db, account))
        .set("HANDLE", account.acct())
        .set("URL", url)
        .add("UNLISTED");
    return html(db, request, {"elsewhere", name_of(account)}, std::move(view));
}

View profile_view(db::Read& db, const Account& account) {
    const auto& site = db.site();
    const auto emojis = Emojis(db, {account}).of(account);
    View view;
    view.set("NAME_HTML", words_html(name_of(account), emojis))
        .set("HANDLE", account.username + "@" + site.domain)
        .set("ADDRESS", accounts::url_of(site, account))
        .set("ID", accounts::uri_of(site, account))
        .set("AVATAR", avatar_of(site, account))
        .set("AVATAR_TEXT", account.avatar_description)
        .set("NOTE", with_emojis(account.note_html, emojis))
        .count("STATUSES", account.statuses_count)
        .count("FOLLOWING", account.following_count)
        .count("FOLLOWERS", account.followers_count);
    view.show_if(account.actor_type == "Service", "BOT");
    if (!account.header.empty())
        view.add("BANNER").set("URL", site.media(account.header)).set("TEXT", account.header_description);
    if (account.moved_to_id)
        if (auto target = accounts::find_account(db, account.moved_to_id))
            view.add("MOVED").set("URL", accounts::url_of(site, *target));
    auto fields = accounts::fields_of(account);
    if (!fields.empty()) {
        auto& list = view.add("FIELDS");
        for (const auto& field : fields)
            list.add("FIELD")
                .set("NAME_HTML", words_html(field.name, emojis))
                .set("VALUE", with_emojis(field.value_html, emojis));
    }
    return view;
}

http::Response profile_page(db::Read& db, const http::Request& request, const Account& account, View view) {
    const auto& site = db.site();
    auto title = title_of(site, account);
    auto address = accounts::url_of(site, account);
    add_indexing(db, view, account);
    auto graph = graph_of(site, account);
    graph.type = "profile";
    graph.title = title;
    graph.url = address;
    graph.text = base::text::plain_text(account.note_html);
    add_open_graph(view, site, graph);
    auto response =
        html(db, request, {"profile", title, accounts::uri_of(site, account), address}, std::move(view));
    auto resource = "acct:" + account.username + "@" + site.domain;
    response.headers.emplace_back(
        "Link",
        "<" + site.public_url + "/.well-known/webfinger?resource=" + http::percent_encoded(resource) +
            ">; rel=\"lrdd\"; type=\"application/jrd+json\""
    );
    return response;
}

std::string name_html(db::Read& db, const Account& account) { return Emojis(db, {account}).name(account); }

bool add_people(db::Read& db, View& view, const std::vector<base::AccountId>& ids) {
    const auto& site = db.site();
    const auto known = accounts::accounts(db, ids);
    const Emojis emojis(db, known);
    bool any = false;
    for (auto id : ids) {
        auto person = std::ranges::find(known, id, &Account::id);
        if (person == known.end() || person->suspended_at) continue;
        view.add("PERSON")
            .set("NAME_HTML", emojis.name(*person))
            .set("HANDLE", person->acct())
            .set("AVATAR", avatar_of(site, *person))
            .set("URL", accounts::url_of(site, *person));
        any = true;
    }
    return any;
}

}  // namespace pages
