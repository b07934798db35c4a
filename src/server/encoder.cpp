// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/encoder.hpp"

#include "base/log.hpp"
#include "db/wait.hpp"

namespace server {

void Encoder::start() {
    rest_.begin();
    thread_ = std::thread([this] { loop(); });
}

void Encoder::stop() {
    rest_.end();
    if (thread_.joinable()) thread_.join();
}

void Encoder::wake() { rest_.wake(); }

void Encoder::loop() {
    for (bool going = true; going;) {
        bool worked = false;
        try {
            worked = turn();
        } catch (const std::exception& e) {
            base::log_error("the encoder failed", {{"cause", e.what()}});
        }
        going = worked ? !rest_.ended() : rest_.wait();
    }
}

bool Encoder::turn() {
    std::optional<media::Task> task;
    change("lease_media", [&](db::Write& db) { task = media::next_task(db); });
    if (!task) return false;
    try {
        auto made = store_.encode(task->source);
        change("finish_media", [&](db::Write& db) { media::finish(db, *task, made); });
        store_.forget(task->source);
    } catch (const std::exception& e) {
        base::log_warning(
            "media wait", {{"media", std::to_string(task->media_id.value)}, {"cause", e.what()}}
        );
        change("give_back_media", [&](db::Write& db) { media::give_back(db, *task); });
    }
    return true;
}

void Encoder::change(const char* name, const std::function<void(db::Write&)>& f) {
    db::write_and_wait(engine_, name, f);
}

}  // namespace server
