// SPDX-License-Identifier: AGPL-3.0-or-later
// Who listens to what, and what is done with announcements: each names what happened by ids; whom it concerns is asked
// for on a reader, among those who listen, in the order in which it happened.
#pragma once
#include "base/shared_state.hpp"
#include "db/session.hpp"
#include "social/streaming/listener.hpp"

#include <functional>
#include <memory>
#include <unordered_map>

namespace streaming {

// A listener in one of its channels. The label is what the client calls that.
struct Seat {
    std::shared_ptr<Listener> listener;
    std::string label;
};

struct Figures {
    std::int64_t websockets = 0, event_streams = 0, subscriptions = 0;
    std::uint64_t events = 0, dropped = 0, messages = 0;
};

// One that is open, as an operator is told of it.
struct StreamFigures {
    AccountId account;
    base::AppId application;
    std::string transport;  // websocket or events
    std::int64_t seconds = 0;
    std::vector<std::string> streams;
};
DESCRIBE(StreamFigures, account, application, transport, seconds, streams)

class Hub : public std::enable_shared_from_this<Hub> {
public:
    static constexpr std::size_t most_of_user = 64;
    static constexpr std::size_t rechecked_at_once = 500;

    // Runs a function on a reader that sees all that was committed before; false when too much waits.
    using Reading = std::function<bool(std::function<void(db::Read&)>)>;
    explicit Hub(Reading reading) : reading_(std::move(reading)) {}

    // Throws base::TooMany.
    std::shared_ptr<Listener> join(Subscriber, bool websocket);

    // What a commit announced. On the writer: quick.
    void announced(std::vector<db::Announcement>);

    Figures figures() const;
    std::vector<StreamFigures> open() const;
    bool listens(AccountId) const;  // at this node

    // ---- for its listeners ----
    bool read(std::function<void(db::Read&)>);
    bool seat(const std::shared_ptr<Listener>&, const Channel&);  // false: it has too many
    void unseat(Listener&, const Channel&);
    void leave(Listener&);

    // ---- for what delivers ----
    std::vector<Seat> seats(const std::string& key) const;
    bool anybody(const std::string& key) const;
    std::vector<AccountId> at_home() const;  // who listens to their own stream
    std::vector<Seat> at_home(AccountId) const;
    bool anybody_at_home(AccountId) const;
    std::vector<lists::ListId> lists() const;
    std::vector<Seat> at_home_by(base::TokenId) const;
    void tell(const Seat&, Message&);
    void tell(const std::vector<Seat>&, Message&);

private:
    struct Place {
        std::weak_ptr<Listener> listener;
        Listener* who = nullptr;  // alive while it is seated
        std::string label;
    };

    using Listeners = std::vector<std::shared_ptr<Listener>>;

    void take(db::Announcement&&, Listeners& ending);
    void end_list(const std::string& key, Listeners& ending);
    bool concerns_anybody(const db::Announcement&) const;
    Listeners known_of(std::optional<AccountId>) const;
    void recheck_some(db::Read&);
    void work_off();
    void deliver(db::Read&, const db::Announcement&);
    void compare_announcements(db::Read&);
    void forget(const Listener*, const Channel&);

    const Reading reading_;

    // A listener must not die under it: it leaves.
    mutable base::Lock lock_;
    using Places = std::vector<Place>;
    static std::vector<Seat> seats_of(const Places&);
    std::unordered_map<AccountId, Places> homes_;  // the stream `user`, of which there are most
    std::unordered_map<std::string, Places> places_;
    struct Known {
        std::weak_ptr<Listener> listener;
        base::TokenId token;
        AccountId account;
    };
    std::unordered_map<const Listener*, Known> listeners_;
    std::unordered_map<AccountId, std::size_t> of_account_;
    std::unordered_map<lists::ListId, std::size_t> lists_;
    std::vector<db::Announcement> waiting_;
    bool working_ = false;

    // Of one reader at a time.
    std::vector<std::weak_ptr<Listener>> to_recheck_;
    std::optional<std::vector<std::int64_t>> announcements_;  // those that listeners know of
    base::Count events_{0}, dropped_{0}, messages_{0};
};

bool owns_list(db::Read&, AccountId, lists::ListId);

}  // namespace streaming
