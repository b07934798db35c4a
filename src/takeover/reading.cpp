// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/reading.hpp"

#include "base/crypto.hpp"
#include "base/p256.hpp"
#include "base/signing.hpp"
#include "base/text/hashtag.hpp"

namespace takeover {

void expect_columns(db::Foreign& db, const std::string& table, const std::vector<std::string_view>& columns) {
    const auto& there = db.columns_of(table);
    if (there.empty()) throw Unsuitable("There is no table " + table);
    for (const auto column : columns)
        if (std::ranges::find(there, column) == there.end())
            throw Unsuitable("The table " + table + " has no column " + std::string(column));
}

std::string as_array(const std::int64_t* begin, const std::int64_t* end) {
    std::string out = "{";
    for (; begin != end; ++begin) {
        if (out.size() > 1) out += ',';
        out += std::to_string(*begin);
    }
    return out + "}";
}

std::string as_texts(const std::vector<std::string>& all) {
    std::string out = "{";
    for (const auto& one : all) {
        if (out.size() > 1) out += ',';
        out += '"';
        for (const char c : one) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        out += '"';
    }
    return out + "}";
}

std::string host_of(std::string_view address) {
    const auto begin = address.find("://");
    if (begin == address.npos) return {};
    address.remove_prefix(begin + 3);
    return std::string(address.substr(0, address.find_first_of("/?#")));
}

void put_push_key(
    const std::string& former, const std::string& point_text, const std::string& number_text, Sink& sink
) {
    const auto point = base::from_base64(point_text), number = base::from_base64(number_text);
    const auto pem = point && number ? base::p256_pem(*number, *point) : std::nullopt;
    if (!pem)
        return sink.refuse(
            "push key", former, "it is no pair; whoever wants push messages has to ask for them anew"
        );
    sink.put(SettingRow{"vapid_public_key", base::base64url(*point) + "="});
    sink.put(SettingRow{"vapid_private_key", *pem});
}

std::optional<PushKeys> push_keys(
    const std::string& endpoint, const std::string& p256dh, const std::string& auth
) {
    constexpr std::size_t auth_size = 16;
    const auto point = base::from_base64(p256dh), secret = base::from_base64(auth);
    if (!point || !secret || !base::is_p256_point(*point) || secret->size() != auth_size ||
        !is_address(endpoint))
        return std::nullopt;
    return PushKeys{base::base64url(*point), base::base64url(*secret)};
}

MaybeId tag(const Reading& r, const std::string& given, Time date, Sink& sink) {
    const std::string shown = given.starts_with('#') ? given.substr(1) : given;
    auto name = base::text::normalise_hashtag(shown);
    if (!base::text::valid_hashtag(name)) return std::nullopt;
    const auto id = sink.numbers.give("tag", name, date);
    if (r.tags->insert(name).second) sink.put(TagRow{id, std::move(name), shown, date});
    return id;
}

std::string first_text(db::Foreign& db, const std::string& sql, const std::string& id) {
    std::string out;
    db.run(sql, {id}, [&](const db::Foreign::Row& row) {
        if (out.empty()) out = row[0].value_or("");
    });
    return out;
}

std::optional<NotificationKind> notification_kind(std::string_view word) {
    static constexpr std::pair<std::string_view, NotificationKind> known[] = {
        {"follow", {"follow", false}},
        {"follow_request", {"follow_request", false}},
        {"mention", {"mention", true}},
        {"status", {"status", true}},
        {"reblog", {"reblog", true}},
        {"favourite", {"favourite", true}},
        {"emoji_reaction", {"favourite", true}},          // Hollo
        {"pleroma:emoji_reaction", {"favourite", true}},  // Pleroma
        {"poll", {"poll", true}},
        {"update", {"update", true}},
        {"quote", {"quote", true}},
        {"quoted_update", {"quoted_update", true}},
    };
    for (const auto& [there, kind] : known)
        if (there == word) return kind;
    return std::nullopt;
}

void put_notification(
    const FormerNotification& former, std::optional<NotificationKind> kind, const Choice& choice, Sink& sink
) {
    const auto oldest = choice.now.plus_seconds(-choice.notification_days * 86'400);
    if (former.made < oldest || !former.to || !former.by || !kind) return;
    if (kind->of_post && !former.status) return;
    NotificationRow row;
    if (kind->of_post) row.status_id = *former.status;
    row.id = sink.numbers.give("notification", former.id, former.made);
    row.account_id = *former.to;
    row.from_account_id = *former.by;
    row.type = kind->here;
    row.created_at = former.made;
    sink.put(std::move(row));
}

MaybeId read_until(const Sink& sink, const std::string& post, std::optional<Time> made) {
    if (const auto known = sink.numbers.find("status", post)) return known;
    return made ? sink.numbers.newest_until("status", *made) : std::nullopt;
}

std::string problem_of(Files::Found found, const std::string& path) {
    const char* why = found == Files::Found::missing   ? "it is missing: "
                      : found == Files::Found::outside ? "its path leads elsewhere: "
                                                       : "it cannot be read: ";
    return why + db::Foreign::shown(path);
}

}  // namespace takeover
