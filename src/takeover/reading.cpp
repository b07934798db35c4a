// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/reading.hpp"

#include "base/crypto.hpp"
#include "base/p256.hpp"
#include "base/signing.hpp"

namespace takeover {

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

std::string problem_of(Files::Found found, const std::string& path) {
    const char* why = found == Files::Found::missing   ? "it is missing: "
                      : found == Files::Found::outside ? "its path leads elsewhere: "
                                                       : "it cannot be read: ";
    return why + db::Foreign::shown(path);
}

}  // namespace takeover
