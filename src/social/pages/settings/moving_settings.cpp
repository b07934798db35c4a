// SPDX-License-Identifier: AGPL-3.0-or-later
// Other accounts of the same person, and going on in one of them.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/moving/moving.hpp"
#include "social/pages/settings/settings_page.hpp"

namespace pages {

namespace {

const std::string path = hub + "/move";

http::Response page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    instance::View view;
    auto account = accounts::account(db, who.user.account_id);
    for (const auto& uri : accounts::aliases(db, account.id)) view.add("ALIAS").set("URI", uri);
    view.set("HANDLE", account.username + "@" + db.site().domain);
    if (account.moved_to_id) {
        auto target = accounts::find_account(db, account.moved_to_id);
        view.add("MOVED").set("TO", target ? target->acct() : "another account");
    } else {
        view.add("HERE").count("FOLLOWERS", account.followers_count);
    }
    return settings_page(
        db, request, who, "settings_move", "Other accounts and moving", problem, std::move(view)
    );
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : page(db, request, who);
}

struct Form {
    std::string account, password, authenticity_token;
};
DESCRIBE(Form, account, password, authenticity_token)

struct Found {
    std::optional<http::Response> answer;
    base::AccountId self, other;
};

std::string handle(std::string_view given) {
    while (given.starts_with(' ') || given.starts_with('@')) given.remove_prefix(1);
    while (given.ends_with(' ')) given.remove_suffix(1);
    return std::string(given);
}

Found find(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form, bool sure) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    if (sure && !knows_password(ask, who, form.password))
        return {page(db, request, who, wrong_password), {}, {}};
    auto wanted = handle(form.account);
    auto known = accounts::find_by_acct(db, wanted);
    base::AccountId other;
    if (known && known->local()) other = known->id;
    else if (!wanted.empty()) {
        accounts::Resolve question{wanted};
        question.again = true;  // what it says of itself counts, as it says it now
        other = ask(question).account;
    }
    if (!other)
        return {page(db, request, who, "There is no such account, or its server does not answer."), {}, {}};
    return {{}, who.user.account_id, other};
}

Found find_alias(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form) {
    return find(db, ask, request, form, false);
}
Found find_target(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form) {
    return find(db, ask, request, form, true);
}

// What cannot be done is said on the page.
template <class F>
http::Response tried(db::Write& db, const http::Request& request, std::string_view what, F&& act) {
    try {
        act();
    } catch (const base::Invalid& error) {
        return page(db, request, owner(db, request), std::string(error.what()) + ".");
    }
    return done(path, what);
}

http::Response add(db::Write& db, const http::Request& request, const Found& found) {
    if (found.answer) return *found.answer;
    return tried(db, request, "alias", [&] {
        if (found.self == found.other) throw base::Invalid("This is the account itself");
        auto other = accounts::account(db, found.other);
        accounts::add_alias(db, found.self, accounts::uri_of(db.site(), other));
    });
}

struct Alias {
    std::string uri, authenticity_token;
};
DESCRIBE(Alias, uri, authenticity_token)

http::Response remove(db::Write& db, const http::Request& request, const Alias& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    accounts::remove_alias(db, who.user.account_id, form.uri);
    return done(path, "alias_removed");
}

http::Response move(db::Write& db, const http::Request& request, const Found& found) {
    if (found.answer) return *found.answer;
    return tried(db, request, "moved", [&] { federation::move_out(db, found.self, found.other); });
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>             ("/settings/account/move"),
    http::post<find_target, move>("/settings/account/move").throttled(http::Throttle::login),
    http::post<find_alias, add> ("/settings/account/aliases").throttled(http::Throttle::login),
    http::post<remove>          ("/settings/account/aliases/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> moving_settings() { return table; }

}  // namespace pages
