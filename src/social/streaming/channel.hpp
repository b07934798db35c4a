// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody can listen to (behaviours: section 12): the streams' names, what each needs, and the keys under which the
// hub finds who listens.
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

// As a client asks: the stream's name and its argument.
struct Wish {
    std::string stream;
    std::optional<std::string> tag, list;
};

struct Channel {
    Kind kind = Kind::user;
    std::string key;     // "user:42", "hashtag:local:cats"
    std::string label;   // how the client is told: ["hashtag:local","Cats"]
    std::string name;    // without its argument
    lists::ListId list;  // of a list

    std::string spoken() const;  // "hashtag Cats"
    bool operator==(const Channel& other) const { return key == other.key; }
};

// Why somebody does not hear what they ask for.
struct NoChannel {
    int status;
    const char* text;
};

inline constexpr NoChannel missing_token{401, "Missing access token"};
inline constexpr NoChannel invalid_token{401, "Invalid access token"};
inline constexpr NoChannel missing_scope{401, "Access token does not have the required scopes"};
inline constexpr NoChannel foreign_list{401, "Not authorized to stream this list"};

// Throws NoChannel: there is no such stream (`unknown` says how that is worded), its argument is missing, or the scopes
// do not open it.
Channel channel(const Wish&, AccountId listener, const http::Scopes&, const char* unknown);

// Whether the notifications come with the stream `user`.
bool hears_notifications(const http::Scopes&);

// The key of a stream that belongs to an account, or of one for everybody.
std::string key_of(Kind, std::int64_t argument);
std::string key_of(Kind, std::string_view argument = {});

}  // namespace streaming
