// SPDX-License-Identifier: AGPL-3.0-or-later
// The threads that process incoming activities (federation/inbox/inbox.hpp). Two of them take many items at a
// time, prepare them in parallel, and apply several in one change; the same commit also leases the next
// items, and while one thread waits for the disk, the other prepares. Items that require a request to another
// server go to separate threads, so that a slow server delays only those.
#pragma once
#include "db/engine.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/federation/inbox/inbox.hpp"

#include <span>

namespace server {

class InboxWorker {
public:
    // How many items are applied in one change. On SQLite each change costs a savepoint, and pages written
    // several times are stored only once; with a distant database, sequential round trips dominate.
    static constexpr std::size_t together_on_sqlite = 16, together_on_postgres = 2;
    InboxWorker(
        db::Engine&, const base::ExternalServices&, federation::Handlers,
        std::size_t together = together_on_sqlite
    );

    ~InboxWorker() { stop(); }

    void start(int threads = 2, int asking = 8);
    void stop();  // before the engine stops
    void wake();  // an item was written; callable from any thread

private:
    struct Prepared {
        federation::Item item;
        federation::Doing doing;
        std::exception_ptr error;
        bool asks = false;
    };

    using Items = std::vector<federation::Item>;

    jobs::Idle batch_turn();   // processes consecutive batches
    jobs::Idle asking_turn();  // one item
    void take(Items&);         // and leases the next batch
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
