// SPDX-License-Identifier: AGPL-3.0-or-later
// A source is read: a file at once; of a dataset its snapshot, and from then on each page of what has changed, one a job.
#include "base/fetch.hpp"
#include "base/json.hpp"
#include "base/text/utf8.hpp"
#include "social/moderation/list_sources/fires.hpp"
#include "social/moderation/list_sources/group.hpp"
#include "social/moderation/list_sources/source.hpp"

namespace moderation {

namespace {

constexpr std::int64_t largest_answer = 10 << 20, most_pages = 50;

// What came of asking once.
struct Reading {
    Copy copy;
    SourceCursor cursor;
    std::int64_t refused = 0, bytes = 0;
    bool changed = true, goes_on = false;
};

// Whatever a file of servers says of them: it was subscribed to as one of those that are well.
void accept_all(Copy& copy) {
    for (auto& one : copy) {
        one.policy = AdvicePolicy::accept;
        one.filters.clear();
    }
}

// The scheme and the server of an address.
std::string_view origin(std::string_view url) {
    const auto end = url.find('/', std::string_view("https://").size());
    return url.substr(0, std::min(end, url.find('?')));
}

class SourceReading {
public:
    SourceReading(const base::Ask& ask, db::Read& db, const ListSource& source, const SourceDue& e)
        : ask_(ask), db_(db), source_(source), before_(cursor_of(db, source.id)), bytes_(e.bytes) {}

    const SourceCursor& before() const { return before_; }

    // Throws Unreadable; of a file also Invalid.
    Reading read() {
        if (source_.kind == SourceKind::group) return what_members_say();
        if (source_.kind == SourceKind::list) return file();
        return before_.cursor.empty() ? snapshot() : page();
    }

private:
    // What is named in an answer leads to no other server.
    const std::string& here(const std::string& url) const {
        if (origin(url) != origin(source_.url))
            throw Unreadable("It goes on at another server, " + std::string(origin(url)));
        return url;
    }

    const base::Fetched& answer_of(const std::string& url, const std::string& etag) {
        base::Fetch question;
        question.url = here(url);
        question.most_bytes = largest_answer - bytes_;
        question.headers = {{"Accept", std::string(source_.kind == SourceKind::fires ? fires_types : "*/*")}};
        if (!etag.empty()) question.headers.push_back({"If-None-Match", etag});
        const auto& answer = ask_(question);
        bytes_ += std::ssize(answer.body);
        if (answer.failure == base::FetchFailure::too_large) throw Unreadable("It is larger than 10 MB");
        if (answer.failure != base::FetchFailure::none)
            throw Unreadable("It cannot be reached: " + std::string(base::word(answer.failure)));
        if (!answer.url.empty()) here(answer.url);  // after redirects
        if (!answer.ok() && answer.status != 304 && !is_gone(answer))
            throw Unreadable("It answers " + std::to_string(answer.status));
        return answer;
    }

    static bool is_gone(const base::Fetched& answer) { return answer.status == 404 || answer.status == 410; }

    const base::Fetched& document(const std::string& url) {
        const auto& answer = answer_of(url, {});
        if (!answer.ok()) throw Unreadable("It answers " + std::to_string(answer.status));
        return answer;
    }

    static std::string etag_of(const base::Fetched& answer) {
        const auto said = answer.header("etag");
        constexpr std::size_t longest = 200;
        return said.size() <= longest && base::text::valid_utf8(said) ? std::string(said) : std::string();
    }

    static Reading nothing_new(const SourceCursor& cursor) {
        Reading out;
        out.cursor = cursor;
        out.changed = false;
        return out;
    }

    Reading file() {
        const auto& answer = answer_of(source_.url, before_.etag);
        if (answer.status == 304) return nothing_new(before_);
        if (!answer.ok()) throw Unreadable("It answers " + std::to_string(answer.status));
        const auto list = read_server_list(answer.body, instance::Severity::suspend, db_.site().domain);
        // A page of another kind, such as one that asks to sign in, is no list that has become empty.
        if (list.refused.size() > list.rules.size()) throw Unreadable("Most of its lines are no domains");
        Reading out;
        out.copy = copy_of(list);
        if (source_.role == SourceRole::allow) accept_all(out.copy);
        out.cursor.etag = etag_of(answer);
        out.refused = std::ssize(list.refused);
        return out;
    }

