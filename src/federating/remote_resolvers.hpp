// SPDX-License-Identifier: AGPL-3.0-or-later
// The resolvers of questions that ask other servers and store what they answer (base/ask.hpp).
#pragma once
#include "base/ask.hpp"
#include "db/engine.hpp"
#include "jobs/sessions.hpp"
#include "social/media/copy.hpp"

namespace server {

// Registers the answers. `outside` must know those to base::Fetch.
void register_remote_resolvers(base::ExternalServices& services, const jobs::Sessions&);
void register_copy_resolver(
    base::ExternalServices& services, const jobs::Sessions&, media::Store, std::filesystem::path spool
);

// What came of making one; no picture: it could not be had.
struct MadeCopy {
    std::optional<media::Stored> picture;
    std::int64_t bytes = 0;
};
media::Copy keep_copy(db::Write&, const media::MakeCopy&, const MadeCopy&);

}  // namespace server
