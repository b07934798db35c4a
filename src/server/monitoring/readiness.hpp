// SPDX-License-Identifier: AGPL-3.0-or-later
// /readyz: whether this server can do its work now. A read and a change must come through the database within five
// seconds; whoever asks meanwhile, or a second later, gets the same answer, so that asking costs next to nothing.
#pragma once
#include "db/engine.hpp"
#include "http/message.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace server {

class Readiness {
public:
    // The change is one to the row of this node.
    Readiness(db::Engine&, std::string node);

    void answer(http::Pending);
    // Those who have waited too long are told so; called every few seconds.
    void tick();

    struct Probes;
    class Try;

private:
    void probe();

    db::Engine& engine_;
    const std::string node_;
    const std::shared_ptr<Probes> probes_;
};

}  // namespace server
