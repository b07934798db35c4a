// SPDX-License-Identifier: AGPL-3.0-or-later
// The threads that process what other servers brought (federation/inbox/inbox.hpp). Two take many items at a time, which
// are prepared and made some together, beside each other; one commit also takes the next ones; while one waits for the
// disk, the other prepares. Items for which another server has to be asked go to threads of their own, so that a slow
// server holds up nothing but those.
#pragma once
#include "db/engine.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/federation/inbox/inbox.hpp"

#include <span>

namespace server {

class InboxWorker {
public:
    // The changes of so many items are one. On SQLite each change costs a savepoint, and pages that many write are kept only
    // once; where the database is far, what is done one after another is what takes the time.
    static constexpr std::size_t together_on_sqlite = 16, together_on_postgres = 2;
    InboxWorker(
        db::Engine&, const base::ExternalServices&, federation::Handlers,
        std::size_t together = together_on_sqlite
    );

    ~InboxWorker() { stop(); }

    void start(int threads = 2, int asking = 8);
    void stop();  // before the engine
    void wake();  // something was written; from any thread

private:
    struct Prepared {
        federation::Item item;
        federation::Doing doing;
        std::exception_ptr error;
        bool asks = false;
    };

    using Items = std::vector<federation::Item>;

    jobs::Idle batch_turn();   // as many batches as come one after the other
    jobs::Idle asking_turn();  // one item
    void take(Items&);         // in exchange for the next batch
    void look(db::Read&, std::span<Prepared>) const;
    void settle(std::vector<Prepared>, Items* next = nullptr);
    void make(std::span<Prepared*>, std::size_t together, Items* next);
    Items lease(int at_most, bool asking, jobs::Idle& idle);

    db::Engine& engine_;
    const jobs::Sessions sessions_;
    const federation::Handlers handlers_;
    const std::size_t together_;
    jobs::Worker batches_, asking_;
};

}  // namespace server
