// SPDX-License-Identifier: AGPL-3.0-or-later
// Problems that a server detects in itself from data it has anyway. Operators are notified
// (social/moderation/alerts); staff pages and `dunlin top` show them.
#pragma once
#include "server/monitoring/disk_room.hpp"
#include "server/monitoring/metrics.hpp"
#include "social/moderation/alerts/alert.hpp"

#include <deque>

namespace server {

using moderation::Trouble;
using Troubles = std::vector<Trouble>;

// Problems of the machine that a server runs on.
class TroubleWatch {
public:
    // `among_nodes`: there is a channel on which other nodes should be heard.
    explicit TroubleWatch(bool among_nodes) : among_nodes_(among_nodes) {}

    // Call about once a minute, on one thread. `paused`: requests are refused on purpose.
    Troubles look(const Sample&, const std::optional<DiskRoom>&, bool paused, base::Time now);

private:
    void see_requests(const Sample&, bool paused, base::Time now, Troubles& found);

    const bool among_nodes_;
    struct Counted {
        base::Time at;
        std::uint64_t answered = 0, failed = 0;
    };
    std::deque<Counted> requests_;  // during the last minutes
};

// Problems of the whole site, which any node can detect.
Troubles troubles_of_backup(const backup::Keeper::Figures&, base::Time now);
Troubles troubles_of_site(db::Read&);
jobs::Change find_site_troubles(db::Read&);  // periodic

}  // namespace server
