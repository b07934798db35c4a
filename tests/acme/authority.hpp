// SPDX-License-Identifier: AGPL-3.0-or-later
// A certificate authority in memory, for what Debian's pebble cannot be told to do: the time of renewal, refusals by CAA, a clock
// of its own, a process that is gone between two steps. Who talks to it for real: tests/packages/certificates.py.
#pragma once
#include "acme/client.hpp"

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <boost/json.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

class Authority {
public:
    Authority();
    ~Authority();

    base::Fetched answer(const base::Fetch&);
    acme::Client::Fetch fetch() {
        return [this](const base::Fetch& question) { return answer(question); };
    }

    // How it is.
    bool away = false;
    std::int64_t clock_ms = 1'767'225'600'000;
    int bad_nonces = 0;                            // so many of the next are refused
    bool forgetful = false;                        // it knows no account until one is made
    std::string refusal;                           // of orders: a type of RFC 8555
    std::string replacing_refusal;                 // the same, of those that replace a certificate
    std::int64_t retry_after = 0;                  // with that
    std::string invalid;                           // the type for which proofs are not accepted
    std::string wants_binding;                     // the id of the key it gave
    std::pair<std::int64_t, std::int64_t> window;  // of renewal, ms; 0: it does not say
    std::int64_t lifetime_s = 90 * 86'400;
    // Throws from the request with this path, once, after it was done: the process is gone.
    std::string dies_at;

    // What was asked of it.
    std::vector<std::string> asked;  // paths
    int orders = 0, issued = 0, accounts = 0;
    std::string replaced, bound_by, proved_by;

    struct Died {};

private:
    base::Fetched handle(const base::Fetch&);
    base::Fetched say(int status, boost::json::object body, std::vector<base::FetchHeader> = {});
    base::Fetched problem(int status, const std::string& type, const std::string& detail);
    boost::json::object shown_order() const;
    boost::json::object payload(const base::Fetch&);
    std::string sign(const std::string& request);

    std::set<std::string> nonces_;
    int last_nonce_ = 0;
    std::string order_status_ = "none", proof_status_ = "pending", chain_;
    boost::json::array identifiers_;
    EVP_PKEY* key_ = nullptr;
    X509* root_ = nullptr;
};
