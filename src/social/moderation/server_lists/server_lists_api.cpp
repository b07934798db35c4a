// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers, as staff looks at them, applies and undoes them; and the domains that no list decides about.
#include "http/route.hpp"
#include "social/instance/domain_allow.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/server_lists/preview.hpp"

namespace moderation {
namespace {

using http::Viewer;

constexpr std::uint64_t largest_list = 4 << 20;

// ---- lists ----

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

http::Page<ListBatch> index(db::Read& db, const Viewer&, const PageForm& form) {
    return http::page_by_id(list_batches(db, http::range_of(form)), form);
}

struct ById {
    ListBatchId id;
};
DESCRIBE(ById, id)

ListBatch show(db::Read& db, const Viewer&, const ById& path) { return list_batch(db, path.id); }

struct DomainsForm {
    ListBatchId id;
    std::string after;
    http::Limit<100, 500> limit;
};
DESCRIBE(DomainsForm, id, after, limit)

// By domain; the next ones come `after` the last.
std::vector<instance::ListRule> domains(db::Read& db, const Viewer&, const DomainsForm& form) {
    return instance::rules_of_list(db, list_batch(db, form.id).id, form.after, form.limit.value);
}

http::Response file(const std::string& name, const std::vector<instance::ListRule>& rules) {
    http::Response out;
    out.content_type = "text/csv; charset=utf-8";
    out.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
    out.body = server_list_csv(rules);
    return out;
}

http::Response file_of_list(db::Read& db, const Viewer&, const ById& path) {
    const auto id = list_batch(db, path.id).id;
    return file(
        "list-" + std::to_string(id.value) + ".csv",
        instance::rules_of_list(db, id, {}, static_cast<int>(most_list_lines))
    );
}

http::Response file_of_all(db::Read& db, const Viewer&) {
    return file("domain_blocks.csv", instance::all_rules(db));
}

struct ListForm {
    std::string data;
    instance::Severity severity = instance::Severity::suspend;
};
DESCRIBE(ListForm, data, severity)

ServerList list_in(db::Read& db, const ListForm& form) {
    return read_server_list(form.data, form.severity, db.site().domain);
}

ListPreview show_before(db::Read& db, const Viewer&, const ListForm& form) {
    return preview(db, list_in(db, form));
}

struct ApplyForm {
    std::string name;
    bool dry_run = false;
};
DESCRIBE(ApplyForm, name, dry_run)

PreparedList prepare(db::Read& db, const Viewer&, const ListForm& form) {
    return prepare_list(db, list_in(db, form));
}

AppliedList apply(db::Write& db, const Viewer& me, const ApplyForm& form, const PreparedList& list) {
    return apply_list(db, accounts::actor(db, me.account), form.name, list, form.dry_run);
}

struct UndoForm {
    ListBatchId id;
    bool dry_run = false;
};
DESCRIBE(UndoForm, id, dry_run)

instance::EndedRules look_at_rules(db::Read& db, const Viewer&, const UndoForm& form) {
    return instance::ending_of_list_rules(db, form.id);
}

UndoneList undo(db::Write& db, const Viewer& me, const UndoForm& form, const instance::EndedRules& ending) {
    return undo_list(db, accounts::actor(db, me.account), form.id, ending, form.dry_run);
}

// ---- exceptions ----

std::vector<instance::ListException> exceptions(db::Read& db, const Viewer&) {
    return instance::list_exceptions(db);
}

struct ExceptionForm {
    std::string domain, comment;
    bool dry_run = false;
};
DESCRIBE(ExceptionForm, domain, comment, dry_run)

struct MadeException {
    std::string domain;
    std::vector<std::string> ended;  // rules of lists
};
DESCRIBE(MadeException, domain, ended)

MadeException add_exception(db::Write& db, const Viewer& me, const ExceptionForm& form) {
    MadeException out{instance::checked_domain(form.domain), {}};
    out.ended = instance::rules_in_the_way(db, out.domain);
    if (!form.dry_run) except_from_lists(db, accounts::actor(db, me.account), form.domain, form.comment);
    return out;
}

struct ByDomain {
    std::string domain;
};
DESCRIBE(ByDomain, domain)

void drop_exception(db::Write& db, const Viewer& me, const ByDomain& path) {
    end_exception(db, accounts::actor(db, me.account), path.domain);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>             ("/api/dunlin/v1/moderation/lists",                 "admin:read:domain_blocks"),
    http::post<prepare, apply>   ("/api/dunlin/v1/moderation/lists",                 "admin:write:domain_blocks").body_limit(largest_list),
    http::post<show_before>      ("/api/dunlin/v1/moderation/lists/preview",         "admin:read:domain_blocks").body_limit(largest_list),
    http::get<show>              ("/api/dunlin/v1/moderation/lists/:id",             "admin:read:domain_blocks"),
    http::get<domains>           ("/api/dunlin/v1/moderation/lists/:id/domains",     "admin:read:domain_blocks"),
    http::get<file_of_list>      ("/api/dunlin/v1/moderation/lists/:id/domains.csv", "admin:read:domain_blocks").answering("string"),
    http::post<look_at_rules, undo>("/api/dunlin/v1/moderation/lists/:id/undo",        "admin:write:domain_blocks"),
    http::get<file_of_all>       ("/api/dunlin/v1/moderation/domain_blocks.csv",     "admin:read:domain_blocks").answering("string"),
    http::get<exceptions>        ("/api/dunlin/v1/moderation/exceptions",            "admin:read:domain_blocks"),
    http::post<add_exception>    ("/api/dunlin/v1/moderation/exceptions",            "admin:write:domain_blocks"),
    http::del<drop_exception>    ("/api/dunlin/v1/moderation/exceptions/:domain",    "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> server_list_routes() { return table; }

}  // namespace moderation
