// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of pictures that must not be here. What is on them goes in and never comes out.
#include "http/route.hpp"
#include "social/moderation/pictures/hash_lists.hpp"

#include <fstream>
#include <iterator>

namespace moderation {
namespace {

using http::Viewer;
using media::HashEffect, media::HashKind, media::HashList;

std::vector<HashList> index(db::Read& db, const Viewer&) { return media::hash_lists(db); }

struct ById {
    HashListId id;
};
DESCRIBE(ById, id)

HashList show(db::Read& db, const Viewer&, const ById& path) { return media::hash_list(db, path.id); }

struct NewForm {
    std::string name;
    HashEffect effect = HashEffect::quarantine;
    std::int64_t distance = media::usual_distance;
    std::optional<HashKind> kind;
    std::string entries;
    std::optional<http::Upload> file;
};
DESCRIBE(NewForm, name, effect, distance, kind, entries, file)

std::string text_of(const std::string& entries, const std::optional<http::Upload>& file) {
    if (!file) return entries;
    std::ifstream in(*file->file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

media::ReadHashes read(db::Read&, const Viewer&, const NewForm& form) {
    return media::read_hashes(text_of(form.entries, form.file), form.kind);
}

HashListId create(db::Write& db, const Viewer& me, const NewForm& form, const media::ReadHashes& read) {
    return create_hash_list(
        db, accounts::actor(db, me.account), {form.name, form.effect, form.distance}, read.hashes
    );
}

struct EntriesForm {
    HashListId id;
    std::optional<HashKind> kind;
    std::string entries;
    std::optional<http::Upload> file;
};
DESCRIBE(EntriesForm, id, kind, entries, file)

media::Hashes read_more(db::Read& db, const Viewer&, const EntriesForm& form) {
    media::hash_list(db, form.id);
    return new_on(db, form.id, media::read_hashes(text_of(form.entries, form.file), form.kind).hashes);
}

void extend(db::Write& db, const Viewer& me, const EntriesForm& form, const media::Hashes& hashes) {
    extend_hash_list(db, accounts::actor(db, me.account), form.id, hashes);
}

struct ChangeForm {
    HashListId id;
    std::optional<std::string> name;
    std::optional<HashEffect> effect;
    std::optional<std::int64_t> distance;
};
DESCRIBE(ChangeForm, id, name, effect, distance)

void change(db::Write& db, const Viewer& me, const ChangeForm& form) {
    const auto now = media::hash_list(db, form.id);
    change_hash_list(
        db,
        accounts::actor(db, me.account),
        form.id,
        {form.name.value_or(now.name), form.effect.value_or(now.effect), form.distance.value_or(now.distance)}
    );
}

void destroy(db::Write& db, const Viewer& me, const ById& path) {
    remove_hash_list(db, accounts::actor(db, me.account), path.id);
}

constexpr std::uint64_t largest_form = 2 * media::largest_hash_file;

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                           ("/api/dunlin/v1/moderation/hash_lists",             "admin:read:domain_blocks"),
    http::post<read, create, show>             ("/api/dunlin/v1/moderation/hash_lists",             "admin:write:domain_blocks").body_limit(largest_form),
    http::get<show>                            ("/api/dunlin/v1/moderation/hash_lists/:id",         "admin:read:domain_blocks"),
    http::put<change, show>                    ("/api/dunlin/v1/moderation/hash_lists/:id",         "admin:write:domain_blocks"),
    http::post<read_more, extend, show>        ("/api/dunlin/v1/moderation/hash_lists/:id/entries", "admin:write:domain_blocks").body_limit(largest_form),
    http::del<destroy>                         ("/api/dunlin/v1/moderation/hash_lists/:id",         "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> hash_list_routes() { return table; }

}  // namespace moderation
