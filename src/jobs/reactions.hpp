// SPDX-License-Identifier: AGPL-3.0-or-later
// Who reacts to an event. A reaction `at_once` runs inside the transaction that emitted the event and must be
// short; one that comes `later` becomes a job row written by that transaction, and so is never lost: it runs at
// least once, each time in a transaction that also removes the row. One that `asks` may use the outside world
// (mail, other servers); it runs over a snapshot, must bear being run twice, and may return a Change that the
// transaction which removes the row makes. One that `prepares` returns such a Change, too, but asks nobody: it is for
// what would keep the writer too long.
#pragma once
#include "base/ask.hpp"
#include "base/json_read.hpp"
#include "db/session.hpp"

#include <functional>
#include <span>
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
    void (*now)(db::Write&, const void* event) = nullptr;         // at_once
    std::string (*payload)(const void* event) = nullptr;          // later, asks
    void (*run)(db::Write&, std::string_view payload) = nullptr;  // later
    Change (*ask)(const base::Ask&, db::Read&, std::string_view payload) = nullptr;  // asks, prepares
    bool outside = false;                                                            // asks
    bool alone = false;  // one row at a time, however often the event is emitted
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
std::string payload(const void* event) {
    return base::json::to_string(*static_cast<const Event<F>*>(event));
}
}  // namespace detail

template <auto F>
Reaction at_once(std::string_view name) {
    Reaction r{typeid(detail::Event<F>), name};
    r.now = [](db::Write& db, const void* event) { F(db, *static_cast<const detail::Event<F>*>(event)); };
    return r;
}

template <auto F>
Reaction later(std::string_view name) {
    Reaction r{typeid(detail::Event<F>), name};
    r.payload = &detail::payload<F>;
    r.run = [](db::Write& db, std::string_view text) { F(db, base::json::read<detail::Event<F>>(text)); };
    return r;
}

template <auto F>
Reaction asks(std::string_view name) {
    Reaction r{typeid(detail::Event<F>), name};
    r.payload = &detail::payload<F>;
    r.outside = true;
    r.ask = [](const base::Ask& ask, db::Read& db, std::string_view text) -> Change {
        auto event = base::json::read<detail::Event<F>>(text);
        if constexpr (std::is_void_v<typename detail::signature<decltype(F)>::Result>) {
            F(ask, db, event);
            return {};
        } else {
            return F(ask, db, event);
        }
    };
    return r;
}

// For work that finds by itself what there is to do: while a row waits, another would only do the same.
inline Reaction alone(Reaction reaction) {
    reaction.alone = true;
    return reaction;
}

template <auto F>
Reaction prepares(std::string_view name) {
    Reaction r{typeid(detail::Event<F>), name};
    r.payload = &detail::payload<F>;
    r.ask = [](const base::Ask&, db::Read& db, std::string_view text) {
        return F(db, base::json::read<detail::Event<F>>(text));
    };
    return r;
}

// The table of server/reactions.cpp, ready to be asked.
class Reactions : public db::EventSink {
public:
    explicit Reactions(std::vector<Reaction> table);
    void emitted(db::Write&, std::type_index, const void* event) override;
    const Reaction* by_name(std::string_view) const;
    std::vector<std::string> asking() const;  // the names of those that ask

private:
    std::vector<Reaction> table_;
    std::unordered_map<std::type_index, std::vector<const Reaction*>> by_event_;  // in the order of the table
};

// The announcement that tells the runner of this process that a commit brought job rows.
constexpr std::string_view wake_channel = "jobs";

}  // namespace jobs
