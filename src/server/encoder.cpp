// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/encoder.hpp"

#include "base/log.hpp"
#include "db/wait.hpp"

#include <chrono>

namespace server {

void Encoder::start() {
    stopping_ = false;
    thread_ = std::thread([this] { loop(); });
}

void Encoder::stop() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_up_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Encoder::loop() {
    for (;;) {
        bool worked = false;
        try {
            worked = turn();
        } catch (const std::exception& e) {
            base::log_error("the encoder failed", {{"cause", e.what()}});
        }
        std::unique_lock lock(mutex_);
        if (!worked && !stopping_) wake_up_.wait_for(lock, std::chrono::seconds(1));
        if (stopping_) return;
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
