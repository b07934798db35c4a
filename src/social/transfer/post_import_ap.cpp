// SPDX-License-Identifier: AGPL-3.0-or-later
// From the outbox of an archive to posts: what is in it is a stranger's, so it goes through the same hands as what comes from
// other servers, and its media through the same worker as uploads.
#include "ap/content.hpp"
#include "base/log.hpp"
#include "base/text/html/html.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"
#include "social/media/processing.hpp"
#include "social/media/store_files.hpp"
#include "social/statuses/remote/imported.hpp"
#include "social/transfer/outbox_items.hpp"
#include "social/transfer/post_import.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace transfer {

namespace fs = std::filesystem;

using base::StatusId;

namespace {

constexpr std::uint64_t most_outbox = std::uint64_t{1} << 30, most_file = std::uint64_t{512} << 20,
                        most_actor = 1 << 20;
constexpr std::size_t posts_at_once = 8, most_media = 4;
constexpr std::chrono::seconds turn_lasts{20};
constexpr std::int64_t encoding_seconds = 3600, most_attempts = 3, unpacked_at_least = 64 << 20;

struct Found {
    media::Media media;
    std::string problem;
};

// An item of the outbox on its way to a post.
struct Item {
    std::string uri, problem;  // problem: what failed of it, be it that it became a post
    bool is_post = false;      // and not a boost, or known already
    bool here_only = false;
    std::string in_reply_to;
    statuses::ImportedPost post;
    std::vector<media::Media> media;
};

std::string link_to(const std::string& address) {
    const auto shown = base::text::escape(address);
    return "<p>↩ <a href=\"" + shown + "\">" + shown + "</a></p>";
}

statuses::RemotePoll ended_poll(const ap::Poll& poll, base::Time now) {
    statuses::RemotePoll out;
    out.multiple = poll.multiple;
    for (const auto& option : poll.options) out.options.push_back({option.name, option.votes});
    out.expires_at = poll.ends ? std::min(*poll.ends, now) : now;
    out.voters_count = poll.voters;
    return out;
}

class Run {
public:
    Run(const Importing& importing, const PostImport& import)
        : importing_(importing),
          import_(import),
          file_(importing.store.files().find(import.file).value_or("")),
          archive_(file_) {
        const auto folder = archive_.folder_of("outbox.json");
        if (!folder) throw base::Invalid("There is no outbox.json in the archive");
        folder_ = *folder;
        most_unpacked_ = unpacked_at_least + 4 * static_cast<std::int64_t>(fs::file_size(file_));
        if (auto actor = archive_.find(folder_ + "actor.json"))
            if (auto read = ap::read_json(archive_.text(*actor, most_actor))) {
                actor_ = (*read)["id"].id();
                followers_ = (*read)["followers"].id();
            }
        importing_.sessions.look([&](db::Read& db) { now_ = db.now(); });
    }

    // False: there is no more to do.
    bool some() {
        if (import_.total == 0) count();
        const auto until = std::chrono::steady_clock::now() + turn_lasts;
        auto items = outbox();
        for (std::int64_t passed = 0; passed < import_.done && items.pass(); ++passed) {}
        while (!importing_.ending() && std::chrono::steady_clock::now() < until) {
            std::vector<Item> some;
            while (some.size() < posts_at_once && !importing_.ending()) {
                auto text = items.next();
                if (!text) break;
                some.push_back(item(*text));
                if (!some.back().media.empty()) break;  // that took its time
            }
            if (some.empty()) return importing_.ending();
            store(some);
            coming_.clear();
        }
        return true;
    }

private:
    OutboxItems outbox() const {
        return OutboxItems(archive_.open(*archive_.find(folder_ + "outbox.json"), most_outbox));
    }

    void count() {
        auto items = outbox();
        std::int64_t total = 0;
        while (items.pass())
            if (++total > most_posts) throw base::Invalid("The archive has more than 100,000 posts");
        change("count_imported", [&](db::Write& db) { note_total(db, import_, total); });
    }

    template <class F>
    void change(const char* name, F&& f) const {
        importing_.sessions.change(name, [&](db::Write& db) { f(db); });
    }

    // ---- reading ----

    Item item(const std::string& text) {
        Item out;
        auto activity =
            text.empty() ? ap::Reading<ap::Document>(ap::Refusal::too_large) : ap::read_json(text);
        if (!activity) return out.problem = "It is no post that can be read", out;
        const auto node = activity->node();
        if (!node.is("Create")) return out;
        const auto object = ap::read_object(activity->at(node["object"]), now_, node["actor"].id());
        if (!object) {
            out.uri = node["object"].id();
            out.problem = "It is no post that can be read";
            return out;
        }
        out.uri = object->id;
        if (!actor_.empty() && object->attributed_to != actor_)
            return out.problem = "It was written by somebody else", out;
        out.is_post = !object->is_vote() && !coming_.contains(out.uri) && !known(out.uri);
        if (!out.is_post) return out;
        read(out, *object, node);
        coming_.insert(out.uri);
        return out;
    }

