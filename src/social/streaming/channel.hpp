// SPDX-License-Identifier: AGPL-3.0-or-later
// The streams (behaviours: section 12): their names, their requirements, and the keys by which the hub finds
// listeners.
#pragma once
#include "http/scopes.hpp"
#include "social/lists/list.hpp"

namespace streaming {

using base::AccountId;

enum class Kind {
    user,
    notifications,
    everything,
    everything_media,
    local,
    local_media,
    remote,
    remote_media,
    hashtag,
    hashtag_local,
    list,
    direct,
};

// A client's request: the stream's name and its argument.
struct Wish {
    std::string stream;
    std::optional<std::string> tag, list;
};

struct Channel {
    Kind kind = Kind::user;
    std::string key;     // "user:42", "hashtag:local:cats"
    std::string label;   // as sent to the client: ["hashtag:local","Cats"]
    std::string name;    // without its argument
    lists::ListId list;  // for a list

    std::string spoken() const;  // "hashtag Cats"
    bool operator==(const Channel& other) const { return key == other.key; }
};

// Why a subscription is refused.
struct NoChannel {
    int status;
    const char* text;
};

inline constexpr NoChannel missing_token{401, "Missing access token"};
inline constexpr NoChannel invalid_token{401, "Invalid access token"};
inline constexpr NoChannel missing_scope{401, "Access token does not have the required scopes"};
inline constexpr NoChannel foreign_list{401, "Not authorized to stream this list"};

// Throws NoChannel: there is no such stream (`unknown` is the message), its argument is missing, or the
// scopes are insufficient.
Channel channel(const Wish&, AccountId listener, const http::Scopes&, const char* unknown);

// Whether the stream `user` includes notifications.
bool hears_notifications(const http::Scopes&);

// The key of a stream that belongs to an account, or of a public one.
std::string key_of(Kind, std::int64_t argument);
std::string key_of(Kind, std::string_view argument = {});

}  // namespace streaming
