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
    base::Lock lock;
    std::string version;
    std::shared_ptr<const KnownPictures> pictures;
};

Kept& kept() {
    static Kept one;
    return one;
}

}  // namespace

std::optional<KnownPicture> KnownPictures::find(const std::vector<Print>& prints) const {
    for (const auto effect : {HashEffect::quarantine, HashEffect::refuse})
        for (const auto& one : lists_)
            if (one.list.effect == effect)
                if (auto found = find_in(one, prints)) return found;
    return std::nullopt;
}

std::optional<KnownPicture> KnownPictures::find(const std::vector<Print>& prints, HashListId id) const {
    const auto one = std::ranges::find(lists_, id, [](const List& l) { return l.list.id; });
    return one == lists_.end() ? std::nullopt : find_in(*one, prints);
}

std::int64_t KnownPictures::size(HashListId id) const {
    const auto one = std::ranges::find(lists_, id, [](const List& l) { return l.list.id; });
    return one == lists_.end() ? 0 : one->hashes.size();
}

std::shared_ptr<const KnownPictures> known_pictures(db::Read& db) {
    const auto version = hash_lists_version(db);
    if (version.empty()) return nullptr;
    {
        base::Hold hold(kept().lock);
        if (kept().pictures && kept().version == version) return kept().pictures;
    }
    std::vector<KnownPictures::List> lists;
    for (auto& list : hash_lists(db)) {
        auto hashes = hashes_on(db, list.id);
        lists.push_back({std::move(list), std::move(hashes)});
    }
    auto made = std::make_shared<const KnownPictures>(std::move(lists));
    if (!db.is_committed()) return made;
    base::Hold hold(kept().lock);
    kept().version = version;
    kept().pictures = made;
    return made;
}

}  // namespace media
