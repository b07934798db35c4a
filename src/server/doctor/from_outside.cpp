// SPDX-License-Identifier: AGPL-3.0-or-later
// How this site looks from outside: by its public address from here, or examined by another Dunlin server.
#include "ap/signatures/signature.hpp"
#include "base/json_read.hpp"
#include "base/text/utf8.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "db/open.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/parts.hpp"
#include "server/doctor/stranger.hpp"
#include "server/external_services.hpp"
#include "social/federation/keys/shown_keys.hpp"

#include <algorithm>

namespace server {

namespace {

constexpr std::string_view path_of_look = "/api/dunlin/v1/outside";

Diagnosis see_from_here(const Config& config) {
    auto options = client_options(config);
    options.own_hosts.clear();
    net::HttpClient client(std::move(options));
    auto ask = [&client](base::Fetch question) {
        question.trusted = true;  // /etc/hosts may resolve the name to this machine
        return client.fetch(question);
    };
    return see_as_stranger(ask, config.public_url, false);
}

struct Said {
    std::string error;
};
DESCRIBE(Said, error)

// Makes another server's text safe for a terminal.
std::string plain(std::string_view text) {
    constexpr std::size_t most = 1000;
    text = text.substr(0, most);
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        const auto [c, size, valid] = base::text::decode(text, at);
        const bool breaks = base::text::is_control(c) || c == '\n' || c == '\t';
        base::text::append_utf8(shown, breaks ? U' ' : c);  // U+FFFD for invalid characters
        at += size;
    }
    return shown;
}

std::string error_of(const base::Fetched& answer) {
    try {
        return plain(base::json::read<Said>(answer.body).error);
    } catch (const std::exception&) {
        return "status " + std::to_string(answer.status);
    }
}

std::optional<federation::SigningKey> own_key(const Config& config) {
    const auto connection = connection_to(config, config.database);
    const auto site = site_of(config);
    return db::read_now(*connection, {&site, clock_now, nullptr}, [](db::Read& db) {
        return federation::find_signing_key(db, {});
    });
}

base::Fetched ask_to_look(
    const Config& config, const std::string& origin, const federation::SigningKey& key
) {
    const auto secret = ap::PrivateKey::from_pem(key.private_pem);
    const std::string target(path_of_look);
    const ap::Headers headers = ap::sign_draft(
        {"GET", target, origin, {{"Accept", "application/json"}}, {}}, {*secret, key.id}, clock_now()
    );
    base::Fetch question;
    question.url = origin + target;
    for (const auto& [name, value] : headers) question.headers.push_back({name, value});
    question.plain_http = origin.starts_with("http://");
    question.trusted = true;
    question.seconds = 35;  // the other server takes up to 20 s
    net::HttpClient client(client_options(config));
    return client.fetch(question);
}

Diagnosis see_by(const Patient& patient, const std::string& other) {
    const auto& config = patient.config;
    Part part("outside");
    const auto url = parse_public_url(other);
    if (!url) {
        part.warn(
            other +
            " is no address of a server; name another Dunlin like https://social.example.org, or none "
            "to look from here"
        );
        return part.or_well({});
    }
    if (!may_open_database(config) || !ask_database(config).faults.empty()) {
        part.warn("nobody was asked, for want of the key that says who asks; see database");
        return part.or_well({});
    }
    const auto key = own_key(config);
    if (!key) {
        part.warn("nobody was asked, as this server has no key yet; start it once");
        return part.or_well({});
    }
    const auto origin = (url->secure ? "https://" : "http://") + url->authority;
    const auto answer = ask_to_look(config, origin, *key);
    if (answer.failure != base::FetchFailure::none) {
        part.warn(
            origin + " cannot be asked (" + std::string(base::word(answer.failure)) + "); name another Dunlin"
        );
    } else if (answer.ok()) {
        constexpr std::size_t most = 30;
        auto found = base::json::read<Diagnosis>(answer.body);
        if (found.size() > most) found.resize(most);
        for (auto& seen : found)
            part.add(Seen{seen.level, "outside", plain(seen.text) + " (seen from " + origin + ")"});
    } else if (answer.status == 401 ||
               (answer.status == 503 && answer.body.find("key") != std::string::npos)) {
        part.fault(
            origin + " could not find out that it is this server that asks (" + error_of(answer) +
            "). It fetches " + config.public_url +
            "/actor for that, so it does not get there, or is answered something else; see names, "
            "certificate "
            "and address, and the firewall"
        );
    } else if (answer.status == 404) {
        part.warn(origin + " is no Dunlin, or one that cannot look yet; name another");
    } else {
        part.warn(origin + " does not look: " + error_of(answer));
    }
    return part.or_well("looked at from " + origin);
}

}  // namespace

Diagnosis see_from_outside(const Patient& patient) {
    const auto& other = *patient.order.outside;
    return other.empty() ? see_from_here(patient.config) : see_by(patient, other);
}

}  // namespace server
