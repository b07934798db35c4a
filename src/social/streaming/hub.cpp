// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/hub.hpp"

#include "base/json_read.hpp"
#include "base/log.hpp"
#include "social/oauth/token.hpp"
#include "social/streaming/announce.hpp"
#include "social/streaming/events.hpp"

#include <algorithm>

namespace streaming {

namespace {

constexpr std::size_t most_waiting = 20'000;
constexpr std::string_view recheck_channel = "recheck";  // the hub's own

// Counts one less and forgets what nobody counts.
template <class Map, class Key>
void uncount(Map& map, const Key& key) {
    auto found = map.find(key);
    if (found != map.end() && --found->second == 0) map.erase(found);
}

// Of whom the token lets in no more.
void close_unusable(db::Read& db, const std::vector<std::shared_ptr<Listener>>& asked) {
    std::vector<base::TokenId> tokens;
    for (const auto& listener : asked) tokens.push_back(listener->who.viewer.token);
    std::ranges::sort(tokens);
    tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
    auto usable = oauth::usable(db, tokens);
    std::ranges::sort(usable);
    for (const auto& listener : asked)
        if (!std::ranges::binary_search(usable, listener->who.viewer.token))
            listener->close(http::Close::policy);
}

}  // namespace

bool owns_list(db::Read& db, AccountId account, lists::ListId id) {
    try {
        lists::list(db, account, id);
        return true;
    } catch (const base::NotFound&) {
        return false;
    }
}

bool Hub::read(std::function<void(db::Read&)> job) { return reading_(std::move(job)); }

std::shared_ptr<Listener> Hub::join(Subscriber who, bool websocket) {
    auto account = who.viewer.account;
    auto token = who.viewer.token;
    auto listener = std::make_shared<Listener>(weak_from_this(), std::move(who), websocket);
    base::Hold hold(lock_);
    auto& of_account = of_account_[account];
    if (of_account >= most_of_user) throw base::TooMany();
    ++of_account;
    listeners_.emplace(listener.get(), Known{listener, token, account});
    return listener;
}

bool Hub::seat(const std::shared_ptr<Listener>& listener, const Channel& channel) {
    base::Hold hold(lock_);
    auto& channels = listener->channels_;
    if (!listeners_.contains(listener.get())) return true;  // it has left
    if (std::ranges::find(channels, channel) != channels.end()) return true;
    if (channels.size() >= Listener::most_channels) return false;
    channels.push_back(channel);
    auto& places = channel.kind == Kind::user ? homes_[listener->who.viewer.account] : places_[channel.key];
    places.push_back({listener, listener.get(), channel.label});
    if (channel.kind == Kind::list) ++lists_[channel.list];
    return true;
}

void Hub::unseat(Listener& listener, const Channel& channel) {
    base::Hold hold(lock_);
    if (std::erase(listener.channels_, channel) > 0) forget(&listener, channel);
}

void Hub::leave(Listener& listener) {
    base::Hold hold(lock_);
    if (listeners_.erase(&listener) == 0) return;
    uncount(of_account_, listener.who.viewer.account);
    for (const auto& channel : listener.channels_) forget(&listener, channel);
    listener.channels_.clear();
}

void Hub::forget(const Listener* listener, const Channel& channel) {
    auto leave = [&](auto& map, const auto& key) {
        auto places = map.find(key);
        std::erase_if(places->second, [&](const Place& place) { return place.who == listener; });
        if (places->second.empty()) map.erase(places);
    };
    if (channel.kind == Kind::user) leave(homes_, listener->who.viewer.account);
    else leave(places_, channel.key);
    if (channel.kind == Kind::list) uncount(lists_, channel.list);
}

std::vector<Seat> Hub::seats_of(const Places& places) {
    std::vector<Seat> out;
    out.reserve(places.size());
    for (const auto& place : places)
        if (auto listener = place.listener.lock()) out.push_back({std::move(listener), place.label});
    return out;
}

std::vector<Seat> Hub::seats(const std::string& key) const {
    base::Hold hold(lock_);
    auto places = places_.find(key);
    return places == places_.end() ? std::vector<Seat>() : seats_of(places->second);
}

std::vector<Seat> Hub::at_home(AccountId account) const {
    base::Hold hold(lock_);
    auto places = homes_.find(account);
    return places == homes_.end() ? std::vector<Seat>() : seats_of(places->second);
}

bool Hub::anybody_at_home(AccountId account) const {
    base::Hold hold(lock_);
    return homes_.contains(account);
}

bool Hub::listens(AccountId account) const {
    base::Hold hold(lock_);
    return of_account_.contains(account);
}

bool Hub::anybody(const std::string& key) const {
    base::Hold hold(lock_);
    return places_.contains(key);
}

std::vector<AccountId> Hub::at_home() const {
    std::vector<AccountId> out;
    base::Hold hold(lock_);
    out.reserve(homes_.size());
    for (const auto& [account, places] : homes_) out.push_back(account);
    return out;
}

std::vector<lists::ListId> Hub::lists() const {
    std::vector<lists::ListId> out;
    base::Hold hold(lock_);
    for (const auto& [list, streams] : lists_) out.push_back(list);
    return out;
}

std::vector<Seat> Hub::at_home_by(base::TokenId token) const {
    std::vector<Seat> out;
    base::Hold hold(lock_);
    for (const auto& [key, known] : listeners_) {
        if (known.token != token) continue;
        auto listener = known.listener.lock();
        if (!listener) continue;
        auto home = std::ranges::find(listener->channels_, Kind::user, &Channel::kind);
        auto label = home == listener->channels_.end() ? std::string() : home->label;
        out.push_back({std::move(listener), std::move(label)});
    }
    return out;
}

void Hub::tell(const Seat& seat, Message& message) {
    seat.listener->tell(message, seat.label);
    ++messages_;
}

void Hub::tell(const std::vector<Seat>& seats, Message& message) {
    for (const auto& seat : seats) tell(seat, message);
}

void Hub::announced(std::vector<db::Announcement> news) {
    Listeners ending;  // told when the lock is free again, for they may leave
    {
        base::Hold hold(lock_);
        // Only what is compared is looked at also while nobody listens: what appears afterwards is news.
        if (listeners_.empty()) {
            waiting_.clear();
            std::erase_if(news, [](const auto& one) { return one.channel != glance_channel; });
        }
        for (auto& one : news)
            if (concerns_anybody(one)) take(std::move(one), ending);
        if (waiting_.size() > most_waiting) {
            auto surplus = waiting_.size() - most_waiting;
            dropped_ += surplus;
            waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(surplus));
        }
    }
    for (const auto& listener : ending) listener->close(http::Close::policy);
    work_off();
}

