// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace media {

namespace {

std::string sha256_of(const Stored& stored) {
    return stored.prints.empty() ? std::string() : stored.prints.front().sha256;
}

}  // namespace

void watch_pictures(Store& store, const jobs::Sessions& sessions) {
    store.watch([sessions](const Store& store, const Stored& stored) {
        std::shared_ptr<const KnownPictures> lists;
        std::string key;
        sessions.look([&](db::Read& db) {
            lists = known_pictures(db);
            if (lists && !was_released(db, sha256_of(stored))) key = picture_key(db);
        });
        const auto known = key.empty() ? std::nullopt : lists->find(stored.prints);
        if (known && known->list.effect == HashEffect::refuse) return false;
        if (known) store.quarantine(moving(key, family_of(stored), true));
        sessions.change("keep_hashes", [&](db::Write& db) {
            db.beside_others();
            keep_hashes(db, stored);
            if (!known) return;
            const Found found{stored.file, sha256_of(stored), family_of(stored)};
            put_into_quarantine(db, found, *known, {stored.owner, {}, {}});
        });
        return true;
    });
}

}  // namespace media
