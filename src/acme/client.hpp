// SPDX-License-Identifier: AGPL-3.0-or-later
// A client for certificate authorities: ACME (RFC 8555), with external account binding (section 7.3.4) and
// renewal information (RFC 9773). Every request is signed with the account's key and contains a fresh nonce.
// Blocks.
#pragma once
#include "acme/certificate.hpp"
#include "base/fetch.hpp"
#include "base/p256.hpp"

#include <boost/json/object.hpp>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace acme {

// The authority refused or did not respond; what() is for the operator, in the authority's own words if it
// gave any.
struct Problem : std::runtime_error {
    Problem(std::string text, std::string type_ = "", std::int64_t retry_after_ = 0)
        : std::runtime_error(text), type(std::move(type_)), retry_after(retry_after_) {}
    // Whether a later attempt may succeed: it was unreachable or busy.
    bool passes() const { return type == unheard || type == "rateLimited" || type == "serverInternal"; }
    bool is_account_forgotten() const { return type == "accountDoesNotExist"; }

    static constexpr std::string_view unheard = "unheard";
    std::string type;  // "unheard", or the end of urn:ietf:params:acme:error:…: "rateLimited", "caa"
    std::int64_t retry_after = 0;  // seconds; 0: not given
};

// External account binding, as issued by an authority: both or neither.
struct Binding {
    std::string key_id;
    std::string key;  // base64url
};

struct Order {
    std::string url, status, finalize, certificate;
    std::vector<std::string> authorizations;
    std::string fault;             // the authority's words, if the order is invalid
    std::int64_t retry_after = 0;  // seconds
};

struct Challenge {
    std::string type, url, token, status;
};

struct Authorization {
    std::string name, status;
    std::vector<Challenge> challenges;
    std::string fault;
    std::int64_t retry_after = 0;
};

struct Renewal {
    base::Time from, until;         // renew within this time
    std::int64_t ask_again_in = 0;  // seconds
};

class Client {
public:
    using Fetch = std::function<base::Fetched(const base::Fetch&)>;

    // `account_url`: empty until sign_up. All functions throw Problem.
    Client(Fetch, base::P256 account_key, std::string directory);

    const std::string& terms() const { return terms_; }
    // How far this machine's clock is ahead of the authority's, in seconds.
    std::int64_t clock_ahead(base::Time now) const;

    // Creates the account, or finds the existing one of this key.
    std::string sign_up(const std::string& email, const Binding&);
    void use_account(std::string url) { account_ = std::move(url); }

    // `replaces`: the renewal id of the previous certificate, or empty.
    Order new_order(const Names&, const std::string& replaces);
    Order order(const std::string& url);
    Authorization authorization(const std::string& url);
    void ready_for(const Challenge&);
    Order finalize(const Order&, const std::string& request);
    std::string certificate(const Order&);  // PEM
    std::string key_authorization(const std::string& token) const;

    // nullopt if this authority does not provide it.
    std::optional<Renewal> renewal(const std::string& renewal_id);

private:
    base::Fetched get(const std::string& url);
    base::Fetched post(const std::string& url, const std::string& payload);
    base::Fetched post_once(const std::string& url, const std::string& payload);
    base::Fetched ask(const base::Fetch&);
    std::string nonce();
    std::string jwk() const;

    const Fetch fetch_;
    const base::P256 key_;
    std::string account_, terms_;
    std::string new_nonce_, new_account_, new_order_, renewal_info_;
    std::string nonce_;
    std::optional<base::Time> date_;  // the authority's time in its last response
    std::string thumbprint_;
};

}  // namespace acme
