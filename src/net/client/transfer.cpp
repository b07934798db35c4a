// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/transfer.hpp"

#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "net/client/public_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <mutex>

namespace net {

namespace {

using base::FetchFailure;

constexpr std::size_t most_header_bytes = 64 * 1024;
constexpr std::string_view blanks = " \t\r\n";

void append(CurlList& list, const std::string& text) {
    list.reset(curl_slist_append(list.release(), text.c_str()));
}

CurlList header_list(const base::Fetch& asked) {
    CurlList list;
    for (const auto& h : asked.headers) {
        auto line = h.name + ": " + h.value;
        if (line.find_first_of("\r\n") == line.npos) append(list, line);
    }
    append(list, "Expect:");
    return list;
}

CurlList connect_list(const HttpClientOptions& options) {
    CurlList list;
    for (const auto& text : options.host_overrides)
        if (auto equals = text.find('='); equals != text.npos)
            append(list, text.substr(0, equals) + "::" + text.substr(equals + 1));
    return list;
}

}  // namespace

Transfer::Transfer(
    base::Fetch asked, const HttpClientOptions& options, const NetworkSet& allowed,
    std::chrono::milliseconds left, Connections connections
)
    : asked_(std::move(asked)),
      allowed_(allowed),
      stop_(options.stop),
      headers_(header_list(asked_)),
      connect_to_(connect_list(options)) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    curl_.reset(curl_easy_init());
    if (curl_) set_up(options, left, connections);
}

void Transfer::set_up(
    const HttpClientOptions& options, std::chrono::milliseconds left, Connections connections
) {
    const bool fresh = connections == Connections::fresh;
    const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(curl_.get(), option, value); };
    set(CURLOPT_URL, asked_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // does not wait for a name server that is silent
    set(CURLOPT_HTTP_VERSION, static_cast<long>(fresh ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
    set(CURLOPT_USERAGENT, options.user_agent.c_str());
    set(CURLOPT_HTTPHEADER, headers_.get());
    set(CURLOPT_CONNECT_TO, connect_to_.get());
    set(CURLOPT_ACCEPT_ENCODING, "gzip");
    set(CURLOPT_FRESH_CONNECT, fresh ? 1L : 0L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min(options.connect * 2, left).count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 100L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.silence.count()));
    if (!asked_.cut) set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(asked_.most_bytes));
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options.socket_path.empty()) set(CURLOPT_UNIX_SOCKET_PATH, options.socket_path.c_str());
    if (!options.extra_ca_file.empty()) set(CURLOPT_CAINFO, options.extra_ca_file.c_str());
    if (stop_.stop_possible()) {  // checked once a second while nothing arrives
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, go_on);
        set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
    }
    set(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
    set(CURLOPT_HEADERFUNCTION, read_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, read_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    if (asked_.post) {
        set(CURLOPT_POSTFIELDS, asked_.body.data());
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(asked_.body.size()));
    }
}

// Returning non-zero aborts the transfer.
int Transfer::go_on(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Transfer*>(self)->stop_.stop_requested() ? 1 : 0;
}

bool Transfer::may_connect(const sockaddr& to) const {
    if (asked_.trusted) return true;
    char text[INET6_ADDRSTRLEN] = "";
    const void* bytes = to.sa_family == AF_INET
                            ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(to).sin_addr)
                            : &reinterpret_cast<const sockaddr_in6&>(to).sin6_addr;
    if (!inet_ntop(to.sa_family, bytes, text, sizeof text)) return false;
    auto address = Address::parse(text);
    return address && (is_public(*address) || allowed_.contains(*address));
}

// libcurl connects the returned socket to exactly this address.
curl_socket_t Transfer::open_socket(void* self, curlsocktype, curl_sockaddr* to) {
    auto& transfer = *static_cast<Transfer*>(self);
    // libcurl uses UNIX sockets only if a path was set.
    if (to->family == AF_UNIX) return ::socket(AF_UNIX, to->socktype | SOCK_CLOEXEC, 0);
    if (to->family != AF_INET && to->family != AF_INET6) return CURL_SOCKET_BAD;
    constexpr int most_tries = 2;
    if (++(to->family == AF_INET ? transfer.tries_v4_ : transfer.tries_v6_) > most_tries)
        return CURL_SOCKET_BAD;
    if (!transfer.may_connect(to->addr)) {
        transfer.refused_address_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

std::size_t Transfer::read_header(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    std::string_view line(bytes, size * count);
    transfer.header_bytes_ += line.size();
    if (transfer.header_bytes_ > most_header_bytes) {
        transfer.too_large_ = true;
        return 0;
    }
    // Headers of an interim response (100, 103) are dropped.
    if (line.starts_with("HTTP/")) transfer.answer_.headers.clear();
    auto colon = line.find(':');
    if (colon != line.npos)
        transfer.answer_.headers.push_back(
            {base::text::ascii_lowered(base::text::trimmed(line.substr(0, colon), blanks)),
             std::string(base::text::trimmed(line.substr(colon + 1), blanks))}
        );
    return size * count;
}

std::size_t Transfer::read_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    auto& body = transfer.answer_.body;
    auto most = static_cast<std::size_t>(transfer.asked_.most_bytes);
    auto taken = std::min(size * count, most - body.size());
    body.append(bytes, taken);
    if (taken == size * count) return taken;
    (transfer.asked_.cut ? transfer.cut_ : transfer.too_large_) = true;
    return 0;
}

FetchFailure Transfer::failure_of(CURLcode code) const {
    using enum FetchFailure;
    if (cut_) return none;
    if (too_large_) return too_large;
    switch (code) {
        case CURLE_OK: return none;
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL: return bad_url;
        case CURLE_COULDNT_RESOLVE_HOST: return unresolvable;
        case CURLE_FILESIZE_EXCEEDED: return too_large;
        case CURLE_OPERATION_TIMEDOUT: return timeout;
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CIPHER:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR: return tls;
        case CURLE_COULDNT_CONNECT:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR: return refused_address_ ? forbidden_address : unreachable;
        default: return bad_answer;
    }
}

Hop Transfer::finish(CURLcode code) {
    Hop out{std::move(answer_), {}};
    out.answer.failure = failure_of(code);
    out.answer.url = asked_.url;
    if (out.answer.failure != FetchFailure::none) return out;
    long status = 0;
    char* redirect = nullptr;
    curl_off_t retry_after = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl_.get(), CURLINFO_RETRY_AFTER, &retry_after);
    out.answer.retry_after = retry_after;
    curl_easy_getinfo(curl_.get(), CURLINFO_REDIRECT_URL, &redirect);
    out.answer.status = static_cast<int>(status);
    if (redirect) out.redirect = redirect;
    return out;
}

}  // namespace net
