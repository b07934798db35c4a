// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/report_ap.hpp"

#include "ap/write.hpp"
#include "base/crypto.hpp"
#include "base/text/count.hpp"
#include "base/text/html/html.hpp"
#include "base/uris.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/collections/remote.hpp"
#include "social/former/former.hpp"
#include "social/instance/domain_block.hpp"
#include "social/statuses/documents/note_ap.hpp"
#include "social/statuses/remote/remote.hpp"

namespace moderation {

namespace {

struct Ever {
    StatusId id;
    AccountId account_id;
};
DESCRIBE(Ever, id, account_id)

}  // namespace

// statuses belongs to statuses.
const db::Query<Ever> local_status_ever{
    "local_status_ever", "SELECT id, account_id FROM statuses WHERE id = $1 AND local = TRUE"
};

namespace {

// A post of this site, also one that is deleted.
std::optional<Ever> find_ever(db::Read& db, std::string_view uri) {
    auto own = former::ours(db, uri);
    using enum base::uris::Kind;
    if (!own || (own->kind != status && own->kind != activity)) return std::nullopt;
    return db.maybe(local_status_ever, own->status());
}

constexpr std::size_t longest_remote_comment = 5000, most_objects = 200;

// Misskey names only the account, and writes the addresses of posts into the text.
std::vector<StatusId> named_in(db::Read& db, std::string_view text) {
    std::vector<StatusId> out;
    for (std::size_t met = 0, at = 0; met < most_objects && at < text.size(); ++met) {
        auto end = std::min(text.find_first_of(" \t\r\n", at), text.size());
        auto word = text.substr(at, end - at);
        at = std::max(end + 1, text.find_first_not_of(" \t\r\n", end));
        if (!base::uris::is_ours(db.site(), word)) continue;
        if (auto status = find_ever(db, word)) out.push_back(status->id);
    }
    return out;
}

std::vector<CollectionId> owned_by(db::Read& db, const std::vector<CollectionId>& ids, AccountId owner) {
    std::vector<CollectionId> out;
    for (const auto& c : collections::collections(db, ids))
        if (c.account_id == owner) out.push_back(c.id);
    return out;
}

}  // namespace

std::optional<Flagged> flagged(db::Read& db, const ap::Incoming& in) {
    auto reporter = accounts::account(db, in.actor);
    if (instance::limit_on(db, reporter.domain).reject_reports) return std::nullopt;
    Flagged out{in.actor, {}};
    auto& complaint = out.complaint;
    AccountId author;
    for (std::size_t i = 0; i < in.activity.objects.size() && i < most_objects; ++i) {
        const auto& id = in.activity.objects[i].id;
        if (!base::uris::is_ours(db.site(), id)) continue;
        if (auto account = accounts::find_by_uri(db, id)) {
            if (!complaint.target) complaint.target = *account;
        } else if (auto status = find_ever(db, id)) {
            complaint.statuses.push_back(status->id);
            if (!author) author = status->account_id;
        } else if (auto collection = collections::find_by_uri(db, id)) {
            complaint.collections.push_back(*collection);
        }
    }
    if (!complaint.target) complaint.target = author;
    if (!complaint.target) return std::nullopt;
    complaint.collections = owned_by(db, complaint.collections, complaint.target);
    auto text = base::text::plain_text(in.activity.content);
    if (complaint.statuses.empty()) complaint.statuses = named_in(db, text);
    complaint.statuses = visible_to_server(db, complaint.statuses, complaint.target, reporter.domain);
    complaint.comment = base::text::first_graphemes(text, longest_remote_comment);
    return out;
}

std::string flag_activity(
    db::Read& db, const accounts::Account& target, const std::string& comment,
    const std::vector<StatusId>& ids, const std::vector<CollectionId>& reported_collections
) {
    const auto& site = db.site();
    std::vector<std::string> accused{accounts::uri_of(site, target)};
    auto uris = statuses::uris_of(db, ids);
    for (auto id : ids)
        if (auto uri = uris.find(id); uri != uris.end()) accused.push_back(uri->second);
    for (const auto& c : collections::collections(db, reported_collections))
        accused.push_back(collections::uri_of(site, c));
    auto id = base::uris::payload(site, base::hex(base::random_bytes(16)));
    auto actor = base::uris::actor(site, base::uris::server_actor);
    return ap::write::document(ap::write::flag(id, actor, comment, accused));
}

bool take_flag(db::Write& db, const Flagged& flag) {
    if (reports_today(db, flag.reporter) >= most_reports_a_day) return true;
    report(db, statuses::audience(db, flag.reporter), flag.complaint);
    return true;
}

}  // namespace moderation
