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
    std::string title, description, registrations, public_url, smtp_url;
    bool write = false;
};
DESCRIBE(Form, title, description, registrations, public_url, smtp_url, write)

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

http::Response look(db::Read& db, const http::Request& request, const Form& given) {
    const auto& site = db.site();
    auto who = visitor(db, request);
    if (!who.person) return redirect("/auth/sign_in?return_to=%2Fsetup%2Fnext");
    if (!accounts::actor(db, who.person->account).is_administrator())
        return error_page(site, 403, "This page is for the owner of the server.");
    auto form = given;
    if (!form.write)
        form = {site.title, site.description, std::string(registrations(site)), site.public_url, "", false};
    instance::View view;
    view.set("NAME", form.title).set("ABOUT", form.description).set("ADDRESS", form.public_url);
    view.set("SMTP", form.smtp_url);
    for (auto word : words) {
        auto& choice = view.add("REGISTRATIONS");
        choice.set("WORD", word).show_if(word == form.registrations, "CHOSEN");
        choice.add(word == words[0] ? "OPEN" : word == words[1] ? "APPROVAL" : "CLOSED");
    }
    view.add(site.public_url.starts_with("https://") ? "TLS" : "NO_TLS");
    if (form.write) view.add("LINES").set("TEXT", lines(form));
    return show(site, who, {"first_steps", "Your server"}, std::move(view));
}

constexpr http::Route table[] = {http::get<look>("/setup/next")};

}  // namespace

std::span<const http::Route> first_steps_pages() { return table; }

}  // namespace oauth
