// SPDX-License-Identifier: AGPL-3.0-or-later
// Records which rows change while a database is copied: triggers note their keys in tables of the source,
// moving_…, so that only these rows are copied again once writing has stopped.
#pragma once
#include "db/portable/store.hpp"

namespace db::portable {

class Changes {
public:
    // Must not be the store that is read from. It must outlive this object.
    Changes(Store&, std::vector<Table>);

    // Starts recording; take the snapshot that is copied afterwards. Removes what an earlier run left behind.
    void begin();
    // Must be called often enough, or recording stops: a killed run must not burden the server for ever.
    // Throws Failure when it is called too late.
    void prolong();
    // Blocks all writers, on every node, from here on.
    void stop_writing();
    // Lets others write again, and removes the triggers and tables.
    void end();
    static std::string keys(const Table&);            // a query: the keys of rows that changed
    std::string rows(const Table&) const;             // the same rows, those that still exist
    static std::vector<std::string> kept_in(Store&);  // the tables in which changes are, or were, recorded

private:
    void remove();
    void remove(const std::string& noted);
    void alone(const std::function<void()>& change);
    void note(const Table&);

    Store& store_;
    const std::string run_;  // a name that distinguishes this run from others
    const std::vector<Table> tables_;
};

}  // namespace db::portable
