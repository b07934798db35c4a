// SPDX-License-Identifier: AGPL-3.0-or-later
// What number each thing of the server of before has here. A number once given stays: a copy that is made again, or goes on
// after it was cut off, gives the same ones.
#pragma once
#include "base/time.hpp"
#include "db/session.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace takeover {

class Numbers {
public:
    // Those that were given before.
    void load(db::Read&);

    // Made of its date, so that what is older has a smaller one; the order in which they are asked for is kept within a
    // millisecond. Another number than all others of the kind.
    std::int64_t give(std::string_view kind, std::string_view former, base::Time date);
    // The number it has, which is to be found by its former id, too: a poll is its status.
    void set(std::string_view kind, std::string_view former, std::int64_t id);
    std::optional<std::int64_t> find(std::string_view kind, std::string_view former) const;
    // The highest that was given to one of that date or older; its row need not have come along.
    std::optional<std::int64_t> newest_until(std::string_view kind, base::Time date) const;
    // It was not taken after all: nothing may refer to it.
    void drop(std::string_view kind, std::string_view former);

    // Those of `kind` that have been given.
    std::size_t count(std::string_view kind) const;

    // What was given and dropped, as it is stored.
    struct Given {
        std::string kind, former;
        std::int64_t id = 0;
        bool dropped = false;
    };
    // How many wait to be written.
    std::size_t waiting() const { return fresh_.size(); }
    // Those since the last time: who takes them writes them.
    std::vector<Given> take_fresh() { return std::exchange(fresh_, {}); }
    static void write(db::Write&, const std::vector<Given>&);
    // The same for one that clashed while it was written.
    static void write_dropped(db::Write&, const Numbers&, std::string_view kind, std::string_view former);

private:
    // A former id as 16 bytes: a million texts would fill the memory.
    struct Key {
        std::uint64_t high = 0, low = 0;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept { return key.low ^ (key.high >> 7); }
    };
    struct Kind {
        std::unordered_map<Key, std::int64_t, Hash> ids, dropped;
        std::set<std::int64_t> taken;
    };
    static Key key_of(std::string_view former);

    std::unordered_map<std::string, Kind> kinds_;
    std::vector<Given> fresh_;
};

}  // namespace takeover
