// SPDX-License-Identifier: AGPL-3.0-or-later
#include "acme/client.hpp"

#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/signing.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace acme {

namespace {

namespace json = boost::json;

// An authority may reject valid nonces at any time (section 6.5).
constexpr int most_nonces = 12;
constexpr std::int64_t patience_seconds = 30;
constexpr std::int64_t most_bytes = 256 << 10;

json::object parsed(const base::Fetched& answer) {
    boost::system::error_code error;
    auto value = json::parse(answer.body, error);
    if (error || !value.is_object())
        throw Problem("it answered with something else than JSON at " + answer.url);
    return std::move(value.get_object());
}

std::string text(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::string needed(const json::object& object, std::string_view name) {
    auto found = text(object, name);
    if (found.empty()) throw Problem("its answer lacks " + std::string(name));
    return found;
}

const json::object* object_in(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value ? value->if_object() : nullptr;
}

template <class F>
void each(const json::object& object, std::string_view name, F f) {
    const auto* value = object.if_contains(name);
    if (!value || !value->is_array()) return;
    for (const auto& one : value->get_array()) f(one);
}

std::string short_type(const std::string& type) {
    constexpr std::string_view prefix = "urn:ietf:params:acme:error:";
    return type.starts_with(prefix) ? type.substr(prefix.size()) : type;
}

// The text of a problem document (RFC 7807), including its subproblems for each name.
std::string words_of(const json::object& problem) {
    auto words = text(problem, "detail");
    const auto type = short_type(text(problem, "type"));
    if (words.empty()) words = text(problem, "title");
    if (!type.empty()) words += words.empty() ? type : " (" + type + ")";
    each(problem, "subproblems", [&](const json::value& one) {
        const auto* part = one.if_object();
        if (!part) return;
        const auto* name = object_in(*part, "identifier");
        words += "; " + (name ? text(*name, "value") + ": " : "") + text(*part, "detail");
    });
    constexpr std::size_t longest = 1000;
    if (words.size() > longest) words.resize(longest);
    // The text is shown on terminals and in logs.
    std::ranges::replace_if(words, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return words;
}

[[noreturn]] void refuse(const base::Fetched& answer) {
    boost::system::error_code error;
    auto value = json::parse(answer.body, error);
    const auto* problem = error ? nullptr : value.if_object();
    auto words = problem ? words_of(*problem) : std::string();
    if (words.empty()) words = "status " + std::to_string(answer.status) + " at " + answer.url;
    throw Problem(words, problem ? short_type(text(*problem, "type")) : "", answer.retry_after);
}

Order read_order(const base::Fetched& answer, std::string url) {
    const auto object = parsed(answer);
    Order order;
    order.url = std::move(url);
    order.status = needed(object, "status");
    order.finalize = needed(object, "finalize");
    order.certificate = text(object, "certificate");
    order.retry_after = answer.retry_after;
    each(object, "authorizations", [&](const json::value& one) {
        if (one.is_string()) order.authorizations.emplace_back(one.get_string());
    });
    if (const auto* error = object_in(object, "error")) order.fault = words_of(*error);
    return order;
}

json::object names_wanted(const Names& names) {
    json::array identifiers;
    for (const auto& name : names) identifiers.push_back(json::object{{"type", "dns"}, {"value", name}});
    return {{"identifiers", std::move(identifiers)}};
}

std::string joined(const std::string& head, const std::string& payload, const std::string& signature) {
    return json::serialize(json::object{{"protected", head}, {"payload", payload}, {"signature", signature}});
}

}  // namespace

Client::Client(Fetch fetch, base::P256 account_key, std::string directory)
    : fetch_(std::move(fetch)), key_(std::move(account_key)) {
    const auto found = parsed(get(directory));
    new_nonce_ = needed(found, "newNonce");
    new_account_ = needed(found, "newAccount");
    new_order_ = needed(found, "newOrder");
    renewal_info_ = text(found, "renewalInfo");
    if (const auto* meta = object_in(found, "meta")) terms_ = text(*meta, "termsOfService");
    thumbprint_ = base::base64url(base::sha256(jwk()));
}

// Members in the order required for the thumbprint (RFC 7638).
std::string Client::jwk() const {
    const auto& point = key_.point();
    return R"({"crv":"P-256","kty":"EC","x":")" + base::base64url(point.substr(1, 32)) + R"(","y":")" +
           base::base64url(point.substr(33)) + R"("})";
}

std::string Client::key_authorization(const std::string& token) const { return token + "." + thumbprint_; }

std::int64_t Client::clock_ahead(base::Time now) const { return date_ ? (now.ms - date_->ms) / 1000 : 0; }

base::Fetched Client::ask(const base::Fetch& question) {
    auto answer = fetch_(question);
    if (answer.failure != base::FetchFailure::none)
        throw Problem(
            "it does not answer at " + question.url + " (" + std::string(base::word(answer.failure)) + ")",
            std::string(Problem::unheard)
        );
    if (auto date = base::parse_http_date(answer.header("date"))) date_ = date;
    nonce_ = answer.header("replay-nonce");
    return answer;
}

