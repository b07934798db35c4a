// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media_jobs.hpp"

#include "social/media/hashes/hash.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace media {

void sweep(db::Write& db) {
    remove_expired(db);
    auto turn = db.now().ms / (sweep_every_seconds * 1000);
    // Requests end long before a day has passed, so an older file will not get a row any more.
    db.emit(SweepDue{static_cast<int>(turn % shards), db.now().plus_seconds(-unattached_lives_seconds)});
}

void announce_gone(db::Write& db, const std::vector<std::string>& files) {
    constexpr std::size_t most_in_one = 20;
    for (std::size_t at = 0; at < files.size(); at += most_in_one) {
        std::string names;
        for (std::size_t i = at; i < std::min(files.size(), at + most_in_one); ++i)
            names += (i == at ? "" : " ") + files[i];
        db.announce({std::string(gone_channel), {}, std::move(names)});
    }
}

std::vector<std::string> files_gone(std::string_view payload) {
    std::vector<std::string> out;
    while (!payload.empty()) {
        const auto end = std::min(payload.find(' '), payload.size());
        out.emplace_back(payload.substr(0, end));
        payload.remove_prefix(std::min(end + 1, payload.size()));
    }
    return out;
}

jobs::Change remove_files(const base::Ask& ask, db::Read&, const FilesReleased& left) {
    ask(RemoveFiles{left.files});
    return [files = left.files](db::Write& write) {
        forget_hashes(write, files);
        announce_gone(write, files);
    };
}

namespace {

using Known = std::set<std::string, std::less<>>;

// The owner of an avatar or header, from its name; 0 for anything else.
AccountId owner_of(std::string_view file) {
    AccountId id;
    auto name = file.substr(file.rfind('/') + 1);
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id.value);
    if (error != std::errc{} || end == name.data() + name.size() || *end != '-') return {};
    return id;
}

struct Pictures {
    std::string avatar, header;
};
DESCRIBE(Pictures, avatar, header)

}  // namespace

const db::Query<std::string> media_files{
    "media_files",
    R"(SELECT file FROM media WHERE file IN LIST($1)
       UNION ALL SELECT thumbnail FROM media WHERE thumbnail IN LIST($1)
       UNION ALL SELECT file FROM remote_files WHERE file <> '' AND file IN LIST($1))"
};
// The table belongs to statuses.
const db::Query<std::string> images_of_cards{
    "images_of_cards", "SELECT image FROM card_images WHERE image IN LIST($1)"
};
// The table belongs to accounts.
const db::Query<Pictures> pictures_of{
    "pictures_of", "SELECT avatar, header FROM accounts WHERE id IN LIST($1)"
};

namespace {

void add_known(db::Read& db, const std::vector<std::string>& originals, Known& known) {
    std::vector<std::string> attachments;
    std::vector<AccountId> owners;
    for (const auto& file : originals) {
        if (file.starts_with("media/")) attachments.push_back(file);
        else if (auto owner = owner_of(file)) owners.push_back(owner);
    }
    if (!attachments.empty())
        db.each(media_files, [&](std::string file) { known.insert(std::move(file)); }, attachments);
    if (owners.empty()) return;
    auto add = [&](Pictures row) { known.insert({std::move(row.avatar), std::move(row.header)}); };
    db.each(pictures_of, add, owners);
}

// Which of these are pictures of cards. Cards reference any file of a family, not always the original.
Known shown_by_cards(db::Read& db, const std::vector<std::string>& files, const Known& families) {
    std::vector<std::string> asked;
    for (const auto& file : files)
        if (file.starts_with("media/") && families.contains(family(file))) asked.push_back(file);
    Known out;
    if (!asked.empty())
        db.each(images_of_cards, [&](std::string file) { out.insert(std::move(file)); }, asked);
    return out;
}

// A family is removed by its original; a preview or still without one is kept, because it may be all that an
// operator could save.
std::vector<std::string> orphans(db::Read& db, const std::vector<std::string>& files) {
    constexpr std::size_t chunk = 500;
    std::vector<std::string> originals;
    for (const auto& file : files)
        if (is_original(file)) originals.push_back(file);
    Known known;
    for (std::size_t at = 0; at < originals.size(); at += chunk) {
        auto end = std::min(originals.size(), at + chunk);
        add_known(
            db, {originals.begin() + std::ptrdiff_t(at), originals.begin() + std::ptrdiff_t(end)}, known
        );
    }
    Known lost;
    for (const auto& file : originals)
        if (!known.contains(file)) lost.emplace(family(file));
    const auto shown = shown_by_cards(db, files, lost);
    std::erase_if(lost, [&](const auto& name) {
        return std::ranges::any_of(shown, [&](const auto& file) { return family(file) == name; });
    });
    std::vector<std::string> out, last;
    for (const auto& file : files)
        if (lost.contains(family(file))) (is_original(file) ? last : out).push_back(file);
    out.insert(out.end(), last.begin(), last.end());
    return out;
}

}  // namespace

jobs::Change sweep_orphans(const base::Ask& ask, db::Read& db, const SweepDue& due) {
    auto lost = orphans(db, ask(OldFiles{due.shard, due.before}));
    if (lost.empty()) return {};
    ask(RemoveFiles{lost});
    return [lost = std::move(lost)](db::Write& write) { forget_hashes(write, lost); };
}

}  // namespace media
