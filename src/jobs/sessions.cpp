// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/sessions.hpp"

#include "db/engine.hpp"

namespace jobs {

Sessions sessions(db::Engine& engine, const base::ExternalServices& services) {
    Sessions out;
    out.look = [&engine](const std::function<void(db::Read&)>& f) { db::read_and_wait(engine, f); };
    out.change = [&engine](const char* name, const std::function<void(db::Write&)>& f) {
        db::write_and_wait(engine, name, f);
    };
    out.answer = [&services](const base::Needs& needs) { return services.answer(needs); };
    return out;
}

}  // namespace jobs
