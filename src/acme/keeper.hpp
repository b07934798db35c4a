// SPDX-License-Identifier: AGPL-3.0-or-later
// Has a certificate for the names of this site, from an authority that speaks ACME, and has it renewed in time. Whatever
// fails, the certificate there is stays in use, and what the authority said is kept for the operator.
//
// Each step is written down before the next, so that a process that is killed goes on with its order, and of several nodes
// one is at it while all answer the authority.
#pragma once
#include "acme/client.hpp"
#include "acme/store.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

namespace acme {

struct KeeperOptions {
    Names names;
    std::string directory;
    std::string rehearsal_directory;  // where new names are tried out first; empty: nowhere
    std::string email;
    Binding binding;
    bool http_first = false;  // http-01 before tls-alpn-01
    std::string node;         // the name of this process
    // How long other nodes need to see what is to be answered; 0: there are none.
    std::chrono::seconds spread{0};

    Client::Fetch fetch;
    // Called whenever they change, from the keeper's thread or the one that calls load().
    std::function<void(const Certificate&)> use;
    std::function<void(const std::map<std::string, Certificate>&)> show;  // by name, for acme-tls/1
};

class Keeper {
public:
    Keeper(jobs::Sessions, KeeperOptions);

    void load();  // what there is; before the server listens
    void start() { worker_.start(1); }
    void stop() { worker_.stop(); }

    jobs::Idle turn();  // does what is due, if anything; what the thread does again and again

    // What http-01 is answered with; from any thread.
    std::optional<std::string> answer(const std::string& token) const;
    // Of the certificate in use; nothing while there is none.
    std::optional<Facts> facts() const;

private:
    struct Stopped {};
    struct Known {
        std::optional<Issued> issued;
        std::vector<Proof> proofs;
        std::vector<Try> tries;
        bool wanted = false;
        base::Time now;
    };

    Known know();
    bool is_due(const Known&) const;
    void ask_when_to_renew(const Known&);
    void try_to_issue(const Known&);
    void check_clock(const Known&, const Client&) const;
    Client connect(const std::string& directory);
    void with_account(const std::string& directory, const std::function<void(Client&)>& ask);
    void issue(
        Client&, const std::string& directory, const std::string& replaces, bool http_first, bool keep
    );
    Order open_order(Client&, const std::string& directory, const std::string& replaces, std::string& key);
    Order new_order(Client&, const std::string& replaces);
    void prove(Client&, const Order&, bool http_first);
    void await_proof(Client&, const std::string& authorization);
    Order await(Client&, Order, const char* until);
    void hold_lease();
    void pause(std::int64_t seconds);

    jobs::Sessions sessions_;
    const KeeperOptions options_;
    const std::string names_;
    mutable std::mutex mutex_;
    std::vector<Proof> shown_;                   // guarded
    std::optional<Issued> in_use_;               // guarded
    std::atomic<std::int64_t> clock_ahead_ = 0;  // seconds, of a clock that is wrong
    bool ordered_ = false;                       // by the try under way
    jobs::Worker worker_;                        // last: it uses the rest
};

}  // namespace acme
