// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures that must not be here: what was found, the lists by which it is found, and removing one wherever it is. No picture is shown
// before somebody asks for it.
#include "social/moderation/pictures/hash_lists.hpp"
#include "social/moderation/pictures/quarantined.hpp"
#include "social/moderation/pictures/search.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/pages/staff/sheet.hpp"

#include <fstream>
#include <iterator>

namespace pages {
namespace {

using media::HashEffect, media::HashKind, media::HashListId, media::QuarantineId;

constexpr int a_page = 20;
const std::string pictures_path = address_of(pictures_part);

struct ListForm {
    std::string name, entries, authenticity_token;
    HashEffect effect = HashEffect::quarantine;
    HashKind kind = HashKind::pdq;
    std::int64_t distance = media::usual_distance;
    std::optional<http::Upload> file;
};
DESCRIBE(ListForm, name, entries, authenticity_token, effect, kind, distance, file)

struct RemovalForm {
    std::string hash, authenticity_token;
    HashKind kind = HashKind::pdq;
    std::int64_t distance = media::usual_distance;
    bool dry_run = false;
};
DESCRIBE(RemovalForm, hash, authenticity_token, kind, distance, dry_run)

template <class Enum>
struct Choice {
    Enum value;
    std::string_view name;
};
constexpr Choice<HashEffect> effects[] = {
    {HashEffect::quarantine, "Put into quarantine, and a case is opened"},
    {HashEffect::refuse, "Refused"},
};
constexpr Choice<HashKind> kinds[] = {
    {HashKind::pdq, "What it looks like (PDQ)"},
    {HashKind::sha256, "Its bytes (SHA-256)"},
};

template <class Enum, std::size_t Size>
Field choice(std::string_view name, std::string_view label, const Choice<Enum> (&all)[Size], Enum chosen) {
    Field out{Field::Kind::list, name, label, std::string(base::word(chosen))};
    for (const auto& one : all) out.options.push_back({std::string(base::word(one.value)), one.name});
    return out;
}

Field distance_field(std::int64_t given) {
    return {
        Field::Kind::number,
        "distance",
        "Distance",
        std::to_string(given),
        true,
        "By how many of 256 bits a picture may look different"
    };
}

std::vector<Field> facts_fields(const ListForm& given) {
    return {
        {Field::Kind::line, "name", "Name", given.name, true},
        choice("effect", "What happens", effects, given.effect),
        distance_field(given.distance)
    };
}

std::vector<Field> entries_fields(const ListForm& given) {
    Field file{Field::Kind::file, "file", "A file of hashes"};
    file.hint = "CSV or JSON";
    file.accept = ".csv,.json,.txt";
    return {
        choice("kind", "Hashes that do not say of which kind they are", kinds, given.kind),
        file,
        {Field::Kind::area, "entries", "Hashes", given.entries, false, "One in each line"}
    };
}

std::string_view how(const media::Quarantined& one) {
    return one.distance ? "Looks like a picture of the list" : "The same file as one of the list";
}

Panel quarantine_panel(db::Read& db, const From& from) {
    Panel out{"Quarantine", "Nobody can reach these pictures, and whoever brought them is not told why."};
    out.rows.emplace();
    const auto waiting = media::quarantined(db, from.range(a_page), media::QuarantineState::held);
    std::vector<base::AccountId> owners;
    for (const auto& one : waiting) owners.push_back(one.account_id);
    const auto names = handles(db, owners);
    for (const auto& one : waiting) {
        const auto owner = names.find(one.account_id);
        Row row{one.list_name, pictures_path + "/quarantine/" + std::to_string(one.id.value)};
        row.hint = minute_of(one.created_at);
        row.states.push_back(how(one));
        if (owner != names.end()) row.facts.push_back({"Account", owner->second});
        out.rows->push_back(std::move(row));
    }
    out.older = older(pictures_path, waiting, a_page);
    return out;
}

Panel lists_panel(db::Read& db) {
    Panel out{"Lists of pictures", "What is on a list is sealed, and shown to nobody."};
    out.rows.emplace();
    for (const auto& one : media::hash_lists(db)) {
        Row row{one.name, pictures_path + "/lists/" + std::to_string(one.id.value)};
        row.states.push_back(one.effect == HashEffect::refuse ? effects[1].name : "Quarantine");
        row.hint = day_of(one.updated_at);
        row.facts = {{"Entries", std::to_string(one.size)}, {"Distance", std::to_string(one.distance)}};
        out.rows->push_back(std::move(row));
    }
    return out;
}

std::vector<Fact> facts_of(const moderation::PictureSearch& one) {
    return {
        {"Files", std::to_string(one.found) + " / " + std::to_string(one.looked)},
        {"Media", std::to_string(one.media)},
        {"Copies", std::to_string(one.copies)},
        {"Avatars and headers", std::to_string(one.portraits)},
        {"Emojis", std::to_string(one.emojis)}
    };
}

Panel removal_panel(db::Read& db, const RemovalForm& given) {
    Panel out{
        "Remove a picture everywhere",
        "It goes from posts, copies, avatars, headers and emojis, and is refused from then on."
    };
    out.forms.push_back(
        {pictures_path + "/remove",
         "Remove everywhere",
         {{Field::Kind::line, "hash", "Hash", given.hash, true, "64 hexadecimal digits"},
          choice("kind", "Of what", kinds, given.kind),
          distance_field(given.distance),
          {Field::Kind::box, "dry_run", "Count only", given.dry_run ? "1" : ""}}}
    );
    out.rows.emplace();
    base::Range newest;
    newest.limit = a_page;
    for (const auto& one : moderation::picture_removals(db, newest)) {
        Row row{minute_of(one.created_at)};
        row.states.push_back(one.dry_run ? "Count only" : "Remove everywhere");
        row.states.push_back(one.finished_at ? "Done" : "Is looked for");
        row.facts = facts_of(one);
        out.rows->push_back(std::move(row));
    }
    return out;
}

http::Response pictures_page(
    db::Read& db, const http::Request& request, const Member& who, const From& from, const ListForm& list,
    const RemovalForm& removal, std::string_view problem = {}
) {
    Panel adding{"Add"};
    Form form{pictures_path + "/lists", "Save", facts_fields(list)};
    for (auto& field : entries_fields(list)) form.fields.push_back(std::move(field));
    form.with_file = true;
    adding.forms.push_back(std::move(form));
    return sheet(
        db,
        request,
        who,
        pictures_part,
        "Pictures",
        {quarantine_panel(db, from), lists_panel(db), adding, removal_panel(db, removal)},
        problem
    );
}

http::Response look(db::Read& db, const http::Request& request, const From& from) {
    auto who = member(db, request, pictures_part.any_of);
    return who.answer() ? *who.answer() : pictures_page(db, request, who, from, {}, {});
}

// ---- lists ----

http::Response list_page(
    db::Read& db, const http::Request& request, const Member& who, HashListId id, const ListForm& given,
    std::string_view problem = {}
) {
    const auto known = media::hash_list(db, id);
    const auto where = pictures_path + "/lists/" + std::to_string(id.value);
    Panel facts;
    facts.facts = {{"Name", known.name}, {"Entries", std::to_string(known.size)}};
    facts.forms = {{where, "Save", facts_fields(given)}, {where + "/remove", "Remove", {}, {}, "negative"}};
    Panel adding{"Add"};
    Form form{where + "/entries", "Add", entries_fields(given)};
    form.with_file = true;
    adding.forms.push_back(std::move(form));
    return sheet(db, request, who, pictures_part, "A list of pictures", {facts, adding}, problem);
}

struct ById {
    HashListId id;
};
DESCRIBE(ById, id)

http::Response look_at_list(db::Read& db, const http::Request& request, const ById& path) {
    auto who = member(db, request, pictures_part.any_of);
    if (who.answer()) return *who.answer();
    const auto known = media::hash_list(db, path.id);
    ListForm given;
    given.name = known.name, given.effect = known.effect, given.distance = known.distance;
    return list_page(db, request, who, path.id, given);
}

std::string text_of(const ListForm& form) {
    if (!form.file) return form.entries;
    std::ifstream in(*form.file->file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Long ones take time to read, which the writer has not.
struct Read {
    std::optional<http::Response> answer;
    media::Hashes hashes;
};

Read read_new(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    try {
        return {{}, media::read_hashes(text_of(form), form.kind).hashes};
    } catch (const base::Invalid& refused) {
        return {pictures_page(db, request, who, {}, form, {}, sentence_of(refused)), {}};
    }
}

http::Response add(db::Write& db, const http::Request& request, const ListForm& form, const Read& read) {
    if (read.answer) return *read.answer;
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return pictures_page(db, request, who, {}, form, {}, why); };
    return tried(pictures_path, added, refused, [&] {
        moderation::create_hash_list(db, who.actor, {form.name, form.effect, form.distance}, read.hashes);
    });
}

Read read_more(db::Read& db, const http::Request& request, const ById& path, const ListForm& form) {
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    try {
        const auto read = media::read_hashes(text_of(form), form.kind);
        return {{}, moderation::new_on(db, path.id, read.hashes)};
    } catch (const base::Invalid& refused) {
        return {list_page(db, request, who, path.id, form, sentence_of(refused)), {}};
    }
}

http::Response extend(
    db::Write& db, const http::Request& request, const ById& path, const ListForm& form, const Read& read
) {
    if (read.answer) return *read.answer;
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return list_page(db, request, who, path.id, form, why); };
    return tried(pictures_path, added, refused, [&] {
        moderation::extend_hash_list(db, who.actor, path.id, read.hashes);
    });
}

http::Response change(db::Write& db, const http::Request& request, const ById& path, const ListForm& form) {
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return list_page(db, request, who, path.id, form, why); };
    return tried(pictures_path, saved, refused, [&] {
        moderation::change_hash_list(db, who.actor, path.id, {form.name, form.effect, form.distance});
    });
}

// ---- one in quarantine ----

struct ByQuarantine {
    QuarantineId id;
};
DESCRIBE(ByQuarantine, id)

media::Quarantined waiting(db::Read& db, QuarantineId id) {
    const auto one = media::find_quarantined(db, id);
    if (!one || one->state != media::QuarantineState::held) throw base::NotFound();
    return *one;
}

http::Response look_at_one(db::Read& db, const http::Request& request, const ByQuarantine& path) {
    auto who = member(db, request, pictures_part.any_of);
    if (who.answer()) return *who.answer();
    const auto one = waiting(db, path.id);
    const auto where = pictures_path + "/quarantine/" + std::to_string(path.id.value);
    const auto names = handles(db, {one.account_id});
    const auto owner = names.find(one.account_id);
    Panel panel;
    panel.hint = "It is not shown before you ask for it.";
    panel.facts = {
        {"Lists of pictures", one.list_name}, {"State", {}, how(one)}, {"Since", minute_of(one.created_at)}
    };
    if (one.distance) panel.facts.push_back({"Distance", std::to_string(*one.distance)});
    if (owner != names.end()) panel.facts.push_back({"Account", owner->second});
    panel.forms = {
        {where + "/picture", "Show the picture", {}, {}, "quiet"},
        {where + "/release", "Give it back", {}, {}, "quiet"},
        {where + "/destroy", "Destroy", {}, {}, "negative"},
        {where + "/remove", "Remove everywhere", {}, {}, "negative"}
    };
    return sheet(db, request, who, pictures_part, "A picture in quarantine", {panel});
}

http::Response read_picture(
    const base::Ask& ask, db::Read& db, const http::Request& request, const One<QuarantineId>& form
) {
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    const auto one = waiting(db, form.id);
    // The small one, where there is one: a film is not played here.
    const auto files = media::files_of(one);
    http::Response out;
    out.body = ask(media::ReadQuarantined{media::quarantined_as(media::picture_key(db), files.front())});
    if (out.body.empty()) throw base::NotFound();
    out.content_type = files.front().ends_with(".png")    ? "image/png"
                       : files.front().ends_with(".jpg")  ? "image/jpeg"
                       : files.front().ends_with(".gif")  ? "image/gif"
                       : files.front().ends_with(".webp") ? "image/webp"
                                                          : "application/octet-stream";
    out.headers.emplace_back("Cache-Control", "private, no-store");
    out.headers.emplace_back("Content-Security-Policy", "default-src 'none'; sandbox");
    out.headers.emplace_back("X-Content-Type-Options", "nosniff");
    return out;
}

// Who has looked at it is noted, as is what was decided.
http::Response show_picture(
    db::Write& db, const http::Request& request, const One<QuarantineId>& form, const http::Response& picture
) {
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::note_seen(db, who.actor, form.id);
    return picture;
}

// ---- removing everywhere ----

http::Response remove(db::Write& db, const http::Request& request, const RemovalForm& form) {
    auto who = member(db, request, pictures_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return pictures_page(db, request, who, {}, {}, form, why); };
    return tried(pictures_path, form.dry_run ? saved : removed, refused, [&] {
        moderation::remove_everywhere(
            db, who.actor, {moderation::hashes_given(form.hash, form.kind), form.distance, form.dry_run}
        );
    });
}

void remove_alike(db::Write& db, const accounts::Actor& who, QuarantineId id) {
    moderation::remove_everywhere(db, who, {moderation::hashes_of_quarantined(db, id)});
}

template <auto Act, class Id, const char* What>
constexpr auto on_one = act_on<pictures_part, Act, Id, What>;

constexpr std::uint64_t largest_form = 2 * media::largest_hash_file;

// clang-format off
constexpr http::Route table[] = {
    http::get<look>             ("/settings/moderation/pictures"),
    http::post<read_new, add>   ("/settings/moderation/pictures/lists").body_limit(largest_form).files_of(oauth::is_signed_in),
    http::get<look_at_list>     ("/settings/moderation/pictures/lists/:id"),
    http::post<change>          ("/settings/moderation/pictures/lists/:id"),
    http::post<read_more, extend>("/settings/moderation/pictures/lists/:id/entries").body_limit(largest_form).files_of(oauth::is_signed_in),
    http::post<on_one<moderation::remove_hash_list, HashListId, removed>>("/settings/moderation/pictures/lists/:id/remove"),
    http::get<look_at_one>      ("/settings/moderation/pictures/quarantine/:id"),
    http::post<read_picture, show_picture>("/settings/moderation/pictures/quarantine/:id/picture"),
    http::post<on_one<moderation::release_quarantined, QuarantineId, undone>>("/settings/moderation/pictures/quarantine/:id/release"),
    http::post<on_one<moderation::destroy_quarantined, QuarantineId, removed>>("/settings/moderation/pictures/quarantine/:id/destroy"),
    http::post<on_one<remove_alike, QuarantineId, removed>>("/settings/moderation/pictures/quarantine/:id/remove"),
    http::post<remove>          ("/settings/moderation/pictures/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> picture_pages() { return table; }

}  // namespace pages
