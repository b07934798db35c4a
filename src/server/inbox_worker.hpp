// SPDX-License-Identifier: AGPL-3.0-or-later
// The threads that process what other servers brought (federation/inbox.hpp). One takes many items at a time, all of
// which are prepared on one snapshot and made by one commit; items for which another server has to be asked go to
// others, so that a slow server holds up nothing but those.
#pragma once
#include "db/engine.hpp"
#include "jobs/rest.hpp"
#include "jobs/sessions.hpp"
#include "social/federation/inbox.hpp"

#include <thread>

namespace server {

class InboxWorker {
public:
    InboxWorker(db::Engine&, const base::Outside&, federation::Handlers);
    ~InboxWorker() { stop(); }

    void start(int asking = 8);
    void stop();  // before the engine
    void wake();  // something was written; from any thread

private:
    struct Prepared {
        federation::Item item;
        jobs::Change change;
        std::exception_ptr error;
        bool asks = false;
    };

    void loop(bool asking);
    bool turn(jobs::Rest::Milliseconds& next_due);         // a batch; false when there was nothing to do
    bool asking_turn(jobs::Rest::Milliseconds& next_due);  // one item
    Prepared ready(db::Read&, const federation::Item&) const;
    void settle(std::vector<Prepared>);
    std::vector<federation::Item> lease(int at_most, bool asking, jobs::Rest::Milliseconds& next_due);

    db::Engine& engine_;
    const jobs::Sessions sessions_;
    const federation::Handlers handlers_;
    jobs::Rest rest_[2];  // by whether they ask
    std::vector<std::thread> threads_;
};

}  // namespace server
