// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/known.hpp"

#include "base/shared_state.hpp"

#include <algorithm>

namespace media {

namespace {

bool is_among(const std::vector<Sha256>& all, std::string_view digits) {
    const auto hash = sha256_of_digits(digits);
    return hash && std::ranges::binary_search(all, *hash);
}

std::optional<KnownPicture> find_in(const KnownPictures::List& one, const std::vector<Print>& prints) {
    for (const auto& print : prints)
        if (is_among(one.hashes.sha256, print.sha256)) return KnownPicture{one.list, {}};
    for (const auto& print : prints) {
        if (print.pdq.quality < least_quality) continue;
        if (auto near = nearest(one.hashes.pdq, print.pdq, static_cast<int>(one.list.distance)))
            return KnownPicture{one.list, near};
    }
    return std::nullopt;
}

struct Kept {
    base::Lock lock, opening;
    std::string version;
    std::shared_ptr<const KnownPictures> pictures;
};

Kept& kept() {
    static Kept one;
    return one;
}

}  // namespace

std::optional<KnownPicture> KnownPictures::find(
    const std::vector<Print>& prints, const std::vector<HashListId>& waived
) const {
    for (const auto effect : {HashEffect::quarantine, HashEffect::refuse})
        for (const auto& one : lists_) {
            if (one.list.effect != effect) continue;
            const bool asked = effect == HashEffect::refuse || !std::ranges::count(waived, one.list.id);
            if (!asked) continue;
            if (auto found = find_in(one, prints)) return found;
        }
    return std::nullopt;
}

std::optional<KnownPicture> KnownPictures::find(const std::vector<Print>& prints, HashListId id) const {
    const auto* one = list(id);
    return one ? find_in(*one, prints) : std::nullopt;
}

const KnownPictures::List* KnownPictures::list(HashListId id) const {
    const auto one = std::ranges::find(lists_, id, [](const List& l) { return l.list.id; });
    return one == lists_.end() ? nullptr : &*one;
}

std::int64_t KnownPictures::size(HashListId id) const {
    const auto* one = list(id);
    return one ? one->hashes.size() : 0;
}

namespace {

std::shared_ptr<const KnownPictures> kept_of(const std::string& version) {
    base::Hold hold(kept().lock);
    return kept().version == version ? kept().pictures : nullptr;
}

// Hashes are never removed from a list, so a list of the same length is unchanged.
Hashes hashes_of_list(db::Read& db, const HashList& list, const KnownPictures* before) {
    const auto* known = before ? before->list(list.id) : nullptr;
    return known && known->list.size == list.size ? known->hashes : hashes_on(db, list.id);
}

std::shared_ptr<const KnownPictures> open_all(db::Read& db) {
    std::shared_ptr<const KnownPictures> before;
    {
        base::Hold hold(kept().lock);
        before = kept().pictures;
    }
    std::vector<KnownPictures::List> lists;
    for (auto& list : hash_lists(db)) {
        auto hashes = hashes_of_list(db, list, before.get());
        lists.push_back({std::move(list), std::move(hashes)});
    }
    return std::make_shared<const KnownPictures>(std::move(lists));
}

}  // namespace

std::shared_ptr<const KnownPictures> known_pictures(db::Read& db) {
    const auto version = hash_lists_version(db);
    if (version.empty()) return nullptr;
    if (!db.is_committed()) return open_all(db);
    if (auto known = kept_of(version)) return known;
    // Decrypting a million hashes takes time and memory: only one thread does it.
    base::Hold one(kept().opening);
    if (auto known = kept_of(version)) return known;
    auto made = open_all(db);
    base::Hold hold(kept().lock);
    kept().version = version;
    kept().pictures = made;
    return made;
}

}  // namespace media
