// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/s3/signing.hpp"

#include "base/crypto.hpp"

#include <algorithm>

namespace net::s3 {

namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";

std::string encoded(std::string_view text, bool keep_slashes) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char each : text) {
        const auto c = static_cast<unsigned char>(each);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '.' || c == '_' || c == '~' || (c == '/' && keep_slashes);
        if (plain) out += each;
        else out += {'%', digits[c >> 4], digits[c & 15]};
    }
    return out;
}

// 20130524T000000Z of 2013-05-24T00:00:00.000Z
std::string stamp(base::Time at) {
    auto text = base::to_string(at).substr(0, 19);
    std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
    return text + "Z";
}

std::string scope(const std::string& day, const Keys& keys) {
    return day + "/" + keys.region + "/s3/aws4_request";
}

struct Canonical {
    std::string headers, names;
};

Canonical canonical(Pairs headers) {
    std::ranges::sort(headers);
    Canonical out;
    for (const auto& [name, value] : headers) {
        out.headers += name + ":" + value + "\n";
        out.names += (out.names.empty() ? "" : ";") + name;
    }
    return out;
}

std::string signature(
    const Unsigned& asked, const Keys& keys, const std::string& query, const Canonical& headers,
    const std::string& payload
) {
    const auto request = asked.method + "\n" + encoded_path(asked.path) + "\n" + query + "\n" +
                         headers.headers + "\n" + headers.names + "\n" + payload;
    const auto time = stamp(asked.at), day = time.substr(0, 8);
    const auto text =
        std::string(algorithm) + "\n" + time + "\n" + scope(day, keys) + "\n" + base::sha256_hex(request);
    auto key = base::hmac_sha256("AWS4" + keys.secret, day);
    for (std::string_view part :
         {std::string_view(keys.region), std::string_view("s3"), std::string_view("aws4_request")})
        key = base::hmac_sha256(key, part);
    return base::hex(base::hmac_sha256(key, text));
}

}  // namespace

std::string encoded_path(std::string_view path) { return encoded(path, true); }

std::string encoded_query(Pairs query) {
    for (auto& [name, value] : query) name = encoded(name, false), value = encoded(value, false);
    std::ranges::sort(query);
    std::string out;
    for (const auto& [name, value] : query) out += (out.empty() ? "" : "&") + name + "=" + value;
    return out;
}

Pairs signed_headers(const Unsigned& asked, const Keys& keys) {
    Pairs added{{"x-amz-content-sha256", asked.payload}, {"x-amz-date", stamp(asked.at)}};
    auto all = asked.headers;
    all.insert(all.end(), added.begin(), added.end());
    all.emplace_back("host", asked.host);
    const auto headers = canonical(std::move(all));
    const auto made = signature(asked, keys, encoded_query(asked.query), headers, asked.payload);
    added.emplace_back(
        "authorization",
        std::string(algorithm) + " Credential=" + keys.access + "/" +
            scope(added[1].second.substr(0, 8), keys) + ",SignedHeaders=" + headers.names +
            ",Signature=" + made
    );
    return added;
}

std::string presigned_query(const Unsigned& asked, const Keys& keys, int seconds) {
    const auto time = stamp(asked.at);
    auto query = asked.query;
    query.emplace_back("X-Amz-Algorithm", algorithm);
    query.emplace_back("X-Amz-Credential", keys.access + "/" + scope(time.substr(0, 8), keys));
    query.emplace_back("X-Amz-Date", time);
    query.emplace_back("X-Amz-Expires", std::to_string(seconds));
    query.emplace_back("X-Amz-SignedHeaders", "host");
    const auto text = encoded_query(query);
    const auto headers = canonical({{"host", asked.host}});
    return text + "&X-Amz-Signature=" + signature(asked, keys, text, headers, "UNSIGNED-PAYLOAD");
}

}  // namespace net::s3
