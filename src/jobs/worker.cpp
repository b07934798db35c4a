// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/worker.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"
#include "db/write_gate.hpp"

namespace jobs {

void Worker::start(int threads) {
    work_signal_.begin();
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

void Worker::end() { work_signal_.end(); }

void Worker::stop() {
    end();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void Worker::loop() {
    constexpr std::chrono::seconds after_trouble{1};
    for (bool going = true; going;) {
        Idle idle;
        try {
            idle = turn_();
        } catch (const base::Stopping&) {
            idle = after_trouble;
        } catch (const db::ReadOnly&) {
            idle = after_trouble;
        } catch (const std::exception& e) {
            base::log_error("work has to wait", {{"work", name_}, {"cause", e.what()}});
            idle = after_trouble;
        }
        going = idle ? work_signal_.wait(*idle) : !work_signal_.ended();
    }
}

}  // namespace jobs
