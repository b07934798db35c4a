// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/mitra/reading.hpp"

#include "base/text/languages.hpp"
#include "takeover/stored_keys.hpp"

#include <algorithm>

namespace takeover::mitra {

const char* const people =
    "(SELECT a.id, a.username, COALESCE(a.webfinger_hostname, a.hostname, '') AS domain, "
    "a.actor_json->>'id' AS actor, COALESCE(a.actor_json->>'type', CASE a.actor_type WHEN 2 THEN 'Service' "
    "WHEN 3 THEN 'Group' ELSE 'Person' END) AS type, " MITRA_HERE
    " AS local, a.display_name, a.bio, a.bio_source, a.avatar, a.banner, a.extra_fields, a.aliases, "
    "a.actor_json, a.manually_approves_followers, a.follower_count, a.following_count, a.post_count, "
    "u.rsa_private_key AS rsa_key, '\\x' || encode(u.ed25519_private_key, 'hex') AS ed25519_key, "
    "a.created_at "
    "FROM actor_profile a LEFT JOIN user_account u ON u.id = a.user_id "
    "WHERE " MITRA_HERE " OR a.actor_json->>'id' LIKE 'http%') AS x";

const char* const server_keys_table =
    "(SELECT 'server' AS id, max(CAST(p.property_value AS text)) FILTER (WHERE p.property_name = "
    "'instance_rsa_secret_key') AS rsa_secret_key, max(CAST(p.property_value AS text)) FILTER (WHERE "
    "p.property_name = 'instance_ed25519_secret_key') AS ed25519_secret_key FROM internal_property p) AS x";

namespace {

std::vector<KeyRow> pair_of_keys(
    const std::string& actor, const std::optional<ap::PrivateKey>& rsa, std::string_view seed
) {
    std::vector<KeyRow> out;
    auto add =
        [&](const char* id, const char* type, ap::KeyKind kind, const std::optional<ap::PrivateKey>& key) {
            if (key && key->kind() == kind && fits_itself(*key))
                out.push_back({actor + id, type, key->public_key().pem(), key->pem()});
        };
    add("#main-key", "rsa", ap::KeyKind::rsa, rsa);
    add("#ed25519-key", "ed25519", ap::KeyKind::ed25519, key_of_seed(seed));
    return out;
}

// [48, 130, 4, …]. Empty: it is no list of bytes.
std::string bytes_of_numbers(const std::string& written) {
    std::string out;
    const auto all = object_of("{\"all\":" + (written.empty() ? "[]" : written) + "}");
    for (const auto* item : all ? list(*all, "all") : std::vector<const Json*>{}) {
        const auto* byte = item->if_int64();
        if (!byte || *byte < 0 || *byte > 0xff) return {};
        out += static_cast<char>(*byte);
    }
    return out;
}

}  // namespace

std::vector<KeyRow> own_keys(const std::string& actor, const Person& p) {
    return pair_of_keys(actor, ap::PrivateKey::from_pem(p.rsa_key), bytes_of_column(p.ed25519_key));
}

std::vector<KeyRow> server_keys(const std::string& actor, const ServerKeys& keys) {
    return pair_of_keys(
        actor, key_of_pkcs1(bytes_of_numbers(keys.rsa_secret_key)), bytes_of_numbers(keys.ed25519_secret_key)
    );
}

MaybeText language_of(const std::string& three_letters) {
    constexpr std::pair<std::string_view, const char*> known[] = {
        {"ara", "ar"}, {"arb", "ar"}, {"bel", "be"}, {"bul", "bg"}, {"cat", "ca"}, {"ces", "cs"},
        {"cym", "cy"}, {"dan", "da"}, {"deu", "de"}, {"ell", "el"}, {"eng", "en"}, {"epo", "eo"},
        {"est", "et"}, {"eus", "eu"}, {"fas", "fa"}, {"fin", "fi"}, {"fra", "fr"}, {"gle", "ga"},
        {"glg", "gl"}, {"heb", "he"}, {"hin", "hi"}, {"hrv", "hr"}, {"hun", "hu"}, {"ind", "id"},
        {"isl", "is"}, {"ita", "it"}, {"jpn", "ja"}, {"kor", "ko"}, {"lat", "la"}, {"lav", "lv"},
        {"lit", "lt"}, {"nld", "nl"}, {"nno", "nn"}, {"nob", "no"}, {"nor", "no"}, {"pes", "fa"},
        {"pol", "pl"}, {"por", "pt"}, {"ron", "ro"}, {"rus", "ru"}, {"slk", "sk"}, {"slv", "sl"},
        {"spa", "es"}, {"srp", "sr"}, {"swe", "sv"}, {"tha", "th"}, {"tur", "tr"}, {"ukr", "uk"},
        {"vie", "vi"}, {"zho", "zh"}, {"cmn", "zh"},
    };
    if (const auto* found = std::ranges::find(known, three_letters, [](const auto& k) { return k.first; });
        found != std::end(known))
        return found->second;
    if (base::text::known_language(three_letters)) return three_letters;
    return std::nullopt;
}

std::vector<std::pair<std::string, std::int64_t>> options_of(const std::string& results) {
    std::vector<std::pair<std::string, std::int64_t>> out;
    const auto all = object_of("{\"all\":" + (results.empty() ? "[]" : results) + "}");
    if (!all) return out;
    for (const auto* item : list(*all, "all"))
        if (const auto* option = item->if_object())
            out.emplace_back(
                text(*option, "option_name"),
                std::max<std::int64_t>(number(*option, "vote_count").value_or(0), 0)
            );
    return out;
}

Media media_of(const std::string& json) {
    Media out;
    const auto media = object_of(json);
    if (!media) return out;
    out.mime = text(*media, "media_type");
    out.address = text(*media, "url");
    if (text(*media, "type") == "file") out.file = text(*media, "file_name");
    return out;
}

std::string take_picture(
    const Reading& r, const std::string& json, bool local, const std::string& of_whom, Sink& sink
) {
    const auto media = media_of(json);
    if (!local) return is_address(media.address) ? media.address : "";
    if (media.file.empty()) return {};
    const auto found = take_kept(r, files_folder, media.file, sink);
    if (found == Files::Found::copied) return kept_name(files_folder, media.file);
    sink.refuse("file", db::Foreign::shown(media.file), problem_of(found, media.file) + " of " + of_whom);
    return {};
}

// What is missing keeps its place, and its description.
MaybeId take_medium(
    const Reading& r, const Medium& theirs, bool local, Id owner, Id status, std::int64_t position, Sink& sink
) {
    const auto media = media_of(theirs.media);
    MediaRow row;
    row.created_at = theirs.created_at;
    auto& m = row.media;
    m.mime = media.mime.substr(0, 100);
    m.type = media_type(m.mime);
    if (theirs.description && !theirs.description->empty()) m.description = theirs.description;
    m.account_id = {owner};
    m.status_id = {status};
    m.position = position;
    if (local && !media.file.empty()) {
        const auto found = take_kept(r, files_folder, media.file, sink);
        if (found != Files::Found::copied) sink.refuse("file", theirs.id, problem_of(found, media.file));
        if (found == Files::Found::outside) return std::nullopt;
        m.file = kept_name(files_folder, media.file);
    } else {
        if (!is_address(media.address)) {
            sink.refuse("media", theirs.id, "it has no address");
            return std::nullopt;
        }
        m.file = media.address;
    }
    if (m.type == media::Type::image) m.preview = m.file;
    m.id = {sink.numbers.give("media", theirs.id, theirs.created_at)};
    const auto id = m.id.value;
    sink.put(std::move(row));
    return id;
}

}  // namespace takeover::mitra
