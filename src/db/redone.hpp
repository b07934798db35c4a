// SPDX-License-Identifier: AGPL-3.0-or-later
// Changes that are made again where a power cut takes them: a row that was there before them says what is left to do, and is there
// again. Such a change need not wait until the disk has it, which is most of the time of many small ones. It is in the
// log in its order all the same: the next commit that writes and waits for the disk has it kept, too, so that nobody finds a
// change without those before it. Until then nothing outside of the database may be done because of it. On PostgreSQL, where the
// wait of one connection holds up no other, every commit waits.
#pragma once

namespace db {

// While one lives, what this thread asks to be changed is made again if it is lost.
class Redone {
public:
    Redone() : before_(here_) { here_ = true; }
    ~Redone() { here_ = before_; }
    Redone(const Redone&) = delete;

    static bool here() { return here_; }

private:
    const bool before_;
    static inline thread_local bool here_ = false;
};

}  // namespace db
