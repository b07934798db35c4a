// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/channel.hpp"

#include "base/json.hpp"
#include "base/json_read.hpp"
#include "base/text/hashtag.hpp"

#include <algorithm>
#include <charconv>

namespace streaming {

namespace {

enum class Argument { none, account, tag, list };

struct Named {
    std::string_view name;
    Kind kind;
    Argument argument = Argument::none;
};

constexpr Named names[] = {
    {"user", Kind::user, Argument::account},
    {"user:notification", Kind::notifications, Argument::account},
    {"public", Kind::everything},
    {"public:media", Kind::everything_media},
    {"public:local", Kind::local},
    {"public:local:media", Kind::local_media},
    {"public:remote", Kind::remote},
    {"public:remote:media", Kind::remote_media},
    {"hashtag", Kind::hashtag, Argument::tag},
    {"hashtag:local", Kind::hashtag_local, Argument::tag},
    {"list", Kind::list, Argument::list},
    {"direct", Kind::direct, Argument::account},
};

const Named& named(Kind kind) { return *std::ranges::find(names, kind, &Named::kind); }

std::string label(std::string_view name, std::string_view argument = {}) {
    std::string out = "[";
    base::json::write(out, name);
    if (!argument.empty()) {
        out += ',';
        base::json::write(out, argument);
    }
    return out + "]";
}

bool opened_by(const http::Scopes& scopes, std::string_view required) {
    return (http::accepted_scopes(required) & scopes).any();
}

lists::ListId list_id(std::string_view text) {
    lists::ListId id;
    auto read = std::from_chars(text.data(), text.data() + text.size(), id.value);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? id : lists::ListId{};
}

}  // namespace

std::string Channel::spoken() const {
    auto words = base::json::read<std::vector<std::string>>(label);
    return words.size() > 1 ? words[0] + ' ' + words[1] : words[0];
}

bool hears_notifications(const http::Scopes& scopes) {
    static const auto opening = http::accepted_scopes("read:notifications");
    return (opening & scopes).any();
}

std::string key_of(Kind kind, std::string_view argument) {
    std::string key(named(kind).name);
    if (!argument.empty()) key.append(":").append(argument);
    return key;
}

std::string key_of(Kind kind, std::int64_t argument) { return key_of(kind, std::to_string(argument)); }

Channel channel(const Wish& wish, AccountId listener, const http::Scopes& scopes, const char* unknown) {
    auto known = std::ranges::find(names, wish.stream, &Named::name);
    if (known == std::end(names)) throw NoChannel{400, unknown};
    bool open =
        known->kind == Kind::notifications ? hears_notifications(scopes) : opened_by(scopes, "read:statuses");
    if (!open) throw missing_scope;
    Channel out{known->kind, {}, label(known->name), std::string(known->name), {}};
    switch (known->argument) {
        case Argument::none: out.key = key_of(known->kind); break;
        case Argument::account: out.key = key_of(known->kind, listener.value); break;
        case Argument::tag:
            if (!wish.tag || wish.tag->empty()) throw NoChannel{400, "Missing tag name parameter"};
            out.key = key_of(known->kind, base::text::normalise_hashtag(*wish.tag));
            out.label = label(known->name, *wish.tag);
            break;
        case Argument::list:
            if (!wish.list || wish.list->empty()) throw NoChannel{400, "Missing list name parameter"};
            out.list = list_id(*wish.list);
            if (!out.list) throw foreign_list;
            out.key = key_of(known->kind, out.list.value);
            out.label = label(known->name, *wish.list);
            break;
    }
    return out;
}

}  // namespace streaming
