// SPDX-License-Identifier: AGPL-3.0-or-later
// Mail out: to an SMTP server, or as .eml files into a folder where none is configured; and who takes mail elsewhere.
// Blocks; for job threads.
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
    Tls tls = Tls::starttls;  // starttls: refuses to go on without
    bool verify_peer = true;
    std::string user, password;  // empty user: no AUTH
    std::string from;            // user@host or Name <user@host>
    std::chrono::seconds timeout{30};
    std::stop_token stop;  // gives up what is under way and all that comes after
};

// How far a conversation with a mail server came before it failed.
enum class MailStep { connecting, login, sender, letter };

// permanent: the same mail will be refused again, for its recipient or its text. What is wrong with the conversation itself
// is the operator's to mend, and never that.
struct MailError : std::runtime_error {
    MailError(const std::string& what, bool is_permanent, MailStep at_step = MailStep::connecting)
        : runtime_error(what), permanent(is_permanent), step(at_step) {}
    bool permanent;
    MailStep step;
};

// Throws MailError, and base::Stopping after options.stop.
void send_mail(const SmtpOptions&, const base::Mail&);
// As far as a mail goes before it has a recipient: connects, asks for TLS, logs in, names the sender.
void greet(const SmtpOptions&);
void write_mail(const std::filesystem::path& directory, const std::string& from, const base::Mail&);

// Throws MailError: no line of a mail's head, or of what is said to a mail server, can be made of it.
void require_one_line(const std::string&);
// The mail as RFC 5322 and MIME want it, lines ended by CRLF. Throws MailError for line ends in a header.
std::string mail_text(const std::string& from, const base::Mail&);

// The hosts that take mail for a domain: those of its MX records, or itself where it has none but an address (RFC 5321,
// 5.1). Empty: there are none, or it says so (RFC 7505). Nothing: DNS has not answered.
std::optional<std::vector<std::string>> mail_hosts(const std::string& domain);
// The names in an answer of DNS about MX records; what cannot be read is left out.
std::vector<std::string> names_in_mx_answer(const std::vector<unsigned char>& message);

}  // namespace net
