// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/feed.hpp"

#include "social/statuses/core/kinds.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/remote/backfilled.hpp"
#include "social/tags/tag.hpp"

#include <algorithm>
#include <utility>

namespace timelines {

// The newest statuses of an account, of all kinds: the most frequent request.
const db::Query<StatusId> account_statuses_down{
    "account_statuses_down",
    "SELECT id FROM statuses WHERE account_id = $1 AND id > $2 AND id < $3 AND deleted_at IS NULL "
    "ORDER BY id DESC LIMIT $4"
};
const db::Query<StatusId> account_statuses_up{
    "account_statuses_up",
    "SELECT id FROM statuses WHERE account_id = $1 AND id > $2 AND id < $3 AND deleted_at IS NULL "
    "ORDER BY id LIMIT $4"
};

// Only some kinds ($4); for each at most as many as the page needs: $5 is the limit minus one.
#define OF_KIND(S, K) S "account_id = $1 AND " STATUS_KIND(S) " = " K " AND " S "deleted_at IS NULL "
#define KINDS_SQLITE(NEAR_END, FAR_END, ORDER)                                                     \
    "SELECT s.id FROM json_each($4) k CROSS JOIN statuses s ON " OF_KIND("s.", "k.value") NEAR_END \
        "COALESCE((SELECT y.id FROM statuses y WHERE " OF_KIND(                                    \
            "y.", "k.value"                                                                        \
        ) "AND y.id > $2 AND y.id "                                                                \
          "< $3 " ORDER " LIMIT 1 OFFSET $5), " FAR_END ") "
#define KINDS_POSTGRES(ORDER)                                                                        \
    "SELECT s.id FROM unnest($4::bigint[]) k(kind) CROSS JOIN LATERAL (SELECT y.id FROM statuses y " \
    "WHERE " OF_KIND("y.", "k.kind") "AND y.id > $2 AND y.id < $3 " ORDER " LIMIT $5 + 1) s "

const db::Query<StatusId> account_statuses_of_kinds_down{
    "account_statuses_of_kinds_down",
    KINDS_SQLITE(
        "AND s.id < $3 AND s.id >= ", "$2 + 1", "ORDER BY y.id DESC"
    ) "ORDER BY s.id DESC LIMIT $5 + 1",
    KINDS_POSTGRES("ORDER BY y.id DESC") "ORDER BY s.id DESC LIMIT $5 + 1"
};
const db::Query<StatusId> account_statuses_of_kinds_up{
    "account_statuses_of_kinds_up",
    KINDS_SQLITE("AND s.id > $2 AND s.id <= ", "$3 - 1", "ORDER BY y.id") "ORDER BY s.id LIMIT $5 + 1",
    KINDS_POSTGRES("ORDER BY y.id") "ORDER BY s.id LIMIT $5 + 1"
};

// With a tag ($6), by reach ($4); other conditions are checked afterwards.
#define OF_TAG(X, R) X "account_id = $1 AND " X "tag_id = $6 AND " X "reach = " R " "
#define TAGGED_SQLITE(NEAR_END, FAR_END, ORDER)                                                          \
    "SELECT x.status_id AS id FROM json_each($4) r CROSS JOIN status_tags x ON " OF_TAG("x.", "r.value") \
        NEAR_END "COALESCE((SELECT y.status_id FROM status_tags y WHERE " OF_TAG(                        \
            "y.", "r.value"                                                                              \
        ) "AND y.status_id > $2 AND y.status_id < $3 " ORDER " LIMIT 1 OFFSET $5), " FAR_END ") "
#define TAGGED_POSTGRES(ORDER)                                                         \
    "SELECT x.status_id AS id FROM unnest($4::bigint[]) r(reach) CROSS JOIN LATERAL (" \
    "SELECT y.status_id FROM status_tags y WHERE " OF_TAG(                             \
        "y.", "r.reach"                                                                \
    ) "AND y.status_id > $2 AND y.status_id < $3 " ORDER " LIMIT $5 + 1) x "

const db::Query<StatusId> account_statuses_tagged_down{
    "account_statuses_tagged_down",
    TAGGED_SQLITE(
        "AND x.status_id < $3 AND x.status_id >= ", "$2 + 1", "ORDER BY y.status_id DESC"
    ) "ORDER BY x.status_id DESC LIMIT $5 + 1",
    TAGGED_POSTGRES("ORDER BY y.status_id DESC") "ORDER BY x.status_id DESC LIMIT $5 + 1"
};
const db::Query<StatusId> account_statuses_tagged_up{
    "account_statuses_tagged_up",
    TAGGED_SQLITE(
        "AND x.status_id > $2 AND x.status_id <= ", "$3 - 1", "ORDER BY y.status_id"
    ) "ORDER BY x.status_id LIMIT $5 + 1",
    TAGGED_POSTGRES("ORDER BY y.status_id") "ORDER BY x.status_id LIMIT $5 + 1"
};
const db::Query<StatusId> statuses_of_kinds_among{
    "statuses_of_kinds_among",
    "SELECT s.id FROM json_each($1) j CROSS JOIN statuses s ON s.id = j.value "
    "WHERE s.deleted_at IS NULL AND " STATUS_KIND("s.") " IN (SELECT value FROM json_each($2))",
    "SELECT s.id FROM statuses s WHERE s.id = ANY($1::bigint[]) AND s.deleted_at IS NULL "
    "AND " STATUS_KIND("s.") " = ANY($2::bigint[])"
};

// status_tags belongs to statuses.
const db::Query<StatusId> statuses_tagged_among{
    "statuses_tagged_among",
    "SELECT status_id AS id FROM status_tags WHERE tag_id = $1 AND status_id IN LIST($2)"
};

// What is not for everybody and names the viewer ($4); $5 a tag or 0. mentions belongs to statuses.
#define NAMING_VIEWER                                                                                    \
    "SELECT m.status_id AS id FROM mentions m JOIN statuses s ON s.id = m.status_id "                    \
    "WHERE m.account_id = $4 AND m.author_id = $1 AND m.status_id > $2 AND m.status_id < $3 "            \
    "AND s.deleted_at IS NULL AND (CAST($5 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM status_tags x WHERE " \
    "x.tag_id = $5 AND x.status_id = s.id)) AND " STATUS_KIND("s.")

const db::Query<StatusId> account_statuses_naming_down{
    "account_statuses_naming_down", NAMING_VIEWER " IN LIST($6) ORDER BY m.status_id DESC LIMIT $7"
};
const db::Query<StatusId> account_statuses_naming_up{
    "account_statuses_naming_up", NAMING_VIEWER " IN LIST($6) ORDER BY m.status_id LIMIT $7"
};

namespace {

using statuses::Form, statuses::Reach;
using Reaches = std::vector<Reach>;

// Which statuses of an account a viewer may always read, and which only if they are mentioned.
struct Readable {
    Reaches always, if_named;
};

Readable readable(const Audience& audience, base::AccountId of, const AccountFilter& filter) {
    Readable out;
    if (audience.anonymous()) {
        out.always = {Reach::everybody};
    } else if (audience.viewer == of) {
        out.always = {Reach::everybody, Reach::this_site, Reach::followers, Reach::named};
    } else if (audience.relations->follows(of)) {
        out.always = {Reach::everybody, Reach::this_site, Reach::followers};
        out.if_named = {Reach::named};
    } else {
        out.always = {Reach::everybody, Reach::this_site};
        out.if_named = {Reach::followers, Reach::named};
    }
    if (filter.exclude_direct)
        for (auto* reaches : {&out.always, &out.if_named}) std::erase(*reaches, Reach::named);
    if (filter.exclude_local_only) std::erase(out.always, Reach::this_site);
    return out;
}

std::vector<statuses::Kind> kinds(const Reaches& reaches, const AccountFilter& filter, bool boosts) {
    std::vector<statuses::Kind> out;
    for (auto reach : reaches) {
        auto add = [&](Form form) { out.push_back(kind_of(reach, form)); };
        add(Form::media);
        if (!filter.only_media) add(Form::plain);
        if (!filter.exclude_replies) add(Form::reply_with_media);
        if (!filter.exclude_replies && !filter.only_media) add(Form::reply);
        if (boosts && !filter.exclude_reblogs && !filter.only_media) add(Form::boost);
    }
    return out;
}

class AccountFeed {
public:
    AccountFeed(
        db::Read& db, const Audience& audience, base::AccountId of, const AccountFilter& filter,
        base::TagId tag
    )
        : db_(db), viewer_(audience.viewer), of_(of), tag_(tag), without_replies_(filter.exclude_replies) {
        auto may = readable(audience, of, filter);
        kinds_ = kinds(may.always, filter, true);
        kinds_if_named_ = kinds(may.if_named, filter, false);
        for (auto reach : may.always) reaches_.push_back({static_cast<std::int64_t>(reach)});
        whatever_ = !tag && !filter.only_media && !filter.exclude_replies && !filter.exclude_reblogs &&
                    !filter.exclude_direct;
    }

