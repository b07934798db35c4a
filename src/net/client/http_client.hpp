// SPDX-License-Identifier: AGPL-3.0-or-later
// The one client that asks other servers. Whether an address may be asked is decided where the socket is made, for the
// very address it connects to: a name that is looked up once cannot mean two things. Blocks; for threads that may wait.
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
    // Hosts (with their port, where one is written) that are ourselves and are never asked.
    std::vector<std::string> own_hosts;
    // Networks (CIDR) that may be asked although they are not public.
    std::vector<std::string> allowed_networks;
    // name=address:port: where a name is reached instead.
    std::vector<std::string> host_overrides;
    std::string socket_path;    // everybody is asked through this UNIX socket of this machine instead
    std::string extra_ca_file;  // believed besides the system's authorities
    bool plain_http = false;    // http:// where the question demands https, too
    bool asks_nobody = false;   // everybody is as good as unreachable
    int per_host = 4;           // conversations with one host at a time
    // How many may wait in line for one: with those who talk, fewer than the threads that ask, so that a slow host never
    // takes all of them.
    int in_line = 3;
    std::chrono::milliseconds connect{5000};
    std::chrono::seconds silence{10};  // with less than 100 bytes a second
    // How long nobody else waits for a server that let somebody wait to the end, so that threads are left for others.
    std::chrono::seconds avoided{60};
    // When it is requested, what is asked is cancelled and nothing is asked any more.
    std::stop_token stop;
};

class HttpClient {
public:
    explicit HttpClient(HttpClientOptions);

    // Throws base::TimedOut when the deadline of the work (base/deadline.hpp) was over before an answer came, and
    // base::Stopping after options.stop: neither says anything about the server that was asked.
    base::Fetched fetch(const base::Fetch&);

private:
    using Clock = std::chrono::steady_clock;
    struct Turn;
    // Those who talk to a host, and those who wait for that, first come first.
    struct Line {
        int talking = 0;
        std::deque<const Turn*> waiting;
    };

    // Why not, and after how many seconds perhaps.
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
    std::condition_variable moved_;      // a line, or what is silent
    std::map<std::string, Line> lines_;  // by host
    struct Counted {
        int all = 0, bulk = 0;
    };
    std::map<std::string, Counted> counted_;  // questions by host in the minute
    std::int64_t minute_ = 0;
    std::map<std::string, Clock::time_point> silent_;  // servers, by origin: until when
    std::stop_callback<std::function<void()>> wakes_;  // last: it uses the rest
};

}  // namespace net
