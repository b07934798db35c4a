// SPDX-License-Identifier: AGPL-3.0-or-later
// Who reacts to an event. A reaction `in_transaction` runs inside the transaction that emitted the event and must be
// short; a `deferred` one becomes a job row written by that transaction, and so is never lost: it runs at least once,
// each time in a transaction that also removes the row. An `async` one may use the outside world (mail, other servers);
// it runs over a snapshot, must bear being run twice, and may return a Change that the transaction which removes the row
// makes. A `computed` one returns such a Change, too, but asks nobody: it is for what would keep the writer too long.
//
//     on<statuses::Published>(in_transaction<timelines::fan_out>, deferred<email_digests::begin>.named("begin_digests"))
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
    std::string_view name;                                        // kept in job rows: never rename lightly
    void (*now)(db::Write&, const void* event) = nullptr;         // in_transaction
    std::string (*payload)(const void* event) = nullptr;          // all others
    void (*run)(db::Write&, std::string_view payload) = nullptr;  // deferred
    Change (*ask)(const base::Ask&, db::Read&, std::string_view payload) = nullptr;  // async, computed
    bool outside = false;                                                            // async
    bool coalesced = false;  // one row at a time, however often the event is emitted
    bool beside = false;     // as a job it runs beside others (db::Write::beside_others)
};

// A line of the table, which knows its event by its type.
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

    // Jobs run alone, whatever they do, but for those that say that they need not (db::Write::beside_others).
    constexpr ReactionTo beside_others() const {
        auto out = *this;
        out.beside = true;
        return out;
    }
    // In place of the name of its function: for rows written before that was renamed, or where two are called the same.
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

// The name of a function without its namespace, with a NUL behind it: the log and the metrics take it as a C string.
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

// For work that finds by itself what there is to do: while a row waits, another would only do the same.
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

// The table of server/reactions.cpp, ready to be asked.
class Reactions : public db::EventSink {
public:
    explicit Reactions(std::vector<Reaction> table);
    void emitted(db::Write&, std::type_index, const void* event) override;
    const Reaction* by_name(std::string_view) const;  // of those that have job rows
    std::vector<std::string> asking() const;          // the names of those that are async

private:
    std::vector<Reaction> table_;
    std::unordered_map<std::type_index, std::vector<const Reaction*>> by_event_;  // in the order of the table
};

// The announcement that tells the runner of this process that a commit brought job rows.
constexpr std::string_view wake_channel = "jobs";

// Thrown by a job that has to wait without having failed: it is scheduled for later, and no try is counted.
struct Reschedule : std::runtime_error {
    explicit Reschedule(std::int64_t seconds) : runtime_error("has to wait"), seconds(seconds) {}
    std::int64_t seconds;
};

}  // namespace jobs
