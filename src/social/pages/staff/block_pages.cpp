// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may not sign up: mail providers, addresses, networks and names.
#include "social/moderation/site/blocks_admin.hpp"
#include "social/pages/staff/sheet.hpp"

namespace pages {
namespace {

constexpr int a_page = 100;
const std::string blocks_path = address_of(blocks_part);

struct BlockForm {
    std::string domain, email, ip, comment, username, authenticity_token;
    accounts::IpSeverity severity = accounts::IpSeverity::sign_up_requires_approval;
    std::int64_t days = 0;
    bool allow_with_approval = false, within = false;
};
DESCRIBE(
    BlockForm, domain, email, ip, comment, username, authenticity_token, severity, days, allow_with_approval,
    within
)

// Where each list of the page begins.
struct Begins {
    std::optional<std::int64_t> domains, networks, emails;
};
DESCRIBE(Begins, domains, networks, emails)

struct SeverityName {
    accounts::IpSeverity severity;
    std::string_view name;
};
constexpr SeverityName severities[] = {
    {accounts::IpSeverity::sign_up_requires_approval, "Sign-ups wait for approval"},
    {accounts::IpSeverity::sign_up_block, "No sign-ups"},
    {accounts::IpSeverity::no_access, "Nothing is answered"},
};

Form removing(std::string_view kind, std::int64_t id) {
    return {
        blocks_path + "/" + std::string(kind) + "/" + std::to_string(id) + "/remove",
        "Remove",
        {},
        {},
        "quiet"
    };
}

// What was given stays where it was refused; the others are as if nothing had been.
Panel email_domains(db::Read& db, const BlockForm& given, const From& from) {
    Panel out{"Mail providers"};
    out.forms.push_back(
        {blocks_path + "/email_domains",
         "Add",
         {{Field::Kind::line, "domain", "Domain", given.domain, true, "Holds for all below it, too"},
          {Field::Kind::box,
           "allow_with_approval",
           "Sign-ups wait for approval",
           given.allow_with_approval ? "1" : ""}}}
    );
    out.rows.emplace();
    const auto rows = accounts::email_domain_blocks(db, from.range(a_page));
    out.older = older(blocks_path, rows, a_page, "domains");
    for (const auto& one : rows) {
        Row row{one.domain};
        if (one.allow_with_approval) row.states.push_back("Sign-ups wait for approval");
        row.hint = day_of(one.created_at);
        row.forms.push_back(removing("email_domains", one.id.value));
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel emails(db::Read& db, const BlockForm& given, const From& from) {
    Panel out{"Addresses"};
    out.hint =
        "However they are spelled. Only a number made of them is kept; each suspended account leaves one.";
    out.forms.push_back(
        {blocks_path + "/emails", "Add", {{Field::Kind::line, "email", "E-mail address", given.email, true}}}
    );
    out.rows.emplace();
    const auto rows = accounts::canonical_blocks(db, from.range(a_page));
    out.older = older(blocks_path, rows, a_page, "emails");
    for (const auto& one : rows) {
        Row row{one.canonical_email_hash.substr(0, 16) + "…"};
        row.forms.push_back(removing("emails", one.id.value));
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel networks(db::Read& db, const BlockForm& given, const From& from) {
    Panel out{"Networks"};
    Field severity{Field::Kind::list, "severity", "What holds", std::string(base::word(given.severity))};
    for (const auto& one : severities)
        severity.options.push_back({std::string(base::word(one.severity)), one.name});
    Field days{Field::Kind::list, "days", "For how many days", std::to_string(given.days)};
    days.options = {
        {"1", {}, "1"}, {"7", {}, "7"}, {"30", {}, "30"}, {"365", {}, "365"}, {"0", "Without end"}
    };
    out.forms.push_back(
        {blocks_path + "/networks",
         "Add",
         {{Field::Kind::line, "ip", "IP address", given.ip, true, "Like 192.0.2.0/24 or 2001:db8::/48"},
          severity,
          days,
          {Field::Kind::line, "comment", "Why, for the team", given.comment}}}
    );
    out.rows.emplace();
    const auto rows = accounts::ip_blocks(db, from.range(a_page));
    out.older = older(blocks_path, rows, a_page, "networks");
    for (const auto& one : rows) {
        Row row{one.ip};
        for (const auto& known : severities)
            if (known.severity == one.severity) row.states.push_back(known.name);
        row.hint = day_of(one.created_at);
        if (one.expires_at) row.facts.push_back({"Ends", minute_of(*one.expires_at)});
        row.words = one.comment;
        row.forms.push_back(removing("networks", one.id.value));
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel names(db::Read& db, const BlockForm& given) {
    Panel out{"Names"};
    out.forms.push_back(
        {blocks_path + "/names",
         "Add",
         {{Field::Kind::line, "username", "Username", given.username, true},
          {Field::Kind::box, "within", "Also as a part of longer names", given.within ? "1" : ""},
          {Field::Kind::box,
           "allow_with_approval",
           "Sign-ups wait for approval",
           given.allow_with_approval ? "1" : ""}}}
    );
    out.rows.emplace();
    for (const auto& one : accounts::username_blocks(db)) {
        Row row{one.username};
        if (!one.exact) row.states.push_back("Also as a part of longer names");
        if (one.allow_with_approval) row.states.push_back("Sign-ups wait for approval");
        row.forms.push_back(removing("names", one.id.value));
        out.rows->push_back(std::move(row));
    }
    return out;
}

http::Response blocks_page(
    db::Read& db, const http::Request& request, const Member& who, const BlockForm& given,
    const Begins& from = {}, std::string_view problem = {}
) {
    return sheet(
        db,
        request,
        who,
        blocks_part,
        "Who may not sign up",
        {email_domains(db, given, {from.domains}),
         networks(db, given, {from.networks}),
         names(db, given),
         emails(db, given, {from.emails})},
        problem
    );
}

http::Response look(db::Read& db, const http::Request& request, const Begins& from) {
    auto who = member(db, request, blocks_part.any_of);
    return who.answer() ? *who.answer() : blocks_page(db, request, who, {}, from);
}

using Act = void (*)(db::Write&, const accounts::Actor&, const http::Request&, const BlockForm&);

template <Act F>
http::Response add(db::Write& db, const http::Request& request, const BlockForm& form) {
    auto who = member(db, request, blocks_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return blocks_page(db, request, who, form, {}, why); };
    return tried(blocks_path, added, refused, [&] { F(db, who.actor, request, form); });
}

void email_domain(db::Write& db, const accounts::Actor& who, const http::Request&, const BlockForm& form) {
    moderation::block_email_domain(db, who, form.domain, form.allow_with_approval);
}
void email(db::Write& db, const accounts::Actor& who, const http::Request&, const BlockForm& form) {
    moderation::block_email(db, who, form.email, {});
}
void network(db::Write& db, const accounts::Actor& who, const http::Request& request, const BlockForm& form) {
    constexpr std::int64_t a_day = 86'400, most_days = 3650;
    accounts::IpBlockForm wanted{form.ip, form.comment, form.severity, std::optional<std::int64_t>()};
    if (form.days > 0) wanted.expires_in = std::optional(std::min(form.days, most_days) * a_day);
    moderation::block_ip(db, who, wanted, request.remote_address);
}
void name(db::Write& db, const accounts::Actor& who, const http::Request&, const BlockForm& form) {
    moderation::block_username(db, who, form.username, !form.within, form.allow_with_approval);
}

template <auto F, class Id>
constexpr auto end = act_on<blocks_part, F, Id, removed>;

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                ("/settings/moderation/blocks"),
    http::post<add<email_domain>>  ("/settings/moderation/blocks/email_domains"),
    http::post<add<email>>         ("/settings/moderation/blocks/emails"),
    http::post<add<network>>       ("/settings/moderation/blocks/networks"),
    http::post<add<name>>          ("/settings/moderation/blocks/names"),
    http::post<end<moderation::unblock_email_domain, accounts::EmailDomainBlockId>>("/settings/moderation/blocks/email_domains/:id/remove"),
    http::post<end<moderation::unblock_email, accounts::CanonicalBlockId>>         ("/settings/moderation/blocks/emails/:id/remove"),
    http::post<end<moderation::unblock_ip, accounts::IpBlockId>>                   ("/settings/moderation/blocks/networks/:id/remove"),
    http::post<end<moderation::unblock_username, accounts::UsernameBlockId>>       ("/settings/moderation/blocks/names/:id/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> block_pages() { return table; }

}  // namespace pages
