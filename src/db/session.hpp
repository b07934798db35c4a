// SPDX-License-Identifier: AGPL-3.0-or-later
// Sessions: a Read is a read-only snapshot, a Write is one transaction on the writer. Which of the two a
// function takes determines where it runs. The current time, the site's settings and new ids come from the
// session, so that a request sees one time and tests control it.
#pragma once
#include "base/describe.hpp"
#include "base/errors.hpp"
#include "base/ids.hpp"
#include "base/site.hpp"
#include "base/time.hpp"
#include "db/connection.hpp"

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

namespace db {

class Write;

// ---- one value in, one value out ----

inline Value bind(std::int64_t v) { return v; }
inline Value bind(int v) { return std::int64_t{v}; }
inline Value bind(double v) { return v; }
inline Value bind(bool v) { return v; }
inline Value bind(std::string_view v) { return v; }
inline Value bind(const std::string& v) { return std::string_view(v); }
inline Value bind(const char* v) { return std::string_view(v); }
inline Value bind(Blob v) { return v; }
inline Value bind(base::Time v) { return v.ms; }
inline Value bind(base::Date v) { return v.ms; }
inline Value bind(base::WholeSeconds v) { return v.ms; }
inline Value bind(std::nullopt_t) { return std::monostate{}; }
inline Value bind(const std::vector<std::string>& v) { return TextList{v}; }
template <class Tag>
Value bind(base::Id<Tag> v) {
    return v.value;
}
template <class Tag>
Value bind(const std::vector<base::Id<Tag>>& v) {
    static_assert(sizeof(base::Id<Tag>) == sizeof(std::int64_t));
    return IdList{{reinterpret_cast<const std::int64_t*>(v.data()), v.size()}};
}
template <base::DescribedEnum E>
Value bind(E v) {
    return base::word(v);
}
template <class T>
Value bind(const std::optional<T>& v) {
    return v ? bind(*v) : Value{};
}

// A stored word that the program does not know is an error, never replaced by a default.
[[noreturn]] void throw_unknown_word(std::string_view word);

template <class>
constexpr bool no_rule = false;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <class T>
void read_column(const Rows& rows, int column, T& out) {
    if constexpr (is_optional<T>) {
        if (rows.null(column)) out.reset();
        else read_column(rows, column, out.emplace());
    } else if constexpr (std::is_same_v<T, std::string>) {
        out = rows.text(column);
    } else if constexpr (std::is_same_v<T, bool>) {
        out = rows.integer(column) != 0;
    } else if constexpr (std::integral<T>) {
        out = static_cast<T>(rows.integer(column));
    } else if constexpr (std::floating_point<T>) {
        out = static_cast<T>(rows.real(column));
    } else if constexpr (base::is_id<T>) {
        out.value = rows.integer(column);  // NULL reads as no id
    } else if constexpr (std::is_same_v<T, base::Time> || std::is_same_v<T, base::Date> ||
                         std::is_same_v<T, base::WholeSeconds>) {
        out.ms = rows.integer(column);
    } else if constexpr (base::DescribedEnum<T>) {
        const auto word = rows.text(column);
        bool known = false;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto e) {
            if (word != base::wire_name(e.name)) return;
            out = e.value;
            known = true;
        });
        if (!known) throw_unknown_word(word);
    } else {
        static_assert(no_rule<T>, "db::read_column has no rule for a member of this type");
    }
}

template <class Row>
Row read_row(const Rows& rows) {
    Row row{};
    if constexpr (base::Described<Row>) {
        int column = 0;
        base::for_each_member<Row>([&](auto member) { read_column(rows, column++, row.*member.pointer); });
    } else {
        read_column(rows, 0, row);
    }
    return row;
}

// ---- what a session is given at its start ----

// Volatile messages for the streaming hub: held until the commit, then passed on; a crash loses only what a
// reconnecting client fetches anyway. `channel` is the stream's name with its argument ("user:42").
struct Announcement {
    std::string channel, event, payload;
};

// Turns an event into its reactions (jobs/reactions.hpp implements this).
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void emitted(Write&, std::type_index type, const void* event) = 0;
};

struct Context {
    const base::Site* site = nullptr;
    std::function<base::Time()> clock;
    EventSink* events = nullptr;
    std::string_view node = {};  // holder of leases; "" if there is only one process
};

// Reads the result of a batch query, on the same session, and remembers each answer (Read::remember).
using Remembering = std::function<void()>;

// ---- sessions ----

class Read {
public:
    Read(Connection& connection, const Context& context)
        : connection_(connection), context_(context), now_(context.clock()) {}
    Read(const Read&) = delete;

    base::Time now() const { return now_; }
    const base::Site& site() const { return *context_.site; }
    std::string_view node() const { return context_.node; }

    template <class Row, class... A>
    std::vector<Row> all(const Query<Row>& sql, const A&... arguments) {
        std::vector<Row> found;
        each(sql, [&](Row row) { found.push_back(std::move(row)); }, arguments...);
        return found;
    }
    template <class Row, class F, class... A>
    void each(const Query<Row>& sql, F&& f, const A&... arguments) {
        std::array<Value, sizeof...(A)> values{bind(arguments)...};
        auto rows = connection_.query(sql, values);
        while (rows->next()) f(read_row<Row>(*rows));
    }
    template <class Row, class... A>
    std::optional<Row> maybe(const Query<Row>& sql, const A&... arguments) {
        std::array<Value, sizeof...(A)> values{bind(arguments)...};
        auto rows = connection_.query(sql, values);
        if (!rows->next()) return std::nullopt;
        return read_row<Row>(*rows);
    }
    // Returns the first row, or throws NotFound.
    template <class Row, class... A>
    Row one(const Query<Row>& sql, const A&... arguments) {
        auto row = maybe(sql, arguments...);
        if (!row) throw base::NotFound();
        return *std::move(row);
    }

