// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/verifier.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"
#include "config/clock.hpp"
#include "federating/federating.hpp"
#include "social/federation/inbox/unverified.hpp"

namespace server {

Verifier::Verifier(db::Engine& engine, const base::Outside& outside) : sessions_(sessions(engine, outside)) {}

void Verifier::start(int threads) {
    rest_.begin();
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

void Verifier::stop() {
    rest_.end();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void Verifier::wake() { rest_.wake(); }

void Verifier::loop() {
    constexpr jobs::Rest::Milliseconds after_trouble{1000};
    for (bool going = true; going;) {
        bool worked = false;
        auto wait = jobs::Rest::longest;
        try {
            std::optional<base::Time> next_due;
            worked = federation::verify_some(sessions_, next_due);
            if (worked) rest_.wake();  // another host may be due, too
            else if (next_due) wait = jobs::Rest::Milliseconds(next_due->ms - clock_now().ms);
        } catch (const base::Stopping&) {
            wait = after_trouble;
        } catch (const std::exception& e) {
            base::log_error("what was received cannot be verified now", {{"cause", e.what()}});
            wait = after_trouble;
        }
        going = worked ? !rest_.ended() : rest_.wait(wait);
    }
}

}  // namespace server
