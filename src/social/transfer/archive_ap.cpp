// SPDX-License-Identifier: AGPL-3.0-or-later
// What stands in an archive: the actor, what they published and what they like as ActivityPub has it, with the addresses of
// files as they are called in the zip; and the files of CSV.
#include "ap/write.hpp"
#include "base/json_read.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/filters/filter.hpp"
#include "social/media/store_files.hpp"
#include "social/statuses/documents/note_ap.hpp"
#include "social/statuses/interactions/status_lists.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/lines.hpp"

#include <boost/json/serialize.hpp>

#include <fstream>

namespace transfer {

namespace fs = std::filesystem;
namespace json = boost::json;
namespace write = ap::write;

using base::StatusId;

namespace {

constexpr int posts_at_once = 100, uris_at_once = 500;
constexpr auto terms = write::of_statuses | write::of_emojis | write::of_hashtags | write::of_media |
                       write::of_polls | write::of_quotes;

struct Own {
    StatusId id;
    bool local_only = false;
    std::string content_type, text;
};
DESCRIBE(Own, id, local_only, content_type, text)

struct Head {
    write::SpreadRaw contexts;
    std::string id, type = "OrderedCollection";
};
DESCRIBE(Head, contexts, id, type)

struct KeywordAttributes {
    std::string keyword;
    bool whole_word = true;
};
DESCRIBE(KeywordAttributes, keyword, whole_word)
struct TakenFilter {
    std::string title;
    std::optional<base::Time> expires_at;
    base::json::Raw context;
    filters::Action action = filters::Action::warn;
    std::vector<KeywordAttributes> keywords_attributes;
    std::vector<std::string> statuses;
};
DESCRIBE(TakenFilter, title, expires_at, context, action, keywords_attributes, statuses)
struct TakenFilters {
    std::vector<TakenFilter> custom_filters;
};
DESCRIBE(TakenFilters, custom_filters)

}  // namespace

const db::Query<Own> statuses_to_export{
    "statuses_to_export",
    R"(SELECT id, local_only, content_type, text FROM statuses
       WHERE account_id = $1 AND id > $2 AND deleted_at IS NULL
         AND (id > $3 OR EXISTS (SELECT 1 FROM imported_posts i WHERE i.status_id = statuses.id))
       ORDER BY id LIMIT $4)"
};

namespace {

// A collection written as its items come: what of it is in memory is one page.
class Collection {
public:
    Collection(const fs::path& file, const std::string& name) : out_(file, std::ios::binary) {
        out_.exceptions(std::ios::badbit | std::ios::failbit);
        auto head = base::json::to_string(Head{write::context(terms), name});
        head.pop_back();
        out_ << head << ",\"orderedItems\":[";
    }
    void add(std::string_view item) { out_ << (count_++ == 0 ? "\n" : ",\n") << item; }
    void end() {
        out_ << "\n],\"totalItems\":" << count_ << "}\n";
        out_.close();
    }
    std::int64_t count() const { return count_; }

private:
    std::ofstream out_;
    std::int64_t count_ = 0;
};

class Maker {
public:
    Maker(const jobs::Sessions& sessions, const ArchiveOrder& order)
        : sessions_(sessions), order_(order), work_(order.store.folder()), zip_(work_.path / "archive.zip") {
        sessions_.look([&](db::Read& db) {
            base_ = db.site().media("");
            account_ = accounts::account(db, order_.account);
        });
    }
    fs::path make() {
        actor();
        outbox();
        addresses("likes.json", statuses::favourites);
        addresses("bookmarks.json", statuses::bookmarks);
        filters();
        for (auto kind :
             {Kind::following,
              Kind::lists,
              Kind::muting,
              Kind::blocking,
              Kind::domain_blocking,
              Kind::bookmarks})
            text(file_name(kind), [&](db::Read& db) { return export_csv(db, order_.account, kind); });
        zip_.write([this] { return order_.goes_on(posts_); });
        return work_.path / "archive.zip";
    }

private:
    void go_on() const {
        if (!order_.goes_on(posts_)) throw Interrupted();
    }
    template <class F>
    auto look(F&& f) const {
        std::optional<std::invoke_result_t<F, db::Read&>> out;
        sessions_.look([&](db::Read& db) { out.emplace(f(db)); });
        return *std::move(out);
    }
    template <class F>
    void text(const std::string& name, F&& f) {
        go_on();
        std::ofstream out(work_.path / name, std::ios::binary);
        out.exceptions(std::ios::badbit | std::ios::failbit);
        out << look(f);
        out.close();
        zip_.add(name, work_.path / name, true);
    }

    // Under a name of its own as long as the archive is made, so that it may be deleted meanwhile. False: it is gone.
    bool take(const std::string& file, const std::string& name) {
        const auto here = work_.path / ("file" + std::to_string(files_++));
        const auto there = order_.store.files().find(file);
        if (!there) return false;
        std::error_code error;
        fs::create_hard_link(*there, here, error);
        if (error == std::errc::no_such_file_or_directory) return false;
        if (error) fs::copy_file(*there, here);
        zip_.add(name, here, false);
        return true;
    }
    std::string taken_picture(const std::string& file, const std::string& name) {
        auto called = name + fs::path(file).extension().string();
        return !file.empty() && take(file, called) ? called : "";
    }

