// SPDX-License-Identifier: AGPL-3.0-or-later
// The one client that asks other servers. Whether an address may be asked is decided where the socket is made, for the
// very address it connects to: a name that is looked up once cannot mean two things. Blocks; for threads that may wait.
#pragma once
#include "base/fetch.hpp"
#include "net/forwarded.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>

namespace net {

struct HttpClientOptions {
    std::string user_agent = "dunlin";
    // Hosts (with their port, where one is written) that are ourselves and are never asked.
    std::vector<std::string> own_hosts;
    // Networks (CIDR) that may be asked although they are not public.
    std::vector<std::string> allowed_networks;
    // name=address:port: where a name is reached instead.
    std::vector<std::string> host_overrides;
    std::string extra_ca_file;  // believed besides the system's authorities
    bool plain_http = false;    // http:// where the question demands https, too
    int per_host = 4;           // conversations with one host at a time
    std::chrono::milliseconds connect{5000};
    std::chrono::seconds silence{10};  // with less than 100 bytes a second
    // How long nobody else waits for a server that let somebody wait to the end, so that threads are left for others.
    std::chrono::seconds avoided{60};
};

class HttpClient {
public:
    explicit HttpClient(HttpClientOptions);

    base::Fetched fetch(const base::Fetch&);

private:
    struct Turn;
    base::FetchFailure admit(const std::string& host, const std::string& origin, int per_minute);
    void note_silence(const std::string& origin);
    void leave(const std::string& host);

    HttpClientOptions options_;
    TrustedProxies allowed_;
    std::mutex mutex_;
    std::map<std::string, int> talking_;  // conversations by host
    std::map<std::string, int> counted_;  // questions by host in the minute
    std::int64_t minute_ = 0;
    std::map<std::string, std::chrono::steady_clock::time_point> silent_;  // servers, by origin: until when
};

}  // namespace net
