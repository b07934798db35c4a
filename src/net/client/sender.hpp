// SPDX-License-Identifier: AGPL-3.0-or-later
// Many requests side by side on one thread: http_client's options, its guard of every socket (transfer.hpp), but
// connections that are kept, and HTTP/2 where it is offered. Redirects are answered, never followed.
#pragma once
#include "net/client/http_client.hpp"

#include <memory>
#include <vector>

namespace net {

class Sender {
public:
    explicit Sender(HttpClientOptions);
    ~Sender();  // what is under way is given up

    struct Ended {
        std::uint64_t tag = 0;
        base::Fetched answer;
    };

    // The answer, or why there is none, comes out of wait() under the same tag.
    void start(std::uint64_t tag, base::Fetch);
    // Until something ends, wake() is called or the time is over.
    std::vector<Ended> wait(std::chrono::milliseconds at_most);
    void wake();  // from any thread
    std::size_t under_way() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
