// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/moderation/report_entity.hpp"
#include "social/moderation/strike.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/notify_domains.hpp"

namespace server {

namespace {

using notifications::Type;

// clang-format off
constexpr notifications::Attachment table[] = {
    {Type::admin_report,          moderation::render_reports},
    {Type::moderation_warning,    moderation::render_strikes},
    {Type::severed_relationships, notifications::render_severances},
    {Type::annual_report,         notifications::render_years},
    {Type::added_to_collection,   notifications::render_collections},
    {Type::collection_update,     notifications::render_collections},
};
// clang-format on

}  // namespace

std::span<const notifications::Attachment> attachments() { return table; }

}  // namespace server
