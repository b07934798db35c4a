// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/network.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"

#include <algorithm>
#include <memory>

namespace accounts {

#define IP_BLOCKS "SELECT id, ip, severity, comment, created_at, expires_at FROM ip_blocks "

const db::Query<IpBlock> ip_blocks_down{
    "ip_blocks_down", IP_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<IpBlock> ip_blocks_up{
    "ip_blocks_up", IP_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<IpBlock> ip_block_by_id{"ip_block_by_id", IP_BLOCKS "WHERE id = $1"};

std::vector<IpBlock> ip_blocks(db::Read& db, const base::Range& r) {
    auto found = db.all(r.ascending ? ip_blocks_up : ip_blocks_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

IpBlock ip_block(db::Read& db, IpBlockId id) { return db.one(ip_block_by_id, id); }

const db::Command insert_ip_block{
    "insert_ip_block",
    R"(INSERT INTO ip_blocks (id, ip, first, last, severity, comment, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (ip) DO NOTHING)"
};
const db::Command update_ip_block{
    "update_ip_block",
    R"(UPDATE ip_blocks SET ip = $2, first = $3, last = $4, severity = $5, comment = $6, expires_at = $7
       WHERE id = $1)"
};
const db::Query<IpBlockId> ip_block_by_ip{"ip_block_by_ip", "SELECT id FROM ip_blocks WHERE ip = $1"};
const db::Command delete_ip_block{"delete_ip_block", "DELETE FROM ip_blocks WHERE id = $1"};
const db::Command delete_old_ip_blocks{
    "delete_old_ip_blocks", "DELETE FROM ip_blocks WHERE expires_at IS NOT NULL AND expires_at < $1"
};

namespace {

// Staff cannot block themselves, nor the server's own machine.
base::Network checked(const std::string& ip, IpSeverity severity, std::string_view own) {
    auto network = base::parse_network(ip);
    if (!network) throw base::Invalid("Validation failed: Ip is not a valid IP address");
    if (severity != IpSeverity::no_access) return *network;
    for (auto address : {own, std::string_view("127.0.0.1"), std::string_view("::1")})
        if (auto digits = base::address_digits(address); !digits.empty() && network->holds(digits))
            throw base::Invalid("Validation failed: Ip must not be your own or that of this server");
    return *network;
}

std::optional<Time> end_of(db::Read& db, const std::optional<std::int64_t>& seconds) {
    constexpr std::int64_t longest = std::int64_t{100} * 365 * 86'400;
    if (!seconds) return std::nullopt;
    return db.now().plus_seconds(std::clamp<std::int64_t>(*seconds, -longest, longest));
}

}  // namespace

IpBlockId block_ip(db::Write& db, const IpBlockForm& form, std::string_view own) {
    if (!form.ip || form.ip->empty()) throw base::Invalid("Validation failed: Ip can't be blank");
    if (!form.severity) throw base::Invalid("Validation failed: Severity can't be blank");
    auto network = checked(*form.ip, *form.severity, own);
    auto id = db.new_id<IpBlockId>();
    auto made = db.run(
        insert_ip_block,
        id,
        network.text,
        network.first,
        network.last,
        *form.severity,
        form.comment.value_or(""),
        end_of(db, form.expires_in.value_or(std::nullopt)),
        db.now()
    );
    if (made == 0) throw base::Invalid("Validation failed: Ip has already been taken");
    return id;
}

void change_ip_block(db::Write& db, IpBlockId id, const IpBlockForm& form, std::string_view own) {
    auto before = ip_block(db, id);
    auto severity = form.severity.value_or(before.severity);
    auto network = checked(form.ip.value_or(before.ip), severity, own);
    if (db.maybe(ip_block_by_ip, network.text).value_or(id) != id)
        throw base::Invalid("Validation failed: Ip has already been taken");
    db.run(
        update_ip_block,
        id,
        network.text,
        network.first,
        network.last,
        severity,
        form.comment.value_or(before.comment),
        form.expires_in ? end_of(db, *form.expires_in) : before.expires_at
    );
}

void unblock_ip(db::Write& db, IpBlockId id) {
    if (db.run(delete_ip_block, id) == 0) throw base::NotFound();
}

void purge_ip_blocks(db::Write& db) { db.run(delete_old_ip_blocks, db.now()); }

namespace {

struct Barrier {
    std::string first, last;
    IpSeverity severity = IpSeverity::no_access;
    std::optional<Time> expires_at;
};
DESCRIBE(Barrier, first, last, severity, expires_at)

}  // namespace

const db::Query<Barrier> all_barriers{
    "all_barriers", "SELECT first, last, severity, expires_at FROM ip_blocks"
};

std::optional<IpSeverity> severity_for(db::Read& db, std::string_view address) {
    // A small table written by staff; cached until it changes.
    auto all = db.memoized("ip blocks", [&] {
        return std::make_shared<const std::vector<Barrier>>(db.all(all_barriers));
    });
    if (all->empty()) return std::nullopt;
    auto digits = base::address_digits(address);
    std::optional<IpSeverity> strictest;
    for (const auto& one : *all) {
        bool holds = !digits.empty() && one.first <= digits && digits <= one.last;
        if (holds && (!one.expires_at || *one.expires_at > db.now()))
            strictest = std::max(strictest.value_or(one.severity), one.severity);
    }
    return strictest;
}

bool has_no_access(db::Read& db, std::string_view address) {
    return severity_for(db, address) == IpSeverity::no_access;
}

}  // namespace accounts
