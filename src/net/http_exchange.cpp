// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/http_exchange.hpp"

#include "net/public_address.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <algorithm>
#include <mutex>

namespace net {

namespace {

using base::FetchFailure;

constexpr std::size_t longest_url = 8192, most_header_bytes = 64 * 1024;

struct Closer {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
    void operator()(char* text) const { curl_free(text); }
};
using List = std::unique_ptr<curl_slist, Closer>;

void append(List& list, const std::string& text) {
    list.reset(curl_slist_append(list.release(), text.c_str()));
}

std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
    std::unique_ptr<char, Closer> owned(text);
    return owned.get();
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::string_view trimmed(std::string_view text) {
    auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// What the callbacks of one transfer share.
struct Transfer {
    const base::Fetch& asked;
    const TrustedProxies& allowed;
    base::Fetched answer;
    std::size_t header_bytes = 0;
    bool refused_address = false, too_large = false, cut = false;
    int tries_v4 = 0, tries_v6 = 0;
};

bool may_connect(const Transfer& transfer, const sockaddr& to) {
    if (transfer.asked.trusted) return true;
    char text[INET6_ADDRSTRLEN] = "";
    const void* bytes = to.sa_family == AF_INET
                            ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(to).sin_addr)
                            : &reinterpret_cast<const sockaddr_in6&>(to).sin6_addr;
    if (!inet_ntop(to.sa_family, bytes, text, sizeof text)) return false;
    auto address = Address::parse(text);
    return address && (is_public(*address) || transfer.allowed.trusts(*address));
}

// libcurl connects the socket it gets here to exactly this address.
curl_socket_t open_socket(void* data, curlsocktype, curl_sockaddr* to) {
    auto& transfer = *static_cast<Transfer*>(data);
    if (to->family != AF_INET && to->family != AF_INET6) return CURL_SOCKET_BAD;
    constexpr int most_tries = 2;
    if (++(to->family == AF_INET ? transfer.tries_v4 : transfer.tries_v6) > most_tries)
        return CURL_SOCKET_BAD;
    if (!may_connect(transfer, to->addr)) {
        transfer.refused_address = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

std::size_t read_header(char* bytes, std::size_t size, std::size_t count, void* data) {
    auto& transfer = *static_cast<Transfer*>(data);
    std::string_view line(bytes, size * count);
    transfer.header_bytes += line.size();
    if (transfer.header_bytes > most_header_bytes) {
        transfer.too_large = true;
        return 0;
    }
    // Those of an interim answer (100, 103) are not its.
    if (line.starts_with("HTTP/")) transfer.answer.headers.clear();
    auto colon = line.find(':');
    if (colon != line.npos)
        transfer.answer.headers.push_back(
            {lower(trimmed(line.substr(0, colon))), std::string(trimmed(line.substr(colon + 1)))}
        );
    return size * count;
}

std::size_t read_body(char* bytes, std::size_t size, std::size_t count, void* data) {
    auto& transfer = *static_cast<Transfer*>(data);
    auto& body = transfer.answer.body;
    auto most = static_cast<std::size_t>(transfer.asked.most_bytes);
    auto taken = std::min(size * count, most - body.size());
    body.append(bytes, taken);
    if (taken == size * count) return taken;
    (transfer.asked.cut ? transfer.cut : transfer.too_large) = true;
    return 0;
}

FetchFailure failure_of(CURLcode code, const Transfer& transfer) {
    using enum FetchFailure;
    if (transfer.cut) return none;
    if (transfer.too_large) return too_large;
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
        case CURLE_RECV_ERROR: return transfer.refused_address ? forbidden_address : unreachable;
        default: return bad_answer;
    }
}

List header_list(const base::Fetch& asked) {
    List list;
    for (const auto& h : asked.headers) {
        auto line = h.name + ": " + h.value;
        if (line.find_first_of("\r\n") == line.npos) append(list, line);
    }
    append(list, "Expect:");
    return list;
}

List connect_list(const HttpClientOptions& options) {
    List list;
    for (const auto& text : options.host_overrides)
        if (auto equals = text.find('='); equals != text.npos)
            append(list, text.substr(0, equals) + "::" + text.substr(equals + 1));
    return list;
}

}  // namespace

std::optional<FetchTarget> read_target(const std::string& text) {
    std::unique_ptr<CURLU, Closer> url(curl_url());
    if (!url || text.size() > longest_url) return std::nullopt;
    if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
    FetchTarget target{
        lower(part_of(url.get(), CURLUPART_SCHEME)),
        lower(part_of(url.get(), CURLUPART_HOST)),
        part_of(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT)
    };
    bool http = target.scheme == "http" || target.scheme == "https";
    bool named =
        !part_of(url.get(), CURLUPART_USER).empty() || !part_of(url.get(), CURLUPART_PASSWORD).empty();
    if (!http || named || target.host.empty()) return std::nullopt;
    return target;
}

Hop exchange(
    const base::Fetch& asked, const HttpClientOptions& options, const TrustedProxies& allowed,
    std::chrono::milliseconds left
) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });

    std::unique_ptr<CURL, Closer> curl(curl_easy_init());
    if (!curl) return {{FetchFailure::busy, 0, asked.url, {}, {}}, {}};
    Transfer transfer{asked, allowed, {}};
    auto headers = header_list(asked);
    auto connect_to = connect_list(options);
    const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(curl.get(), option, value); };
    set(CURLOPT_URL, asked.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // nobody waits for a name server that is silent
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_USERAGENT, options.user_agent.c_str());
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_CONNECT_TO, connect_to.get());
    set(CURLOPT_ACCEPT_ENCODING, "gzip");
    set(CURLOPT_FRESH_CONNECT, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min(options.connect * 2, left).count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 100L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.silence.count()));
    if (!asked.cut) set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(asked.most_bytes));
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options.extra_ca_file.empty()) set(CURLOPT_CAINFO, options.extra_ca_file.c_str());
    set(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(&transfer));
    set(CURLOPT_HEADERFUNCTION, read_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(&transfer));
    set(CURLOPT_WRITEFUNCTION, read_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
    if (asked.post) {
        set(CURLOPT_POSTFIELDS, asked.body.data());
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(asked.body.size()));
    }

    const auto code = curl_easy_perform(curl.get());
    Hop out{std::move(transfer.answer), {}};
    out.answer.failure = failure_of(code, transfer);
    out.answer.url = asked.url;
    if (out.answer.failure != FetchFailure::none) return out;
    long status = 0;
    char* redirect = nullptr;
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl.get(), CURLINFO_REDIRECT_URL, &redirect);
    out.answer.status = static_cast<int>(status);
    if (redirect) out.redirect = redirect;
    return out;
}

}  // namespace net
