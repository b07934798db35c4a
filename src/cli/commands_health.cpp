// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "config/addresses.hpp"
#include "net/client/http_client.hpp"
#include "server/external_services.hpp"

namespace server {

namespace {

// The address at which this machine reaches a listening address.
std::string near(const std::string& listening) {
    auto at = *parse_endpoint(listening);
    if (at.address == "0.0.0.0") at.address = "127.0.0.1";
    if (at.address == "::") at.address = "::1";
    return to_string(at);
}

}  // namespace

int health(const Settings& settings) {
    const auto config = settings.load().config;
    auto options = client_options(config);
    options.own_hosts.clear();
    base::Fetch question;
    question.plain_http = question.trusted = true;
    question.redirects = 0;
    question.seconds = 10;
    if (!config.listen.empty() && config.listen.front().starts_with("unix:")) {
        options.socket_path = parse_endpoint(config.listen.front())->path;
        question.url = "http://localhost/readyz";
    } else if (!config.listen.empty()) {
        question.url = "http://" + near(config.listen.front()) + "/readyz";
    } else {  // certificates are valid only for names
        question.url = config.public_url + "/readyz";
        const auto authority = parse_public_url(config.public_url)->authority;
        options.host_overrides = {authority + "=" + near(config.tls_listen.front())};
    }
    const auto answer = net::HttpClient(options).fetch(question);
    if (answer.ok()) return print("OK"), 0;
    const bool came = answer.failure == base::FetchFailure::none;
    const auto asked = options.socket_path.empty() ? question.url : config.listen.front();
    print_note(asked + ": " + (came ? answer.body : std::string(base::word(answer.failure))));
    return 1;
}

}  // namespace server
