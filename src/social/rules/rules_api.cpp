// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about posts, as staff writes them, tries them out and looks at what they did.
#include "http/body/json_object.hpp"
#include "http/route.hpp"
#include "social/rules/history.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/rehearsal.hpp"
#include "social/rules/word_list.hpp"
#include "social/statuses/writing/compose.hpp"

#include <algorithm>
#include <charconv>

namespace rules {
namespace {

using http::Viewer;

// ---- rules ----

struct RuleEntity {
    static constexpr std::string_view entity = "ModerationRule";
    RuleId id;
    Mode mode = Mode::watch;
    std::int64_t version = 1;
    base::json::Raw rule;
    std::int64_t hits_today = 0;
    bool rehearsed = false;
    Time created_at, updated_at;
    std::optional<Time> tripped_at;
};
DESCRIBE(RuleEntity, id, mode, version, rule, hits_today, rehearsed, created_at, updated_at, tripped_at)

RuleEntity entity(const Rule& one, const std::vector<HitCount>& counts, Time now) {
    auto found = std::ranges::find(counts, one.id, &HitCount::rule_id);
    bool rehearsed =
        one.rehearsed_version == one.version && one.rehearsed_at > now.plus_seconds(-rehearsal_holds_seconds);
    return {
        one.id,
        one.mode,
        one.version,
        {one.definition},
        found == counts.end() ? 0 : found->hits,
        rehearsed,
        one.created_at,
        one.updated_at,
        one.tripped_at
    };
}

std::vector<RuleEntity> index(db::Read& db, const Viewer&) {
    auto counts = hits_today(db);
    std::vector<RuleEntity> out;
    for (const auto& one : rules(db)) out.push_back(entity(one, counts, db.now()));
    return out;
}

struct ById {
    RuleId id;
};
DESCRIBE(ById, id)

RuleEntity show(db::Read& db, const Viewer&, const ById& path) {
    return entity(rule(db, path.id), hits_today(db), db.now());
}

struct Written {
    Definition rule;
    std::optional<std::int64_t> version;  // that was read before
};

Written written(db::Read&, const http::Request& request) {
    Written out{read_definition(http::object_in_body(request, "rule")), {}};
    auto tag = request.header("If-Match");
    std::int64_t number = 0;
    if (tag.starts_with('"')) tag.remove_prefix(1);
    if (std::from_chars(tag.data(), tag.data() + tag.size(), number).ec == std::errc()) out.version = number;
    return out;
}

Written rewritten(db::Read& db, const ById& path, const http::Request& request) {
    rule(db, path.id);
    return written(db, request);
}

RuleId create(db::Write& db, const Viewer& me, const Written& given) {
    return add_rule(db, accounts::actor(db, me.account), given.rule);
}

RuleId update(db::Write& db, const Viewer& me, const ById& path, const Written& given) {
    change_rule(db, accounts::actor(db, me.account), path.id, given.rule, given.version);
    return path.id;
}

void destroy(db::Write& db, const Viewer& me, const ById& path) {
    remove_rule(db, accounts::actor(db, me.account), path.id);
}

struct VersionEntity {
    static constexpr std::string_view entity = "ModerationRuleVersion";
    std::int64_t version = 0;
    base::json::Raw rule;
    AccountId made_by;
    Time created_at;
};
DESCRIBE(VersionEntity, version, rule, made_by, created_at)

std::vector<VersionEntity> show_versions(db::Read& db, const Viewer&, const ById& path) {
    std::vector<VersionEntity> out;
    for (auto& one : versions(db, rule(db, path.id).id))
        out.push_back({one.version, {std::move(one.definition)}, one.made_by, one.created_at});
    return out;
}

struct ModeForm {
    RuleId id;
    std::optional<Mode> mode;
};
DESCRIBE(ModeForm, id, mode)

RuleId change_mode(db::Write& db, const Viewer& me, const ModeForm& form) {
    rule(db, form.id);
    if (!form.mode) throw base::Invalid("Validation failed: Mode can't be blank");
    set_mode(db, accounts::actor(db, me.account), form.id, *form.mode);
    return form.id;
}

struct FieldEntity {
    static constexpr std::string_view entity = "ModerationRuleField";
    std::string name, type, operators, help;
};
DESCRIBE(FieldEntity, name, type, operators, help)

std::vector<FieldEntity> show_fields(db::Read&, const Viewer&) {
    std::vector<FieldEntity> out;
    for (const auto& one : fields())
        out.push_back(
            {std::string(one.name),
             std::string(word(one.type)),
             std::string(operators(one.type)),
             std::string(one.help)}
        );
    return out;
}

// ---- trying out ----

struct CheckForm {
    std::string text, spoiler_text;
    std::optional<StatusId> status_id;
    std::optional<RuleId> rule_id;
};
DESCRIBE(CheckForm, text, spoiler_text, status_id, rule_id)

struct CheckedRule {
    static constexpr std::string_view entity = "ModerationRuleCheck";
    RuleId id;
    std::string name;
    Mode mode = Mode::watch;
    bool applies = false;
    std::vector<ExplainedCondition> conditions;
};
DESCRIBE(CheckedRule, id, name, mode, applies, conditions)

std::vector<CheckedRule> explained(db::Read& db, const statuses::Candidate& post, const CheckForm& form) {
    Facts facts(db, post);
    std::vector<CheckedRule> out;
    auto all = rules(db);
    if (form.rule_id) std::erase_if(all, [&](const Rule& one) { return one.id != *form.rule_id; });
    constexpr std::size_t most = 100;
    if (all.size() > most) all.resize(most);
    for (const auto& one : all) {
        const Program program({{one.id, one.version, true, with_lists(db, read_definition(one.definition))}});
        out.push_back(
            {one.id, one.name, one.mode, program.applies(0, post, facts), program.explain(0, post, facts)}
        );
    }
    return out;
}

// A text counts as a public post of who asks; a post is looked at as it came.
std::vector<CheckedRule> check(db::Read& db, const Viewer& me, const CheckForm& form) {
    if (form.status_id) {
        const History one(db, *form.status_id);
        // Only what everybody may read: its words are told.
        if (one.posts().empty() || !statuses::open(one.posts()[0].visibility)) throw base::NotFound();
        return explained(db, one.candidate(0), form);
    }
    auto content = statuses::compose(db, me.account, form.text.substr(0, 50'000), "text/plain");
    statuses::Candidate post;
    post.author = me.account;
    post.at = db.now();
    post.html = content.html;
    post.spoiler_text = form.spoiler_text;
    post.mentions = content.mentions;
    for (const auto& [name, as_written] : content.tags) post.tags.push_back(name);
    return explained(db, post, form);
}

struct RehearsalEntity {
    static constexpr std::string_view entity = "ModerationRuleRehearsal";
    RehearsalId id;
    RuleId rule_id;
    std::int64_t version = 0;
    RehearsalState state = RehearsalState::running;
    std::int64_t progress = 0;  // per cent
    std::optional<base::json::Raw> result;
    Time created_at;
    std::optional<Time> finished_at;
};
DESCRIBE(RehearsalEntity, id, rule_id, version, state, progress, result, created_at, finished_at)

RehearsalEntity entity(const Rehearsal& one) {
    RehearsalEntity out{one.id, one.rule_id, one.version, one.state, 0, {}, one.created_at, one.finished_at};
    auto whole = std::max<std::int64_t>(one.until_id.value - one.from_id.value, 1);
    out.progress = (one.after_id.value - one.from_id.value) / std::max<std::int64_t>(whole / 100, 1);
    out.progress = one.state == RehearsalState::done ? 100 : std::clamp<std::int64_t>(out.progress, 0, 99);
    if (!one.result.empty()) out.result = base::json::Raw{one.result};
    return out;
}

struct RehearseForm {
    RuleId id;
    std::int64_t days = 7;
};
DESCRIBE(RehearseForm, id, days)

RehearsalId rehearse_rule(db::Write& db, const Viewer& me, const RehearseForm& form) {
    return begin_rehearsal(db, accounts::actor(db, me.account), form.id, form.days);
}

struct RehearsalById {
    RehearsalId id;
};
DESCRIBE(RehearsalById, id)

RehearsalEntity show_rehearsal(db::Read& db, const Viewer&, const RehearsalById& path) {
    return entity(rehearsal(db, path.id));
}

RehearsalId cancel(db::Write& db, const Viewer& me, const RehearsalById& path) {
    cancel_rehearsal(db, accounts::actor(db, me.account), path.id);
    return path.id;
}

std::vector<RehearsalEntity> show_rehearsals(db::Read& db, const Viewer&, const ById& path) {
    std::vector<RehearsalEntity> out;
    for (const auto& one : rehearsals(db, rule(db, path.id).id)) out.push_back(entity(one));
    return out;
}

// ---- hits ----

struct HitEntity {
    static constexpr std::string_view entity = "ModerationRuleHit";
    HitId id;
    RuleId rule_id;
    std::int64_t version = 0;
    std::optional<StatusId> status_id;
    AccountId account_id;
    bool acted = false, refused = false;
    base::json::Raw actions, matched;
    Time created_at;
    std::optional<Time> undone_at;
};
DESCRIBE(
    HitEntity, id, rule_id, version, status_id, account_id, acted, refused, actions, matched, created_at,
    undone_at
)

struct HitsForm {
    std::optional<RuleId> rule_id;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 100> limit;
};
DESCRIBE(HitsForm, rule_id, max_id, since_id, min_id, limit)

http::Page<HitEntity> show_hits(db::Read& db, const Viewer&, const HitsForm& form) {
    std::vector<HitEntity> out;
    for (auto& one : hits(db, form.rule_id.value_or(RuleId{}), http::range_of(form))) {
        std::optional<StatusId> status;
        if (one.status_id) status = one.status_id;
        out.push_back(
            {one.id,
             one.rule_id,
             one.version,
             status,
             one.account_id,
             one.acted,
             one.refused,
             {std::move(one.actions)},
             {std::move(one.matched)},
             one.created_at,
             one.undone_at}
        );
    }
    return http::page_by_id(std::move(out), form);
}

struct UndoForm {
    RuleId rule_id;
    std::optional<http::ValidTime> since;
    bool dry_run = false;
};
DESCRIBE(UndoForm, rule_id, since, dry_run)

struct UndoneEntity {
    static constexpr std::string_view entity = "ModerationRuleUndo";
    std::int64_t hits = 0, lost = 0;
};
DESCRIBE(UndoneEntity, hits, lost)

UndoneEntity undo_hits(db::Write& db, const Viewer& me, const UndoForm& form) {
    auto since = form.since ? form.since->value : Time{0};
    auto done = undo_since(db, accounts::actor(db, me.account), form.rule_id, since, form.dry_run);
    return {done.hits, done.lost};
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>               ("/api/dunlin/v1/moderation/rules",                       "admin:read:domain_blocks"),
    http::post<written, create, show>("/api/dunlin/v1/moderation/rules",                     "admin:write:domain_blocks").body_limit(largest_rule),
    http::get<show_fields>         ("/api/dunlin/v1/moderation/rules/fields",                "admin:read:domain_blocks"),
    http::post<check>              ("/api/dunlin/v1/moderation/rules/check",                 "admin:read:domain_blocks"),
    http::get<show_hits>           ("/api/dunlin/v1/moderation/rules/hits",                  "admin:read:domain_blocks"),
    http::post<undo_hits>          ("/api/dunlin/v1/moderation/rules/hits/undo",             "admin:write:domain_blocks"),
    http::get<show_rehearsal>      ("/api/dunlin/v1/moderation/rules/rehearsals/:id",        "admin:read:domain_blocks"),
    http::post<cancel, show_rehearsal>("/api/dunlin/v1/moderation/rules/rehearsals/:id/cancel", "admin:write:domain_blocks"),
    http::get<show>                ("/api/dunlin/v1/moderation/rules/:id",                   "admin:read:domain_blocks"),
    http::put<rewritten, update, show>("/api/dunlin/v1/moderation/rules/:id",                  "admin:write:domain_blocks").body_limit(largest_rule),
    http::del<destroy>             ("/api/dunlin/v1/moderation/rules/:id",                   "admin:write:domain_blocks"),
    http::get<show_versions>       ("/api/dunlin/v1/moderation/rules/:id/versions",          "admin:read:domain_blocks"),
    http::post<change_mode, show>  ("/api/dunlin/v1/moderation/rules/:id/mode",              "admin:write:domain_blocks"),
    http::get<show_rehearsals>     ("/api/dunlin/v1/moderation/rules/:id/rehearsals",        "admin:read:domain_blocks"),
    http::post<rehearse_rule, show_rehearsal>("/api/dunlin/v1/moderation/rules/:id/rehearsals", "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> judging_rule_routes() { return table; }

}  // namespace rules
