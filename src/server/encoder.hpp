// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread that has sound and moving pictures made (media/processing.hpp). One of its own, because that takes
// minutes: jobs and requests would wait behind it.
#pragma once
#include "db/engine.hpp"
#include "jobs/rest.hpp"
#include "social/media/processing.hpp"

#include <functional>
#include <thread>

namespace server {

class Encoder {
public:
    Encoder(db::Engine& engine, media::Store store) : engine_(engine), store_(std::move(store)) {}
    ~Encoder() { stop(); }

    void start();
    void wake();  // something was uploaded; from any thread
    void stop();  // after sandbox::allow_workers(false): what is in work is given back

    // One task, if any waits; whether there was one.
    bool turn();

private:
    void loop();
    void change(const char* name, const std::function<void(db::Write&)>&);

    db::Engine& engine_;
    const media::Store store_;
    jobs::Rest rest_;
    std::thread thread_;
};

}  // namespace server
