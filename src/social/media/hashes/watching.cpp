// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace media {

namespace {

std::string sha256_of(const Stored& stored) {
    return stored.prints.empty() ? std::string() : stored.prints.front().sha256;
}

template <class F>
void change(const jobs::Sessions& sessions, const char* name, const F& f) {
    sessions.change(name, [&](db::Write& db) {
        db.beside_others();
        f(db);
    });
}

// The row is written first, because hidden files without a row could not be found any more. It is announced
// when the picture cannot be reached.
void hide(
    const Store& store, const jobs::Sessions& sessions, const Stored& stored, const KnownPicture& known
) {
    std::string key;
    change(sessions, "hold_picture", [&](db::Write& db) {
        put_into_quarantine(db, {stored.file, sha256_of(stored), family_of(stored)}, known, {});
        key = picture_key(db);
    });
    store.quarantine(moving(key, family_of(stored), true));
    if (stored.owner)
        change(sessions, "tell_of_picture", [&](db::Write& db) {
            tell_whose(db, stored.file, {stored.owner, {}, {}});
        });
}

}  // namespace

void watch_pictures(Store& store, const jobs::Sessions& sessions) {
    store.watch([sessions](const Store& store, const Stored& stored) {
        // Before the lists are checked, so that a concurrent search for a new list entry finds it.
        change(sessions, "keep_hashes", [&](db::Write& db) { keep_hashes(db, stored); });
        std::shared_ptr<const KnownPictures> lists;
        std::vector<HashListId> waived;
        sessions.look([&](db::Read& db) {
            lists = known_pictures(db);
            if (lists) waived = released_from(db, sha256_of(stored));
        });
        const auto known = lists ? lists->find(stored.prints, waived) : std::nullopt;
        if (known && known->list.effect == HashEffect::refuse) {
            change(sessions, "forget_hashes", [&](db::Write& db) { forget_hashes(db, {stored.file}); });
            return false;
        }
        if (known) hide(store, sessions, stored, *known);
        return true;
    });
}

}  // namespace media