    Batch operator()(const base::Range& range) {
        if (std::exchange(whatever_, false))
            return batch_of(
                db_.all(
                    range.ascending ? account_statuses_up : account_statuses_down,
                    of_,
                    range.above,
                    range.below,
                    range.limit
                ),
                range
            );
        auto ids = tag_ ? tagged(range) : of_kinds(range);
        auto naming = naming_viewer(range);
        ids.insert(ids.end(), naming.begin(), naming.end());
        std::ranges::sort(ids, {}, [&](StatusId id) { return range.ascending ? id.value : -id.value; });
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        if (ids.size() > static_cast<std::size_t>(range.limit))
            ids.resize(static_cast<std::size_t>(range.limit));
        auto batch = batch_of(std::move(ids), range);
        if (tag_ && !batch.ids.empty()) batch.ids = of_those_kinds(batch.ids);
        return batch;
    }

    // Of some of the account's, in their order.
    std::vector<StatusId> wanted_of(std::vector<StatusId> ids) const {
        if (whatever_ || ids.empty()) return ids;
        if (tag_) {
            auto tagged = db_.all(statuses_tagged_among, tag_, ids);
            std::erase_if(ids, [&](StatusId id) { return std::ranges::find(tagged, id) == tagged.end(); });
        }
        return of_those_kinds(ids);
    }