    Reading snapshot() {
        const auto dataset = read_fires_dataset(document(source_.url).body);
        const auto all = read_fires_page(document(dataset.snapshot).body, db_.site().domain);
        Reading out;
        apply_changes(out.copy, all.changes);
        out.refused = all.refused;
        out.cursor.cursor = here(all.goes_on.empty() ? dataset.changes : all.goes_on);
        // Nobody says that the snapshot is not cut into pages as well.
        if (!all.next.empty() && all.changes.empty()) throw Unreadable("Its snapshot has no entries at once");
        return out;
    }

    Reading page() {
        const auto& answer = answer_of(before_.cursor, before_.etag);
        if (answer.status == 304) return nothing_new(before_);
        // A cursor that is not known any more: all of it is read anew.
        if (is_gone(answer)) return restart();
        const auto said = read_fires_page(answer.body, db_.site().domain);
        Reading out;
        out.copy = moderation::copy_of(db_, source_.id);
        apply_changes(out.copy, said.changes);
        out.refused = said.refused;
        out.changed = !said.changes.empty();
        const auto& next = said.next.empty() && said.changes.empty() ? said.first : said.next;
        if (next.empty()) {
            out.cursor = {before_.cursor, etag_of(answer)};
        } else {
            if (next == before_.cursor) throw Unreadable("A page of its changes leads to itself");
            out.cursor = {here(next), {}};
            out.goes_on = true;
        }
        return out;
    }

    // Each time under a new number, so that of two that were worked out at once the later one is not lost.
    Reading what_members_say() {
        Reading out;
        out.copy = agreement(db_, source_);
        out.cursor.cursor = std::to_string(1 + (before_.cursor.empty() ? 0 : std::stoll(before_.cursor)));
        const auto before = moderation::copy_of(db_, source_.id);
        out.changed = base::json::to_string(before) != base::json::to_string(out.copy);
        return out;
    }

    Reading restart() {
        auto out = nothing_new({});
        out.goes_on = true;
        return out;
    }

    const base::Ask& ask_;
    db::Read& db_;
    const ListSource& source_;
    SourceCursor before_;
    std::int64_t bytes_;

public:
    std::int64_t bytes() const { return bytes_; }
};

void keep(
    db::Write& db, const ListSource& source, const SourceDue& e, const SourceCursor& before,
    const Reading& read, const std::string& json
) {
    if (!keep_cursor(db, source.id, before, read.cursor)) {
        if (source.kind == SourceKind::group && find_list_source(db, source.id))
            db.emit(SourceDue{source.id});
        return;
    }
    if (read.changed) keep_copy(db, source.id, json, std::ssize(read.copy), read.refused);
    if (read.goes_on && e.page + 1 < most_pages && read.bytes < largest_answer) {
        db.emit(SourceDue{source.id, e.page + 1, read.bytes});
    } else if (read.goes_on) {
        note_failure(db, source, "It has more changes than are read at once; reading goes on later");
        tell_groups(db, source.id);
    } else {
        tell_groups(db, source.id);
        note_well_read(db, source.id);
        db.emit(SourceRead{source.id});
    }
}

jobs::Change failed(const ListSource& source, const std::string& problem) {
    return [source, problem](db::Write& db) { note_failure(db, source, problem); };
}

}  // namespace

jobs::Change read_source(const base::Ask& ask, db::Read& db, const SourceDue& e) {
    const auto found = find_list_source(db, e.source);
    if (!found) return {};
    const auto& source = *found;
    SourceReading reading(ask, db, source, e);
    try {
        auto read = reading.read();
        read.bytes = reading.bytes();
        auto json = read.changed ? base::json::to_string(read.copy) : std::string();
        // Pages add up, day after day.
        if (std::ssize(json) > largest_answer) throw Unreadable("What it says is larger than 10 MB in all");
        return [=, before = reading.before(), read = std::move(read), json = std::move(json)](db::Write& db) {
            keep(db, source, e, before, read, json);
        };
    } catch (const Unreadable& problem) {
        return failed(source, problem.what());
    } catch (const base::Invalid& problem) {
        return failed(source, problem.what());
    }
}

}  // namespace moderation
