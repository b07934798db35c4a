// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/pictures/search.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/instance/settings.hpp"
#include "social/media/copy.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/media/media_use.hpp"
#include "social/moderation/audit.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/previews/preview.hpp"

#include <algorithm>
#include <charconv>

namespace moderation {

#define SEARCHES                                                                                       \
    "SELECT id, list_id, distance, dry_run, cursor, looked, found, media, copies, portraits, emojis, " \
    "actor_id, created_at, finished_at, turns FROM picture_searches "

const db::Query<PictureSearch> search_by_id{"search_by_id", SEARCHES "WHERE id = $1"};
const db::Query<PictureSearch> removals_down{
    "removals_down", SEARCHES "WHERE list_id = 0 AND id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<PictureSearch> removals_up{
    "removals_up", SEARCHES "WHERE list_id = 0 AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<std::string> sealed_of_search{
    "sealed_of_search", "SELECT sealed FROM picture_searches WHERE id = $1"
};
struct KnownRemoval {
    std::string sealed;
    std::int64_t distance = 0;
};
DESCRIBE(KnownRemoval, sealed, distance)
// Those whose list the team has removed are over.
const db::Query<KnownRemoval> known_removals{
    "known_removals",
    R"(SELECT sealed, distance FROM picture_searches s WHERE list_id = 0 AND dry_run = FALSE
       AND EXISTS (SELECT 1 FROM hash_lists l WHERE l.id = s.refused_by) ORDER BY id)"
};
const db::Command insert_search{
    "insert_search",
    R"(INSERT INTO picture_searches (id, list_id, refused_by, sealed, distance, dry_run, cursor, turns, looked, found,
           media, copies, portraits, emojis, actor_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, '', 0, 0, 0, 0, 0, 0, 0, $7, $8))"
};
// A turn that is on its way counts for nothing any more.
const db::Query<PictureSearchId> begin_search_anew{
    "begin_search_anew",
    "UPDATE picture_searches SET cursor = '', turns = turns + 1 WHERE list_id = $1 AND finished_at IS NULL "
    "RETURNING id"
};
// A turn that comes twice counts once.
const db::Command move_search{
    "move_search",
    R"(UPDATE picture_searches SET cursor = $3, turns = turns + 1, looked = looked + $4, found = found + $5, media = media + $6,
           copies = copies + $7, portraits = portraits + $8, emojis = emojis + $9, finished_at = $10
       WHERE id = $1 AND turns = $2 AND finished_at IS NULL)"
};
const db::Command delete_old_searches{
    "delete_old_searches",
    "DELETE FROM picture_searches WHERE (list_id <> 0 OR dry_run = TRUE) AND created_at < $1"
};

