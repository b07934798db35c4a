// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags and trends for staff: all that has a score, whether it is shown or not, and what is decided about it.
#include "social/discovery/trends_api.hpp"
#include "social/moderation/site/trends_admin.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/previews/preview_entity.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/tags/tag_admin.hpp"

#include <algorithm>

namespace moderation {
namespace {

using discovery::FewTrends, discovery::ManyTrends, discovery::Kind, discovery::Review;
using http::Request, http::Response, http::Viewer;
using Reviews = std::unordered_map<std::int64_t, Review>;

bool is_undecided(const Reviews& reviews, std::int64_t subject) {
    auto found = reviews.find(subject);
    return found == reviews.end() || !found->second.allowed;
}

bool may_review(const Viewer& me) { return (me.permissions & accounts::permission::manage_taxonomies) != 0; }

// As the public page has it in its links.
Request as_public(const Request& request) {
    auto out = request;
    auto at = out.target.find("/admin/");
    if (at != std::string::npos) out.target.erase(at, 6);
    return out;
}

template <class Form>
Response page(db::Read& db, const Request& request, const Form& form, std::string body, std::size_t items) {
    Response response;
    response.body = std::move(body);
    auto offset = static_cast<int>(std::clamp<std::int64_t>(form.offset, 0, 10'000));
    http::add_offset_link(response, db.site(), as_public(request), offset, form.limit.value, items);
    return response;
}

template <class Id>
std::vector<Id> ids_of(const std::vector<std::int64_t>& numbers) {
    std::vector<Id> out;
    for (auto n : numbers) out.push_back({n});
    return out;
}

// One decision by the function of staff that makes it.
template <auto F, bool Allowed, class Form>
void decide(db::Write& db, const Viewer& me, const Form& path) {
    F(db, accounts::actor(db, me.account), path.id, Allowed);
}

// ---- hashtags ----

struct AdminTag {
    static constexpr std::string_view entity = "Admin::Tag";
    base::json::Spread<tags::TagEntity> tag;
    bool trendable = false, usable = true, requires_review = false, listable = true;
};
DESCRIBE(AdminTag, tag, trendable, usable, requires_review, listable)

std::vector<AdminTag> shown(db::Read& db, const std::vector<tags::Tag>& rows, const Viewer& me) {
    std::vector<base::TagId> ids;
    std::vector<std::int64_t> numbers;
    for (const auto& row : rows) ids.push_back(row.id), numbers.push_back(row.id.value);
    auto entities = tags::entities(db, rows, me.account);
    auto settings = tags::settings_of(db, ids);
    auto reviews = discovery::reviews(db, Kind::tag, numbers);
    auto by_default = discovery::trendable_by_default(db);
    std::vector<AdminTag> out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        AdminTag one{{entities[i]}};
        auto review = reviews.find(rows[i].id.value);
        bool decided = review != reviews.end() && review->second.allowed;
        one.trendable = decided ? *review->second.allowed : by_default;
        one.requires_review = review == reviews.end() || !review->second.reviewed_at;
        auto set = std::ranges::find(settings, rows[i].id, &tags::TagSettings::id);
        if (set != settings.end()) one.usable = set->usable, one.listable = set->listable;
        out.push_back(std::move(one));
    }
    return out;
}

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 200> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)
struct ByTag {
    base::TagId id;
};
DESCRIBE(ByTag, id)

http::Page<AdminTag> list_tags(db::Read& db, const Viewer& me, const PageForm& form) {
    auto rows = tags::tag_page(db, http::range_of(form));
    http::Page<AdminTag> out{shown(db, rows, me), {}};
    bool full = rows.size() == static_cast<std::size_t>(form.limit.value);
    if (!rows.empty())
        out.cursors = base::cursors_of(rows.front().id.value, rows.back().id.value, full, false);
    return out;
}

AdminTag show_tag(db::Read& db, const Viewer& me, const ByTag& path) {
    return std::move(shown(db, {tags::tag(db, path.id)}, me)[0]);
}

struct TagForm {
    std::optional<std::string> display_name;
    std::optional<bool> listable, trendable, usable;
};
DESCRIBE(TagForm, display_name, listable, trendable, usable)

// For the log: all as it was, and what was asked for.
struct TagChange {
    TagForm before, after;
};
DESCRIBE(TagChange, before, after)

void change_tag(db::Write& db, const Viewer& me, const ByTag& path, const TagForm& form) {
    auto before = tags::tag(db, path.id);
    auto settings = tags::settings_of(db, {path.id})[0];
    auto reviews = discovery::reviews(db, Kind::tag, {path.id.value});
    auto known = reviews.find(path.id.value);
    auto allowed = known == reviews.end() ? std::nullopt : known->second.allowed;
    TagChange change{{before.display_name, settings.listable, allowed, settings.usable}, form};
    if (form.display_name) tags::change_display_name(db, before, *form.display_name);
    settings.usable = form.usable.value_or(settings.usable);
    settings.listable = form.listable.value_or(settings.listable);
    tags::change_settings(db, settings);
    discovery::decide(
        db,
        Kind::tag,
        path.id.value,
        form.trendable.value_or(allowed.value_or(discovery::trendable_by_default(db)))
    );
    log(db,
        accounts::actor(db, me.account),
        "update",
        {"Tag", path.id.value, before.name},
        base::json::to_string(change));
}

Response trending_tags(db::Read& db, const Viewer& me, const Request& request, const FewTrends& form) {
    if (!may_review(me)) return discovery::public_tags(db, me, as_public(request), form);
    auto ids = ranked(db, Kind::tag, form.offset, form.limit.value);
    auto rows = tags::tags_by_id(db, ids_of<base::TagId>(ids));
    std::ranges::sort(rows, {}, [&](const tags::Tag& t) {
        return std::ranges::find(ids, t.id.value) - ids.begin();
    });
    return page(db, request, form, base::json::to_string(shown(db, rows, me)), rows.size());
}

// ---- links ----

// Of each card its JSON, in their order.
std::vector<std::string> shown(db::Read& db, const std::vector<statuses::Card>& cards, const Viewer& me) {
    std::vector<statuses::CardId> ids;
    std::vector<std::int64_t> numbers;
    for (const auto& card : cards) ids.push_back(card.id), numbers.push_back(card.id.value);
    auto days = discovery::link_uses(db, ids, db.now().midnight().plus_seconds(-6 * 86'400));
    auto members = statuses::card_members(db, cards, me.account);
    auto reviews = discovery::reviews(db, Kind::link, numbers);
    auto by_publisher = discovery::decided_by_publisher(db, cards);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        auto id = cards[i].id.value;
        bool open = is_undecided(reviews, id) && !by_publisher.contains(id);
        auto text = "{\"id\":" + std::to_string(id) + "," + members[i] + ",\"history\":";
        base::json::write(text, discovery::week_of_link(days, cards[i].id, db.now()));
        out.push_back(text + ",\"requires_review\":" + (open ? "true}" : "false}"));
    }
    return out;
}

Response trending_links(db::Read& db, const Viewer& me, const Request& request, const FewTrends& form) {
    if (!may_review(me)) return discovery::public_links(db, me, as_public(request), form);
    auto ids = ranked(db, Kind::link, form.offset, form.limit.value);
    auto cards = statuses::cards(db, ids_of<statuses::CardId>(ids));
    std::ranges::sort(cards, {}, [&](const auto& c) {
        return std::ranges::find(ids, c.id.value) - ids.begin();
    });
    std::string body = "[";
    for (const auto& text : shown(db, cards, me)) (body += body.size() > 1 ? "," : "") += text;
    return page(db, request, form, body + "]", cards.size());
}

struct ByCard {
    statuses::CardId id;
};
DESCRIBE(ByCard, id)

base::json::Raw show_link(db::Read& db, const Viewer& me, const ByCard& path) {
    return {shown(db, {trending_card(db, path.id)}, me)[0]};
}

// ---- publishers ----

struct PublisherEntity {
    static constexpr std::string_view entity = "Admin::Trends::Links::PreviewCardProvider";
    std::int64_t id = 0;
    std::string domain;
    std::optional<bool> trendable;
    std::optional<base::Time> reviewed_at, requested_review_at;
    bool requires_review = false;
};
DESCRIBE(PublisherEntity, id, domain, trendable, reviewed_at, requested_review_at, requires_review)

std::vector<PublisherEntity> shown(db::Read& db, const std::vector<discovery::Publisher>& rows) {
    std::vector<std::int64_t> ids;
    for (const auto& row : rows) ids.push_back(row.id.value);
    auto reviews = discovery::reviews(db, Kind::publisher, ids);
    std::vector<PublisherEntity> out;
    for (const auto& row : rows) {
        PublisherEntity one{row.id.value, row.domain};
        if (auto review = reviews.find(row.id.value); review != reviews.end()) {
            one.trendable = review->second.allowed;
            one.reviewed_at = review->second.reviewed_at;
            one.requested_review_at = review->second.requested_at;
        }
        one.requires_review = !one.reviewed_at;
        out.push_back(std::move(one));
    }
    return out;
}

http::Page<PublisherEntity> list_publishers(db::Read& db, const Viewer&, const PageForm& form) {
    auto rows = discovery::publishers(db, http::range_of(form));
    http::Page<PublisherEntity> out{shown(db, rows), {}};
    bool full = rows.size() == static_cast<std::size_t>(form.limit.value);
    if (!rows.empty())
        out.cursors = base::cursors_of(rows.front().id.value, rows.back().id.value, full, false);
    return out;
}

struct ByPublisher {
    discovery::PublisherId id;
};
DESCRIBE(ByPublisher, id)

PublisherEntity show_publisher(db::Read& db, const Viewer&, const ByPublisher& path) {
    return shown(db, {discovery::publisher(db, path.id)})[0];
}

// ---- statuses ----

std::vector<std::string> shown(db::Read& db, const std::vector<base::StatusId>& ids, const Viewer& me) {
    auto viewer = statuses::audience(db, me.account, me.relations_version);
    auto facts = statuses::visibility_facts(db, viewer, ids);
    std::vector<std::int64_t> numbers, authors;
    for (const auto& f : facts) numbers.push_back(f.id.value), authors.push_back(f.account_id.value);
    auto own = discovery::reviews(db, Kind::status, numbers);
    auto of_authors = discovery::reviews(db, Kind::account, authors);
    auto out = statuses::json_each(db, viewer, facts);
    for (std::size_t i = 0; i < out.size(); ++i) {
        bool open = is_undecided(own, numbers[i]) && is_undecided(of_authors, authors[i]);
        out[i].insert(out[i].size() - 1, open ? ",\"requires_review\":true" : ",\"requires_review\":false");
    }
    return out;
}

Response trending_statuses(db::Read& db, const Viewer& me, const Request& request, const ManyTrends& form) {
    if (!may_review(me)) return discovery::public_statuses(db, me, as_public(request), form);
    auto ids = ranked(db, Kind::status, form.offset, form.limit.value);
    std::string body = "[";
    for (const auto& text : shown(db, ids_of<base::StatusId>(ids), me))
        (body += body.size() > 1 ? "," : "") += text;
    return page(db, request, form, body + "]", ids.size());
}

struct ByStatus {
    std::string id;
};
DESCRIBE(ByStatus, id)

// Moderators are told of records, whatever they are.
base::StatusId status_id(db::Read& db, const ByStatus& path) {
    auto number = http::form::path_id(&path.id);
    if (!number) throw base::NotFound();
    return trending_status(db, {*number});
}

base::json::Raw show_status(db::Read& db, const Viewer& me, const ByStatus& path) {
    auto texts = shown(db, std::vector{status_id(db, path)}, me);
    if (texts.empty()) throw base::NotFound();
    return {texts[0]};
}

template <bool Allowed>
void decide_on_status(db::Write& db, const Viewer& me, const ByStatus& path) {
    decide_status(db, accounts::actor(db, me.account), status_id(db, path), Allowed);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list_tags>                             ("/api/v1/admin/tags",                                "admin:read"),
    http::get<show_tag>                              ("/api/v1/admin/tags/:id",                            "admin:read"),
    http::put<change_tag, show_tag>                  ("/api/v1/admin/tags/:id",                            "admin:write"),
    http::patch<change_tag, show_tag>                ("/api/v1/admin/tags/:id",                            "admin:write"),
    http::get<trending_tags>                         ("/api/v1/admin/trends/tags",                         "admin:read").answering("Admin::Tag[]"),
    http::post<decide<decide_tag, true, ByTag>, show_tag>           ("/api/v1/admin/trends/tags/:id/approve",             "admin:write"),
    http::post<decide<decide_tag, false, ByTag>, show_tag>          ("/api/v1/admin/trends/tags/:id/reject",              "admin:write"),
    http::get<trending_links>                        ("/api/v1/admin/trends/links",                        "admin:read").answering("Trends::Link[]"),
    http::post<decide<decide_link, true, ByCard>, show_link>         ("/api/v1/admin/trends/links/:id/approve",            "admin:write").answering("Trends::Link"),
    http::post<decide<decide_link, false, ByCard>, show_link>        ("/api/v1/admin/trends/links/:id/reject",             "admin:write").answering("Trends::Link"),
    http::get<list_publishers>                       ("/api/v1/admin/trends/links/publishers",             "admin:read"),
    http::post<decide<decide_publisher, true, ByPublisher>, show_publisher>("/api/v1/admin/trends/links/publishers/:id/approve", "admin:write"),
    http::post<decide<decide_publisher, false, ByPublisher>, show_publisher>("/api/v1/admin/trends/links/publishers/:id/reject", "admin:write"),
    http::get<trending_statuses>                     ("/api/v1/admin/trends/statuses",                     "admin:read").answering("Status[]"),
    http::post<decide_on_status<true>, show_status>     ("/api/v1/admin/trends/statuses/:id/approve",         "admin:write").answering("Status"),
    http::post<decide_on_status<false>, show_status>    ("/api/v1/admin/trends/statuses/:id/reject",          "admin:write").answering("Status"),
};
// clang-format on

}  // namespace

std::span<const http::Route> trend_routes() { return table; }

}  // namespace moderation
