// SPDX-License-Identifier: AGPL-3.0-or-later
// Deadlines of many connections, for the price of one store each: an entry with a later deadline stays in its
// slot and is moved when the hand gets there. Expires up to a tick late, never early.
#pragma once
#include <boost/intrusive/list.hpp>

#include <array>
#include <chrono>
#include <cstdint>

namespace net {

class TimerWheel {
public:
    using Clock = std::chrono::steady_clock;

    class Entry : public boost::intrusive::list_base_hook<
                      boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    public:
        virtual void expire() = 0;  // must not destroy entries

    protected:
        ~Entry() = default;

    private:
        friend TimerWheel;
        Clock::time_point deadline_ = Clock::time_point::max();
        std::int64_t looked_at_ = 0;  // the tick of its slot
    };

    explicit TimerWheel(Clock::duration tick) : tick_(tick) {}

    void set(Entry&, Clock::time_point now, Clock::duration after);
    void clear(Entry& entry) { entry.deadline_ = Clock::time_point::max(); }
    void advance(Clock::time_point now);  // calls expire()
    bool empty() const;
    Clock::duration tick() const { return tick_; }

private:
    using Slot = boost::intrusive::list<Entry, boost::intrusive::constant_time_size<false>>;

    static constexpr std::int64_t slots = 256;

    std::int64_t tick_of(Clock::time_point t) const { return t.time_since_epoch() / tick_; }
    void place(Entry&);

    Clock::duration tick_;
    std::int64_t hand_ = 0;
    std::array<Slot, slots> wheel_;
};

}  // namespace net
