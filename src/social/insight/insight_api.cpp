// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/insight/dimension.hpp"
#include "social/tags/tag.hpp"

namespace insight {
namespace {

using http::Viewer;

// What stands under the name of a key, for those that are about something.
struct Group {
    std::string id, domain;
    bool include_subdomains = false;
};
DESCRIBE(Group, id, domain, include_subdomains)

[[noreturn]] void throw_missing(const std::string& name) {
    throw base::BadRequest("param is missing or the value is empty or invalid: " + name);
}

bool is_about_tag(std::string_view key) { return key.starts_with("tag_"); }
bool is_about_server(std::string_view key) { return key.starts_with("instance_"); }

About about(db::Read& db, const std::string& key, const std::optional<Group>& group) {
    if (!is_about_tag(key) && !is_about_server(key)) return {};
    if (!group || (is_about_tag(key) ? group->id : group->domain).empty()) throw_missing(key);
    About out;
    if (is_about_tag(key)) {
        auto number = http::form::path_id(&group->id);
        if (!number) throw base::NotFound();
        out.tag = tags::tag(db, {*number}).id;
    } else {
        out.domain = group->domain;
        out.include_subdomains = group->include_subdomains;
    }
    return out;
}

struct MeasureForm {
    http::Param<std::vector<std::string>> keys;
    http::Param<base::Time> start_at, end_at;
    std::optional<Group> tag_accounts, tag_uses, tag_servers, instance_accounts, instance_media_attachments,
        instance_reports, instance_statuses, instance_follows, instance_followers;
};
DESCRIBE(
    MeasureForm, keys, start_at, end_at, tag_accounts, tag_uses, tag_servers, instance_accounts,
    instance_media_attachments, instance_reports, instance_statuses, instance_follows, instance_followers
)

struct DimensionForm {
    http::Param<std::vector<std::string>> keys;
    std::optional<base::Time> start_at, end_at;
    std::optional<int> limit;
    std::optional<Group> tag_servers, tag_languages, instance_accounts, instance_languages;
};
DESCRIBE(
    DimensionForm, keys, start_at, end_at, limit, tag_servers, tag_languages, instance_accounts,
    instance_languages
)

template <class Form>
std::optional<Group> group_of(const Form& form, std::string_view key) {
    std::optional<Group> out;
    base::for_each_member<Form>([&](auto member) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(form.*member.pointer)>, std::optional<Group>>)
            if (key == member.name) out = form.*member.pointer;
    });
    return out;
}

std::vector<Measure> measures(db::Read& db, const Viewer&, const MeasureForm& form) {
    auto days = days_between(*form.start_at, *form.end_at);
    std::vector<Measure> out;
    for (const auto& key : *form.keys)
        if (is_measure(key)) out.push_back(measure(db, key, days, about(db, key, group_of(form, key))));
    return out;
}

std::vector<Dimension> dimensions(db::Read& db, const Viewer&, const DimensionForm& form) {
    auto end = form.end_at.value_or(db.now());
    // Some clients send no dates for dimensions; for measures and retention they are required.
    auto days = days_between(form.start_at.value_or(base::Time{end.ms - 29 * std::int64_t{86'400'000}}), end);
    std::vector<Dimension> out;
    for (const auto& key : *form.keys) {
        if (!is_dimension(key)) continue;
        auto what = about(db, key, group_of(form, key));
        out.push_back(dimension(db, key, days, what, form.limit));
    }
    return out;
}

struct RetentionForm {
    http::Param<base::Time> start_at, end_at;
    std::string frequency;
};
DESCRIBE(RetentionForm, start_at, end_at, frequency)

std::vector<Cohort> cohorts(db::Read& db, const Viewer&, const RetentionForm& form) {
    auto frequency = form.frequency == "month" ? Frequency::month : Frequency::day;
    return retention(db, *form.start_at, *form.end_at, frequency);
}

// clang-format off
constexpr http::Route table[] = {
    http::post<measures>  ("/api/v1/admin/measures",   "admin:read"),
    http::post<dimensions>("/api/v1/admin/dimensions", "admin:read"),
    http::post<cohorts>   ("/api/v1/admin/retention",  "admin:read"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace insight
