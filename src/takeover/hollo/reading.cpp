// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/hollo/reading.hpp"

#include "base/text/utf8.hpp"
#include "takeover/stored_keys.hpp"

namespace takeover::hollo {

const char* const people =
    "(SELECT a.id, a.iri, a.handle, a.name, a.type, o.id IS NOT NULL AS local, COALESCE(o.bio, '') AS bio, "
    "a.bio_html, COALESCE(CAST(o.fields AS text), CAST(a.field_htmls AS text)) AS fields, a.url, "
    "a.protected AS locked, COALESCE(o.discoverable, FALSE) AS discoverable, "
    "COALESCE(o.following_list_public, TRUE) AS shows_following, a.avatar_url, a.cover_url, a.inbox_url, "
    "a.followers_url, a.shared_inbox_url, a.featured_url, a.following_count, a.followers_count, "
    "a.posts_count, a.successor_id AS successor, a.aliases, o.rsa_private_key_jwk AS rsa_private, "
    "o.rsa_public_key_jwk AS rsa_public, o.ed25519_private_key_jwk AS ed25519_private, "
    "o.ed25519_public_key_jwk AS ed25519_public, COALESCE(a.published, a.updated) AS made "
    "FROM accounts a LEFT JOIN account_owners o ON o.id = a.id) AS x";

Handle handle_of(std::string_view written) {
    if (written.starts_with('@')) written.remove_prefix(1);
    const auto at = written.find('@');
    if (at == written.npos) return {std::string(written), {}};
    Handle out{std::string(written.substr(0, at)), std::string(written.substr(at + 1))};
    out.domain = base::text::ascii_lowered(out.domain);
    return out;
}

std::vector<KeyRow> own_keys(const Person& p) {
    std::vector<KeyRow> out;
    auto add = [&](const char* id, const char* type, const std::string& hidden, const std::string& shown) {
        const auto pair = key_of_jwk(hidden, shown);
        const auto kind = std::string_view(type) == "rsa" ? ap::KeyKind::rsa : ap::KeyKind::ed25519;
        if (pair && pair->kind() == kind)
            out.push_back({p.iri + id, type, pair->public_key().pem(), pair->pem()});
    };
    add("#main-key", "rsa", p.rsa_private, p.rsa_public);
    // Older versions of its library, Fedify, showed that one as #key-2, which their signatures go on to name.
    for (const char* id : {"#multikey-2", "#key-2"}) add(id, "ed25519", p.ed25519_private, p.ed25519_public);
    return out;
}

statuses::Visibility visibility_of(std::string_view word) {
    using statuses::Visibility;
    if (word == "public") return Visibility::public_;
    if (word == "unlisted") return Visibility::unlisted;
    return word == "private" ? Visibility::private_ : Visibility::direct;
}

std::string take_address(
    const Reading& r, const std::string& address, const std::string& of_whom, Sink& sink
) {
    if (address.empty()) return {};
    const auto path = path_below(r.storage, address);
    const auto found = path ? take_kept(r, files_folder, *path, sink) : Files::Found::missing;
    if (found == Files::Found::copied) return kept_name(files_folder, *path);
    if (found == Files::Found::missing && may_lie_elsewhere(r, address)) return address;
    sink.refuse("file", address, problem_of(found, path.value_or(address)) + " of " + of_whom);
    return {};
}

}  // namespace takeover::hollo
