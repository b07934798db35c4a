// SPDX-License-Identifier: AGPL-3.0-or-later
// What others see: DNS names, the certificate, the public address, the clock.
#include "base/json_read.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "db/open.hpp"
#include "http/body/urlencoded.hpp"
#include "net/client/http_client.hpp"
#include "net/client/probe.hpp"
#include "net/forwarded.hpp"
#include "server/checks/certificates.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/parts.hpp"
#include "server/external_services.hpp"
#include "server/https.hpp"
#include "server/root_handler.hpp"
#include "social/federation/delivery/hosts.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <future>

namespace server {

namespace {

std::uint16_t port_of(const PublicUrl& url) {
    const auto usual = static_cast<std::uint16_t>(url.secure ? 443 : 80);
    const auto colon = url.authority.rfind(':');
    if (colon == url.authority.npos || url.authority.ends_with(']')) return usual;
    std::uint16_t port = usual;
    std::from_chars(url.authority.data() + colon + 1, url.authority.data() + url.authority.size(), port);
    return port;
}

std::string unknown(const std::string& host, const std::string& failure) {
    return "DNS knows no address of " + host + " (" + failure +
           "); add records A and AAAA with the addresses of this machine where the domain is managed";
}

void see_name(const std::string& host, std::uint16_t port, Part& part) {
    const auto reached = net::reach(host, port, doctor_patience);
    const auto unheard = reached.silent.size() + reached.beyond.size();
    const auto door = ":" + std::to_string(port);
    if (reached.addresses.empty()) return part.fault(unknown(host, reached.failure));
    if (unheard == reached.addresses.size())
        return part.fault(
            "nobody answers at " + host + door + " (" + reached.addresses.front() +
            "); start the server or its proxy, and open that port in the firewall and the router"
        );
    for (const auto& address : reached.silent)
        part.warn(
            address + " stands in DNS for " + host +
            " and does not answer, so others wait in vain for it; mend it, or take that record away"
        );
}

// The server itself may be busy, so it gets more time than others.
constexpr std::chrono::seconds patience_with_oneself{15};

base::Fetched ask(
    const Config& config, const std::string& url, std::vector<base::FetchHeader> headers = {},
    std::chrono::seconds patience = patience_with_oneself
) {
    auto options = client_options(config);
    options.own_hosts.clear();  // allows requests to this very server
    options.connect = doctor_patience / 2;
    net::HttpClient client(std::move(options));
    base::Fetch question;
    question.url = url;
    question.headers = std::move(headers);
    question.plain_http = true;
    question.trusted = true;
    question.seconds = patience.count();
    return client.fetch(question);
}

std::string came(const base::Fetched& answer) {
    return answer.failure == base::FetchFailure::none ? "status " + std::to_string(answer.status)
                                                      : std::string(base::word(answer.failure));
}

// Whether a proxy is in between, which has to pass on the client's address.
bool behind_proxy(const Config& config, const PublicUrl& url) {
    // The public port may differ, as with containers.
    if (url.secure) return config.tls_listen.empty();
    const auto port = port_of(url);
    return std::ranges::none_of(config.listen, [&](const std::string& text) {
        auto endpoint = parse_endpoint(text);
        return endpoint && endpoint->port == port;
    });
}

void compare_arrival(const Config& config, const PublicUrl& url, const Arrival& arrival, Part& part) {
    if (arrival.host != url.authority)
        part.fault(
            "the proxy calls this server " + arrival.host + " instead of " + url.authority +
            "; have it pass the host on (nginx: proxy_set_header Host $host;)"
        );
    if (arrival.forwarded && !arrival.believed)
        part.fault(
            "X-Forwarded-For is not believed, so all people share the address " + arrival.address +
            " and its limits; write trusted_proxies = [\"" + arrival.address + "\"]"
        );
    else if (arrival.scheme != (url.secure ? "https" : "http"))
        part.fault(
            "requests to " + config.public_url + " arrive as " + arrival.scheme +
            "; have the proxy say how they came (nginx: proxy_set_header X-Forwarded-Proto $scheme;)"
        );
    if (!arrival.forwarded && behind_proxy(config, url))
        part.fault(
            "the proxy does not say who asks, so all people share one address and its limits; have it do so "
            "(nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;)"
        );
    if (arrival.upgrade != "websocket")
        part.fault(
            "the proxy lets no WebSockets through, so nothing appears by itself; have it pass them on "
            "(nginx: "
            "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "
            "\"upgrade\";)"
        );
}

void ask_for_documents(const Config& config, const PublicUrl& url, Part& part) {
    const auto resource = http::percent_encoded("acct:" + url.authority + "@" + config.domain);
    auto begin = [&config](const std::string& path, std::vector<base::FetchHeader> headers = {}) {
        return std::async(std::launch::async, [&config, path, headers = std::move(headers)] {
            return ask(config, config.public_url + path, headers);
        });
    };
    auto asked_finger = begin("/.well-known/webfinger?resource=" + resource);
    auto asked_info = begin("/.well-known/nodeinfo");
    auto asked_actor = begin("/actor", {{"Accept", "application/activity+json"}});
    const auto finger = asked_finger.get(), info = asked_info.get(), actor = asked_actor.get();
    if (!finger.ok() || finger.body.find(config.public_url) == std::string::npos)
        part.fault(
            config.public_url + "/.well-known/webfinger does not answer as this server (" + came(finger) +
            "), so nobody here is found; have the proxy hand on everything below /.well-known/ but "
            "acme-challenge"
        );
    if (!info.ok() || info.body.find(config.public_url + "/nodeinfo/") == std::string::npos)
        part.warn(
            config.public_url + "/.well-known/nodeinfo does not answer as this server (" + came(info) +
            "), so others do not know what it is; have the proxy hand it on"
        );
    if (!actor.ok() || actor.header("content-type").find("activity+json") == std::string_view::npos)
        part.fault(
            config.public_url + "/actor is not answered with an actor (" + came(actor) + ", " +
            std::string(actor.header("content-type")) +
            "), so other servers cannot check our signatures; have a cache in between keep answers apart by "
            "Accept, or keep none"
        );
}

constexpr const char* other_server =
    "see that it is this one that answers there, not another server or a page of the proxy";

}  // namespace

std::optional<std::string> doubt_about_dns(const std::string& host) {
    if (is_internal(host) || net::Address::parse(host)) return std::nullopt;
    const auto reached = net::reach(host, 443, doctor_patience);
    return reached.addresses.empty() ? std::optional(unknown(host, reached.failure)) : std::nullopt;
}

Diagnosis see_names(const Patient& patient) {
    const auto& config = patient.config;
    const auto url = parse_public_url(config.public_url);
    const auto host = host_of(url->authority), domain = host_of(config.domain);
    Part part("names");
    std::string known;
    auto see = [&](const std::string& name, std::uint16_t port) {
        if (!is_internal(name)) see_name(name, port, part);
        known += (known.empty() ? "" : " and ") + name;
    };
    see(host, port_of(*url));
    if (domain != host) see(domain, 443);
    if (net::Address::parse(host)) return part.or_well(host + " is an address, and answers");
    return part.or_well(
        is_internal(host)
            ? host + " is a name for this machine or network alone"
            : "DNS knows " + known + ", and every address answers that this machine has a way to"
    );
}

Diagnosis see_certificate(const Patient& patient) {
    const auto& config = patient.config;
    const auto url = parse_public_url(config.public_url);
    Part part("certificate");
    if (!url->secure) return part.or_well("none is needed for " + config.public_url);
    if (has_own_certificate(config)) part.add(see_issuing(config));
    const auto host = host_of(url->authority);
    const auto shown = net::shown_certificate(host, port_of(*url), config.extra_ca_file, doctor_patience);
    const auto validity = validity_of(shown.pem);
    if (!shown.failure.empty())
        part.fault(
            "others do not believe the certificate of " + config.public_url + " (" + shown.failure + "); " +
            (has_own_certificate(config)
                 ? "dunlin certificate shows why there is none that they do"
                 : "have one issued for " + host +
                       " with all those up to its authority, for example certbot certonly -d " + host)
        );
    else if (!validity)
        part.warn("the certificate of " + config.public_url + " cannot be read; " + other_server);
    else if (auto remark = remark_on(*validity, clock_now()))
        part.warn(
            "the certificate of " + config.public_url + " " + *remark + "; see why it is not renewed, " +
            (has_own_certificate(config) ? "with dunlin certificate"
                                         : "for example with certbot renew --dry-run")
        );
    return part.or_well(
        validity ? "good for " + host + " until " + base::to_string(base::Date{validity->until.ms}) : ""
    );
}

Diagnosis see_public_address(const Patient& patient) {
    const auto& config = patient.config;
    const auto url = parse_public_url(config.public_url);
    Part part("address");
    auto answer =
        ask(config,
            config.public_url + std::string(path_of_arrival),
            {{"Upgrade", "websocket"}, {"Connection", "Upgrade"}, {"Sec-WebSocket-Version", "13"}});
    if (answer.failure != base::FetchFailure::none) {
        part.fault(
            config.public_url + " cannot be reached from here (" + came(answer) +
            "); start the server and its proxy, and see names and certificate above; if others do reach it, "
            "this machine needs a line for " +
            host_of(url->authority) + " in /etc/hosts"
        );
        return part.or_well({});
    }
    std::optional<Arrival> arrival;
    try {
        if (answer.ok()) arrival = base::json::read<Arrival>(answer.body);
    } catch (const std::exception&) {}
    if (!arrival) {
        part.fault(
            config.public_url + std::string(path_of_arrival) + " does not answer as Dunlin does (" +
            came(answer) + "); " + other_server
        );
        return part.or_well({});
    }
    compare_arrival(config, *url, *arrival, part);
    const auto ready = ask(config, config.public_url + "/readyz");
    if (ready.ok()) ask_for_documents(config, *url, part);
    else
        part.fault(
            "the server is there and cannot do its work (/readyz: " + came(ready) +
            "); see database above, and what its log says"
        );
    return part.or_well(
        config.public_url + " leads here: host, scheme, address of who asks, WebSockets, WebFinger, NodeInfo"
    );
}

Seen remark_on_clock(std::vector<std::int64_t> ahead) {
    if (ahead.empty()) return {Level::ok, "clock", "there is no other server yet to compare it with"};
    std::ranges::sort(ahead);
    const auto middle = ahead[ahead.size() / 2];
    if (std::abs(middle) > 30)
        return {
            Level::fault,
            "clock",
            "the clock is " + std::to_string(std::abs(middle)) + " s " + (middle > 0 ? "ahead" : "late") +
                ", so other servers refuse our signatures; have it set: timedatectl set-ntp true"
        };
    return {
        Level::ok,
        "clock",
        "it agrees with " + std::to_string(ahead.size()) + (ahead.size() == 1 ? " other" : " others")
    };
}

namespace {

// Some servers that were contacted recently.
std::vector<std::string> peers(const Config& config) {
    constexpr std::size_t most = 4;
    std::vector<std::string> urls;
    if (!may_open_database(config) || !ask_database(config).faults.empty()) return urls;
    const auto site = site_of(config);
    std::vector<federation::HostLine> hosts;
    try {
        auto connection = connection_to(config, config.database);
        hosts = db::read_now(*connection, {&site, clock_now, nullptr}, federation::hosts);
    } catch (const db::Failure&) {
        return urls;  // a database of another version
    }
    std::ranges::sort(hosts, std::greater(), &federation::HostLine::delivered_at);
    for (const auto& host : hosts)
        if (urls.size() < most && host.delivered_at) urls.push_back("https://" + host.host);
    return urls;
}

}  // namespace

Diagnosis see_clock(const Patient& patient) {
    const auto& config = patient.config;
    const auto urls = peers(config);
    auto ahead_of = [&config](const std::string& url) -> std::optional<std::int64_t> {
        const auto answer = ask(config, url + "/.well-known/nodeinfo", {}, doctor_patience);
        const auto theirs = base::parse_http_date(answer.header("date"));
        if (!theirs) return std::nullopt;
        return (clock_now().ms - theirs->ms) / 1000;
    };
    std::vector<std::future<std::optional<std::int64_t>>> answers;
    for (const auto& url : urls) answers.push_back(std::async(std::launch::async, ahead_of, url));
    std::vector<std::int64_t> ahead;
    for (auto& answer : answers)
        if (auto seconds = answer.get()) ahead.push_back(*seconds);
    return {remark_on_clock(std::move(ahead))};
}

}  // namespace server
