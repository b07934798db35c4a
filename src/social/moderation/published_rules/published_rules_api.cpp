// SPDX-License-Identifier: AGPL-3.0-or-later
// The FIRES dataset of this site's rules about servers.
#include "base/json_read.hpp"
#include "http/route.hpp"
#include "social/instance/public_rule.hpp"
#include "social/moderation/list_sources/advice.hpp"
#include "social/moderation/published_rules/published_rule.hpp"

namespace moderation {
namespace {

using http::Viewer;
using MaybeViewer = std::optional<Viewer>;

constexpr int changes_of_page = 200;
constexpr std::string_view context =
    R"("@context":["https://www.w3.org/ns/activitystreams","https://fires.fedimod.org/context/fires.jsonld"])";
constexpr std::string_view filters = "https://fires.fedimod.org/concepts/filters#";

std::string datasets(db::Read& db) { return db.site().public_url + "/fires/datasets"; }
std::string dataset(db::Read& db) { return datasets(db) + "/rules"; }
std::string cursor(db::Read& db, PublishedRuleId after) {
    return dataset(db) + "/changes?since=" + std::to_string(after.value);
}

std::string in_quotes(std::string_view text) { return base::json::to_string(std::string(text)); }

std::string moment(base::Time t) { return in_quotes(base::to_string(base::WholeSeconds{t.ms})); }

// `members`: JSON without braces.
http::Response answer(const std::string& members) {
    http::Response out;
    out.content_type = "application/ld+json; charset=utf-8";
    out.body = "{" + std::string(context) + "," + members + "}";
    return out;
}

void require_shown(db::Read& db, const MaybeViewer& me) {
    if (!instance::shows_domain_blocks(db, me.has_value())) throw base::NotFound();
}

std::string members_of_dataset(db::Read& db) {
    const auto id = dataset(db);
    return R"("id":)" + in_quotes(id) + R"(,"type":"Dataset","name":)" +
           in_quotes("Rules about servers of " + db.site().domain) + R"(,"published":)" +
           moment(published_since(db)) + R"(,"endpoints":{"changes":)" + in_quotes(id + "/changes") +
           R"(,"snapshot":)" + in_quotes(id + "/snapshot") + "}";
}

std::string texts(const std::vector<std::string>& words, std::string_view before) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ",") + in_quotes(std::string(before) + word);
    return "[" + out + "]";
}

std::string members_of(db::Read& db, const PublishedRule& one, bool with_reasons) {
    auto out = R"("id":)" + in_quotes(dataset(db) + "/changes/" + std::to_string(one.id.value)) +
               R"(,"type":)" + (one.withdrawn ? R"("Retraction")" : R"("Recommendation")") +
               R"(,"published":)" + moment(one.changed_at) + R"(,"entityKind":"Domain","entityKey":)" +
               in_quotes(one.domain);
    if (one.withdrawn) return out;
    const auto advice = advice_of(base::json::read<instance::ListRule>(one.rule));
    out += R"(,"labels":[],"recommendedPolicy":)" + in_quotes(base::word(advice.policy)) +
           R"(,"recommendedFilters":)" + texts(advice.filters, filters);
    if (with_reasons && !advice.comment.empty()) out += R"(,"comment":)" + in_quotes(advice.comment);
    return out;
}

std::string items(db::Read& db, const std::vector<PublishedRule>& all, bool with_reasons) {
    std::string out;
    for (const auto& one : all) out += (out.empty() ? "{" : ",{") + members_of(db, one, with_reasons) + "}";
    return "[" + out + "]";
}

http::Response show_datasets(db::Read& db, const MaybeViewer& me) {
    const bool shown = instance::shows_domain_blocks(db, me.has_value());
    return answer(
        R"("id":)" + in_quotes(datasets(db)) + R"(,"type":"Collection","totalItems":)" + (shown ? "1" : "0") +
        R"(,"items":[)" + (shown ? "{" + members_of_dataset(db) + "}" : "") + "]"
    );
}

http::Response show_dataset(db::Read& db, const MaybeViewer& me) {
    require_shown(db, me);
    return answer(members_of_dataset(db));
}

http::Response snapshot(db::Read& db, const MaybeViewer& me) {
    require_shown(db, me);
    const auto all = published_rules(db);
    return answer(
        R"("id":)" + in_quotes(dataset(db) + "/snapshot") + R"(,"type":"OrderedCollection","dataset":)" +
        in_quotes(dataset(db)) + R"(,"totalItems":)" + std::to_string(all.size()) + R"(,"changes":)" +
        in_quotes(cursor(db, newest_published(db))) + R"(,"orderedItems":)" +
        items(db, all, instance::shows_domain_block_reasons(db, me.has_value()))
    );
}

struct ChangesForm {
    std::optional<std::int64_t> since;
};
DESCRIBE(ChangesForm, since)

// From the beginning, or `since` a change: those after it.
http::Response changes(db::Read& db, const MaybeViewer& me, const ChangesForm& form) {
    require_shown(db, me);
    const auto collection = dataset(db) + "/changes";
    if (!form.since)
        return answer(
            R"("id":)" + in_quotes(collection) + R"(,"type":"OrderedCollection","dataset":)" +
            in_quotes(dataset(db)) + R"(,"first":)" + in_quotes(cursor(db, {})) + R"(,"last":)" +
            in_quotes(cursor(db, newest_published(db)))
        );
    auto found = published_changes(db, {*form.since}, changes_of_page + 1);
    std::string next;
    if (std::ssize(found) > changes_of_page) {
        found.pop_back();
        next = R"(,"next":)" + in_quotes(cursor(db, found.back().id));
    }
    return answer(
        R"("id":)" + in_quotes(cursor(db, {*form.since})) + R"(,"type":"OrderedCollectionPage","partOf":)" +
        in_quotes(collection) + R"(,"dataset":)" + in_quotes(dataset(db)) + next + R"(,"orderedItems":)" +
        items(db, found, instance::shows_domain_block_reasons(db, me.has_value()))
    );
}

struct ById {
    PublishedRuleId id;
};
DESCRIBE(ById, id)

http::Response change(db::Read& db, const MaybeViewer& me, const ById& path) {
    require_shown(db, me);
    return answer(members_of(
        db, published_change(db, path.id), instance::shows_domain_block_reasons(db, me.has_value())
    ));
}

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<show_datasets>("/fires/datasets").cached(Caching::if_anonymous).always_open(),
    http::get<show_dataset> ("/fires/datasets/rules").cached(Caching::if_anonymous).always_open(),
    http::get<snapshot>     ("/fires/datasets/rules/snapshot").cached(Caching::if_anonymous).always_open(),
    http::get<changes>      ("/fires/datasets/rules/changes").cached(Caching::if_anonymous).always_open(),
    http::get<change>       ("/fires/datasets/rules/changes/:id").cached(Caching::if_anonymous).always_open(),
};
// clang-format on

}  // namespace

std::span<const http::Route> published_rule_routes() { return table; }

}  // namespace moderation