base::Fetched Client::get(const std::string& url) {
    base::Fetch question;
    question.url = url;
    question.trusted = true;
    question.seconds = patience_seconds;
    question.most_bytes = most_bytes;
    auto answer = ask(question);
    if (!answer.ok()) refuse(answer);
    return answer;
}

std::string Client::nonce() {
    if (nonce_.empty()) get(new_nonce_);
    if (nonce_.empty()) throw Problem("it gave no nonce");
    return std::exchange(nonce_, "");
}

base::Fetched Client::post_once(const std::string& url, const std::string& payload) {
    auto head = json::object{{"alg", "ES256"}, {"nonce", nonce()}, {"url", url}};
    if (account_.empty()) head["jwk"] = json::parse(jwk());
    else head["kid"] = account_;
    const auto protected_part = base::base64url(json::serialize(head));
    const auto payload_part = base::base64url(payload);
    base::Fetch question;
    question.url = url;
    question.post = true;
    question.trusted = true;
    question.seconds = patience_seconds;
    question.most_bytes = most_bytes;
    question.headers = {
        {"Content-Type", "application/jose+json"},
        {"Accept", "application/json, application/pem-certificate-chain"}
    };
    question.body =
        joined(protected_part, payload_part, base::base64url(key_.sign(protected_part + "." + payload_part)));
    return ask(question);
}

// An empty payload makes it a read (POST-as-GET, section 6.3).
base::Fetched Client::post(const std::string& url, const std::string& payload) {
    for (int tries = 1;; ++tries) {
        auto answer = post_once(url, payload);
        if (answer.ok()) return answer;
        try {
            refuse(answer);
        } catch (const Problem& problem) {
            if (problem.type != "badNonce" || tries == most_nonces) throw;
        }
    }
}

std::string Client::sign_up(const std::string& email, const Binding& binding) {
    json::object wanted{{"termsOfServiceAgreed", true}};
    if (!email.empty()) wanted["contact"] = json::array{"mailto:" + email};
    if (!binding.key_id.empty()) {
        const auto key = base::from_base64(binding.key);
        if (!key)
            throw Problem("acme_eab_key is not base64url; copy it anew from where the authority shows it");
        const auto head = base::base64url(
            json::serialize(json::object{{"alg", "HS256"}, {"kid", binding.key_id}, {"url", new_account_}})
        );
        const auto payload = base::base64url(jwk());
        wanted["externalAccountBinding"] =
            json::parse(joined(head, payload, base::base64url(base::hmac_sha256(*key, head + "." + payload)))
            );
    }
    const auto answer = post(new_account_, json::serialize(wanted));
    account_ = answer.header("location");
    if (account_.empty()) throw Problem("it made an account and did not say where");
    return account_;
}

Order Client::new_order(const Names& names, const std::string& replaces) {
    auto wanted = names_wanted(names);
    if (!replaces.empty() && !renewal_info_.empty()) wanted["replaces"] = replaces;
    const auto answer = post(new_order_, json::serialize(wanted));
    const std::string url(answer.header("location"));
    if (url.empty()) throw Problem("it took an order and did not say where");
    return read_order(answer, url);
}

Order Client::order(const std::string& url) { return read_order(post(url, ""), url); }

Authorization Client::authorization(const std::string& url) {
    const auto answer = post(url, "");
    const auto object = parsed(answer);
    Authorization found;
    found.status = needed(object, "status");
    found.retry_after = answer.retry_after;
    if (const auto* name = object_in(object, "identifier")) found.name = text(*name, "value");
    each(object, "challenges", [&](const json::value& one) {
        const auto* challenge = one.if_object();
        if (!challenge) return;
        found.challenges.push_back(
            {text(*challenge, "type"),
             text(*challenge, "url"),
             text(*challenge, "token"),
             text(*challenge, "status")}
        );
        if (const auto* error = object_in(*challenge, "error")) found.fault = words_of(*error);
    });
    return found;
}

void Client::ready_for(const Challenge& challenge) { post(challenge.url, "{}"); }

Order Client::finalize(const Order& order, const std::string& request) {
    const auto wanted = json::object{{"csr", base::base64url(request)}};
    return read_order(post(order.finalize, json::serialize(wanted)), order.url);
}

std::string Client::certificate(const Order& order) {
    if (order.certificate.empty())
        throw Problem("it finished an order and did not say where the certificate is");
    return post(order.certificate, "").body;
}

std::optional<Renewal> Client::renewal(const std::string& renewal_id) {
    if (renewal_info_.empty() || renewal_id.empty()) return std::nullopt;
    const auto answer = get(renewal_info_ + "/" + renewal_id);
    const auto object = parsed(answer);
    const auto* window = object_in(object, "suggestedWindow");
    const auto from = window ? base::parse_time(text(*window, "start")) : std::nullopt;
    const auto until = window ? base::parse_time(text(*window, "end")) : std::nullopt;
    if (!from || !until || *until <= *from) throw Problem("it does not say when to renew");
    return Renewal{*from, *until, answer.retry_after};
}

}  // namespace acme
