// SPDX-License-Identifier: AGPL-3.0-or-later
// Which rows change while a database is copied: triggers note their keys in tables of the source, moving_…, so that only these
// rows are copied once more when nothing is written any more.
#pragma once
#include "db/portable/store.hpp"

namespace db::portable {

class Changes {
public:
    // The store is not the one that is read from, and outlives this.
    Changes(Store&, std::vector<Table>);

    // From now on; the snapshot that is copied is taken afterwards. What an earlier run left is removed.
    void begin();
    // Often enough, or nothing is noted any more: a run that was killed must not cost the server for ever. Throws Failure when
    // it was too late.
    void prolong();
    // Nobody writes from here on, on any node.
    void stop_writing();
    // Lets others write again, and removes it all.
    void end();
    static std::string keys(const Table&);            // a question: the keys of rows that changed
    std::string rows(const Table&) const;             // and those that there are
    static std::vector<std::string> kept_in(Store&);  // the tables in which they are noted, or were

private:
    void remove();
    void remove(const std::string& noted);
    void alone(const std::function<void()>& change);
    void note(const Table&);

    Store& store_;
    const std::string run_;  // a name, by which another run is told from this one
    const std::vector<Table> tables_;
};

}  // namespace db::portable
