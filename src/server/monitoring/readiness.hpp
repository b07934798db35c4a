// SPDX-License-Identifier: AGPL-3.0-or-later
// /readyz: whether this server can do its work now. A read and a change must come through the database within five
// seconds, and that of SQLite must still be the one that its name leads to; whoever asks meanwhile, or a second later, gets the same answer, so that asking costs next to nothing.
#pragma once
#include "db/engine.hpp"
#include "http/message.hpp"
#include "server/monitoring/process_figures.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace server {

class Readiness {
public:
    // The change is one to the row of this node.
    Readiness(db::Engine&, std::string node);
    // Of the file that the engine has opened just now. Before the first question.
    void watch(const std::filesystem::path& database);

    void answer(http::Pending);
    // Those who have waited too long are told so; called every few seconds.
    void tick();

    struct Probes;
    class Try;

private:
    void probe();

    db::Engine& engine_;
    const std::string node_;
    std::filesystem::path database_;
    std::optional<FileId> opened_;
    const std::shared_ptr<Probes> probes_;
};

}  // namespace server
