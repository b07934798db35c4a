// SPDX-License-Identifier: AGPL-3.0-or-later
// The Account entity. Its JSON is the same for every viewer but one word, so it is rendered once per version and
// kept; one account is a list of one, and every list costs the same queries.
#pragma once
#include "base/id_map.hpp"
#include "base/schema.hpp"
#include "social/accounts/account.hpp"

#include <memory>
#include <span>

namespace accounts {

// Account JSON up to the word that says whether this viewer may feature the account.
struct RenderedAccount {
    std::string json;
    std::string user_word;  // what stands there for a logged-in viewer

    void append_to(std::string& out, bool logged_in) const {
        out += json;
        out += logged_in ? std::string_view(user_word) : std::string_view("denied");
        out += "\"}}";
    }
    std::string for_viewer(bool logged_in) const {
        std::string out;
        append_to(out, logged_in);
        return out;
    }
};
using Rendered = std::shared_ptr<const RenderedAccount>;
using RenderedAccounts = base::IdMap<AccountId, Rendered>;

// An account and the version that the caller's own query saw: the key to what is kept.
struct Version {
    AccountId id;
    std::int64_t version = 0;
};

void expect_rendered(db::Read&, Version);  // db::Read::expect, of one
// Those that exist, by id. No query at all when everything is kept already.
RenderedAccounts render(db::Read&, std::span<const Version>);
Rendered render(db::Read&, const Account&);
// JSON array in the order of the ids; those that do not exist for the API are left out.
std::string render_list(db::Read&, const std::vector<AccountId>&, bool logged_in);

std::vector<Field> fields_of(const Account&);

void describe_account(base::json::Components&);  // for OpenAPI

// The PartialAccountWithAvatar entity: enough of an account to show its picture.

// JSON array in the order given.
std::string render_partial(db::Read&, std::span<const Version>);

}  // namespace accounts
