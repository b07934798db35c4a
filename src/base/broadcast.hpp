// SPDX-License-Identifier: AGPL-3.0-or-later
// Short texts from this node of a site to all of them. Nothing is promised but haste: what is said while there is no way is
// lost, and `joined` tells when something may have been missed. Never the truth, which is in the database.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace base {

class Broadcast {
public:
    struct Ears {
        std::function<void(std::string_view)> heard;  // what some node has said, this one too
        std::function<void()> joined;                 // others are heard from now on
    };
    // PostgreSQL passes on 8,000 bytes at a time.
    static constexpr std::size_t longest = 7800;

    virtual ~Broadcast() = default;
    // The ears are called on a thread of its own; it connects by itself, again and again.
    virtual void start(Ears) = 0;
    virtual void stop() = 0;
    virtual void say(std::string text) = 0;  // waits for nothing; from any thread
    virtual bool connected() const = 0;
};

}  // namespace base
