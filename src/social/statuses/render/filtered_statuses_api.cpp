// SPDX-License-Identifier: AGPL-3.0-or-later
// Adds a status to a filter. It is implemented here and not with the filters, because it must check
// visibility.
#include "http/route.hpp"
#include "social/filters/filter_entity.hpp"
#include "social/statuses/core/viewer_api.hpp"

namespace statuses {
namespace {

using http::Viewer;

struct Form {
    filters::FilterId id;
    std::optional<StatusId> status_id;
};
DESCRIBE(Form, id, status_id)

filters::FilteredStatusId begin(db::Write& db, const Viewer& me, const Form& form) {
    filters::filter(db, me.account, form.id);
    auto viewer = audience(db, me);
    auto found = visibility_facts(db, viewer, {form.status_id.value_or(StatusId{})});
    if (found.empty() || !visible(found[0], viewer))
        throw base::Invalid("Validation failed: Status must exist");
    return filters::add_status(db, me.account, form.id, found[0].original_id);
}

struct ById {
    filters::FilteredStatusId id;
};
DESCRIBE(ById, id)

filters::FilterStatus show(db::Read& db, const Viewer& me, const ById& path) {
    return filters::entity(filters::filtered_status(db, me.account, path.id));
}

// clang-format off
constexpr http::Route table[] = {
    http::post<begin, show>("/api/v2/filters/:id/statuses", "write:filters"),
};
// clang-format on

}  // namespace

std::span<const http::Route> filtered_status_routes() { return table; }

}  // namespace statuses
