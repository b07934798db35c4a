// SPDX-License-Identifier: AGPL-3.0-or-later
// A streaming replica of the whole PostgreSQL of the tests, and a way to it on which everything can be lost.
#pragma once
#include "support/database.hpp"

#include <chrono>
#include <string>
#include <thread>

namespace support {

class Replica {
public:
    // The one of this process, started when it is first asked for. It serves, and applies what comes.
    static Replica& here();

    std::string url(const std::string& of_primary) const;  // the same database on it
    const std::string& folder() const { return folder_; }
    void pause();  // what comes is kept and not applied
    void resume();
    void stop();  // in the middle of whatever it does
    void start();
    // Until it has what the primary has now.
    void catch_up();

    Replica();
    ~Replica();

private:
    void script(const char* sql) const;
    std::string folder_;
};

// The host in an address that names a folder is replaced.
std::string with_host(std::string url, const std::string& host);

template <class Holds>
bool soon(Holds&& holds) {
    for (int i = 0; i < 1500; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

}  // namespace support