// Of what is announced to all the program, what a stream may carry to somebody who listens now.
bool Hub::concerns_anybody(const db::Announcement& news) const {
    const std::string_view channel = news.channel;
    if (channel.starts_with("user:") &&
        homes_.contains({std::stoll(news.channel.substr(channel.rfind(':') + 1))}))
        return true;
    if (channel.starts_with("user:") || channel.starts_with("direct:") || channel.starts_with("list:"))
        return places_.contains(news.channel) || news.event == "notifications_merged";
    if (channel == accounts_channel) return of_account_.contains(AccountId{std::stoll(news.payload)});
    return channel == statuses_channel || channel == tokens_channel || channel == glance_channel ||
           channel == "announcements" || channel.starts_with("device:");
}

void Hub::take(db::Announcement&& news, Listeners& ending) {
    if (news.channel == tokens_channel) {
        auto gone = base::json::read<std::vector<base::TokenId>>(news.payload);
        for (const auto& [key, known] : listeners_)
            if (std::ranges::find(gone, known.token) != gone.end())
                if (auto listener = known.listener.lock()) ending.push_back(std::move(listener));
    } else if (news.channel.starts_with("list:")) {
        end_list(news.channel, ending);
    } else {
        waiting_.push_back(std::move(news));
    }
}

// A socket may carry other streams and stays open without the list; server-sent events have nothing left to tell.
void Hub::end_list(const std::string& key, Listeners& ending) {
    for (const auto& place : Places(places_.at(key))) {
        auto& channels = place.who->channels_;
        auto gone = std::ranges::find(channels, key, &Channel::key);
        if (!place.who->websocket) {
            if (auto listener = place.listener.lock()) ending.push_back(std::move(listener));
        } else if (gone != channels.end()) {
            auto channel = *gone;
            channels.erase(gone);
            forget(place.who, channel);
        }
    }
}