    bool known(const std::string& uri) const {
        bool found = false;
        importing_.sessions.look([&](db::Read& db) {
            found = imported_before(db, import_.account_id, uri) || own(db, uri);
        });
        return found;
    }
    std::optional<StatusId> own(db::Read& db, const std::string& uri) const {
        const auto id = statuses::find_by_uri(db, uri);
        const auto status = id ? statuses::find_status(db, *id) : std::nullopt;
        return status && status->account_id == import_.account_id ? id : std::nullopt;
    }

    void read(Item& out, const ap::Object& object, ap::Node activity) {
        auto& post = out.post;
        const auto node = activity["object"];
        post.author = import_.account_id;
        post.uri = object.id;
        post.spoiler_text = ap::warning(object);
        post.sensitive = object.sensitive || !post.spoiler_text.empty();
        if (!object.language.empty()) post.language = object.language;
        post.visibility = static_cast<statuses::Visibility>(
            ap::visibility_of(object, ap::read_audience(activity), followers_)
        );
        post.published = object.published.value_or(now_);
        post.updated = object.updated;
        for (const auto& tag : object.tags.hashtags) post.tags.push_back(tag.name);
        if (object.poll) post.poll = ended_poll(*object.poll, now_);
        out.here_only = node["localOnly"].flag();
        out.in_reply_to = object.in_reply_to;
        auto html = ap::content_html(object);
        if (!out.in_reply_to.empty() && !has_parent(out.in_reply_to)) {
            html = link_to(out.in_reply_to) + html;
            out.in_reply_to.clear();
        }
        post.html = statuses::RemoteHtml(html);
        const auto type = node["source"]["mediaType"].text();
        const bool ours = type == "text/plain" || type == "text/markdown";
        post.text = ours ? node["source"]["content"].text() : base::text::plain_text(post.html.harmless());
        if (ours) post.content_type = type;
        for (auto attachment : node["attachment"].each(most_media)) take(out, attachment);
    }

    // What they answered, where that is a post of theirs and here: brought along before, or about to be.
    bool has_parent(const std::string& uri) const { return coming_.contains(uri) || known(uri); }

    // ---- media ----

    void take(Item& out, ap::Node attachment) {
        auto found = medium(attachment);
        if (!found.problem.empty()) return void(out.problem = found.problem);
        auto alone = [](const media::Media& m) {
            return m.type == media::Type::video || m.type == media::Type::audio;
        };
        if (!out.media.empty() && (alone(found.media) || alone(out.media[0])))
            return void(out.problem = "A file of it is of a kind that is not taken");
        out.media.push_back(std::move(found.media));
    }

    Found medium(ap::Node attachment) {
        auto number = file_of(attachment["url"].text(4096));
        if (!number) return {{}, "A file of it is not in the archive"};
        media::WorkFolder work(importing_.store.folder());
        const auto file = work.path / "file";
        auto problem = unpack(*number, file);
        if (!problem.empty()) return {{}, problem};
        auto stored = made_of(file);
        if (!stored) return {{}, "A file of it is of a kind that is not taken"};
        media::Media out;
        out.account_id = import_.account_id;
        media::take_over(out, *stored);
        auto description = attachment["name"].text(media::max_description);
        if (!description.empty()) out.description = media::checked_description(description);
        const auto focus = attachment["focalPoint"].each(3);
        if (focus.size() == 2)
            if (auto x = focus[0].number(), y = focus[1].number(); x && y)
                out.focus_x = std::clamp(*x, -1.0, 1.0), out.focus_y = std::clamp(*y, -1.0, 1.0);
        return {out, ""};
    }

    // Media cannot be pressed much: an archive that unpacks to many times its size was made to fill the disk, be it from one
    // picture that all posts show.
    std::string unpack(ZipReader::Number number, const fs::path& file) {
        std::string problem;
        try {
            archive_.unpack(number, file, most_file);
        } catch (const base::Invalid& e) {
            problem = e.what();
        }
        std::error_code none;
        if (const auto bytes = fs::file_size(file, none); !none)
            import_.unpacked += static_cast<std::int64_t>(bytes);
        if (import_.unpacked > most_unpacked_) throw base::Invalid("The archive is damaged");
        return problem;
    }

    // Mastodon's addresses may begin with a slash, or with a folder of its store.
    std::optional<ZipReader::Number> file_of(const std::string& url) const {
        const auto name = url.substr(std::min(url.find_first_not_of('/'), url.size()));
        if (auto found = name.empty() ? std::nullopt : archive_.find(folder_ + name)) return found;
        const auto at = url.find("media_attachments/");
        return at == url.npos ? std::nullopt : archive_.find(folder_ + url.substr(at));
    }

