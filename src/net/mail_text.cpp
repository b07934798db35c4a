// SPDX-License-Identifier: AGPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "base/time.hpp"
#include "net/mail.hpp"

namespace net {

namespace {

std::string random_hex() {
    std::random_device random;
    char text[33];
    std::snprintf(text, sizeof text, "%08x%08x%08x%08x", random(), random(), random(), random());
    return text;
}

void append_hex(std::string& out, char byte) {
    constexpr char digits[] = "0123456789ABCDEF";
    out += '=';
    out += digits[static_cast<unsigned char>(byte) >> 4];
    out += digits[static_cast<unsigned char>(byte) & 15];
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; });
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// RFC 2047, Q encoding; an encoded word has at most 75 characters and contains whole UTF-8 characters.
std::string encoded_words(std::string_view text) {
    constexpr std::string_view open = "=?UTF-8?Q?";
    constexpr std::size_t longest = 60;
    if (is_ascii(text) && text.find("=?") == text.npos && text.size() < 900) return std::string(text);
    std::string out(open);
    std::size_t word = 0;
    for (const char c : text) {
        if (out.size() - word > longest && !continues_character(c)) {
            out += "?=\r\n ";
            word = out.size();
            out += open;
        }
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c == ' ') out += '_';
        else if (plain) out += c;
        else append_hex(out, c);
    }
    return out + "?=";
}

// RFC 2045; every kind of line end becomes CRLF.
std::string quoted_printable(std::string_view text) {
    constexpr std::size_t longest = 72;
    std::string out;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
        if (c == '\n' || c == '\r') {
            out += "\r\n";
            line = out.size();
            continue;
        }
        if (out.size() - line > longest) {
            out += "=\r\n";
            line = out.size();
        }
        const bool ends_line = at + 1 == text.size() || text[at + 1] == '\n' || text[at + 1] == '\r';
        const bool plain = (c > ' ' && c < 127 && c != '=') || ((c == ' ' || c == '\t') && !ends_line);
        if (plain) out += c;
        else append_hex(out, c);
    }
    return out + "\r\n";
}

std::string part(std::string_view type, std::string_view text) {
    return "Content-Type: " + std::string(type) +
           "; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + quoted_printable(text);
}

std::string date() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    auto text = base::http_date({std::chrono::duration_cast<std::chrono::milliseconds>(now).count()});
    return text.replace(text.rfind("GMT"), 3, "+0000");
}

std::string address_line(std::string_view who) {
    const auto bracket = who.rfind('<');
    if (bracket == who.npos || is_ascii(who)) return std::string(who);
    auto name = who.substr(0, bracket);
    while (name.ends_with(' ')) name.remove_suffix(1);
    return encoded_words(name) + " " + std::string(who.substr(bracket));
}

}  // namespace

void require_one_line(const std::string& header) {
    if (header.find_first_of(std::string_view("\r\n\0", 3)) != header.npos)
        throw MailError("a mail header contains a line end", true);
}

std::string mail_text(const std::string& from, const base::Mail& mail) {
    for (const auto* header : {&from, &mail.to, &mail.subject, &mail.unsubscribe}) require_one_line(*header);

    const auto at = from.rfind('@');
    auto domain = at == from.npos ? std::string("localhost") : from.substr(at + 1);
    if (domain.ends_with('>')) domain.pop_back();

    std::string out = "From: " + address_line(from) + "\r\nTo: " + address_line(mail.to) +
                      "\r\nSubject: " + encoded_words(mail.subject) + "\r\nDate: " + date() +
                      "\r\nMessage-ID: <" + random_hex() + "@" + domain +
                      ">\r\nMIME-Version: 1.0\r\nAuto-Submitted: auto-generated\r\n";
    if (!mail.unsubscribe.empty())
        out += "List-Unsubscribe: <" + mail.unsubscribe +
               ">\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
    if (mail.html.empty()) return out + part("text/plain", mail.text);
    const auto boundary = "=_" + random_hex();
    return out + "Content-Type: multipart/alternative; boundary=\"" + boundary + "\"\r\n\r\n--" + boundary +
           "\r\n" + part("text/plain", mail.text) + "\r\n--" + boundary + "\r\n" +
           part("text/html", mail.html) + "\r\n--" + boundary + "--\r\n";
}

}  // namespace net
