// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/doctor/stranger.hpp"

#include "base/deadline.hpp"
#include "base/json_read.hpp"
#include "config/addresses.hpp"
#include "http/body/urlencoded.hpp"
#include "net/client/public_address.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/parts.hpp"
#include "server/root_handler.hpp"

namespace server {

namespace {

using base::Fetch, base::Fetched, base::FetchFailure;

// An address that nobody has (RFC 5737): a server that takes it for the visitor's believes any header.
constexpr const char* made_up_address = "192.0.2.123";

struct Picture {
    std::string url;
};
DESCRIBE(Picture, url)

struct Instance {
    Picture thumbnail;
};
DESCRIBE(Instance, thumbnail)

struct Subject {
    std::string subject;
};
DESCRIBE(Subject, subject)

struct Named {
    std::string id;
};
DESCRIBE(Named, id)

// Returns an empty document if the response cannot be parsed.
template <class T>
T read_or_empty(const Fetched& answer) {
    try {
        if (answer.ok()) return base::json::read<T>(answer.body);
    } catch (const std::exception&) {}
    return {};
}

std::string came(const Fetched& answer) {
    if (answer.failure == FetchFailure::too_many_redirects) return "redirected to " + answer.url;
    if (answer.failure != FetchFailure::none) return std::string(base::word(answer.failure));
    return "status " + std::to_string(answer.status);
}

class Visit {
public:
    Visit(const AskOthers& ask, std::string public_url, bool elsewhere)
        : ask_(ask),
          url_(std::move(public_url)),
          site_(parse_public_url(url_).value_or(PublicUrl{})),
          elsewhere_(elsewhere) {}

    Diagnosis look() {
        if (const auto first = get(std::string(path_of_arrival), arrival_headers());
            first.failure == FetchFailure::none)
            see_arrival(first);
        else {
            part_.fault(why_not_reached(first));
            return part_.or_well({});
        }
        if (site_.secure) see_way_without_tls();
        see_actor();
        see_handles();
        see_nodeinfo();
        see_inbox();
        see_pictures();
        see_streaming();
        return part_.or_well(
            url_ +
            " is as it should be for strangers: name, HTTPS, proxy, WebFinger, NodeInfo, actor, inbox, "
            "pictures, streaming"
        );
    }

private:
    // The examined site must not redirect us to others.
    Fetched ask(Fetch question, int redirects = 0) const {
        question.redirects = redirects;
        question.plain_http = question.plain_http || !site_.secure;
        question.seconds = 8;
        return ask_(question);
    }
    Fetched get(const std::string& path, std::vector<base::FetchHeader> headers = {}) const {
        Fetch question;
        question.url = url_ + path;
        question.headers = std::move(headers);
        return ask(std::move(question));
    }

    std::vector<base::FetchHeader> arrival_headers() const {
        std::vector<base::FetchHeader> headers{
            {"Upgrade", "websocket"}, {"Connection", "Upgrade"}, {"Sec-WebSocket-Version", "13"}
        };
        if (elsewhere_) headers.push_back({"X-Forwarded-For", made_up_address});
        return headers;
    }

    std::string why_not_reached(const Fetched& answer) const {
        const auto host = host_of(site_.authority);
        switch (answer.failure) {
            case FetchFailure::unresolvable:
                return "DNS knows no address of " + host +
                       "; add records A and AAAA with the addresses of the machine where the domain is "
                       "managed";
            case FetchFailure::forbidden_address:
                return "DNS leads to an address of " + host +
                       " that is not of the public internet; put the one there by which the router is "
                       "reached";
            case FetchFailure::unreachable:
                return "nobody answers at " + url_ +
                       "; start the server or its proxy, and open that port in the firewall and the router";
            case FetchFailure::tls:
                return "the certificate of " + url_ +
                       " is not believed; serve one for this name with all those up to its authority";
            case FetchFailure::timeout:
                return url_ +
                       " takes connections and does not answer; see whether the server behind the proxy "
                       "runs, and whether a firewall drops what is large";
            case FetchFailure::too_many_redirects:
                return url_ + " leads to " + answer.url +
                       "; have this server answer by that name itself, or write the right one as public_url";
            default: return url_ + " cannot be asked (" + came(answer) + ")";
        }
    }

