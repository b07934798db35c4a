// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers: what one would do is shown before it is applied, and for a month it can be undone.
#include "social/oauth/pages/entering.hpp"
#include "social/pages/staff/list_rows.hpp"

#include <fstream>
#include <iterator>

namespace pages {
namespace {

using instance::ListBatchId, instance::Severity;

constexpr int a_page = 20;
constexpr std::uint64_t most_bytes = 4 << 20;

// What came as a file, or in the form that shows what it would do.
struct ListForm {
    std::optional<http::Upload> file;
    std::string data, name, authenticity_token;
    Severity severity = Severity::suspend;
};
DESCRIBE(ListForm, file, data, name, authenticity_token, severity)

std::string text_of(const ListForm& form) {
    if (!form.file) {
        if (form.data.empty()) throw base::Invalid("Please choose a file");
        return form.data;
    }
    if (form.file->size > most_bytes) throw base::Invalid("The file is larger than 4 MB");
    std::ifstream in(*form.file->file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

moderation::ServerList list_in(db::Read& db, const ListForm& form, const std::string& text) {
    return moderation::read_server_list(text, form.severity, db.site().domain);
}

Panel batches(db::Read& db, const From& from) {
    Panel out;
    auto rows = moderation::list_batches(db, from.range(a_page));
    out.rows.emplace();
    for (const auto& list : rows) out.rows->push_back(row_of(list));
    out.older = older(server_lists_path, rows, a_page);
    return out;
}

struct ExceptionForm {
    std::string domain, comment, authenticity_token;
};
DESCRIBE(ExceptionForm, domain, comment, authenticity_token)

Panel exceptions(db::Read& db, const ExceptionForm& given) {
    Panel out{"Servers that no list decides about"};
    out.forms.push_back(
        {server_lists_path + "/exceptions",
         "Add",
         {{Field::Kind::line, "domain", "Domain", given.domain, true, "Holds for all below it, too"},
          {Field::Kind::line, "comment", "Why, for the team", given.comment}}}
    );
    out.rows.emplace();
    for (const auto& one : instance::list_exceptions(db)) {
        Row row{one.domain};
        row.hint = day_of(one.created_at);
        row.words = one.comment;
        row.forms.push_back(
            {server_lists_path + "/exceptions/remove", "Remove", {}, {{"domain", one.domain}}, "quiet"}
        );
        out.rows->push_back(std::move(row));
    }
    return out;
}

Field severity_field(Severity chosen) {
    Field out{Field::Kind::list, "severity", "Where the list does not say", std::string(base::word(chosen))};
    for (auto one : {Severity::suspend, Severity::silence})
        out.options.push_back({std::string(base::word(one)), name_of(one)});
    return out;
}

http::Response lists_page(
    db::Read& db, const http::Request& request, const Member& who, const From& from,
    const ExceptionForm& given = {}, std::string_view problem = {}
) {
    Panel bringing;
    bringing.link = {sources_path, "Subscribed lists"};
    Form form{
        server_lists_path + "/preview",
        "Show what it would do",
        {{Field::Kind::file,
          "file",
          "The file",
          {},
          true,
          "CSV, JSON, or a domain in each line; at most 20,000 and 4 MB"},
         severity_field(Severity::suspend)}
    };
    form.with_file = true;
    bringing.forms.push_back(std::move(form));
    auto applied = batches(db, from);
    applied.title = "Lists that were applied";
    return sheet(
        db, request, who, lists_part, "Lists of servers", {bringing, applied, exceptions(db, given)}, problem
    );
}

http::Response look(db::Read& db, const http::Request& request, const From& from) {
    auto who = member(db, request, lists_part.any_of);
    return who.answer() ? *who.answer() : lists_page(db, request, who, from);
}

http::Response preview_page(
    db::Read& db, const http::Request& request, const Member& who, const ListForm& form,
    const std::string& text, std::string_view problem = {}
) {
    auto preview = moderation::preview(db, list_in(db, form, text));
    Panel sum;
    sum.facts = facts_of(preview);
    sum.facts.push_back({"Refused", std::to_string(preview.refused.size())});
    Form apply{
        server_lists_path,
        "Apply the list",
        {{Field::Kind::line, "name", "What you call it", form.name, true, "Who loses somebody reads this name"
        }},
        {{"data", text}, {"severity", std::string(base::word(form.severity))}}
    };
    apply.with_file = true;
    sum.forms.push_back(std::move(apply));
    std::vector<Panel> panels{std::move(sum)};
    for (auto& panel : panels_of(std::move(preview))) panels.push_back(std::move(panel));
    return sheet(db, request, who, lists_part, "What the list would do", panels, problem);
}

http::Response preview(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    try {
        return preview_page(db, request, who, form, text_of(form));
    } catch (const base::Invalid& refused) {
        return lists_page(db, request, who, {}, {}, sentence_of(refused));
    }
}

struct Prepared {
    std::optional<http::Response> answer;
    moderation::PreparedList list;
};

Prepared prepare(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    try {
        return {{}, moderation::prepare_list(db, list_in(db, form, text_of(form)))};
    } catch (const base::Invalid& refused) {
        return {lists_page(db, request, who, {}, {}, sentence_of(refused)), {}};
    }
}

http::Response apply(
    db::Write& db, const http::Request& request, const ListForm& form, const Prepared& prepared
) {
    if (prepared.answer) return *prepared.answer;
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return lists_page(db, request, who, {}, {}, why); };
    return tried(server_lists_path, "list_applied", refused, [&] {
        moderation::apply_list(db, who.actor, form.name, prepared.list);
    });
}

struct ById {
    ListBatchId id;
    std::string authenticity_token;
};
DESCRIBE(ById, id, authenticity_token)

struct Ending {
    std::optional<http::Response> answer;
    instance::EndedRules rules;
};

Ending look_at_rules(db::Read& db, const http::Request& request, const ById& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    return {{}, instance::ending_of_list_rules(db, form.id)};
}

http::Response undo(db::Write& db, const http::Request& request, const ById& form, const Ending& ending) {
    if (ending.answer) return *ending.answer;
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return lists_page(db, request, who, {}, {}, why); };
    return tried(server_lists_path, "list_undone", refused, [&] {
        moderation::undo_list(db, who.actor, form.id, ending.rules);
    });
}

http::Response except(db::Write& db, const http::Request& request, const ExceptionForm& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return lists_page(db, request, who, {}, form, why); };
    return tried(server_lists_path, added, refused, [&] {
        moderation::except_from_lists(db, who.actor, form.domain, form.comment);
    });
}

http::Response end_exception(db::Write& db, const http::Request& request, const ExceptionForm& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::end_exception(db, who.actor, form.domain);
    return done(server_lists_path, removed);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>               ("/settings/moderation/lists"),
    http::post<prepare, apply>    ("/settings/moderation/lists").body_limit(most_bytes + (64 << 10)).files_of(oauth::is_signed_in),
    http::post<preview>           ("/settings/moderation/lists/preview").body_limit(most_bytes + (64 << 10)).files_of(oauth::is_signed_in),
    http::post<look_at_rules, undo>("/settings/moderation/lists/:id/undo"),
    http::post<except>            ("/settings/moderation/lists/exceptions"),
    http::post<end_exception>     ("/settings/moderation/lists/exceptions/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> list_pages() { return table; }

}  // namespace pages