// One reader at a time, so that what happened is told in its order.
void Hub::work_off() {
    std::vector<db::Announcement> waited;
    {
        base::Hold hold(lock_);
        if (working_ || waiting_.empty()) return;
        waited.swap(waiting_);
        working_ = true;
    }
    // Too much may wait, or the reader's transaction cannot begin: what was not told waits for what comes next.
    auto put_back = [self = shared_from_this()](std::vector<db::Announcement>* untold) {
        const std::unique_ptr<std::vector<db::Announcement>> owned(untold);
        if (untold->empty()) return;
        base::Hold hold(self->lock_);
        self->waiting_.insert(
            self->waiting_.begin(),
            std::make_move_iterator(untold->begin()),
            std::make_move_iterator(untold->end())
        );
        self->working_ = false;
    };
    const std::shared_ptr<std::vector<db::Announcement>> batch(
        new std::vector<db::Announcement>(std::move(waited)), put_back
    );
    read([self = shared_from_this(), batch](db::Read& db) {
        for (const auto& news : std::exchange(*batch, {})) {
            try {
                self->deliver(db, news);
            } catch (const std::exception& e) {
                base::log_error(
                    "streams were not told of something", {{"event", news.event}, {"cause", e.what()}}
                );
            }
        }
        {
            base::Hold hold(self->lock_);
            self->working_ = false;
        }
        self->work_off();
    });
}

void Hub::deliver(db::Read& db, const db::Announcement& news) {
    if (news.channel == recheck_channel) return recheck_some(db);
    ++events_;
    auto status = [&] { return base::StatusId{std::stoll(news.payload)}; };
    if (news.channel == statuses_channel) {
        if (news.event == "update") return notify_published(*this, db, status());
        if (news.event == "status.update") return notify_edited(*this, db, status());
        return notify_deleted(*this, db, status());
    }
    if (news.channel == "announcements")
        return notify_reaction(*this, db, base::json::read<announcements::Reacted>(news.payload));
    if (news.channel == accounts_channel)
        return close_unusable(db, known_of(AccountId{std::stoll(news.payload)}));
    if (news.channel == glance_channel) {
        const auto everybody = known_of(std::nullopt);
        to_recheck_.assign(everybody.begin(), everybody.end());
        recheck_some(db);
        return compare_announcements(db);
    }
    notify_person(*this, db, news);
}

Hub::Listeners Hub::known_of(std::optional<AccountId> account) const {
    Listeners out;
    base::Hold hold(lock_);
    for (const auto& [key, known] : listeners_)
        if (!account || known.account == *account)
            if (auto listener = known.listener.lock()) out.push_back(std::move(listener));
    return out;
}

// What was announced meanwhile goes before the others.
void Hub::recheck_some(db::Read& db) {
    Listeners some;
    while (!to_recheck_.empty() && some.size() < rechecked_at_once) {
        if (auto listener = to_recheck_.back().lock()) some.push_back(std::move(listener));
        to_recheck_.pop_back();
    }
    close_unusable(db, some);
    if (to_recheck_.empty()) return;
    base::Hold hold(lock_);
    waiting_.push_back({std::string(recheck_channel), "", ""});
}

// Operators write them with another program, so what is there is compared with what listeners know.
void Hub::compare_announcements(db::Read& db) {
    auto now = announcements::published(db);
    std::vector<std::int64_t> ids;
    for (const auto& one : now) ids.push_back(one.id.value);
    auto known = std::exchange(announcements_, ids);
    if (!known) return;
    for (const auto& one : now)
        if (std::ranges::find(*known, one.id.value) == known->end()) notify_announcement(*this, db, one);
    for (auto id : *known)
        if (std::ranges::find(ids, id) == ids.end()) notify_announcement_gone(*this, {id});
}

Figures Hub::figures() const {
    Figures now{0, 0, 0, events_, dropped_, messages_};
    Listeners alive;
    base::Hold hold(lock_);
    for (const auto& [key, known] : listeners_) {
        auto listener = known.listener.lock();
        if (!listener) continue;
        ++(listener->websocket ? now.websockets : now.event_streams);
        now.subscriptions += std::ssize(listener->channels_);
        alive.push_back(std::move(listener));
    }
    return now;
}

std::vector<StreamFigures> Hub::open() const {
    const auto now = std::chrono::steady_clock::now();
    std::vector<StreamFigures> out;
    Listeners alive;
    base::Hold hold(lock_);
    out.reserve(listeners_.size());
    for (const auto& [key, known] : listeners_) {
        auto listener = known.listener.lock();
        if (!listener) continue;
        const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - listener->since);
        auto& one = out.emplace_back(StreamFigures{
            known.account,
            listener->who.viewer.app,
            listener->websocket ? "websocket" : "events",
            age.count(),
            {}
        });
        for (const auto& channel : listener->channels_) one.streams.push_back(channel.spoken());
        alive.push_back(std::move(listener));
    }
    return out;
}

}  // namespace streaming
