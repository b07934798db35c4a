// SPDX-License-Identifier: AGPL-3.0-or-later
// MX records, through the system's resolver.
#include "net/mail.hpp"

#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace net {

namespace {

enum class Found { some, none, unknown };

struct Resolver {
    struct __res_state state{};
    bool ready = false;

    Resolver() {
        ready = res_ninit(&state) == 0;
        state.retrans = 2;
        state.retry = 2;
    }
    ~Resolver() {
        if (ready) res_nclose(&state);
    }
    Resolver(const Resolver&) = delete;

    Found ask(const std::string& domain, int type, std::vector<unsigned char>& answer) {
        answer.resize(8192);
        auto length =
            res_nquery(&state, domain.c_str(), ns_c_in, type, answer.data(), static_cast<int>(answer.size()));
        if (length > 0) {
            answer.resize(std::min(static_cast<std::size_t>(length), answer.size()));
            return Found::some;
        }
        bool certain = state.res_h_errno == HOST_NOT_FOUND || state.res_h_errno == NO_DATA;
        return certain ? Found::none : Found::unknown;
    }
};

// Names that nobody can own (RFC 2606, RFC 6761): DNS cannot tell whether an address there is wrong.
bool is_reserved(std::string_view domain) {
    domain.remove_suffix(domain.ends_with('.') ? 1 : 0);
    constexpr std::string_view names[] = {
        "example.com", "example.net", "example.org", "example", "invalid", "localhost", "test"
    };
    return std::ranges::any_of(names, [&](std::string_view name) {
        bool below = domain.ends_with(name) && domain.size() > name.size() &&
                     domain[domain.size() - name.size() - 1] == '.';
        return domain == name || below;
    });
}

// A resolver without internet access may deny every name. A working one knows the root name servers.
bool knows_the_world(Resolver& resolver) {
    std::vector<unsigned char> answer;
    return resolver.ask(".", ns_t_ns, answer) == Found::some;
}

unsigned number_at(const unsigned char* at) { return static_cast<unsigned>(at[0]) << 8 | at[1]; }

}  // namespace

std::vector<std::string> names_in_mx_answer(const std::vector<unsigned char>& message) {
    constexpr std::ptrdiff_t head = 12, after_question = 4, before_data = 10, preference = 2;
    constexpr std::size_t most = 20;
    std::vector<std::string> out;
    if (std::ssize(message) < head) return out;
    const auto* end = message.data() + message.size();
    const auto* at = message.data() + head;
    auto skip_name = [&] {
        auto length = dn_skipname(at, end);
        if (length < 0) return false;
        at += length;
        return true;
    };
    for (auto questions = number_at(message.data() + 4); questions > 0; --questions) {
        if (!skip_name() || end - at < after_question) return out;
        at += after_question;
    }
    for (auto answers = number_at(message.data() + 6); answers > 0 && out.size() < most; --answers) {
        if (!skip_name() || end - at < before_data) return out;
        auto type = number_at(at);
        auto length = static_cast<std::ptrdiff_t>(number_at(at + 8));
        at += before_data;
        if (end - at < length) return out;
        std::array<char, 256> name{};
        bool is_mx = type == ns_t_mx && length > preference;
        if (is_mx && dn_expand(message.data(), end, at + preference, name.data(), name.size()) >= 0 &&
            name[0])
            out.emplace_back(name.data());
        at += length;
    }
    return out;
}

std::optional<std::vector<std::string>> mail_hosts(const std::string& domain) {
    Resolver resolver;
    if (!resolver.ready || is_reserved(domain)) return std::nullopt;
    std::vector<unsigned char> answer;
    switch (resolver.ask(domain, ns_t_mx, answer)) {
        case Found::some: return names_in_mx_answer(answer);
        case Found::unknown: return std::nullopt;
        case Found::none: break;
    }
    bool certain = true;
    for (auto type : {ns_t_a, ns_t_aaaa}) {
        auto found = resolver.ask(domain, type, answer);
        if (found == Found::some) return std::vector{domain};
        certain = certain && found == Found::none;
    }
    certain = certain && knows_the_world(resolver);
    return certain ? std::optional(std::vector<std::string>{}) : std::nullopt;
}

}  // namespace net
