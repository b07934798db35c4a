// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/checks/checks.hpp"

#include "base/text/languages.hpp"
#include "config/addresses.hpp"
#include "net/forwarded.hpp"
#include "server/backups.hpp"
#include "server/checks/certificates.hpp"
#include "social/accounts/users/mail.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace server {

namespace {

namespace fs = std::filesystem;

// Why files cannot be created in a folder, which may not exist yet; empty: they can.
std::string obstacle(const fs::path& folder) {
    std::error_code error;
    auto there = fs::absolute(folder, error);
    while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
    if (!fs::is_directory(there, error)) return there.string() + " is no folder";
    if (::access(there.c_str(), W_OK | X_OK) == 0) return {};
    return there.string() + ": " + std::strerror(errno);
}

void check_folder(const std::string& option, const fs::path& folder, Words& found) {
    const auto why = obstacle(folder);
    if (why.empty()) return;
    found.push_back(
        option + ": nothing can be written to " + folder.string() + " (" + why +
        "); give the folder to the user of the server, or name another one"
    );
}

void check_log_file(const Config& config, Words& found) {
    if (config.log_file.empty()) return;
    const auto folder = fs::absolute(config.log_file).parent_path();
    std::error_code error;
    if (!fs::is_directory(folder, error))
        found.push_back(
            "log_file: there is no folder " + folder.string() +
            "; make it and give it to the user of the server; lines go to stderr until then"
        );
    else check_folder("log_file", folder, found);
}

void check_public_url(const Config& config, Words& found) {
    auto url = parse_public_url(config.public_url);
    if (!url) return;
    auto host = host_of(url->authority);
    if (auto address = net::Address::parse(host)) {
        if (net::NetworkSet({"127.0.0.0/8", "::1/128"}).contains(*address)) return;
        found.push_back(
            "public_url: " + host +
            " is an address; other servers and certificates know names only, for example "
            "https://social.example.org"
        );
    } else if (!url->secure && !is_internal(host)) {
        found.push_back(
            "public_url: other servers and apps reach " + host + " over https only; write https://" + host +
            ", with a proxy in front that speaks TLS, or with tls_listen"
        );
    }
}

void check_people(const Config& config, Words& found) {
    if (!config.contact_email.empty() && !accounts::email_form_errors(config.contact_email).empty())
        found.push_back(
            "contact_email: \"" + config.contact_email +
            "\" is no e-mail address; write one like admin@example.org"
        );
    if (config.contact_account.find('@') != std::string::npos)
        found.push_back(
            "contact_account: \"" + config.contact_account +
            "\" is more than a name; write the name of an account of this server alone, for example admin"
        );
    if (!base::text::find_language(config.language))
        found.push_back(
            "language: \"" + config.language + "\" is no language we know; write a code like en, de or pt-BR"
        );
}

void check_mail(const Config& config, Words& found) {
    if (config.smtp_url.empty()) {
        for (auto [option, value] :
             {std::pair("smtp_user", &config.smtp_user), std::pair("smtp_password", &config.smtp_password)})
            if (!value->empty())
                found.push_back(
                    std::string(option) +
                    ": no mail is sent without smtp_url; write it, too, for example "
                    "smtp://mail.example.org:587"
                );
        return;
    }
    if (config.smtp_user.empty() != config.smtp_password.empty())
        found.push_back(
            config.smtp_user.empty()
                ? "smtp_password: smtp_user is missing, so nobody logs in; write both or none"
                : "smtp_user: smtp_password is missing; write both or none"
        );
    if (!config.smtp_user.empty() && config.smtp_url.starts_with("smtp+insecure:"))
        found.emplace_back(
            "smtp_url: smtp+insecure sends the password readable for all on the way; write smtp:// "
            "(STARTTLS) "
            "or smtps://"
        );
    const auto at = config.smtp_from.find('@');
    if (at == std::string::npos || at == 0 || at + 1 == config.smtp_from.size())
        found.push_back(
            "smtp_from: \"" + config.smtp_from +
            "\" has no e-mail address in it; write one like Dunlin <social@example.org>"
        );
}

void check_openness(const Config& config, Words& found) {
    for (const auto& network : config.trusted_proxies)
        if (network.ends_with("/0"))
            found.push_back(
                "trusted_proxies: " + network +
                " lets everybody pretend to come from any address; name the proxy alone, for example 10.0.0.5"
            );
    if (config.limited_federation && config.allowed_servers.empty())
        found.emplace_back(
            "limited_federation: allowed_servers is empty, so no other server is talked to but those that "
            "the team "
            "allows; name some, for example [\"example.org\"]"
        );
    if (!config.limited_federation && !config.allowed_servers.empty())
        found.emplace_back(
            "allowed_servers: without limited_federation all servers are talked to; write limited_federation "
            "= true, or leave this out"
        );
}

}  // namespace

std::string host_of(const std::string& authority) {
    if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
    return authority.substr(0, authority.find(':'));
}

bool is_internal(const std::string& host) {
    if (host.find('.') == host.npos) return true;
    for (auto end :
         {".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test", ".example", ".invalid"})
        if (host.ends_with(end)) return true;
    return false;
}

Words faults_of_sockets(const Config& config) {
    Words found;
    for (const auto& text : config.listen) {
        const auto at = parse_endpoint(text);
        if (!at || at->path.empty()) continue;
        const auto folder = fs::path(at->path).parent_path();
        std::error_code error;
        if (fs::is_socket(at->path, error)) continue;  // another process may open it for the server
        if (!fs::is_directory(folder, error))
            found.push_back(
                "listen: there is no folder " + folder.string() + " for " + text +
                "; make it and give it to the user of the server (systemd: RuntimeDirectory=)"
            );
        else check_folder("listen", folder, found);
    }
    return found;
}

Words faults_of_files(const Config& config) {
    Words faults = faults_of_certificates(config);
    check_folder("data", config.data_path(), faults);
    if (!config.media.empty()) check_folder("media", config.media_path(), faults);
    std::ranges::move(faults_of_backup(config), std::back_inserter(faults));
    return faults;
}

Words doubts(const Config& config) {
    Words found = doubts_about_certificates(config);
    check_public_url(config, found);
    if (!config.backup_to.empty() && !is_bucket_place(config.backup_to))
        check_folder("backup_to", config.backup_to, found);
    std::ranges::move(doubts_about_backup(config), std::back_inserter(found));
    check_log_file(config, found);
    check_people(config, found);
    check_mail(config, found);
    check_openness(config, found);
    return found;
}

}  // namespace server
