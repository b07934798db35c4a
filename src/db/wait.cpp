// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/engine.hpp"

#include "base/errors.hpp"

#include <future>

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

void read_and_wait(Engine& engine, const std::function<void(Read&)>& f) {
    std::promise<void> finished;
    auto job = [&](Read& db) {
        try {
            f(db);
            finished.set_value();
        } catch (...) {
            finished.set_exception(std::current_exception());
        }
    };
    if (!engine.read(job, newest)) throw base::Unavailable();
    finished.get_future().get();
}

}  // namespace db
