// SPDX-License-Identifier: AGPL-3.0-or-later
// Messages between the nodes of a site (docs/decisions/0025-what-nodes-tell-each-other.md): announcements of
// commits, and rate limit counts. Any message may be lost; each node then looks for itself.
#pragma once
#include "base/broadcast.hpp"
#include "db/position.hpp"
#include "db/session.hpp"
#include "http/limits.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

namespace server {

struct NodeFigures {
    bool connected = false;
    std::size_t others = 0;
    std::uint64_t said = 0, heard = 0, missed = 0;
};

struct NodeWord;  // a message; see nodes.cpp

class Nodes {
public:
    struct Here {
        std::function<void(std::vector<db::Announcement>)> announced;  // by another node
        std::function<void()> missed;                                  // unknown messages were lost
        std::function<void(std::uint64_t who, db::Position)> wrote;    // by another node
        std::function<void()> beat;  // every few seconds, even without other nodes
        bool works = true;           // runs jobs, so other nodes need not hurry when rows are written here
    };
    static constexpr std::chrono::seconds between_beats{5};

    // Without a broadcast there are no other nodes. `name` is that of its row (node_rows.hpp).
    Nodes(std::string name, std::unique_ptr<base::Broadcast>, http::Limiter&, Here);
    ~Nodes();

    void start();
    void stop();
    // The announcements of a commit. Called on a writer: must be quick.
    void tell(const std::vector<db::Announcement>&);
    // Who has written here; call before responding to them (http::DispatchOptions::wrote).
    void tell_writer(std::uint64_t who, db::Position);
    NodeFigures figures() const;
    const std::string& name() const { return name_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Other {
        Clock::time_point heard_at;
        std::uint64_t number = 0;  // of its last message
    };

    void loop();
    void say(NodeWord&&);
    void say_locked(NodeWord&);
    void say_counts();
    void hear(std::string_view text);
    void take(const NodeWord&);
    void join();
    void forget_the_silent();
    bool alone() const { return others_ == 0; }

    const std::unique_ptr<base::Broadcast> broadcast_;
    http::Limiter& limiter_;
    const Here here_;
    const std::string name_;

    std::mutex saying_;
    std::uint64_t number_ = 0;
    std::set<std::string, std::less<>> wakes_;  // to be sent with the next tick

    std::mutex hearing_;
    std::unordered_map<std::string, Other> known_;
    std::atomic<std::size_t> others_ = 0;
    std::atomic<std::uint64_t> said_ = 0, heard_ = 0, missed_ = 0;

    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool ending_ = false;
};

}  // namespace server
