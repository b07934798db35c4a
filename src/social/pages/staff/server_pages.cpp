// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team has decided about other servers.
#include "http/route.hpp"
#include "social/moderation/domains_admin.hpp"
#include "social/pages/staff/list_rows.hpp"
#include "social/pages/staff/staff_page.hpp"

namespace pages {
namespace {

using instance::AdminDomainBlock, instance::Severity, instance::View, moderation::DomainBlockId;

constexpr int a_page = 40;
const std::string servers_path = address_of(servers_part);

struct SeverityMeaning {
    Severity severity;
    std::string_view meaning;
};
constexpr SeverityMeaning severities[] = {
    {Severity::silence, "Only who follows somebody there sees their posts"},
    {Severity::suspend, "Nothing comes from there, and nothing goes there"},
    {Severity::noop, "Nothing but what is ticked below"},
};

struct ListForm {
    std::optional<std::int64_t> max_id;
};
DESCRIBE(ListForm, max_id)

http::Response list(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, servers_part.any_of);
    if (who.answer()) return *who.answer();
    base::Range range;
    range.limit = a_page;
    if (form.max_id) range.below = *form.max_id;
    auto rows = instance::domain_block_page(db, range);
    View view;
    view.show_if(rows.empty(), "NONE");
    for (const auto& row : rows) {
        auto& shown = view.add("SERVER");
        shown.set("URL", servers_path + "/" + std::to_string(row.id.value))
            .set("DOMAIN", row.domain)
            .say("SEVERITY", name_of(row.severity))
            .set("DAY", day_of(row.created_at));
        shown.show_if(row.reject_media, "NO_MEDIA").show_if(row.reject_reports, "NO_REPORTS");
    }
    if (rows.size() == a_page)
        view.add("OLDER").set("URL", servers_path + "?max_id=" + std::to_string(rows.back().id.value));
    return staff_page(db, request, who, &servers_part, "staff_servers", "Servers", {}, std::move(view));
}

// ---- a rule ----

// What is not ticked is not sent, and holds no more.
struct RuleForm {
    std::string domain;
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::string private_comment, public_comment, authenticity_token;
};
DESCRIBE(
    RuleForm, domain, severity, reject_media, reject_reports, obfuscate, private_comment, public_comment,
    authenticity_token
)

RuleForm form_of(const AdminDomainBlock& row) {
    return {
        row.domain,
        row.severity,
        row.reject_media,
        row.reject_reports,
        row.obfuscate,
        row.private_comment.value_or(""),
        row.public_comment.value_or(""),
        {}
    };
}

// `id`: none yet where it is to be added.
http::Response rule_page(
    db::Read& db, const http::Request& request, const Member& who, const RuleForm& given,
    std::optional<DomainBlockId> id, std::string_view problem = {}
) {
    View view;
    view.set("SERVER_DOMAIN", given.domain)
        .set("PRIVATE", given.private_comment)
        .set("PUBLIC", given.public_comment);
    if (id) view.add("KNOWN").set("ID", std::to_string(id->value));
    else view.add("NEW");
    for (const auto& one : severities)
        view.add("CHOICE")
            .set("WORD", base::word(one.severity))
            .say("NAME", name_of(one.severity))
            .say("MEANING", one.meaning)
            .show_if(one.severity == given.severity, "CHOSEN");
    view.show_if(given.reject_media, "NO_MEDIA")
        .show_if(given.reject_reports, "NO_REPORTS")
        .show_if(given.obfuscate, "OBFUSCATED");
    return staff_page(
        db,
        request,
        who,
        &servers_part,
        "staff_server",
        id ? "A server" : "Add a server",
        problem,
        std::move(view)
    );
}

http::Response look_new(db::Read& db, const http::Request& request) {
    auto who = member(db, request, servers_part.any_of);
    return who.answer() ? *who.answer() : rule_page(db, request, who, {}, {});
}

struct ByRule {
    DomainBlockId id;
    std::string authenticity_token;
};
DESCRIBE(ByRule, id, authenticity_token)

http::Response look(db::Read& db, const http::Request& request, const ByRule& path) {
    auto who = member(db, request, servers_part.any_of);
    if (who.answer()) return *who.answer();
    return rule_page(db, request, who, form_of(instance::domain_block(db, path.id)), path.id);
}

http::Response add(db::Write& db, const http::Request& request, const RuleForm& form) {
    auto who = member(db, request, servers_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    instance::ServerRule rule{form.domain, form.severity, form.obfuscate};
    rule.public_comment = form.public_comment;
    rule.private_comment = form.private_comment;
    rule.reject_media = form.reject_media;
    rule.reject_reports = form.reject_reports;
    try {
        moderation::add_domain_block(db, who.actor, rule);
    } catch (const base::Invalid& refused) {
        return rule_page(db, request, who, form, {}, sentence_of(refused));
    }
    return done(servers_path, "server_added");
}

http::Response change(db::Write& db, const http::Request& request, const ByRule& path, const RuleForm& form) {
    auto who = member(db, request, servers_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::DomainBlockEdit edit{form.severity, form.reject_media, form.reject_reports, form.obfuscate};
    edit.private_comment = form.private_comment;
    edit.public_comment = form.public_comment;
    moderation::edit_domain_block(db, who.actor, path.id, edit);
    return done(servers_path, "server_changed");
}

http::Response remove(db::Write& db, const http::Request& request, const ByRule& form) {
    auto who = member(db, request, servers_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::remove_domain_block(db, who.actor, form.id);
    return done(servers_path, "server_removed");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list>    ("/settings/moderation/servers"),
    http::post<add>    ("/settings/moderation/servers"),
    http::get<look_new>("/settings/moderation/servers/add"),
    http::get<look>    ("/settings/moderation/servers/:id"),
    http::post<change> ("/settings/moderation/servers/:id"),
    http::post<remove> ("/settings/moderation/servers/:id/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> server_pages() { return table; }

}  // namespace pages
