// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/https.hpp"

#include "acme/schedule.hpp"
#include "config/addresses.hpp"
#include "net/forwarded.hpp"
#include "server/checks/checks.hpp"

#include <algorithm>

namespace server {

namespace {

constexpr std::string_view lets_encrypt = "https://acme-v02.api.letsencrypt.org/directory";
// Its limits for failed attempts are much higher.
constexpr std::string_view lets_encrypt_staging = "https://acme-staging-v02.api.letsencrypt.org/directory";

void add_host(acme::Names& names, const std::string& address) {
    const auto url = parse_public_url(address);
    if (!url) return;
    auto host = host_of(url->authority);
    if (std::ranges::find(names, host) == names.end()) names.push_back(std::move(host));
}

acme::Names names_of(const Config& config) {
    if (!config.acme_names.empty()) return config.acme_names;
    acme::Names names;
    add_host(names, config.public_url);
    add_host(names, config.streaming_url);
    return names;
}

bool listens_on(const Words& addresses, std::uint16_t port) {
    return std::ranges::any_of(addresses, [&](const std::string& text) {
        const auto endpoint = parse_endpoint(text);
        return endpoint && endpoint->port == port;
    });
}

}  // namespace

bool has_own_certificate(const Config& config) {
    return !config.tls_listen.empty() && config.tls_cert.empty();
}

acme::KeeperOptions acme_options(const Config& config, const std::string& node) {
    acme::KeeperOptions options;
    options.names = names_of(config);
    options.directory = config.acme_directory;
    if (options.directory == lets_encrypt) options.rehearsal_directory = lets_encrypt_staging;
    options.email = config.acme_email;
    if (const auto colon = config.acme_eab.find(':'); colon != std::string::npos)
        options.binding = {config.acme_eab.substr(0, colon), config.acme_eab.substr(colon + 1)};
    options.http_first = listens_on(config.listen, 80) && !listens_on(config.tls_listen, 443);
    options.node = node;
    // Nodes poll every five seconds.
    if (config.postgres()) options.spread = std::chrono::seconds(7);
    return options;
}

Words faults_of_acme(const Config& config) {
    if (!has_own_certificate(config)) return {};
    // A private authority decides itself which names it certifies.
    if (config.acme_directory != lets_encrypt) return {};
    Words faults;
    for (const auto& name : names_of(config))
        if (is_internal(name) || net::Address::parse(name))
            faults.push_back(
                "tls_listen: nobody issues a certificate for " + name +
                "; write the name by which others reach this server into public_url, or name the PEM files "
                "of "
                "a certificate in tls_cert and tls_key"
            );
    return faults;
}

CertificateState certificate_state(db::Read& db, const Config& config) {
    CertificateState state;
    state.names = names_of(config);
    state.authority = config.acme_directory;
    const auto names = acme::joined(state.names);
    if (auto issued = acme::best_certificate(db, names)) {
        state.valid_until = issued->valid_until;
        state.renew_at = issued->renew_at;
    }
    const auto tries = acme::tries(db, names);
    if (tries.empty() || tries.back().outcome != acme::Outcome::failed) return state;
    state.failed_at = tries.back().at;
    state.next_try = acme::next_try(tries);
    state.failure = tries.back().told;
    return state;
}

}  // namespace server
