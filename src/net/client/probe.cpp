// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/probe.hpp"

#include "net/client/transfer.hpp"
#include "net/fd.hpp"
#include "net/local/socket_file.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

namespace net {

namespace {

using Clock = std::chrono::steady_clock;

struct FreeAddresses {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

struct Looked {
    std::string failure;
    Addresses found;
};

Looked look_up(const std::string& host, std::uint16_t port) {
    addrinfo hints{}, *list = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    const auto result = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
    if (result != 0) return {::gai_strerror(result), {}};
    return {{}, Addresses(list)};
}

// The system's resolver cannot be cancelled; on a timeout its thread is left running.
Looked look_up_within(const std::string& host, std::uint16_t port, std::chrono::milliseconds patience) {
    auto promise = std::make_shared<std::promise<Looked>>();
    auto found = promise->get_future();
    std::thread([promise, host, port] { promise->set_value(look_up(host, port)); }).detach();
    if (found.wait_for(patience) == std::future_status::ready) return found.get();
    return {"no name server has answered", {}};
}

std::string text_of(const addrinfo& one) {
    char text[NI_MAXHOST] = "";
    ::getnameinfo(one.ai_addr, one.ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
    return text;
}

struct Attempt {
    Fd socket;
    std::string address;
    bool open = false, failed = false;
    bool beyond = false;  // no route to it
};

Attempt begin(const addrinfo& one) {
    Attempt attempt;
    attempt.address = text_of(one);
    attempt.socket = Fd(::socket(one.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    attempt.open = attempt.socket && ::connect(attempt.socket.get(), one.ai_addr, one.ai_addrlen) == 0;
    if (attempt.open || errno == EINPROGRESS) return attempt;
    attempt.failed = true;
    attempt.beyond = errno == ENETUNREACH || errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL;
    return attempt;
}

void await(std::vector<Attempt>& attempts, Clock::time_point until) {
    for (;;) {
        std::vector<pollfd> polls;
        std::vector<Attempt*> open;
        for (auto& attempt : attempts)
            if (!attempt.open && !attempt.failed) {
                polls.push_back({attempt.socket.get(), POLLOUT, 0});
                open.push_back(&attempt);
            }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        if (polls.empty() || left <= 0) return;
        if (::poll(polls.data(), polls.size(), static_cast<int>(left)) <= 0) return;
        for (std::size_t i = 0; i < polls.size(); ++i) {
            if (polls[i].revents == 0) continue;
            int error = 0;
            socklen_t size = sizeof error;
            ::getsockopt(polls[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
            (error == 0 ? open[i]->open : open[i]->failed) = true;
        }
    }
}

// The first certificate of the chain.
std::string first_certificate(CURL* curl) {
    curl_certinfo* chain = nullptr;
    if (curl_easy_getinfo(curl, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain || chain->num_of_certs < 1)
        return {};
    for (auto* item = chain->certinfo[0]; item; item = item->next) {
        std::string_view fact = item->data;
        if (fact.starts_with("Cert:")) return std::string(fact.substr(5));
    }
    return {};
}

}  // namespace

Reached reach(const std::string& host, std::uint16_t port, std::chrono::milliseconds patience) {
    const auto until = Clock::now() + patience;
    const auto looked = look_up_within(host, port, patience);
    Reached out{looked.failure, {}, {}, {}};
    std::vector<Attempt> attempts;
    for (const auto* one = looked.found.get(); one; one = one->ai_next) attempts.push_back(begin(*one));
    await(attempts, until);
    for (const auto& attempt : attempts) {
        out.addresses.push_back(attempt.address);
        if (!attempt.open) (attempt.beyond ? out.beyond : out.silent).push_back(attempt.address);
    }
    return out;
}

std::optional<std::string> obstacle_to_listening(const Endpoint& at) {
    if (!at.path.empty()) {
        try {
            SocketFile file(at.path);
            return std::nullopt;
        } catch (const std::runtime_error& e) {
            const std::string why = e.what();
            return why.substr(why.find(at.path));
        }
    }
    addrinfo hints{}, *list = nullptr;
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(at.address.c_str(), std::to_string(at.port).c_str(), &hints, &list) != 0)
        return "no address";
    const Addresses found(list);
    const Fd socket(::socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int yes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (list->ai_family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (socket && ::bind(socket.get(), list->ai_addr, list->ai_addrlen) == 0) return std::nullopt;
    return std::strerror(errno);
}

ShownCertificate shown_certificate(
    const std::string& host, std::uint16_t port, const std::string& extra_ca_file,
    std::chrono::milliseconds patience
) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    std::unique_ptr<CURL, CurlCloser> curl(curl_easy_init());
    if (!curl) return {"no memory", {}};
    const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(curl.get(), option, value); };
    const auto url = "https://" + (host.find(':') == host.npos ? host : "[" + host + "]") + ":" +
                     std::to_string(port) + "/";
    char reason[CURL_ERROR_SIZE] = "";
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "https");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECT_ONLY, 1L);
    set(CURLOPT_CERTINFO, 1L);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(patience.count()));
    set(CURLOPT_ERRORBUFFER, static_cast<char*>(reason));
    if (!extra_ca_file.empty()) set(CURLOPT_CAINFO, extra_ca_file.c_str());
    const auto result = curl_easy_perform(curl.get());
    if (result == CURLE_OK) return {{}, first_certificate(curl.get())};
    return {reason[0] ? reason : curl_easy_strerror(result), {}};
}

}  // namespace net
