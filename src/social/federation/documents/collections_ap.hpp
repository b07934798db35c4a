// SPDX-License-Identifier: AGPL-3.0-or-later
// The collections that other servers may read, as documents. A reader sees the posts that
// statuses/core/visibility.hpp shows them, and never local-only ones.
#pragma once
#include "ap/write.hpp"
#include "social/accounts/account.hpp"
#include "social/statuses/core/visibility.hpp"

namespace federation {

using accounts::Account;
using statuses::Audience;

struct OutboxPage {
    std::optional<std::int64_t> max_id, min_id, since_id;
};
std::string outbox(db::Read&, const Account&);
std::string outbox_page(db::Read&, const Audience&, const Account&, const OutboxPage&);
std::string server_outbox(db::Read&);

enum class Network { followers, following };
// For a hidden network only the number is shown, and its pages throw Forbidden.
std::string network(db::Read&, const Account&, Network);
// Pages link to each other by the follow where they end. A number alone is the first page, or one that a
// server constructed or remembered.
struct NetworkPage {
    std::int64_t number = 1;
    std::optional<std::int64_t> max_id, min_id;
};
std::string network_page(db::Read&, const Account&, Network, const NetworkPage&);
// The followers whose ids have this origin (FEP-8fcf).
std::string followers_of_origin(db::Read&, const Account&, const std::string& origin);

// Empty when the account is hidden from the reader.
std::string featured(db::Read&, const Audience&, const Account&, bool hidden);
std::string featured_tags(db::Read&, const Account&, bool hidden);
// One featured hashtag; `tag` is its normalised name.
ap::write::Tag featured_tag(
    const base::Site&, const Account&, const std::string& name, const std::string& tag
);

struct RepliesPage {
    std::int64_t min_id = 0;
    bool only_other_accounts = false;
};
std::string replies(
    db::Read&, const Audience&, const statuses::VisibilityFacts&, const std::string& status_uri
);
std::string
replies_page(db::Read&, const Audience&, const statuses::VisibilityFacts&, const std::string& status_uri, const RepliesPage&);
std::string likes(db::Read&, base::StatusId, const std::string& status_uri);
std::string shares(db::Read&, base::StatusId, const std::string& status_uri);

// The conversation that started with this status; throws NotFound when nothing in it is public.
std::string context(db::Read&, base::AccountId, base::StatusId);
std::string context_page(db::Read&, base::AccountId, base::StatusId, std::int64_t min_id);

std::string emoji(db::Read&, base::EmojiId);  // throws NotFound

}  // namespace federation