    std::optional<media::Stored> made_of(const fs::path& file) const {
        auto taken = importing_.store.take({file.string()});
        if (auto* stored = std::get_if<media::Stored>(&taken)) return *stored;
        auto* waiting = std::get_if<media::Waiting>(&taken);
        if (!waiting) return std::nullopt;
        change("keep_post_import", [&](db::Write& db) { still_mine(db, import_, encoding_seconds); });
        auto made = importing_.store.encode(waiting->source);
        importing_.store.forget(waiting->source);
        auto* stored = std::get_if<media::Stored>(&made);
        return stored ? std::optional(*stored) : std::nullopt;
    }

    // ---- storing ----

    // Together, or one by one where that fails.
    void store(std::vector<Item>& some) {
        std::span left(some);
        try {
            while (!left.empty()) left = left.subspan(store_first(left));
        } catch (const base::Unavailable&) {
            throw;
        } catch (const base::Error&) {
            for (auto& one : left) {
                try {
                    store_first({&one, 1});
                } catch (const base::Unavailable&) {
                    throw;
                } catch (const base::Error& refused) {
                    one.is_post = false;
                    one.problem = refused.what();
                    store_first({&one, 1});
                }
            }
        }
    }
    // As many as the writer has time for; how many those were.
    std::size_t store_first(std::span<const Item> some) {
        Progress more;
        change("import_posts", [&](db::Write& db) {
            more = {};
            const jobs::Turn turn;
            for (const auto& one : some) {
                more.posts += one.is_post && put(db, one);
                if (!one.problem.empty())
                    note_failure(db, import_, import_.failed + more.failed++, {one.uri, one.problem});
                ++more.done;
                if (turn.over()) break;
            }
            if (!note_progress(db, import_, more)) throw Interrupted();
        });
        import_.done += more.done;
        import_.failed += more.failed;
        return static_cast<std::size_t>(more.done);
    }
    bool put(db::Write& db, const Item& one) const {
        if (imported_before(db, import_.account_id, one.uri)) return false;
        auto post = one.post;
        if (!one.in_reply_to.empty()) {
            auto id = imported_before(db, import_.account_id, one.in_reply_to);
            if (!id) id = own(db, one.in_reply_to);
            if (id) post.in_reply_to = *id;
        }
        for (const auto& m : one.media) post.media.push_back(media::create(db, m));
        const auto id = statuses::bring_along(db, post);
        note_imported(db, import_, id, one.uri, one.here_only);
        return true;
    }

    const Importing& importing_;
    PostImport import_;
    const fs::path file_;
    ZipReader archive_;
    std::string folder_, actor_, followers_;
    std::int64_t most_unpacked_ = 0;
    std::set<std::string> coming_;  // read, and not stored yet
    base::Time now_;
};

// What a turn comes to. True: there is more.
bool turn(const Importing& importing, const PostImport& import) {
    auto change = [&](const char* name, auto&& f) {
        importing.sessions.change(name, [&](db::Write& db) { f(db); });
    };
    auto end = [&](PostImportState state, const std::string& problem) {
        change("end_post_import", [&](db::Write& db) { end_post_import(db, import, state, problem); });
        return false;
    };
    bool allowed = false;
    importing.sessions.look([&](db::Read& db) { allowed = accounts::may_write(db, import.account_id); });
    if (!allowed) return end(PostImportState::stopped, "");
    try {
        if (!Run(importing, import).some()) return end(PostImportState::ended, "");
        change("give_back_post_import", [&](db::Write& db) { give_back(db, import, 0, false); });
        return true;
    } catch (const Interrupted&) {
        return false;
    } catch (const base::Invalid& refused) {
        return end(PostImportState::stopped, refused.what());
    } catch (const base::Unavailable&) {
        change("give_back_post_import", [&](db::Write& db) { give_back(db, import, 30, false); });
        throw;
    } catch (const std::exception& e) {
        base::log_warning(
            "posts wait to be brought along",
            {{"import", std::to_string(import.id.value)}, {"cause", e.what()}}
        );
        if (import.attempts >= most_attempts) return end(PostImportState::stopped, "The archive is damaged");
        change("give_back_post_import", [&](db::Write& db) { give_back(db, import, 30, true); });
        return true;
    }
}

}  // namespace

jobs::Idle import_some_posts(const Importing& importing) {
    std::optional<PostImport> import;
    importing.sessions.change("lease_post_import", [&](db::Write& db) { import = lease_post_import(db); });
    if (!import) return jobs::WorkSignal::longest;
    turn(importing, *import);
    return std::nullopt;
}

bool import_some_posts_of(const Importing& importing, PostImportId id) {
    std::optional<PostImport> import;
    importing.sessions.change("lease_post_import", [&](db::Write& db) {
        import = lease_post_import(db, id);
    });
    return import && turn(importing, *import);
}

}  // namespace transfer
