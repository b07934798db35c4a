// SPDX-License-Identifier: AGPL-3.0-or-later
// What the owner of a new server sees next: what it is called, who may sign up, mail, TLS. These are options of the program,
// so that the page says where they stand and writes the lines; it changes nothing.
#include "http/route.hpp"
#include "social/accounts/users/role.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

constexpr std::string_view words[] = {"open", "approval", "closed"};

struct Form {
    std::string title, description, registrations, public_url, smtp_url, authenticity_token;
};
DESCRIBE(Form, title, description, registrations, public_url, smtp_url, authenticity_token)

std::string_view registrations(const base::Site& site) {
    if (!site.registrations_open) return words[2];
    return site.approval_required ? words[1] : words[0];
}

// A basic string of TOML.
std::string toml_string(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out = "\"";
    for (char c : text) {
        auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += '\\';
        if (code >= 0x20 && code != 0x7F) out += c;
        else out += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    }
    return out + '"';
}

std::string lines(const Form& form) {
    std::string out;
    const std::pair<std::string_view, const std::string&> options[] = {
        {"title", form.title},
        {"description", form.description},
        {"registrations", form.registrations},
        {"public_url", form.public_url},
        {"smtp_url", form.smtp_url},
    };
    for (auto [name, value] : options)
        if (!value.empty()) out += std::string(name) + " = " + toml_string(value) + "\n";
    return out;
}

std::optional<http::Response> refusal(db::Read& db, const Visitor& who) {
    if (!who.person) return redirect("/auth/sign_in?return_to=%2Fsetup%2Fnext");
    if (!accounts::actor(db, who.person->account).is_administrator())
        return error_page(db.site(), who.language, 403, "This page is for the owner of the server.");
    return std::nullopt;
}

http::Response page(const base::Site& site, const Visitor& who, const Form& form, std::string_view written) {
    instance::View view;
    view.set("NAME", form.title).set("ABOUT", form.description).set("ADDRESS", form.public_url);
    view.set("SMTP", form.smtp_url);
    for (auto word : words) {
        auto& choice = view.add("REGISTRATIONS");
        choice.set("WORD", word).show_if(word == form.registrations, "CHOSEN");
        choice.add(word == words[0] ? "OPEN" : word == words[1] ? "APPROVAL" : "CLOSED");
    }
    view.add(site.public_url.starts_with("https://") ? "TLS" : "NO_TLS");
    if (!written.empty()) view.add("LINES").set("TEXT", written);
    return show(site, who, {"first_steps", "Your server"}, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request) {
    const auto& site = db.site();
    auto who = visitor(db, request);
    if (auto refused = refusal(db, who)) return *std::move(refused);
    Form now{site.title, site.description, std::string(registrations(site)), site.public_url, "", ""};
    return page(site, who, now, {});
}

// By POST and with the proof of the form: addresses are kept by browsers and proxies, and that of a mail server mostly holds
// a password; and nobody else's link is to propose lines.
http::Response write(db::Read& db, const http::Request& request, const Form& form) {
    auto who = visitor(db, request);
    if (auto refused = refusal(db, who)) return *std::move(refused);
    if (!has_valid_proof(who, form.authenticity_token)) return stale_form(db.site(), who);
    return page(db.site(), who, form, lines(form));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>  ("/setup/next"),
    http::post<write>("/setup/next"),
};
// clang-format on

}  // namespace

std::span<const http::Route> first_steps_pages() { return table; }

}  // namespace oauth