    void see_arrival(const Fetched& answer) {
        std::optional<Arrival> seen;
        try {
            if (answer.ok()) seen = base::json::read<Arrival>(answer.body);
        } catch (const std::exception&) {}
        if (!seen)
            return part_.fault(
                url_ + std::string(path_of_arrival) + " does not answer as Dunlin does (" + came(answer) +
                "); see that it is this server that answers there, and that nothing in between shows a page "
                "to "
                "visitors it does not know"
            );
        if (seen->host != site_.authority)
            part_.fault(
                "the proxy calls the server " + seen->host + " instead of " + site_.authority +
                "; have it pass the host on (nginx: proxy_set_header Host $host;)"
            );
        if (seen->scheme != (site_.secure ? "https" : "http"))
            part_.fault(
                "requests from outside arrive as " + seen->scheme +
                "; have the proxy say how they came (nginx: proxy_set_header X-Forwarded-Proto $scheme;)"
            );
        if (seen->upgrade != "websocket")
            part_.fault(
                "the proxy lets no WebSockets through, so nothing appears by itself; have it pass them on "
                "(docs/operating/proxy.md)"
            );
        if (elsewhere_) see_address(seen->address);
    }

    void see_address(const std::string& arrived) {
        if (arrived == made_up_address)
            return part_.fault(
                "whoever asks may say from where: the address in an X-Forwarded-For that a visitor sends is "
                "believed, so limits and bans hold nobody; have the proxy set it anew (nginx: "
                "proxy_set_header "
                "X-Forwarded-For $remote_addr;), and name nobody else in trusted_proxies"
            );
        const auto address = net::Address::parse(arrived);
        if (address && !net::is_public(*address) && !is_internal(host_of(site_.authority)))
            part_.fault(
                "requests from outside arrive as from " + arrived +
                ", so all people share one address and its limits; have the proxy say who asks, and write "
                "trusted_proxies = [\"" +
                arrived + "\"]"
            );
    }

    // Browsers start with HTTP when given only the name.
    void see_way_without_tls() {
        if (site_.authority.find(':') != std::string::npos) return;
        Fetch question;
        question.url = "http://" + site_.authority + "/";
        question.plain_http = true;
        const auto answer = ask(std::move(question));
        if (answer.failure != FetchFailure::none && answer.url.starts_with("https://")) return;
        if (answer.failure == FetchFailure::none && !answer.url.starts_with("https://"))
            part_.warn(
                "http://" + site_.authority +
                "/ shows a page instead of leading to https; have the proxy redirect it, or give Dunlin port "
                "80 "
                "with listen"
            );
        else if (answer.failure == FetchFailure::unreachable)
            part_.warn(
                "port 80 of " + site_.authority +
                " is closed, so who types the name without https may find nothing; open it and redirect it"
            );
    }

    void see_actor() {
        const auto actor = get("/actor", {{"Accept", "application/activity+json"}});
        const auto type = actor.header("content-type");
        if (actor.ok() && type.find("activity+json") != type.npos &&
            read_or_empty<Named>(actor).id == url_ + "/actor")
            return;
        part_.fault(
            url_ + "/actor is not answered with the actor of this server (" + came(actor) + ", " +
            std::string(type) +
            "), so other servers cannot check its signatures; let no page for robots stand before it, and "
            "have a "
            "cache keep answers apart by Accept"
        );
    }

    // The site's own handle may be at another domain, which must then refer back to this site.
    void see_handles() {
        const auto own = get("/.well-known/webfinger?resource=" + http::percent_encoded(url_ + "/actor"));
        const auto subject = read_or_empty<Subject>(own).subject;
        const auto at = subject.rfind('@');
        if (!subject.starts_with("acct:") || at == std::string::npos)
            return part_.fault(
                url_ + "/.well-known/webfinger does not answer as this server (" + came(own) +
                "), so nobody here is found; have the proxy hand on everything below /.well-known/ but "
                "acme-challenge"
            );
        const auto domain = subject.substr(at + 1);
        if (domain == site_.authority) return;
        const auto home = (site_.secure ? "https://" : "http://") + domain;
        if (const auto parsed = parse_public_url(home); !parsed || parsed->authority != domain)
            return part_.fault(
                url_ +
                "/.well-known/webfinger names handles of what is no domain; see that it is this server that "
                "answers there"
            );
        constexpr int redirects = 3;
        Fetch question;
        question.url = home + "/.well-known/webfinger?resource=" + http::percent_encoded(subject);
        const auto answer = ask(std::move(question), redirects);
        if (!answer.ok() || answer.body.find(url_) == std::string::npos)
            part_.fault(
                "https://" + domain + "/.well-known/webfinger does not lead to " + url_ + " (" +
                came(answer) + "), so handles such as @somebody@" + domain +
                " are not found; redirect it, as "
                "docs/operating/proxy.md shows"
            );
    }

