// SPDX-License-Identifier: AGPL-3.0-or-later
#include "acme/keeper.hpp"

#include "acme/schedule.hpp"
#include "base/deadline.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <thread>

namespace acme {

namespace {

using std::chrono::milliseconds, std::chrono::seconds;

// How often to look for what other nodes wrote and the command line requested.
constexpr milliseconds look_every{5000};
constexpr std::int64_t lease_seconds = 120;
// How many times to poll for one order, all waits together.
constexpr int most_polls = 90;
constexpr std::int64_t clock_may_err = 600;

bool is_token(const std::string& text) {
    return !text.empty() && text.size() <= 200 && std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_';
    });
}

std::string length_of(std::int64_t seconds) {
    const auto length = std::abs(seconds);
    if (length < 7200) return std::to_string(length / 60) + " minutes";
    if (length < 2 * 86'400) return std::to_string(length / 3600) + " hours";
    return std::to_string(length / 86'400) + " days";
}

// The stored time may come from a clock that was ahead.
bool asks_by_now(const Issued& issued, base::Time now) {
    constexpr std::int64_t two_days = 2 * 86'400;
    return now >= issued.ask_at || issued.ask_at > now.plus_seconds(two_days);
}

const Challenge* chosen(const Authorization& authorization, bool http_first) {
    const std::string_view order[] = {
        http_first ? "http-01" : "tls-alpn-01", http_first ? "tls-alpn-01" : "http-01"
    };
    for (auto type : order)
        for (const auto& challenge : authorization.challenges)
            if (challenge.type == type && is_token(challenge.token)) return &challenge;
    return nullptr;
}

}  // namespace

Keeper::Keeper(jobs::Sessions sessions, KeeperOptions options)
    : sessions_(std::move(sessions)),
      options_(std::move(options)),
      names_(joined(options_.names)),
      worker_("certificate", [this] { return turn(); }) {}

Keeper::Known Keeper::know() {
    Known known;
    sessions_.look([&](db::Read& db) {
        known = {};
        known.issued = best_certificate(db, names_);
        known.proofs = proofs(db);
        known.tries = tries(db, names_);
        known.wanted = is_wanted(db);
        known.now = db.now();
    });
    bool other_certificate = false, other_proofs = false;
    {
        std::lock_guard lock(mutex_);
        other_certificate = known.issued && (!in_use_ || in_use_->chain != known.issued->chain);
        other_proofs = known.proofs != shown_;
        if (other_certificate) in_use_ = known.issued;
        shown_ = known.proofs;
    }
    if (other_certificate) options_.use({known.issued->chain, known.issued->key});
    if (other_proofs) {
        std::map<std::string, Certificate> by_name;
        for (const auto& proof : known.proofs)
            by_name[proof.name] = challenge_certificate(proof.name, proof.key_authorization);
        options_.show(by_name);
    }
    return known;
}

void Keeper::load() { know(); }

std::optional<std::string> Keeper::answer(const std::string& token) const {
    std::lock_guard lock(mutex_);
    for (const auto& proof : shown_)
        if (proof.token == token) return proof.key_authorization;
    return std::nullopt;
}

std::optional<Facts> Keeper::facts() const {
    std::lock_guard lock(mutex_);
    return in_use_ ? facts_of(in_use_->chain) : std::nullopt;
}

bool Keeper::is_due(const Known& known) const {
    if (known.wanted || !known.issued || known.issued->names != names_) return true;
    if (known.issued->directory != options_.directory) return true;
    return known.now.plus_seconds(-clock_ahead_) >= known.issued->renew_at;
}

jobs::Idle Keeper::turn() {
    auto known = know();
    const bool asks = known.issued && known.issued->names == names_ && asks_by_now(*known.issued, known.now);
    if (known.now < next_try(known.tries) || (!asks && !is_due(known))) return look_every;
    bool ours = false;
    sessions_.change("acme_lease", [&](db::Write& db) {
        ours = take_lease(db, options_.node, lease_seconds);
    });
    if (!ours) return look_every;
    try {
        known = know();  // another node may just have done it
        if (asks && !is_due(known)) ask_when_to_renew(known);
        else if (is_due(known)) try_to_issue(known);
    } catch (const Stopped&) {
    } catch (const base::Stopping&) {}
    sessions_.change("acme_end_lease", [&](db::Write& db) { end_lease(db, options_.node); });
    know();
    return look_every;
}

void Keeper::ask_when_to_renew(const Known& known) {
    const auto& issued = *known.issued;
    const auto facts = facts_of(issued.chain);
    auto renew_at = issued.renew_at, ask_at = next_question(known.now, 0);
    try {
        auto client = connect(options_.directory);
        const auto ahead = client.clock_ahead(known.now);
        clock_ahead_ = std::abs(ahead) > clock_may_err ? ahead : 0;
        if (auto renewal = client.renewal(facts ? facts->renewal_id : "")) {
            renew_at = moment_within(*renewal, facts->renewal_id);
            ask_at = next_question(known.now, renewal->ask_again_in);
        }
    } catch (const Problem& problem) {
        base::log_warning(
            "the certificate's authority does not say when to renew; the usual time stays",
            {{"cause", problem.what()}}
        );
    }
    sessions_.change("acme_plan_renewal", [&](db::Write& db) { plan_renewal(db, names_, renew_at, ask_at); });
}

// With a clock that is wrong by days, certificates seem to have expired, and every renewal counts against
// limits.
void Keeper::check_clock(const Known& known, const Client& client) const {
    const auto ahead = client.clock_ahead(known.now);
    if (std::abs(ahead) <= clock_may_err || known.wanted || !known.issued || known.issued->names != names_)
        return;
    if (known.now.plus_seconds(-ahead) >= known.issued->renew_at) return;
    throw Problem(
        "the clock of this machine is " + length_of(ahead) + (ahead > 0 ? " ahead of" : " behind") +
        " the authority's, by which the certificate needs no renewal yet; set the clock (timedatectl set-ntp "
        "true)"
    );
}

// Each failure is logged, because the attempts become rarer and rarer.
void Keeper::try_to_issue(const Known& known) {
    ordered_ = false;
    // If one way to prove the names failed, try the other.
    const auto failed = std::ranges::count_if(known.tries, [](const Try& one) {
        return one.ordered && one.outcome == Outcome::failed;
    });
    const bool http_first = options_.http_first != (failed % 2 == 1);
    auto directory = options_.directory;
    try {
        const bool is_new = !known.issued || known.issued->names != names_;
        const auto& rehearsal = options_.rehearsal_directory;
        if (is_new && !rehearsal.empty() && !was_rehearsed(known.tries, rehearsal)) {
            directory = rehearsal;
            with_account(directory, [&](Client& client) { issue(client, directory, "", http_first, false); });
            sessions_.change("acme_rehearsed", [&](db::Write& db) {
                end_order(db, directory, names_);
                note_try(db, names_, {db.now(), directory, Outcome::rehearsed, true, "", {}});
            });
            directory = options_.directory;
        }
        // An authority knows only its own certificates.
        const bool renews = !is_new && known.issued->directory == directory;
        const auto facts = renews ? facts_of(known.issued->chain) : std::nullopt;
        with_account(directory, [&](Client& client) {
            check_clock(known, client);
            issue(client, directory, facts ? facts->renewal_id : "", http_first, true);
        });
    } catch (const Problem& problem) {
        sessions_.change("acme_failed", [&](db::Write& db) {
            const auto wait = problem.retry_after;
            note_try(
                db,
                names_,
                {db.now(),
                 directory,
                 Outcome::failed,
                 ordered_,
                 problem.what(),
                 wait > 0 ? db.now().plus_seconds(wait) : base::Time{}}
            );
        });
        base::log_error(
            known.issued ? "the certificate could not be renewed; the one there is stays"
                         : "there is no certificate yet, as none could be had",
            {{"names", names_}, {"authority", directory}, {"cause", problem.what()}}
        );
    }
}

// A client with our account.
Client Keeper::connect(const std::string& directory) {
    Account ours;
    sessions_.change("acme_account", [&](db::Write& db) { ours = account(db, directory); });
    auto key = base::P256::from_pem(ours.key);
    if (!key) throw Problem("the key of our account with it cannot be read from the database");
    Client client(options_.fetch, *std::move(key), directory);
    if (!ours.url.empty()) {
        client.use_account(ours.url);
        return client;
    }
    if (!client.terms().empty())
        base::log_info(
            "by asking for a certificate you agree to the authority's terms", {{"terms", client.terms()}}
        );
    const auto url = client.sign_up(options_.email, options_.binding);
    sessions_.change("acme_signed_up", [&](db::Write& db) { keep_account_url(db, directory, url); });
    return client;
}

// Authorities may delete accounts (test environments do): then a new one is created, once.
void Keeper::with_account(const std::string& directory, const std::function<void(Client&)>& ask) {
    try {
        auto client = connect(directory);
        return ask(client);
    } catch (const Problem& problem) {
        if (!problem.is_account_forgotten()) throw;
        base::log_info(
            "the authority has forgotten our account, so another one is made",
            {{"authority", directory}, {"cause", problem.what()}}
        );
    }
    sessions_.change("acme_forget_account", [&](db::Write& db) { keep_account_url(db, directory, ""); });
    auto client = connect(directory);
    ask(client);
}

void Keeper::issue(
    Client& client, const std::string& directory, const std::string& replaces, bool http_first, bool keep
) {
    Certificate made;
    auto order = open_order(client, directory, replaces, made.key);
    try {
        if (order.status == "pending") {
            prove(client, order, http_first);
            order = await(client, client.order(order.url), "ready");
        }
        if (order.status == "ready") order = client.finalize(order, request_for(options_.names, made.key));
        order = await(client, order, "valid");
        made.chain = client.certificate(order);
        if (auto fault = fault_of(made, options_.names))
            throw Problem("what it issued cannot be used: " + *fault);
    } catch (const Problem& problem) {
        if (problem.passes()) throw;
        sessions_.change("acme_end_order", [&](db::Write& db) { end_order(db, directory, names_); });
        throw;
    }
    if (!keep) return;
    const auto facts = facts_of(made.chain);
    sessions_.change("acme_keep", [&](db::Write& db) {
        keep_certificate(
            db,
            {names_, directory, made.chain, made.key, db.now(), facts->until, usual_renewal(*facts), db.now()}
        );
    });
    base::log_info(
        "a certificate was issued",
        {{"names", names_}, {"good until", base::to_string(base::Date{facts->until.ms})}}
    );
}

// The order left by a killed process, if it is still valid; otherwise a new one, stored with its key.
Order Keeper::open_order(
    Client& client, const std::string& directory, const std::string& replaces, std::string& key
) {
    std::optional<OrderUnderWay> left;
    sessions_.look([&](db::Read& db) { left = order_under_way(db, directory, names_); });
    ordered_ = true;
    if (left) {
        try {
            auto order = client.order(left->url);
            if (order.status != "invalid") {
                key = left->key;
                return order;
            }
        } catch (const Problem& problem) {
            if (problem.passes()) throw;
        }
    }
    auto order = new_order(client, replaces);
    key = new_key();
    sessions_.change("acme_keep_order", [&](db::Write& db) {
        keep_order(db, directory, names_, {order.url, key});
    });
    return order;
}

// Naming the replaced certificate is optional: if the authority rejects the order as a renewal, for example
// because another order already replaces it, it is repeated as an ordinary order.
Order Keeper::new_order(Client& client, const std::string& replaces) {
    if (replaces.empty()) return client.new_order(options_.names, "");
    try {
        return client.new_order(options_.names, replaces);
    } catch (const Problem& problem) {
        if (problem.passes() || problem.is_account_forgotten()) throw;
        base::log_info(
            "the authority does not take the order as a renewal; it is asked without that",
            {{"cause", problem.what()}}
        );
    }
    return client.new_order(options_.names, "");
}

void Keeper::prove(Client& client, const Order& order, bool http_first) {
    struct Open {
        std::string authorization;
        Challenge challenge;
    };
    std::vector<Open> open;
    std::vector<Proof> shown;
    for (const auto& url : order.authorizations) {
        const auto authorization = client.authorization(url);
        if (authorization.status == "valid") continue;
        if (authorization.status != "pending")
            throw Problem("it does not let us prove " + authorization.name + ": " + authorization.fault);
        const auto* challenge = chosen(authorization, http_first);
        if (!challenge)
            throw Problem("it takes neither tls-alpn-01 nor http-01 as a proof for " + authorization.name);
        open.push_back({url, *challenge});
        shown.push_back({challenge->token, authorization.name, client.key_authorization(challenge->token)});
    }
    if (open.empty()) return;
    sessions_.change("acme_show_proofs", [&](db::Write& db) { show_proofs(db, shown); });
    know();
    if (options_.spread.count() > 0) pause(options_.spread.count());
    for (const auto& one : open) {
        if (one.challenge.status == "pending") client.ready_for(one.challenge);
        await_proof(client, one.authorization);
    }
}

void Keeper::await_proof(Client& client, const std::string& url) {
    for (int polls = 0; polls < most_polls; ++polls) {
        const auto authorization = client.authorization(url);
        if (authorization.status == "valid") return;
        if (authorization.status != "pending") throw Problem(authorization.name + ": " + authorization.fault);
        pause(std::clamp<std::int64_t>(authorization.retry_after, 1, 10));
    }
    throw Problem("it did not look at the proof within the time there was");
}

Order Keeper::await(Client& client, Order order, const char* until) {
    for (int polls = 0; polls < most_polls; ++polls) {
        if (order.status == until || order.status == "valid") return order;
        if (order.status == "invalid")
            throw Problem(order.fault.empty() ? "it ended the order without saying why" : order.fault);
        pause(std::clamp<std::int64_t>(order.retry_after, 1, 10));
        order = client.order(order.url);
    }
    throw Problem("it did not finish the order within the time there was");
}

void Keeper::hold_lease() {
    bool ours = false;
    sessions_.change("acme_lease", [&](db::Write& db) {
        ours = take_lease(db, options_.node, lease_seconds);
    });
    if (!ours) throw Stopped();
}

void Keeper::pause(std::int64_t length) {
    hold_lease();
    const auto end = std::chrono::steady_clock::now() + seconds(length);
    while (std::chrono::steady_clock::now() < end) {
        if (worker_.stopping()) throw Stopped();
        std::this_thread::sleep_for(milliseconds(50));
    }
}

}  // namespace acme