    void actor() {
        const auto avatar = taken_picture(account_.avatar, "avatar");
        const auto header = taken_picture(account_.header, "header");
        text("actor.json", [&](db::Read& db) {
            auto document = base::json::parse(federation::actor_document(db, account_));
            auto& actor = document.as_object();
            auto point_to = [&](const char* member, const std::string& name) {
                if (auto* image = actor.if_contains(member); image && image->is_object() && !name.empty())
                    image->as_object()["url"] = name;
            };
            point_to("icon", avatar);
            point_to("image", header);
            actor["outbox"] = "outbox.json";
            actor["likes"] = "likes.json";
            actor["bookmarks"] = "bookmarks.json";
            return json::serialize(document);
        });
    }

    void outbox() {
        Collection out(work_.path / "outbox.json", "outbox.json");
        for (base::StatusId after;;) {
            go_on();
            std::vector<Own> page;
            std::vector<statuses::Publication> found;
            sessions_.look([&](db::Read& db) {
                page = db.all(statuses_to_export, order_.account, after, order_.after, posts_at_once);
                std::vector<StatusId> ids;
                for (const auto& own : page) ids.push_back(own.id);
                found = statuses::to_publications(db, ids);
            });
            for (auto& one : found) {
                const auto own = std::ranges::find(page, one.id, &Own::id);
                out.add(taken(base::json::parse(write::embedded(std::move(one.activity)).text), *own));
            }
            posts_ = out.count();
            if (page.size() < posts_at_once) break;
            after = page.back().id;
        }
        out.end();
        zip_.add("outbox.json", work_.path / "outbox.json", true);
    }

    // With its files beside it, and what nobody else is told.
    std::string taken(json::value activity, const Own& own) {
        auto* object = activity.as_object().if_contains("object");
        if (!object || !object->is_object()) return json::serialize(activity);
        auto& note = object->as_object();
        if (own.local_only) note["localOnly"] = true;
        if (!own.text.empty()) note["source"] = {{"content", own.text}, {"mediaType", own.content_type}};
        if (auto* all = note.if_contains("attachment"); all && all->is_array())
            for (auto& attachment : all->as_array()) take_along(attachment.as_object());
        return json::serialize(activity);
    }
    void take_along(json::object& attachment) {
        attachment.erase("icon");
        const auto url = std::string(attachment["url"].as_string());
        if (!url.starts_with(base_) || url.size() == base_.size()) return;
        const auto file = url.substr(base_.size());
        const auto name = "media_attachments/files/" + file;
        if (take(file, name)) attachment["url"] = name;
    }

    using Page = std::vector<statuses::ListedStatus> (*)(db::Read&, AccountId, const base::Range&);
    void addresses(const std::string& name, Page page_of) {
        Collection out(work_.path / name, name);
        base::Range range;
        range.limit = uris_at_once;
        for (bool more = true; more;) {
            go_on();
            sessions_.look([&](db::Read& db) {
                const auto page = page_of(db, order_.account, range);
                std::vector<StatusId> ids;
                for (const auto& listed : page) ids.push_back(listed.status);
                auto uris = statuses::uris_of(db, ids);
                for (auto id : ids)
                    if (auto uri = uris.find(id); uri != uris.end())
                        out.add(base::json::to_string(uri->second));
                more = std::ssize(page) == range.limit;
                if (more) range.below = page.back().cursor;
            });
        }
        out.end();
        zip_.add(name, work_.path / name, true);
    }

    void filters() {
        text("filters.json", [&](db::Read& db) {
            TakenFilters out;
            const auto keywords = filters::keywords_of(db, order_.account);
            const auto named = filters::statuses_of(db, order_.account);
            for (const auto& filter : filters::filters_of(db, order_.account)) {
                TakenFilter taken{filter.title, filter.expires_at, {filter.context}, filter.filter_action};
                for (const auto& one : keywords)
                    if (one.filter_id == filter.id)
                        taken.keywords_attributes.push_back({one.keyword, one.whole_word});
                std::vector<StatusId> ids;
                for (const auto& one : named)
                    if (one.filter_id == filter.id) ids.push_back(one.status_id);
                for (const auto& [id, uri] : statuses::uris_of(db, ids)) taken.statuses.push_back(uri);
                out.custom_filters.push_back(std::move(taken));
            }
            return base::json::to_string(out);
        });
    }

    const jobs::Sessions& sessions_;
    const ArchiveOrder& order_;
    media::WorkFolder work_;  // ends after the zip that reads what is in it
    ZipWriter zip_;
    std::string base_;
    accounts::Account account_;
    std::int64_t posts_ = 0, files_ = 0;
};

}  // namespace

void make_archive(const jobs::Sessions& sessions, const ArchiveOrder& order) {
    Maker maker(sessions, order);
    const auto made = maker.make();
    fs::create_directories(order.to.parent_path());
    std::error_code elsewhere;
    media::sync(made);
    fs::rename(made, order.to, elsewhere);
    if (!elsewhere) return media::sync(order.to.parent_path());
    auto part = order.to;  // on another file system
    part += ".part";
    fs::copy_file(made, part, fs::copy_options::overwrite_existing);
    media::sync(part);
    fs::rename(part, order.to);
    media::sync(order.to.parent_path());
}

}  // namespace transfer
