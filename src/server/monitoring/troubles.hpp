// SPDX-License-Identifier: AGPL-3.0-or-later
// What a server finds wrong with itself, from the figures that it has anyhow. Those who look after it are told
// (social/moderation/alerts), the pages of the team and `dunlin top` show it.
#pragma once
#include "server/monitoring/disk_room.hpp"
#include "server/monitoring/metrics.hpp"
#include "social/moderation/alerts/alert.hpp"

#include <deque>

namespace server {

using moderation::Trouble;
using Troubles = std::vector<Trouble>;

// Of the machine that a server runs on.
class TroubleWatch {
public:
    // `among_nodes`: there is a way by which other nodes should be heard.
    explicit TroubleWatch(bool among_nodes) : among_nodes_(among_nodes) {}

    // On one thread, about once a minute. `paused`: requests are refused on purpose.
    Troubles look(const Sample&, const std::optional<DiskRoom>&, bool paused, base::Time now);

private:
    void see_requests(const Sample&, bool paused, base::Time now, Troubles& found);

    const bool among_nodes_;
    struct Counted {
        base::Time at;
        std::uint64_t answered = 0, failed = 0;
    };
    std::deque<Counted> requests_;  // of the last minutes
};

// Of the whole site, by what any node knows.
Troubles troubles_of_backup(const backup::Keeper::Figures&, base::Time now);
Troubles troubles_of_site(db::Read&);
jobs::Change find_site_troubles(db::Read&);  // periodic

}  // namespace server
