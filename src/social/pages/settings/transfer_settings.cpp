// SPDX-License-Identifier: AGPL-3.0-or-later
// Taking along whom one follows, mutes and blocks, one's lists and bookmarks, and bringing them from elsewhere.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/pages/settings/settings_page.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/import.hpp"
#include "social/transfer/post_import.hpp"

#include <fstream>
#include <iterator>

namespace pages {

namespace {

using transfer::ArchiveId, transfer::ArchiveState, transfer::Import, transfer::ImportId,
    transfer::ImportState, transfer::Kind;
using transfer::PostImport, transfer::PostImportId, transfer::PostImportState;

const std::string path = hub + "/transfer";
constexpr std::uint64_t most_bytes = 4 << 20;
constexpr std::uint64_t most_archive_bytes = std::uint64_t{4} << 30;  // max_upload_mb allows less

constexpr Kind kinds[] = {
    Kind::following, Kind::lists, Kind::muting, Kind::blocking, Kind::domain_blocking, Kind::bookmarks
};

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::following: return "People you follow";
        case Kind::lists: return "Lists";
        case Kind::muting: return "Muted people";
        case Kind::blocking: return "Blocked people";
        case Kind::domain_blocking: return "Blocked servers";
        case Kind::bookmarks: return "Bookmarks";
    }
    return {};
}

std::string_view state_of(const Import& import) {
    switch (import.state) {
        case ImportState::running: return "Being gone through";
        case ImportState::ended: return "Done";
        case ImportState::stopped: return "Stopped";
        case ImportState::futile: return "Nothing in the file could be taken, so nothing was replaced";
    }
    return {};
}

void add_imports(db::Read& db, instance::View& view, const Owner& who) {
    for (const auto& import : transfer::imports_of(db, who.user.account_id)) {
        auto& row = view.add("IMPORT");
        const bool running = import.state == ImportState::running;
        row.set("ID", std::to_string(import.id.value)).say("KIND", name_of(import.kind));
        row.say("STATE", state_of(import)).set("DAY", day_of(import.created_at));
        row.set("DONE", std::to_string(import.done)).set("TOTAL", std::to_string(import.total));
        if (running) row.add("RUNNING").say("NAME", name_of(import.kind));
        if (import.failed == 0) continue;
        auto& failed = row.add("FAILED");
        failed.set("COUNT", std::to_string(import.failed)).set("ID", std::to_string(import.id.value));
        failed.show_if(!running, "AGAIN");
        constexpr int some = 20;
        for (const auto& line : transfer::failed_lines(db, import.id, some))
            failed.add("LINE").set("WHAT", line.what).say("WHY", line.problem);
    }
}

std::string_view state_of(const transfer::Archive& archive) {
    switch (archive.state) {
        case ArchiveState::waiting: return "Being made";
        case ArchiveState::ready: return "Ready";
        case ArchiveState::failed: return "It could not be made";
    }
    return {};
}

void add_archives(db::Read& db, instance::View& view, const Owner& who) {
    for (const auto& archive : transfer::archives_of(db, who.user.account_id)) {
        auto& row = view.add("ARCHIVE");
        row.say("STATE", state_of(archive)).set("DAY", day_of(archive.created_at));
        if (archive.state == ArchiveState::waiting)
            row.add("WAITING")
                .set("DONE", std::to_string(archive.done))
                .set("TOTAL", std::to_string(std::max(archive.done, archive.total)));
        if (archive.state == ArchiveState::ready)
            row.add("READY")
                .set("ID", std::to_string(archive.id.value))
                .set("SIZE", std::to_string((archive.bytes + (1 << 20) - 1) >> 20));
    }
}

std::string_view state_of(const PostImport& import) {
    switch (import.state) {
        case PostImportState::running: return "Being gone through";
        case PostImportState::ended: return "Done";
        case PostImportState::stopped: return "Stopped";
        case PostImportState::leaving: return "Being taken back";
    }
    return {};
}

