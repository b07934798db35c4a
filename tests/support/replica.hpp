// SPDX-License-Identifier: AGPL-3.0-or-later
// A streaming replica of the tests' PostgreSQL, and a connection to it that can drop everything.
#pragma once
#include "support/database.hpp"

#include <chrono>
#include <string>
#include <thread>

namespace support {

class Replica {
public:
    // The replica of this process, started on first use. It is serving and applying changes.
    static Replica& here();

    std::string url(const std::string& of_primary) const;  // the same database on the replica
    const std::string& folder() const { return folder_; }
    void pause();  // changes are received but not applied
    void resume();
    void stop();  // immediately, whatever it is doing
    void start();
    // Waits until it has what the primary has now.
    void catch_up();

    Replica();
    ~Replica();

private:
    void script(const char* sql) const;
    std::string folder_;
};

// Replaces the host in a URL that names a socket folder.
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
