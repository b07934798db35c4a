// SPDX-License-Identifier: AGPL-3.0-or-later
// The only HTTP client for other servers. Whether an address is allowed is checked when the socket is
// created, for the very address it connects to, so DNS rebinding cannot get around it. Blocks; for threads
// that may wait.
#pragma once
#include "base/fetch.hpp"
#include "net/forwarded.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>

namespace net {

struct HttpClientOptions {
    std::string user_agent = "dunlin";
    // Our own hosts (with their port, if one is given), which are never contacted.
    std::vector<std::string> own_hosts;
    // Networks (CIDR) that are allowed although they are not public.
    std::vector<std::string> allowed_networks;
    // name=address:port: where to connect for a name instead.
    std::vector<std::string> host_overrides;
    std::string socket_path;    // sends everything through this local UNIX socket instead
    std::string extra_ca_file;  // trusted in addition to the system's authorities
    bool plain_http = false;    // allows http:// even where the request requires https
    bool asks_nobody = false;   // treats every server as unreachable
    int per_host = 4;           // concurrent requests to one host
    // How many may queue for one host. Together with per_host, fewer than the threads that make requests, so
    // that one slow host never occupies all of them.
    int in_line = 3;
    std::chrono::milliseconds connect{5000};
    std::chrono::seconds silence{10};  // at less than 100 bytes a second
    // How long requests to a server that timed out fail at once instead of waiting too, so that threads are
    // left for others.
    std::chrono::seconds avoided{60};
    // When stop is requested, running requests are cancelled and no new ones are made.
    std::stop_token stop;
};

class HttpClient {
public:
    explicit HttpClient(HttpClientOptions);

    // Throws base::TimedOut when the deadline of the current work (base/deadline.hpp) expires before a
    // response arrives, and base::Stopping after options.stop: neither says anything about the server.
    base::Fetched fetch(const base::Fetch&);

private:
    using Clock = std::chrono::steady_clock;
    struct Turn;
    // The requests to a host: those in progress, and those waiting, in order of arrival.
    struct Line {
        int talking = 0;
        std::deque<const Turn*> waiting;
    };

    // Why a request is refused, and after how many seconds it might be accepted.
    struct Refusal {
        base::FetchFailure why = base::FetchFailure::none;
        std::int64_t retry_after = 0;
    };
    base::Fetched ask(const base::Fetch&);
    void wake();
    Refusal admit(const Turn&, const std::string& origin, const base::Fetch&, Clock::time_point end);
    bool counts(const std::string& host, const base::Fetch&);
    bool await(std::unique_lock<std::mutex>&, const Turn&, const std::string& origin, Clock::time_point end);
    void forget_if_empty(const std::string& host);
    bool is_silent(const std::string& origin) const;
    void note_silence(const std::string& origin);
    void leave(const Turn&);

    HttpClientOptions options_;
    NetworkSet allowed_;
    std::mutex mutex_;
    std::condition_variable moved_;      // notified when a line or silent_ changes
    std::map<std::string, Line> lines_;  // by host
    struct Counted {
        int all = 0, bulk = 0;
    };
    std::map<std::string, Counted> counted_;  // requests by host in the current minute
    std::int64_t minute_ = 0;
    std::map<std::string, Clock::time_point> silent_;  // origins avoided after a timeout: until when
    std::stop_callback<std::function<void()>> wakes_;  // last: its callback uses the other members
};

}  // namespace net
