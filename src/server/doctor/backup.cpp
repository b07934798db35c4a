// SPDX-License-Identifier: AGPL-3.0-or-later
// The backup, as it is where it is kept.
#include "backup/archive.hpp"
#include "backup/dump_turn.hpp"
#include "backup/verify.hpp"
#include "base/deadline.hpp"
#include "base/text/figures.hpp"
#include "config/clock.hpp"
#include "db/open.hpp"
#include "server/backups.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/parts.hpp"

namespace server {

namespace {

using base::text::span;

// What is known of a backup: from its folder, and with PostgreSQL also from the database, as another machine may keep it.
struct Copies {
    std::int64_t last = 0;  // ms; 0: there is none
    backup::LastVerified verified;
    std::string failure, without;
};

constexpr std::chrono::seconds patience{10};  // with a bucket

void look_into(const backup::Archive& archive, Copies& found) {
    const base::Within within(std::chrono::steady_clock::now() + patience);
    if (archive.exists()) archive.manifest();  // says which key is needed
    const auto bases = archive.exists() ? archive.bases() : std::vector<std::int64_t>{};
    if (!bases.empty()) found.last = bases.back();
    found.verified = backup::last_verified(archive);
}

Copies copies_of(const Config& config) {
    Copies found;
    look_into(backup_in(config, config.backup_to), found);
    if (!config.postgres()) return found;
    auto connection = connection_to(config, config.database);
    const auto site = site_of(config);
    const auto turn = db::read_now(*connection, {&site, clock_now, nullptr}, backup::dump_turn);
    if (turn.verified_at.ms > found.verified.ms) found.verified = {turn.verified_at.ms, turn.sound};
    if (turn.failures > 0)
        found.failure = turn.failure + " (" + std::to_string(turn.failures) + " times, last at " +
                        base::to_string(base::WholeSeconds{turn.failed_at.ms}) + ")";
    else if (turn.made_at.ms >= found.last) found.without = turn.failure;
    found.last = std::max(found.last, turn.made_at.ms);
    return found;
}

// Nothing where they cannot be seen, and why; of a database that does not answer is told where it is looked at.
std::optional<Copies> copies_or_fault(const Config& config, Part& part) {
    try {
        return copies_of(config);
    } catch (const backup::Away& e) {
        part.fault(e.what());
    } catch (const backup::Broken& e) {
        part.fault(e.what());
    } catch (const base::TimedOut&) {
        part.fault(
            "what is in " + config.backup_to + " could not be read within " +
            std::to_string(patience.count()) + " seconds; see how its server fares"
        );
    } catch (const db::Failure&) {}
    return std::nullopt;
}

// Answers whether the last copy is older than it should be.
bool see_age(const Config& config, std::int64_t last, std::int64_t now, Part& part) {
    const auto age = (now - last) / 1000, most = config.backup_every * 3600 * std::int64_t{3} / 2 + 3600;
    const bool is_old = age > most;
    if (is_of_the_future(last, {now}))
        part.fault(
            "the last copy in " + config.backup_to + " is dated " +
            base::to_string(base::WholeSeconds{last}) +
            ", which is to come, so how old it is cannot be known; see that the clock is right "
            "(timedatectl), "
            "remove base/" +
            backup::name_of_time(last) +
            " there if it was not when that was made, and make one with dunlin backup"
        );
    else if (is_old)
        part.fault(
            "the last copy in " + config.backup_to + " is " + span(age) +
            " old; see what the server's log says of the backup, or make one with dunlin backup"
        );
    return is_old;
}

enum class Trial { sound, unsound, never, overdue };

Trial see_trial(const Config& config, const backup::LastVerified& verified, std::int64_t now, Part& part) {
    constexpr std::int64_t day = 86'400;
    if (verified.ms == 0) {
        part.warn("the backup was never tried; do it with dunlin backup verify");
        return Trial::never;
    }
    if (!verified.sound) {
        part.fault("the backup is not sound; dunlin backup verify says why");
        return Trial::unsound;
    }
    const auto ago = (now - verified.ms) / 1000;
    if (config.backup_verify_every == 0 || ago <= (config.backup_verify_every + 1) * day) return Trial::sound;
    part.fault(
        "the backup was last tried " + span(ago) +
        " ago; do it with dunlin backup verify, and see why the server has not"
    );
    return Trial::overdue;
}

}  // namespace

Diagnosis see_backup(const Patient& patient) {
    const auto& config = patient.config;
    Part part("backup");
    if (config.backup_to.empty())
        return part.or_well(
            config.postgres() ? "not looked at, for there is none; see docs/operating/backup.md"
                              : "not looked at, for there is none"
        );
    const auto copies = copies_or_fault(config, part);
    if (!copies)
        return part.or_well(
            "not looked at, as the database does not answer or is of another version; see database"
        );
    if (!copies->failure.empty())
        part.fault("the copy to " + config.backup_to + " failed: " + copies->failure + "; it is tried again");
    if (!copies->without.empty()) {
        part.fault("the last copy in " + config.backup_to + " is not whole: " + copies->without);
        offer_to_back_up(patient);
    }
    if (copies->last == 0) {
        part.fault(
            "there is no copy in " + config.backup_to +
            "; see that the disk is there and the server runs, or make one with dunlin backup"
        );
        offer_to_back_up(patient);
        return part.or_well({});
    }
    const auto now = clock_now().ms;
    const bool is_old = see_age(config, copies->last, now, part);
    const auto trial = see_trial(config, copies->verified, now, part);
    if (is_old || trial == Trial::unsound) offer_to_back_up(patient);
    else if (trial != Trial::sound) offer_to_verify(patient);
    return part.or_well(
        "the last copy is " + span((now - copies->last) / 1000) +
        " old, and was found sound when it was tried"
    );
}

}  // namespace server
