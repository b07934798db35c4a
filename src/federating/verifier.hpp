// SPDX-License-Identifier: AGPL-3.0-or-later
// The threads that verify what could not be verified when it was received (federation/inbox/unverified.hpp), host by host.
#pragma once
#include "db/engine.hpp"
#include "jobs/rest.hpp"
#include "jobs/sessions.hpp"

#include <thread>

namespace server {

class Verifier {
public:
    Verifier(db::Engine&, const base::Outside&);
    ~Verifier() { stop(); }

    void start(int threads = 4);
    void stop();  // before the engine
    void wake();  // something was written; from any thread

private:
    void loop();

    const jobs::Sessions sessions_;
    jobs::Rest rest_;
    std::vector<std::thread> threads_;
};

}  // namespace server
