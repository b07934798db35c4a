// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/numbers.hpp"

#include "base/crypto.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace takeover {

namespace {

struct FormerId {
    std::string kind, former;
    std::int64_t id = 0;
};
DESCRIBE(FormerId, kind, former, id)

}  // namespace

const db::Query<FormerId> former_ids_behind{
    "former_ids_behind",
    R"(SELECT kind, former, id FROM former_ids WHERE (kind, former) > ($1, $2) ORDER BY kind, former LIMIT $3)"
};
const db::Command put_former_id{
    "put_former_id",
    R"(INSERT INTO former_ids (kind, former, id) VALUES ($1, $2, $3)
       ON CONFLICT (kind, former) DO UPDATE SET id = excluded.id)"
};
const db::Command delete_former_id{
    "delete_former_id", "DELETE FROM former_ids WHERE kind = $1 AND former = $2"
};

Numbers::Key Numbers::key_of(std::string_view former) {
    const auto hash = base::sha256(former);
    Key key;
    std::memcpy(&key.high, hash.data(), sizeof key.high);
    std::memcpy(&key.low, hash.data() + sizeof key.high, sizeof key.low);
    return key;
}

namespace {

// Of those that were not taken: their number stays theirs, so that the others have the same whether a copy was cut off or not.
constexpr char dropped_mark = '!';

}  // namespace

void Numbers::load(db::Read& db) {
    constexpr int chunk = 10'000;
    FormerId last;
    for (bool more = true; more;) {
        auto some = db.all(former_ids_behind, last.kind, last.former, chunk);
        more = some.size() == chunk;
        if (more) last = some.back();
        for (auto& row : some) {
            const bool dropped = row.kind.ends_with(dropped_mark);
            if (dropped) row.kind.pop_back();
            auto& kind = kinds_[row.kind];
            (dropped ? kind.dropped : kind.ids).emplace(key_of(row.former), row.id);
            kind.taken.insert(row.id);
        }
    }
}

std::int64_t Numbers::give(std::string_view name, std::string_view former, base::Time date) {
    auto& kind = kinds_[std::string(name)];
    const auto key = key_of(former);
    if (const auto known = kind.ids.find(key); known != kind.ids.end()) return known->second;
    std::int64_t id = 0;
    if (const auto before = kind.dropped.find(key); before != kind.dropped.end()) {
        id = before->second;
        kind.dropped.erase(before);
    } else {
        // No later than what 47 bits of milliseconds hold, and none before 1970.
        const auto ms = std::clamp<std::int64_t>(date.ms, 1, std::int64_t{1} << 46);
        const std::int64_t step = name == "notification" ? db::double_step : 1;
        const auto on_step = [step](std::int64_t from) { return (from + step - 1) / step * step; };
        id = on_step(ms << 16 | static_cast<std::int64_t>(key.high & 0xffff));
        const auto behind = kind.taken.lower_bound((ms + 1) << 16);
        if (behind != kind.taken.begin()) id = std::max(id, on_step(*std::prev(behind) + 1));
        while (kind.taken.contains(id)) id += step;
    }
    kind.ids.emplace(key, id);
    kind.taken.insert(id);
    fresh_.push_back({std::string(name), std::string(former), id, false});
    return id;
}

void Numbers::set(std::string_view name, std::string_view former, std::int64_t id) {
    auto& kind = kinds_[std::string(name)];
    const auto [known, is_new] = kind.ids.try_emplace(key_of(former), id);
    if (!is_new && known->second == id) return;
    known->second = id;
    kind.taken.insert(id);
    fresh_.push_back({std::string(name), std::string(former), id, false});
}

std::optional<std::int64_t> Numbers::find(std::string_view name, std::string_view former) const {
    const auto kind = kinds_.find(std::string(name));
    if (kind == kinds_.end() || former.empty()) return std::nullopt;
    const auto known = kind->second.ids.find(key_of(former));
    if (known == kind->second.ids.end()) return std::nullopt;
    return known->second;
}

std::optional<std::int64_t> Numbers::newest_until(std::string_view name, base::Time date) const {
    const auto kind = kinds_.find(std::string(name));
    if (kind == kinds_.end() || date.ms < 0) return std::nullopt;
    const auto& taken = kind->second.taken;
    const auto behind = taken.lower_bound((date.ms + 1) << 16);
    if (behind == taken.begin()) return std::nullopt;
    return *std::prev(behind);
}

void Numbers::drop(std::string_view name, std::string_view former) {
    auto& kind = kinds_[std::string(name)];
    const auto known = kind.ids.find(key_of(former));
    if (known == kind.ids.end()) return;
    fresh_.push_back({std::string(name), std::string(former), known->second, true});
    kind.dropped.insert(*known);
    kind.ids.erase(known);
}

std::size_t Numbers::count(std::string_view name) const {
    const auto kind = kinds_.find(std::string(name));
    return kind == kinds_.end() ? 0 : kind->second.ids.size();
}

void Numbers::write(db::Write& db, const std::vector<Given>& all) {
    for (const auto& given : all) {
        db.run(delete_former_id, given.dropped ? given.kind : given.kind + dropped_mark, given.former);
        db.run(put_former_id, given.dropped ? given.kind + dropped_mark : given.kind, given.former, given.id);
    }
}

void Numbers::write_dropped(
    db::Write& db, const Numbers& all, std::string_view kind, std::string_view former
) {
    const auto id = all.find(kind, former);
    if (!id) return;
    db.run(delete_former_id, kind, former);
    db.run(put_former_id, std::string(kind) + dropped_mark, former, *id);
}

}  // namespace takeover
