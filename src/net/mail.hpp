// SPDX-License-Identifier: AGPL-3.0-or-later
// Outgoing mail: to an SMTP server, or as .eml files into a folder if none is configured; and lookup of a
// domain's mail servers. Blocks; for job threads.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "base/mail.hpp"

namespace net {

struct SmtpOptions {
    enum class Tls { none, starttls, implicit };

    std::string host;
    std::uint16_t port = 587;
    Tls tls = Tls::starttls;  // starttls: fails if the server does not offer it
    bool verify_peer = true;
    std::string user, password;  // empty user: no AUTH
    std::string from;            // user@host or Name <user@host>
    std::chrono::seconds timeout{30};
    std::stop_token stop;  // aborts the current mail and all later ones
};

// How far the SMTP session got before it failed.
enum class MailStep { connecting, login, sender, letter };

// permanent: the same mail will be rejected again, because of its recipient or its text. A problem with the
// session itself must be fixed by the operator and is never permanent.
struct MailError : std::runtime_error {
    MailError(const std::string& what, bool is_permanent, MailStep at_step = MailStep::connecting)
        : runtime_error(what), permanent(is_permanent), step(at_step) {}
    bool permanent;
    MailStep step;
};

// Throws MailError, and base::Stopping after options.stop.
void send_mail(const SmtpOptions&, const base::Mail&);
// Runs a session up to the point where a recipient would follow: connects, starts TLS, logs in, names the
// sender.
void greet(const SmtpOptions&);
void write_mail(const std::filesystem::path& directory, const std::string& from, const base::Mail&);

// Throws MailError if the text contains a line break, and so cannot be used in a header or an SMTP command.
void require_one_line(const std::string&);
// The mail in the format of RFC 5322 and MIME, with CRLF line ends. Throws MailError for line breaks in a
// header.
std::string mail_text(const std::string& from, const base::Mail&);

// The hosts that accept mail for a domain: those of its MX records, or the domain itself if it has only an
// address (RFC 5321, 5.1). Empty: there are none, or it declares so (RFC 7505). nullopt: DNS did not answer.
std::optional<std::vector<std::string>> mail_hosts(const std::string& domain);
// The names in a DNS response about MX records; unreadable ones are skipped.
std::vector<std::string> names_in_mx_answer(const std::vector<unsigned char>& message);

}  // namespace net