void add_posts(db::Read& db, instance::View& view, const Owner& who) {
    for (const auto& import : transfer::post_imports_of(db, who.user.account_id)) {
        auto& row = view.add("POSTS");
        const bool over = import.state == PostImportState::ended || import.state == PostImportState::stopped;
        row.set("ID", std::to_string(import.id.value)).set("DAY", day_of(import.created_at));
        row.say("STATE", state_of(import)).count("STATUSES", import.posts);
        row.set("DONE", std::to_string(import.done))
            .set("TOTAL", std::to_string(std::max(import.done, import.total)));
        if (!import.problem.empty()) row.add("PROBLEM").say("WHY", import.problem);
        row.show_if(import.state == PostImportState::running, "GOING");
        row.show_if(over, "OVER");
        row.show_if(over && !import.published && import.posts > 0, "HERE");
        row.show_if(over && import.published, "EVERYWHERE");
        if (import.failed == 0) continue;
        auto& failed = row.add("FAILED");
        failed.set("COUNT", std::to_string(import.failed));
        constexpr int some = 20;
        for (const auto& one : transfer::post_failures(db, import.id, some))
            failed.add("LINE").set("WHAT", one.what).say("WHY", one.problem);
    }
}

http::Response page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    instance::View view;
    for (auto kind : kinds) {
        std::string word = boost::describe::enum_to_string(kind, "");
        view.add("FILE").say("NAME", name_of(kind)).set("KIND", word);
        view.add("CHOICE").say("NAME", name_of(kind)).set("KIND", word);
    }
    add_archives(db, view, who);
    add_posts(db, view, who);
    add_imports(db, view, who);
    return settings_page(
        db, request, who, "settings_transfer", "Import and export", problem, std::move(view)
    );
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : page(db, request, who);
}

http::Response old_address() { return oauth::redirect(path); }

http::Response file_of(std::string csv, const std::string& name) {
    http::Response response;
    response.content_type = "text/csv; charset=utf-8";
    response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
    response.headers.emplace_back("Cache-Control", "private, no-store");
    response.body = std::move(csv);
    return response;
}

struct WhichKind {
    Kind kind;
};
DESCRIBE(WhichKind, kind)

http::Response download(db::Read& db, const http::Request& request, const WhichKind& form) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    return file_of(transfer::export_csv(db, who.user.account_id, form.kind), transfer::file_name(form.kind));
}

// ---- everything in one file ----

struct Asked {
    std::string authenticity_token;
};
DESCRIBE(Asked, authenticity_token)

template <class F>
http::Response tried(db::Write& db, const http::Request& request, std::string_view what, F&& act) {
    try {
        act();
    } catch (const base::Invalid& error) {
        return page(db, request, owner(db, request), error.what());
    }
    return done(path, what);
}

http::Response ask_for(db::Write& db, const http::Request& request, const Asked& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    return tried(db, request, "archive", [&] { transfer::ask_for_archive(db, who.user.account_id); });
}

struct WhichArchive {
    ArchiveId id;
};
DESCRIBE(WhichArchive, id)

http::Response take(
    const base::Ask& ask, db::Read& db, const http::Request& request, const WhichArchive& form
) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    const auto archive = transfer::archive_of(db, who.user.account_id, form.id);
    const auto& file = ask(transfer::FindArchive{transfer::file_of(archive)});
    if (file.empty()) throw base::NotFound();
    const auto name = accounts::account(db, archive.account_id).username + "-" + day_of(archive.created_at);
    auto response = file_of({}, name + ".zip");
    response.content_type = "application/zip";
    response.file = http::FileBody{file};
    return response;
}

// ---- bringing along ----

struct FileForm {
    Kind kind = Kind::following;
    bool overwrite = false;
    std::optional<http::Upload> file;
    std::string authenticity_token;
};
DESCRIBE(FileForm, kind, overwrite, file, authenticity_token)

struct Read {
    std::optional<http::Response> answer;
    base::AccountId account;
    transfer::Prepared lines;
};

