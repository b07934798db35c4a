// SPDX-License-Identifier: AGPL-3.0-or-later
// Obtains a certificate for the names of this site from an ACME authority, and renews it in time. On any
// failure the current certificate stays in use, and the authority's message is kept for the operator.
//
// Each step is stored before the next, so that a killed process can continue its order. Of several nodes one
// does the work, while all answer the authority's challenges.
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
    std::string rehearsal_directory;  // where new names are tried first; empty: nowhere
    std::string email;
    Binding binding;
    bool http_first = false;  // http-01 before tls-alpn-01
    std::string node;         // the name of this process
    // Time for other nodes to learn what they must answer; 0: there are none.
    std::chrono::seconds spread{0};

    Client::Fetch fetch;
    // Called whenever they change, on the keeper's thread or the caller of load().
    std::function<void(const Certificate&)> use;
    std::function<void(const std::map<std::string, Certificate>&)> show;  // by name, for acme-tls/1
};

class Keeper {
public:
    Keeper(jobs::Sessions, KeeperOptions);

    void load();  // loads the stored certificate; call before the server listens
    void start() { worker_.start(1); }
    void stop() { worker_.stop(); }

    jobs::Idle turn();  // does what is due, if anything; run repeatedly by the thread

    // The response to an http-01 request; callable from any thread.
    std::optional<std::string> answer(const std::string& token) const;
    // About the certificate in use; nullopt if there is none.
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
    std::vector<Proof> shown_;                   // guarded by mutex_
    std::optional<Issued> in_use_;               // guarded by mutex_
    std::atomic<std::int64_t> clock_ahead_ = 0;  // seconds, if the clock is wrong
    bool ordered_ = false;                       // by the current attempt
    jobs::Worker worker_;                        // last: it uses the other members
};

}  // namespace acme
