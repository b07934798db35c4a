// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/engine.hpp"

#include "base/errors.hpp"

#include <future>
#include <vector>

namespace db {

void write_and_wait(Engine& engine, const char* name, const std::function<void(Write&)>& change) {
    std::promise<void> finished;
    auto done = [&](std::exception_ptr error) {
        if (error) finished.set_exception(error);
        else finished.set_value();
    };
    if (!engine.write(name, change, done)) throw base::Unavailable();
    finished.get_future().get();
}

void read_and_wait(Engine& engine, const std::function<void(Read&)>& f) { read_and_wait(engine, {&f, 1}); }

void read_and_wait(Engine& engine, std::span<const std::function<void(Read&)>> all) {
    std::vector<std::promise<void>> finished(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto job = [&f = all[i], &done = finished[i]](Read& db) {
            try {
                f(db);
                done.set_value();
            } catch (...) {
                done.set_exception(std::current_exception());
            }
        };
        if (!engine.read(job, newest))
            finished[i].set_exception(std::make_exception_ptr(base::Unavailable()));
    }
    std::exception_ptr error;
    for (auto& one : finished) {
        try {
            one.get_future().get();
        } catch (...) {
            error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace db