namespace {

constexpr std::string_view list_setting = "removed_pictures_";

std::string hex_of(const media::Sha256& hash) {
    return base::hex({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

// The list that refuses what was removed by this distance; the team may have made something else of the one there was.
media::HashListId list_of_removed(db::Write& db, std::int64_t distance) {
    const auto setting = std::string(list_setting) + std::to_string(distance);
    const auto lists = media::hash_lists(db);
    if (auto known = instance::setting(db, setting)) {
        const media::HashListId id{std::stoll(*known)};
        for (const auto& list : lists)
            if (list.id == id && list.effect == media::HashEffect::refuse && list.distance == distance)
                return id;
    }
    std::string name = "Removed pictures";
    if (distance != media::usual_distance) name += " (" + std::to_string(distance) + ")";
    while (std::ranges::count(lists, name, &media::HashList::name) != 0) name += "_";
    const auto id = media::add_hash_list(db, name, media::HashEffect::refuse, distance);
    instance::set_setting(db, setting, std::to_string(id.value));
    return id;
}

media::HashListId refuse_from_now_on(db::Write& db, const media::Hashes& hashes, std::int64_t distance) {
    const auto list = list_of_removed(db, hashes.pdq.empty() ? media::usual_distance : distance);
    if (const auto fresh = media::without(hashes, media::hashes_on(db, list)); fresh.size() > 0)
        media::add_hashes(db, list, fresh);
    return list;
}

PictureSearchId insert(
    db::Write& db, media::HashListId list, media::HashListId refused_by, const Removal& how,
    base::AccountId by
) {
    const auto id = db.new_id<PictureSearchId>();
    const auto sealed = how.hashes.size() > 0 ? media::sealed(db, how.hashes) : std::string();
    db.run(insert_search, id, list, refused_by, db::Blob{sealed}, how.distance, how.dry_run, by, db.now());
    return id;
}

media::Hashes hashes_of_file(db::Read& db, const std::string& file) {
    media::Hashes out;
    for (const auto& one : media::hashes_of(db, file)) {
        if (auto sum = media::sha256_of_digits(one.print.sha256)) out.sha256.push_back(*sum);
        if (one.print.pdq.quality >= media::least_quality) out.pdq.push_back(one.print.pdq.bits[0]);
    }
    if (out.size() == 0) throw base::Invalid("This picture came before there were hashes: give one");
    out.settle();
    return out;
}

}  // namespace

PictureSearch picture_search(db::Read& db, PictureSearchId id) { return db.one(search_by_id, id); }

std::vector<PictureSearch> picture_removals(db::Read& db, const base::Range& r) {
    auto found = db.all(r.ascending ? removals_up : removals_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

media::Hashes hashes_given(std::string_view digits, media::HashKind kind) {
    media::Hashes out;
    if (kind == media::HashKind::pdq) {
        if (auto bits = media::pdq_of_digits(digits)) out.pdq.push_back(*bits);
    } else if (auto sum = media::sha256_of_digits(digits)) {
        out.sha256.push_back(*sum);
    }
    if (out.size() == 0) throw base::Invalid("A hash has 64 hexadecimal digits");
    return out;
}

media::Hashes hashes_of_media(db::Read& db, base::MediaId id) {
    const auto found = media::by_ids(db, {id});
    if (found.empty()) throw base::NotFound();
    const auto copy = media::find_copy(db, found[0].file);
    return hashes_of_file(db, copy ? copy->file : found[0].file);
}

media::Hashes hashes_of_quarantined(db::Read& db, media::QuarantineId id) {
    const auto one = media::find_quarantined(db, id);
    if (!one) throw base::NotFound();
    return hashes_of_file(db, one->file);
}

PictureSearchId remove_everywhere(db::Write& db, const accounts::Actor& who, const Removal& how) {
    accounts::require(who, accounts::permission::manage_blocks);
    media::check_distance(how.distance);
    media::HashListId refused_by;
    if (!how.dry_run) refused_by = refuse_from_now_on(db, how.hashes, how.distance);
    const auto id = insert(db, {}, refused_by, how, who.account);
    if (!how.dry_run)
        log(db,
            who,
            "purge",
            {"PictureSearch", id.value, std::to_string(id.value)},
            "{\"hashes\":" + std::to_string(how.hashes.size()) +
                ",\"distance\":" + std::to_string(how.distance) + "}");
    db.emit(SearchContinued{id});
    return id;
}

// What a list refuses is not removed because of it: that is asked for, picture by picture.
void begin_search(db::Write& db, const HashListGrew& e) {
    if (media::hash_list(db, e.list).effect != media::HashEffect::quarantine) return;
    if (db.all(begin_search_anew, e.list).empty()) db.emit(SearchContinued{insert(db, e.list, {}, {}, {})});
}

// ---- a turn ----

namespace {

struct Turn {
    std::string cursor;
    std::int64_t looked = 0;
    bool last = false;
    std::vector<media::Places> erased;
    struct Caught {
        media::Places places;
        media::KnownPicture known;
    };
    std::vector<Caught> caught;

    std::int64_t size() const { return std::ssize(erased) + std::ssize(caught); }
};

constexpr std::int64_t most_found = 20;

// So many rows that they take a millisecond or two, or one where the list is long.
int rows_at_once(std::int64_t hashes) {
    constexpr std::int64_t compared = 1'000'000, most = 500;
    return static_cast<int>(std::clamp<std::int64_t>(compared / std::max<std::int64_t>(1, hashes), 1, most));
}

// What the team has yet to decide about is left to it; what it gave back this list does not find again.
bool is_left_to_team(db::Read& db, const media::Places& places, const media::KnownPicture& known) {
    const auto one = media::quarantined_file(db, places.file);
    if (one && one->state == media::QuarantineState::held) return true;
    if (known.list.effect == media::HashEffect::refuse) return false;
    return (one && one->state == media::QuarantineState::destroyed) ||
           std::ranges::count(media::released_from(db, places.sha256), known.list.id) != 0;
}

void add(db::Read& db, Turn& turn, const std::string& file, const media::KnownPicture& known) {
    const bool other_list = known.list.id && known.list.effect == media::HashEffect::refuse;
    if (other_list) return;
    auto places = media::places_of(db, file);
    if (is_left_to_team(db, places, known)) return;
    if (known.list.effect == media::HashEffect::refuse) turn.erased.push_back(std::move(places));
    else turn.caught.push_back({std::move(places), known});
}

void look_for_sum(db::Read& db, Turn& turn, const media::KnownPictures::List& wanted) {
    const auto files = media::files_with_sha256(db, hex_of(wanted.hashes.sha256[0]), turn.cursor, most_found);
    for (const auto& file : files) {
        add(db, turn, file, {wanted.list, {}});
        turn.cursor = file;
    }
    turn.looked = std::ssize(files);
    turn.last = std::ssize(files) < most_found;
}

// Answers whether there were any.
template <class Find>
bool look_at_some(db::Read& db, Turn& turn, int most, const Find& find) {
    const auto rows = media::hashes_after(db, turn.cursor, most);
    for (auto at = rows.begin(); at != rows.end() && turn.size() < most_found;) {
        const auto end = std::find_if(at, rows.end(), [&](const auto& row) { return row.file != at->file; });
        std::vector<media::Print> prints;
        for (auto row = at; row != end; ++row) prints.push_back(row->print);
        if (auto known = find(prints)) add(db, turn, at->file, *known);
        turn.cursor = at->file;
        ++turn.looked;
        at = end;
    }
    return !rows.empty();
}

template <class Find>
void look_at_all(db::Read& db, Turn& turn, std::int64_t hashes, const Find& find) {
    const jobs::Turn begun;
    do turn.last = !look_at_some(db, turn, rows_at_once(hashes), find);
    while (!turn.last && turn.size() < most_found && !begun.over());
}

Turn turn_of(db::Read& db, const PictureSearch& search) {
    Turn turn;
    turn.cursor = search.cursor;
    if (search.list_id) {
        const auto lists = media::known_pictures(db);
        const auto size = lists ? lists->size(search.list_id) : 0;
        turn.last = size == 0;
        if (!turn.last)
            look_at_all(db, turn, size, [&](const auto& prints) {
                return lists->find(prints, search.list_id);
            });
        return turn;
    }
    media::KnownPictures::List wanted;
    wanted.list.effect = media::HashEffect::refuse;
    wanted.list.distance = search.distance;
    wanted.hashes = media::unsealed(db, db.one(sealed_of_search, search.id));
    if (wanted.hashes.pdq.empty() && wanted.hashes.sha256.size() == 1) {
        look_for_sum(db, turn, wanted);
        return turn;
    }
    const media::KnownPictures all(std::vector{wanted});
    look_at_all(db, turn, wanted.hashes.size(), [&](const auto& prints) { return all.find(prints); });
    return turn;
}

void remove_portraits(db::Write& db, const media::Places& places) {
    accounts::ProfileChanges changes;
    if (places.avatar_of) changes.avatar.emplace();
    if (places.header_of) changes.header.emplace();
    if (const auto owner = places.avatar_of ? places.avatar_of : places.header_of)
        accounts::change_profile(db, owner, changes);
}

void show_anew(db::Write& db, const media::Places& places) {
    for (const auto* shown : {&places.media, &places.copied})
        for (const auto& one : *shown)
            if (one.status) statuses::touch(db, one.status);
}

void take_away(db::Write& db, const media::Places& places) {
    media::erase(db, places);
    if (places.cards != 0) statuses::remove_image(db, places.file);
    remove_portraits(db, places);
    for (const auto id : places.emojis) emojis::remove(db, id);
    show_anew(db, places);
}

void put_away(db::Write& db, const Turn::Caught& one) {
    const auto& places = one.places;
    media::Whose whose;
    if (!places.media.empty()) whose = places.media.front();
    else if (const auto owner = places.avatar_of ? places.avatar_of : places.header_of) whose.account = owner;
    else if (!places.copied.empty()) whose = places.copied.front();
    media::put_into_quarantine(db, {places.file, places.sha256, places.family}, one.known, whose);
    show_anew(db, places);
}

// Who shows a picture may have changed since the turn was read. False: one has files that were not hidden yet, so the turn has to come
// once more.
bool look_again(db::Write& db, Turn& turn) {
    for (auto& one : turn.erased) one = media::places_of(db, one.file);
    for (auto& one : turn.caught) {
        const auto hidden = std::exchange(one.places, media::places_of(db, one.places.file)).family;
        if (one.places.family != hidden) return false;
    }
    return true;
}

// False: it was counted before.
bool count(db::Write& db, const PictureSearch& search, const Turn& turn) {
    std::int64_t media = 0, copies = 0, portraits = 0, emojis = 0;
    const auto add = [&](const media::Places& places) {
        media += std::ssize(places.media);
        copies += std::ssize(places.copies) + places.cards;
        portraits += (places.avatar_of ? 1 : 0) + (places.header_of ? 1 : 0);
        emojis += std::ssize(places.emojis);
    };
    for (const auto& one : turn.erased) add(one);
    for (const auto& one : turn.caught) add(one.places);
    std::optional<base::Time> finished;
    if (turn.last) finished = db.now();
    return db.run(
               move_search,
               search.id,
               search.turns,
               turn.cursor,
               turn.looked,
               turn.size(),
               media,
               copies,
               portraits,
               emojis,
               finished
           ) != 0;
}

}  // namespace

jobs::Change search_some(const base::Ask& ask, db::Read& db, PictureSearchId id) {
    const auto search = db.maybe(search_by_id, id);
    if (!search || search->finished_at) return {};
    auto turn = turn_of(db, *search);
    if (!search->dry_run && !turn.caught.empty()) {
        std::vector<std::string> files;
        for (const auto& one : turn.caught)
            files.insert(files.end(), one.places.family.begin(), one.places.family.end());
        ask(media::moving(media::picture_key(db), files, true));
    }
    return [search = *search, turn = std::move(turn)](db::Write& write) mutable {
        if (!look_again(write, turn) || !count(write, search, turn) || search.dry_run) return;
        for (const auto& one : turn.erased) take_away(write, one);
        for (const auto& one : turn.caught) put_away(write, one);
    };
}

jobs::Change search_pictures(const base::Ask& ask, db::Read& db, const SearchContinued& e) {
    auto change = search_some(ask, db, e.search);
    if (!change) return {};
    return [change = std::move(change), e](db::Write& write) {
        change(write);
        if (const auto now = write.maybe(search_by_id, e.search); now && !now->finished_at) write.emit(e);
    };
}

void purge_searches(db::Write& db) {
    constexpr std::int64_t month = 30 * 86'400;
    db.run(delete_old_searches, db.now().plus_seconds(-month));
}

// ---- kept elsewhere ----

// Each line is the sealed hashes and the distance.
std::vector<std::string> removed_pictures(db::Read& db) {
    const auto key = media::picture_key(db);
    if (key.empty()) return {};
    std::vector<std::string> out{base::base64(key)};
    for (const auto& one : db.all(known_removals))
        out.push_back(base::base64(one.sealed) + ":" + std::to_string(one.distance));
    return out;
}

namespace {

std::optional<Removal> removal_of(const std::string& key, std::string_view line) {
    const auto colon = line.find(':');
    if (colon == line.npos) return std::nullopt;
    const auto row = base::unseal(key, base::from_base64(line.substr(0, colon)).value_or(""));
    if (!row) return std::nullopt;
    Removal out{media::hashes_of_row(*row)};
    const auto distance = line.substr(colon + 1);
    const auto* end = distance.data() + distance.size();
    const auto read = std::from_chars(distance.data(), end, out.distance);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

void remove_again(db::Write& db, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    const auto key = base::from_base64(lines[0]).value_or("");
    std::vector<Removal> known;
    for (const auto& one : db.all(known_removals))
        known.push_back({media::unsealed(db, one.sealed), one.distance});
    for (std::size_t i = 1; i < lines.size(); ++i) {
        auto one = removal_of(key, lines[i]);
        if (!one || std::ranges::find(known, *one) != known.end()) continue;
        remove_everywhere(db, accounts::the_operator(), *one);
        known.push_back(*std::move(one));
    }
}

}  // namespace moderation