std::string text_of(const http::Upload& file) {
    if (file.size > most_bytes) throw base::Invalid("The file is larger than 4 MB");
    std::ifstream in(*file.file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Read read_file(db::Read& db, const http::Request& request, const FileForm& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    try {
        if (!form.file) throw base::Invalid("Please choose a file");
        const auto lines = transfer::read_lines(form.kind, text_of(*form.file), form.overwrite);
        return {{}, who.user.account_id, transfer::prepared(lines)};
    } catch (const base::Invalid& error) {
        return {page(db, request, who, error.what()), {}, {}};
    }
}

http::Response bring(db::Write& db, const http::Request& request, const FileForm& form, const Read& read) {
    if (read.answer) return *read.answer;
    return tried(db, request, "import", [&] {
        transfer::begin_import(db, read.account, form.kind, form.overwrite, read.lines);
    });
}

struct Which {
    ImportId id;
    std::string authenticity_token;
};
DESCRIBE(Which, id, authenticity_token)

http::Response stop(db::Write& db, const http::Request& request, const Which& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    transfer::stop_import(db, who.user.account_id, form.id);
    return done(path, "import_stopped");
}

Read read_failed(db::Read& db, const http::Request& request, const Which& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    try {
        const auto account = who.user.account_id;
        return {{}, account, transfer::prepared_again(db, account, form.id)};
    } catch (const base::Invalid& error) {
        return {page(db, request, who, error.what()), {}, {}};
    }
}

http::Response again(db::Write& db, const http::Request& request, const Which& form, const Read& read) {
    if (read.answer) return *read.answer;
    return tried(db, request, "import", [&] { transfer::try_again(db, read.account, form.id, read.lines); });
}

struct ById {
    ImportId id;
};
DESCRIBE(ById, id)

http::Response failures(db::Read& db, const http::Request& request, const ById& form) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    auto import = transfer::import_of(db, who.user.account_id, form.id);
    return file_of(transfer::failed_csv(db, import), "not_imported_" + transfer::file_name(import.kind));
}

// ---- bringing posts along ----

struct ArchiveForm {
    std::optional<http::Upload> archive;
    std::string authenticity_token;
};
DESCRIBE(ArchiveForm, archive, authenticity_token)

struct Kept {
    std::optional<http::Response> answer;
    base::AccountId account;
    std::string file;
};

Kept keep_posts(const base::Ask& ask, db::Read& db, const http::Request& request, const ArchiveForm& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    try {
        if (!form.archive) throw base::Invalid("Please choose a file");
        transfer::require_no_post_import(db, who.user.account_id);
        const auto& kept = ask(transfer::KeepArchive{form.archive->file->string()});
        if (!kept.problem.empty()) throw base::Invalid(kept.problem);
        return {{}, who.user.account_id, kept.file};
    } catch (const base::Invalid& error) {
        return {page(db, request, who, error.what()), {}, {}};
    }
}

http::Response begin_posts(
    db::Write& db, const http::Request& request, const ArchiveForm&, const Kept& kept
) {
    if (kept.answer) return *kept.answer;
    return tried(db, request, "posts", [&] {
        try {
            transfer::begin_post_import(db, kept.account, kept.file);
        } catch (const base::Invalid&) {
            db.emit(media::FilesReleased{{kept.file}});
            throw;
        }
    });
}

struct WhichPosts {
    PostImportId id;
    std::string authenticity_token;
};
DESCRIBE(WhichPosts, id, authenticity_token)

template <auto Act>
http::Response with_posts(
    db::Write& db, const http::Request& request, const WhichPosts& form, std::string_view what
) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    return tried(db, request, what, [&] { Act(db, who.user.account_id, form.id); });
}

http::Response stop_posts(db::Write& db, const http::Request& request, const WhichPosts& form) {
    return with_posts<transfer::stop_post_import>(db, request, form, "import_stopped");
}

http::Response publish_posts(db::Write& db, const http::Request& request, const WhichPosts& form) {
    return with_posts<transfer::publish_post_import>(db, request, form, "posts_published");
}

http::Response take_posts_back(db::Write& db, const http::Request& request, const WhichPosts& form) {
    return with_posts<transfer::take_back_post_import>(db, request, form, "posts_taken_back");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>               ("/settings/account/transfer"),
    http::get<old_address>        ("/settings/import"),
    http::get<old_address>        ("/settings/export"),
    http::get<download>           ("/settings/account/transfer/export/:kind"),
    http::post<ask_for>           ("/settings/account/transfer/archive"),
    http::get<take>               ("/settings/account/transfer/archive/:id"),
    http::post<read_file, bring>  ("/settings/account/transfer/import").body_limit(most_bytes + (64 << 10)).files_of(oauth::is_signed_in),
    http::post<stop>              ("/settings/account/transfer/import/:id/stop"),
    http::post<read_failed, again>("/settings/account/transfer/import/:id/again"),
    http::post<keep_posts, begin_posts>("/settings/account/transfer/posts").body_limit(most_archive_bytes).files_of(oauth::is_signed_in),
    http::post<stop_posts>        ("/settings/account/transfer/posts/:id/stop"),
    http::post<publish_posts>     ("/settings/account/transfer/posts/:id/publish"),
    http::post<take_posts_back>   ("/settings/account/transfer/posts/:id/take_back"),
    http::get<failures>           ("/settings/account/transfer/import/:id/failed"),
};
// clang-format on

}  // namespace

std::span<const http::Route> transfer_settings() { return table; }

}  // namespace pages
