// SPDX-License-Identifier: AGPL-3.0-or-later
// Every id has its own type, so mixing them up does not compile. An id is a 64-bit number in the database and
// a decimal string in JSON. Ids of time-ordered things are `milliseconds since 1970 << 16` plus a sequence in
// the low 16 bits; they come from db::Write::new_id.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>

namespace base {

template <class Tag>
struct Id {
    std::int64_t value = 0;
    auto operator<=>(const Id&) const = default;
    explicit operator bool() const { return value != 0; }
};

template <class T>
constexpr bool is_id = false;
template <class Tag>
constexpr bool is_id<Id<Tag>> = true;

using AccountId = Id<struct AccountTag>;
using UserId = Id<struct UserTag>;
using SessionId = Id<struct SessionTag>;
using AppId = Id<struct AppTag>;
using TokenId = Id<struct TokenTag>;
using RoleId = Id<struct RoleTag>;
using StatusId = Id<struct StatusTag>;
using ConversationId = Id<struct ConversationTag>;
using MediaId = Id<struct MediaTag>;
using TagId = Id<struct HashtagTag>;
using EmojiId = Id<struct EmojiTag>;
using FollowId = Id<struct FollowTag>;
using FollowRequestId = Id<struct FollowRequestTag>;
using BlockId = Id<struct BlockTag>;
using MuteId = Id<struct MuteTag>;
using FavouriteId = Id<struct FavouriteTag>;
using BookmarkId = Id<struct BookmarkTag>;
using NotificationId = Id<struct NotificationTag>;
using RuleId = Id<struct RuleTag>;
using JobId = Id<struct JobTag>;

}  // namespace base

template <class Tag>
struct std::hash<base::Id<Tag>> {
    std::size_t operator()(base::Id<Tag> id) const noexcept { return std::hash<std::int64_t>{}(id.value); }
};
