// SPDX-License-Identifier: AGPL-3.0-or-later
// Temporarily restricted operation: pauses set by an operator, and a full disk.
#include "server/app.hpp"

#include "base/log.hpp"
#include "http/errors.hpp"
#include "social/media/copy.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/pages/staff/staff_page.hpp"

#include <algorithm>

namespace server {

namespace {

// Pages by which staff sign in with a browser or an app, and those that explain the maintenance to others.
constexpr std::string_view always_open[] = {
    "/auth/passkey",
    "/auth/second_factor",
    "/auth/sign_in",
    "/auth/sign_out",
    "/language",
    "/oauth/authorize",
    "/oauth/token",
    "/status",
};

constexpr int maintenance_seconds = 120;  // Retry-After

}  // namespace

PauseState App::look_at_pauses() {
    constexpr std::chrono::seconds patience{4};  // shorter than that of the asking command
    // One look at a time: otherwise an older one could undo what a newer one has set.
    std::unique_lock lock(sentences_mutex_);
    const auto read_only = paused(config_, Pause::read_only),
               maintenance = paused(config_, Pause::maintenance);
    if (read_only && !gate_->is_closed()) base::log_info("read-only: nothing is written any more");
    if (!read_only && gate_->is_closed()) base::log_info("changes are made again");
    if (maintenance && !in_maintenance_) base::log_info("maintenance: only the team is let in");
    if (!maintenance && in_maintenance_) base::log_info("maintenance is over");
    read_only_sentence_ = read_only.value_or("");
    maintenance_sentence_ = maintenance.value_or("");
    if (read_only) gate_->close(*read_only);
    else gate_->open();
    in_maintenance_ = maintenance.has_value();
    lock.unlock();
    PauseState state;
    state.read_only = read_only.has_value();
    state.still = !read_only || gate_->wait_until_still(patience);
    state.full = gate_->is_full();
    state.maintenance = maintenance.has_value();
    return state;
}

std::optional<http::Response> App::kept_out(
    db::Read& db, const http::Route& route, const http::Request& request,
    const std::optional<http::Viewer>& viewer
) const {
    if (!in_maintenance_ || std::ranges::find(always_open, route.path) != std::end(always_open))
        return std::nullopt;
    std::optional<base::AccountId> who;
    if (viewer) who = viewer->account;
    else if (auto person = oauth::visitor(db, request).person) who = person->account;
    if (who && pages::is_staff(accounts::actor(db, *who))) return std::nullopt;
    const std::lock_guard lock(sentences_mutex_);
    auto answer = http::failure(
        503,
        maintenance_sentence_.empty() ? "This server is being looked after, please try again later"
                                      : maintenance_sentence_
    );
    answer.headers.emplace_back("Retry-After", std::to_string(maintenance_seconds));
    return answer;
}

std::optional<std::string> App::sentence_of_pause() const {
    const std::lock_guard lock(sentences_mutex_);
    auto either = [](const std::string& given, const char* usual) {
        return given.empty() ? std::string(usual) : given;
    };
    if (in_maintenance_)
        return either(maintenance_sentence_, "This server is being looked after and will be back soon.");
    if (gate_->is_closed())
        return either(read_only_sentence_, "This server is read-only at the moment. Please try again later.");
    if (gate_->is_full())
        return "This server has no room left and takes nothing new at the moment. Please try again later.";
    return std::nullopt;
}

// Removes copies at once, and again every minute while there is too little space.
void App::look_at_disks() {
    constexpr int beats_a_minute = 12;
    if (disk_watch_.look(disk_room(config_)) == Room::plenty) {
        beats_until_room_is_made_ = 0;
        return;
    }
    if (beats_until_room_is_made_-- > 0) return;
    beats_until_room_is_made_ = beats_a_minute;
    const db::MakingRoom making_room;
    engine_->write("note_short_of_room", media::note_short_of_room, [](std::exception_ptr) {});
}

}  // namespace server
