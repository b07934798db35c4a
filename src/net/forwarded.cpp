// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/forwarded.hpp"

#include "base/text/blank.hpp"

#include <arpa/inet.h>
#include <boost/beast/core/string.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace net {

namespace {

constexpr std::array<unsigned char, 12> v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

std::string_view without_port(std::string_view text) {
    if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
    const auto colon = text.find(':');
    return colon != text.npos && text.rfind(':') == colon ? text.substr(0, colon) : text;
}

std::string_view take_last(std::string_view& list) {
    const auto comma = list.rfind(',');
    const auto last = comma == list.npos ? list : list.substr(comma + 1);
    list = comma == list.npos ? std::string_view{} : list.substr(0, comma);
    return base::text::trimmed(last, " \t");
}

bool named(const std::pair<std::string, std::string>& header, std::string_view name) {
    return boost::beast::iequals(header.first, name);
}

}  // namespace

std::optional<Address> Address::parse(std::string_view text) {
    const std::string host(without_port(base::text::trimmed(text, " \t")));
    Address address;
    if (inet_pton(AF_INET6, host.c_str(), address.bytes_.data()) == 1) return address;
    if (inet_pton(AF_INET, host.c_str(), address.bytes_.data() + v4_prefix.size()) != 1) return std::nullopt;
    std::copy(v4_prefix.begin(), v4_prefix.end(), address.bytes_.begin());
    return address;
}

bool Address::is_v4() const { return std::equal(v4_prefix.begin(), v4_prefix.end(), bytes_.begin()); }

std::string Address::to_string() const {
    char text[INET6_ADDRSTRLEN];
    if (is_v4()) return inet_ntop(AF_INET, bytes_.data() + v4_prefix.size(), text, sizeof text);
    return inet_ntop(AF_INET6, bytes_.data(), text, sizeof text);
}

Address Address::network() const {
    auto network = *this;
    if (!is_v4()) std::fill(network.bytes_.begin() + 8, network.bytes_.end(), static_cast<unsigned char>(0));
    return network;
}

bool Address::in(const Address& network, unsigned bits) const {
    const auto whole = bits / 8;
    if (!std::equal(bytes_.begin(), bytes_.begin() + whole, network.bytes_.begin())) return false;
    if (bits % 8 == 0) return true;
    const auto shift = 8 - bits % 8;
    return bytes_[whole] >> shift == network.bytes_[whole] >> shift;
}

NetworkSet::NetworkSet(const std::vector<std::string>& networks) {
    for (std::string_view text : networks) {
        const auto slash = text.find('/');
        const auto address = Address::parse(text.substr(0, slash));
        if (!address) throw std::invalid_argument("not a network: " + std::string(text));
        const unsigned most = address->is_v4() ? 32 : 128;
        unsigned bits = most;
        if (slash != text.npos) {
            const auto digits = text.substr(slash + 1);
            const auto end = digits.data() + digits.size();
            const auto read = std::from_chars(digits.data(), end, bits);
            if (read.ec != std::errc{} || read.ptr != end || bits > most)
                throw std::invalid_argument("not a network: " + std::string(text));
        }
        networks_.push_back({*address, bits + (128 - most)});
    }
}

bool NetworkSet::contains(const Address& address) const {
    return std::any_of(networks_.begin(), networks_.end(), [&](const Network& network) {
        return address.in(network.address, network.bits);
    });
}

Client NetworkSet::client_behind(bool secure, const http::Headers& headers) const {
    Client client{{}, secure};
    bool settled = false, told_scheme = false;
    for (auto header = headers.rbegin(); header != headers.rend(); ++header) {
        std::string_view list = header->second;
        if (!told_scheme && named(*header, "X-Forwarded-Proto")) {
            client.secure = boost::beast::iequals(take_last(list), "https");
            told_scheme = true;
        } else if (named(*header, "X-Forwarded-For")) {
            while (!settled && !list.empty()) {
                const auto hop = Address::parse(take_last(list));
                // Anything left of an unreadable hop was written by someone unknown.
                settled = !hop || !contains(*hop);
                if (hop) client.told = hop;
            }
        }
    }
    return client;
}

}  // namespace net
