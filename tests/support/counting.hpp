// SPDX-License-Identifier: AGPL-3.0-or-later
// An engine that counts the requested changes by name.
#pragma once
#include "db/engine.hpp"

#include <map>
#include <mutex>
#include <string>

namespace support {

class Counting final : public db::Engine {
public:
    explicit Counting(std::function<db::Engine&()> engine) : engine_(std::move(engine)) {}

    bool read(std::function<void(db::Read&)> job, db::Position at_least) override {
        return engine_().read(std::move(job), at_least);
    }
    bool write(
        const char* name, std::function<void(db::Write&)> change, std::function<void(std::exception_ptr)> done
    ) override {
        {
            std::lock_guard lock(mutex_);
            ++changes_[name];
        }
        return engine_().write(name, std::move(change), std::move(done));
    }
    int changes(const std::string& name) {
        std::lock_guard lock(mutex_);
        return changes_[name];
    }

private:
    const std::function<db::Engine&()> engine_;
    std::mutex mutex_;
    std::map<std::string, int> changes_;
};

}  // namespace support