    // Announces a query that will follow with the same arguments. On PostgreSQL it is sent with the next
    // query, so that both cost one round trip. The result is the same as without expect(): inside a change,
    // an answer is discarded as soon as anything else is sent. So announce only what is queried next; an
    // announced query that is never made wastes a little work.
    template <class Row, class... A>
    void expect(const Query<Row>& sql, const A&... arguments) {
        if (!sql.only_looks) throw Failure(std::string(sql.name) + ": is more than a question");
        std::array<Value, sizeof...(A)> values{bind(arguments)...};
        connection_.ask_ahead(sql, values);
    }

    // Announces what a change will read or write next. On SQLite a reader loads it from disk, so that the
    // only writer, which all changes wait for, finds it in memory. Does nothing on PostgreSQL, where a change
    // waits only for its own pages.
    template <class Row, class... A>
    void prefetch(const Query<Row>& sql, const A&... arguments) {
        std::array<Value, sizeof...(A)> values{bind(arguments)...};
        connection_.prefetch(sql, values);
    }

    // Returns the result of `make`, cached for as long as the database does not change. For what every
    // request asks; the result must depend on the database alone, not on now().
    template <class F>
    auto memoized(const std::string& question, F&& make) -> std::invoke_result_t<F> {
        using Answer = std::invoke_result_t<F>;
        auto* entries = memoized_entries();
        if (!entries) return make();
        if (auto known = entries->find(question); known != entries->end())
            return std::any_cast<const Answer&>(known->second);
        auto answer = make();
        entries->insert_or_assign(question, answer);
        return answer;
    }

    // Stores what memoized() will return for this question, when many were answered by one query. The usual
    // pattern: expect() the batch query, and return a function that reads its result and remembers each, so
    // that several batches share one round trip.
    template <class Answer>
    void remember(const std::string& question, Answer answer) {
        if (auto* entries = memoized_entries()) entries->insert_or_assign(question, std::move(answer));
    }

    // Whether what this session reads is committed: data that may still be rolled back must not be cached.
    bool is_committed() const { return is_committed_; }

private:
    std::unordered_map<std::string, std::any>* memoized_entries();
    // For databases without a version (PostgreSQL): valid for this snapshot only.
    std::unordered_map<std::string, std::any> of_snapshot_;

protected:
    Connection& connection_;
    const Context& context_;
    base::Time now_;
    bool is_committed_ = true;
};

// How many rows a command changed. On PostgreSQL only reading the number waits for it.
class Changed {
public:
    Changed(Connection& connection, std::int64_t sent) : connection_(&connection), sent_(sent) {}
    operator std::int64_t() const { return connection_->changed_by(sent_); }

private:
    Connection* connection_;
    std::int64_t sent_;
};

// For ids that appear as numbers in JSON. Between 2^56 and 2^57, where ids are until 2039, doubles represent
// only multiples of 16, later only those of 32; JavaScript prints at most 17 digits, so the last of 18 must
// be 0. Hence multiples of 160.
inline constexpr std::int64_t double_step = 160;

class Write : public Read {
public:
    Write(Connection& connection, const Context& context) : Read(connection, context) {
        is_committed_ = false;
    }

    // A change runs alone unless it calls this first, which promises that every rule it checks before writing
    // is protected by a lock, a constraint or the row itself (docs/decisions/0019-writers-side-by-side.md).
    // It then runs concurrently with all others that call it.
    void beside_others() { connection_.beside_others(); }
    // Locks what such a change relies on until it ends (db/lock.hpp). Call it before reading.
    void lock(std::initializer_list<Lock> all) { connection_.lock({all.begin(), all.size()}); }
    void lock(std::span<const Lock> all) { connection_.lock(all); }

    // Runs a command and returns how many rows it changed. Throws Duplicate when a unique constraint is
    // violated.
    template <class... A>
    Changed run(const Command& sql, const A&... arguments) {
        std::array<Value, sizeof...(A)> values{bind(arguments)...};
        return {connection_, connection_.send(sql, values)};
    }
    // For counter rows that many changes update; the first argument identifies the row. Runs just before the
    // commit, so that a concurrent change locks the row no longer than its commit takes. Later statements of
    // the change do not see its effect.
    template <class... A>
    void run_last(const Command& sql, const A&... arguments) {
        std::array<Value, sizeof...(A)> values{bind(arguments)...};
        static_assert(
            (!std::is_convertible_v<A, std::string_view> && ...),
            "what runs last takes numbers, which are kept"
        );
        connection_.send_last(sql, values);
    }

    // A new time-ordered id, greater than all earlier ones of this process.
    template <class Id>
    Id new_id() {
        return Id{next_id(now_)};
    }

    // A new id that survives as a JSON number in JavaScript, whose numbers are doubles. Nodes that write in
    // the same millisecond may choose the same one.
    template <class Id>
    Id new_id_of_double() {
        return Id{next_id_of_double(now_)};
    }

    // A durable side effect: reactions run in this transaction or as jobs written by it (jobs/reactions.hpp).
    template <class Event>
    void emit(const Event& event) {
        if (context_.events) context_.events->emitted(*this, typeid(Event), &event);
    }

    // A volatile side effect, carried out after the commit.
    void announce(Announcement one) { announcements.push_back(std::move(one)); }
    std::vector<Announcement> announcements;

    static std::int64_t next_id(base::Time now);
    static std::int64_t next_id_of_double(base::Time now);
};

}  // namespace db