    void see_nodeinfo() {
        const auto answer = get("/.well-known/nodeinfo");
        if (!answer.ok() || answer.body.find(url_ + "/nodeinfo/") == std::string::npos)
            part_.warn(
                url_ + "/.well-known/nodeinfo does not answer as this server (" + came(answer) +
                "), so others do not know what it is; have the proxy hand it on"
            );
    }

    // Delivers nothing: a request refused for its missing signature has arrived.
    void see_inbox() {
        Fetch question;
        question.url = url_ + "/inbox";
        question.post = true;
        question.headers = {{"Content-Type", "application/activity+json"}};
        question.body = "{}";
        const auto answer = ask(std::move(question));
        const bool arrived = answer.status == 400 || answer.status == 401;
        if (arrived && answer.header("content-type").find("json") != std::string_view::npos) return;
        if (answer.status == 503)
            return part_.warn(
                "the inbox takes nothing now (503): the server is read-only, in maintenance, or its disk is "
                "full; "
                "dunlin read-only and dunlin maintenance say which"
            );
        part_.fault(
            url_ + "/inbox does not take what other servers bring (" + came(answer) +
            "); have the proxy let POST through, and no firewall for websites judge it"
        );
    }

    void see_pictures() {
        const auto picture = read_or_empty<Instance>(get("/api/v2/instance")).thumbnail.url;
        if (picture.empty())
            return part_.fault(
                url_ +
                "/api/v2/instance does not answer as this server, so no app can use it; have the proxy "
                "hand on everything below /api/"
            );
        if (!picture.starts_with(url_ + "/")) return;  // on another host
        const auto answer = get(picture.substr(url_.size()));
        if (answer.failure == FetchFailure::too_many_redirects && !answer.url.starts_with(url_ + "/")) return;
        if (!answer.ok() || !answer.header("content-type").starts_with("image/"))
            part_.fault(
                picture + " is not answered with a picture (" + came(answer) +
                "); have the proxy hand on /media/ and /static/, or serve the folder of media itself"
            );
        else if (answer.header("x-content-type-options") != "nosniff")
            part_.warn(
                picture +
                " comes without X-Content-Type-Options: nosniff, so a file that somebody uploaded may be "
                "run as a page; have the proxy add it where it serves files itself"
            );
    }

    void see_streaming() {
        const auto answer = get("/api/v1/streaming/health");
        if (answer.status == 421) return;  // on another host
        if (!answer.ok() || answer.body.find("OK") == std::string::npos)
            part_.fault(
                url_ + "/api/v1/streaming/health does not answer (" + came(answer) +
                "), so nothing appears by itself; have the proxy hand on everything below /api/v1/streaming"
            );
    }

    const AskOthers& ask_;
    const std::string url_;
    const PublicUrl site_;
    const bool elsewhere_;
    Part part_{"outside"};
};

}  // namespace

Diagnosis see_as_stranger(const AskOthers& ask, const std::string& public_url, bool elsewhere) {
    return Visit(ask, public_url, elsewhere).look();
}

bool Stranger::may_ask(const std::string& origin, base::Time now) {
    constexpr std::int64_t day_ms = 86'400'000;
    constexpr int most = 5;
    constexpr std::size_t most_origins = 200;
    if (now.ms / day_ms != day_) times_.clear();
    day_ = now.ms / day_ms;
    if (!times_.contains(origin) && times_.size() >= most_origins) return false;
    return times_[origin]++ < most;
}

insight::OutsideLook Stranger::look(const std::string& origin, base::Time now) {
    constexpr std::chrono::seconds longest{20};
    const std::unique_lock alone(looking_, std::try_to_lock);
    if (!alone) return {429, "Another server is being looked at, please try again in a minute", {}};
    if (!may_ask(origin, now)) return {429, "A server is looked at five times a day at most", {}};
    net::HttpClient client(options_);
    insight::OutsideLook out;
    const base::Within within(std::chrono::steady_clock::now() + longest);
    auto ask = [&client](const Fetch& question) { return client.fetch(question); };
    try {
        for (const auto& seen : see_as_stranger(ask, origin, true))
            out.found.push_back({std::string(base::word(seen.level)), seen.check, seen.text});
    } catch (const base::TimedOut&) {
        out.found = {
            {std::string(base::word(Level::fault)),
             "outside",
             origin + " answers so slowly that it could not be looked at in " +
                 std::to_string(longest.count()) + " s"}
        };
    }
    return out;
}

}  // namespace server
