// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/relationships/domain_block.hpp"

namespace relationships {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<100, 200> limit;
};
DESCRIBE(PageForm, max_id, since_id, limit)

http::Page<std::string> index(db::Read& db, const Viewer& me, const PageForm& form) {
    auto listed = domain_blocks(db, me.account, http::range_of(form));
    http::Page<std::string> page;
    for (const auto& row : listed) page.items.push_back(row.domain);
    bool full = listed.size() == static_cast<std::size_t>(form.limit.value);
    if (!listed.empty())
        page.cursors = base::cursors_of(listed.front().cursor, listed.back().cursor, full, true);
    return page;
}

struct Wanted {
    http::Required<std::string> domain;
};
DESCRIBE(Wanted, domain)

void begin(db::Write& db, const Viewer& me, const Wanted& form) {
    block_domain(db, me.account, *form.domain);
}

struct Given {
    std::string domain;
};
DESCRIBE(Given, domain)

void end(db::Write& db, const Viewer& me, const Given& form) { unblock_domain(db, me.account, form.domain); }

Losses preview(db::Read& db, const Viewer& me, const Given& form) {
    return losses_by_blocking(db, me.account, form.domain);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>  ("/api/v1/domain_blocks",         "follow|read:blocks"),
    http::post<begin> ("/api/v1/domain_blocks",         "follow|write:blocks"),
    http::del<end>    ("/api/v1/domain_blocks",         "follow|write:blocks"),
    http::get<preview>("/api/v1/domain_blocks/preview", "follow|write:blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> domain_block_routes() { return table; }

}  // namespace relationships
