// SPDX-License-Identifier: AGPL-3.0-or-later
// Many concurrent requests on one thread, with the options and the socket check (transfer.hpp) of
// http_client, but with persistent connections, and HTTP/2 where it is offered. Redirects are returned, never
// followed.
#pragma once
#include "net/client/http_client.hpp"

#include <memory>
#include <vector>

namespace net {

class Sender {
public:
    explicit Sender(HttpClientOptions);
    ~Sender();  // aborts running requests

    struct Ended {
        std::uint64_t tag = 0;
        base::Fetched answer;
    };

    // wait() returns the response, or the failure, under the same tag.
    void start(std::uint64_t tag, base::Fetch);
    // Waits until something ends, wake() is called or the time is over.
    std::vector<Ended> wait(std::chrono::milliseconds at_most);
    void wake();  // callable from any thread
    std::size_t under_way() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