    // Answers to what is not known here stand among what answers nobody.
    bool wants(const VisibilityFacts& entry) const {
        return !without_replies_ || entry.in_reply_to_account_id != statuses::unknown_account;
    }

private:
    std::vector<StatusId> of_kinds(const base::Range& range) {
        const auto& sql = range.ascending ? account_statuses_of_kinds_up : account_statuses_of_kinds_down;
        return db_.all(sql, of_, range.above, range.below, kinds_, range.limit - 1);
    }

    std::vector<StatusId> tagged(const base::Range& range) {
        const auto& sql = range.ascending ? account_statuses_tagged_up : account_statuses_tagged_down;
        return db_.all(sql, of_, range.above, range.below, reaches_, range.limit - 1, tag_);
    }

    std::vector<StatusId> naming_viewer(const base::Range& range) {
        if (!viewer_ || kinds_if_named_.empty()) return {};
        const auto& sql = range.ascending ? account_statuses_naming_up : account_statuses_naming_down;
        return db_.all(sql, of_, range.above, range.below, viewer_, tag_, kinds_if_named_, range.limit);
    }

    std::vector<StatusId> of_those_kinds(const std::vector<StatusId>& ids) const {
        auto all = kinds_;
        all.insert(all.end(), kinds_if_named_.begin(), kinds_if_named_.end());
        auto these = db_.all(statuses_of_kinds_among, ids, all);
        std::vector<StatusId> out;
        for (auto id : ids)
            if (std::ranges::find(these, id) != these.end()) out.push_back(id);
        return out;
    }

    db::Read& db_;
    base::AccountId viewer_, of_;
    base::TagId tag_;
    std::vector<statuses::Kind> kinds_, kinds_if_named_;
    std::vector<base::Id<struct ReachTag>> reaches_;
    bool whatever_ = false, without_replies_;
};

}  // namespace

namespace {

// None where there is no tag by the name that is asked for, so that nothing has it.
std::optional<base::TagId> tag_of(db::Read& db, const AccountFilter& filter) {
    if (filter.tagged.empty()) return base::TagId{};
    auto found = tags::find_tag(db, filter.tagged);
    return found ? std::optional(found->id) : std::nullopt;
}

// Who is blocked sees nothing here, though a status that mentions them opens by its id.
bool blocked_by(base::AccountId of, const Audience& audience) {
    return audience.relations && audience.relations->blocked_by.contains(of);
}

}  // namespace

std::vector<VisibilityFacts> account_statuses(
    db::Read& db, const Audience& audience, base::AccountId of, const base::Range& range,
    const AccountFilter& filter
) {
    const auto tag = tag_of(db, filter);
    if (!tag || blocked_by(of, audience)) return {};
    AccountFeed feed(db, audience, of, filter, *tag);
    // One came here to see this account, muted or not; only what it boosts is subject to the viewer's relationships.
    return fill_by(db, audience, range, std::ref(feed), [&](std::vector<VisibilityFacts>& found) {
        std::erase_if(found, [&](const VisibilityFacts& f) {
            const bool boost_hidden =
                f.is_reblog() && (f.original_domain_hidden || audience.hides(f.original_account_id));
            const bool kept_here = filter.exclude_local_only && f.local_only;
            return boost_hidden || kept_here || !feed.wants(f) || !statuses::visible(f, audience);
        });
    });
}

namespace {

// Those between the bounds. Pins are in no order of ids: a bound that is one of them stands for its place.
std::vector<StatusId> in_range(const std::vector<StatusId>& pins, const base::Range& range) {
    auto first = std::ranges::find(pins, StatusId{range.below}),
         last = std::ranges::find(pins, StatusId{range.above});
    std::vector<StatusId> out;
    for (auto pin = pins.begin(); pin != pins.end(); ++pin) {
        const bool behind = first == pins.end() ? pin->value < range.below : pin > first;
        const bool before = last == pins.end() ? pin->value > range.above : pin < last;
        if (behind && before) out.push_back(*pin);
    }
    return out;
}

}  // namespace

std::vector<VisibilityFacts> pinned_statuses(
    db::Read& db, const Audience& audience, base::AccountId of, const base::Range& range,
    const AccountFilter& filter
) {
    const auto tag = tag_of(db, filter);
    if (!tag || blocked_by(of, audience)) return {};
    AccountFeed feed(db, audience, of, filter, *tag);
    auto pins = feed.wanted_of(in_range(statuses::pinned(db, of), range));
    auto found = statuses::visibility_facts(db, audience, pins);
    std::erase_if(found, [&](const VisibilityFacts& f) {
        return !feed.wants(f) || !statuses::visible(f, audience);
    });
    const auto limit = static_cast<std::size_t>(range.limit);
    if (found.size() <= limit) return found;
    if (range.ascending) found.erase(found.begin(), found.end() - range.limit);
    else found.resize(limit);
    return found;
}

}  // namespace timelines
