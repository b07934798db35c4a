// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/keys.hpp"

#include "ap/url.hpp"

#include <algorithm>

namespace ap {

namespace {

constexpr std::size_t longest_pem = 16 * 1024, longest_multibase = 8 * 1024;

// A time at which the key ends may lie in the future, so it is taken as it is.
Key key_in(Node node) {
    Key out;
    out.id = node.web_id();
    if (!node.is_object()) return out;
    out.owner = node["owner"].web_id();
    if (out.owner.empty()) out.owner = node["controller"].web_id();
    out.pem = node["publicKeyPem"].text(longest_pem);
    out.multibase = node["publicKeyMultibase"].text(longest_multibase);
    out.expires = node["expires"].time_to_come();
    return out;
}

// What an actor shows without saying whose it is belongs to the actor.
void add_keys(std::vector<Key>& out, Node node, std::string_view actor) {
    for (auto one : node.each(most_keys)) {
        auto key = key_in(one);
        if (key.owner.empty() && !(key.pem.empty() && key.multibase.empty())) key.owner = actor;
        if (key.id.empty() || out.size() >= most_keys) continue;
        if (std::ranges::none_of(out, [&](const Key& other) { return other.id == key.id; }))
            out.push_back(std::move(key));
    }
}

}  // namespace

bool Key::is_own(std::string_view actor) const {
    return known() && owner == actor && without_fragment(id) == without_fragment(actor);
}

std::optional<PublicKey> public_key(const Key& key) {
    return key.pem.empty() ? PublicKey::from_multikey(key.multibase) : PublicKey::from_pem(key.pem);
}

std::vector<Key> read_keys(Node actor) {
    std::vector<Key> out;
    auto id = actor.web_id();
    add_keys(out, actor["publicKey"], id);
    add_keys(out, actor["assertionMethod"], id);
    return out;
}

std::optional<Key> read_key(Node document, std::string_view key_id) {
    auto shown = read_keys(document);
    for (auto& key : shown)
        if (key.id == key_id && key.known()) return std::move(key);
    auto alone = key_in(document);
    if (alone.id == key_id && alone.known()) return alone;
    return std::nullopt;
}

}  // namespace ap
