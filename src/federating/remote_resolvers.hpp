// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers questions that require a request to another server and storing the result (base/ask.hpp).
#pragma once
#include "base/ask.hpp"
#include "db/engine.hpp"
#include "jobs/sessions.hpp"
#include "social/media/copy.hpp"

namespace server {

// Registers the functions. `services` must already answer base::Fetch.
void register_remote_resolvers(base::ExternalServices& services, const jobs::Sessions&);
void register_copy_resolver(
    base::ExternalServices& services, const jobs::Sessions&, media::Store, std::filesystem::path spool
);

// The result of copying a picture; without `picture` it was not available.
struct MadeCopy {
    std::optional<media::Stored> picture;
    std::int64_t bytes = 0;
};
media::Copy keep_copy(db::Write&, const media::MakeCopy&, const MadeCopy&);

}  // namespace server
