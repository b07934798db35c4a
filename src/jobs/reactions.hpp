// SPDX-License-Identifier: AGPL-3.0-or-later
// Which functions react to an event. An `in_transaction` reaction runs inside the transaction that emitted
// the event and must be short. A `deferred` one becomes a job row, written by that transaction and therefore
// never lost: it runs at least once, each time in a transaction that also removes the row. An `async` one may
// use external services (mail, other servers); it runs on a snapshot, must tolerate running twice, and may
// return a Change, which is made in the transaction that removes the row. A `computed` one also returns such
// a Change but uses no external services: it is for work that would occupy the writer too long.
//
//     on<instance::ServerLimited>(
//         computed<federation::stop_deliveries>,
//         deferred<accounts::begin_limits>.named("begin_server_limits")
//     )
#pragma once
#include "base/ask.hpp"
#include "base/json_read.hpp"
#include "db/session.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace jobs {

using Change = std::function<void(db::Write&)>;  // may be empty

struct Reaction {
    std::type_index event;
    std::string_view name;                                        // stored in job rows: rename with care
    void (*now)(db::Write&, const void* event) = nullptr;         // in_transaction
    std::string (*payload)(const void* event) = nullptr;          // all others
    void (*run)(db::Write&, std::string_view payload) = nullptr;  // deferred
    Change (*ask)(const base::Ask&, db::Read&, std::string_view payload) = nullptr;  // async, computed
    bool outside = false;                                                            // async
    bool coalesced = false;  // only one row at a time, however often the event is emitted
    bool beside = false;     // its job runs concurrently with others (db::Write::beside_others)
};

// An entry of the table; its type names the event.
template <class E>
struct ReactionTo {
    std::string_view name;
    void (*now)(db::Write&, const void* event) = nullptr;
    std::string (*payload)(const void* event) = nullptr;
    void (*run)(db::Write&, std::string_view payload) = nullptr;
    Change (*ask)(const base::Ask&, db::Read&, std::string_view payload) = nullptr;
    bool outside = false;
    bool coalesced = false;
    bool beside = false;

    // Jobs run exclusively, unless they declare that they need not (db::Write::beside_others).
    constexpr ReactionTo beside_others() const {
        auto out = *this;
        out.beside = true;
        return out;
    }
    // Overrides the function's name: for rows written before a rename, or two functions with the same name.
    constexpr ReactionTo named(std::string_view other) const {
        auto out = *this;
        out.name = other;
        return out;
    }
};

namespace detail {
template <class F>
struct signature;
template <class S, class E>
struct signature<void (*)(S&, const E&)> {
    using Event = E;
};
template <class E>
struct signature<Change (*)(db::Read&, const E&)> {
    using Event = E;
};
template <class R, class E>
struct signature<R (*)(const base::Ask&, db::Read&, const E&)> {
    using Event = E;
    using Result = R;
};
template <auto F>
using Event = typename signature<decltype(F)>::Event;

template <auto F>
constexpr std::string_view name_as_written() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("F = ") + 4);
    text = text.substr(0, text.find_first_of(";]"));
    return text.substr(text.find_last_of(":&") + 1);
}
template <auto F>
inline constexpr auto terminated_name = [] {
    std::array<char, name_as_written<F>().size() + 1> out{};
    std::ranges::copy(name_as_written<F>(), out.begin());
    return out;
}();

// A function's name without its namespace, NUL-terminated because the log and the metrics take a C string.
template <auto F>
constexpr std::string_view name_of() {
    return {terminated_name<F>.data(), terminated_name<F>.size() - 1};
}

template <auto F>
void run_now(db::Write& db, const void* event) {
    F(db, *static_cast<const Event<F>*>(event));
}
template <auto F>
std::string payload(const void* event) {
    return base::json::to_string(*static_cast<const Event<F>*>(event));
}
template <auto F>
void run(db::Write& db, std::string_view text) {
    F(db, base::json::read<Event<F>>(text));
}
template <auto F>
Change ask(const base::Ask& ask, db::Read& db, std::string_view text) {
    auto event = base::json::read<Event<F>>(text);
    if constexpr (std::is_void_v<typename signature<decltype(F)>::Result>) {
        F(ask, db, event);
        return {};
    } else {
        return F(ask, db, event);
    }
}
template <auto F>
Change compute(const base::Ask&, db::Read& db, std::string_view text) {
    return F(db, base::json::read<Event<F>>(text));
}
}  // namespace detail

template <auto F>
constexpr ReactionTo<detail::Event<F>> in_transaction{detail::name_of<F>(), &detail::run_now<F>};

template <auto F>
constexpr ReactionTo<detail::Event<F>>
    deferred{detail::name_of<F>(), nullptr, &detail::payload<F>, &detail::run<F>};

template <auto F>
constexpr ReactionTo<detail::Event<F>> async{
    detail::name_of<F>(), nullptr, &detail::payload<F>, nullptr, &detail::ask<F>, true
};

template <auto F>
constexpr ReactionTo<detail::Event<F>>
    computed{detail::name_of<F>(), nullptr, &detail::payload<F>, nullptr, &detail::compute<F>};

// For jobs that find their own work: a second row would only repeat what a waiting one does.
template <class E>
constexpr ReactionTo<E> coalesced(ReactionTo<E> reaction) {
    reaction.coalesced = true;
    return reaction;
}

// All reactions to one event, in the order in which they run.
template <class E, std::same_as<ReactionTo<E>>... R>
std::vector<Reaction> on(const R&... all) {
    return {
        {typeid(E), all.name, all.now, all.payload, all.run, all.ask, all.outside, all.coalesced, all.beside
        }...
    };
}

std::vector<Reaction> joined(std::initializer_list<std::vector<Reaction>> events);

// The table of server/reactions.cpp, indexed.
class Reactions : public db::EventSink {
public:
    explicit Reactions(std::vector<Reaction> table);
    void emitted(db::Write&, std::type_index, const void* event) override;
    const Reaction* by_name(std::string_view) const;  // of those that have job rows
    std::vector<std::string> asking() const;          // the names of the async ones

private:
    std::vector<Reaction> table_;
    std::unordered_map<std::type_index, std::vector<const Reaction*>> by_event_;  // in the order of the table
};

// The announcement that tells this process's runner that a commit added job rows.
constexpr std::string_view wake_channel = "jobs";

// Thrown by a job that has to wait but has not failed: it is scheduled for later without counting an attempt.
struct Reschedule : std::runtime_error {
    explicit Reschedule(std::int64_t seconds) : runtime_error("has to wait"), seconds(seconds) {}
    std::int64_t seconds;
};

}  // namespace jobs
