// SPDX-License-Identifier: AGPL-3.0-or-later
// Short messages from this node to all nodes of a site. Fast but unreliable: messages sent while there is no
// connection are lost, and `joined` reports that some may have been missed. The database remains the source
// of truth.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace base {

class Broadcast {
public:
    struct Ears {
        std::function<void(std::string_view)> heard;  // a message of any node, including this one
        std::function<void()> joined;                 // the connection is up: messages arrive from now on
    };
    // A PostgreSQL notification holds 8,000 bytes.
    static constexpr std::size_t longest = 7800;

    virtual ~Broadcast() = default;
    // The callbacks run on a separate thread, which connects by itself and reconnects when necessary.
    virtual void start(Ears) = 0;
    virtual void stop() = 0;
    virtual void say(std::string text) = 0;  // does not block; callable from any thread
    virtual bool connected() const = 0;
};

}  // namespace base
