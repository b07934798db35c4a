// SPDX-License-Identifier: AGPL-3.0-or-later
// /readyz: whether this server can do its work now. A read and a change must get through the database within
// five seconds; concurrent requests, and those within a second, get the same answer, so polling is cheap.
#pragma once
#include "db/engine.hpp"
#include "http/message.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace server {

class Readiness {
public:
    // The change updates this node's row.
    Readiness(db::Engine&, std::string node);

    void answer(http::Pending);
    // Answers requests that have waited too long; call every few seconds.
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
