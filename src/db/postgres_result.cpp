// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_result.hpp"

#include "base/deadline.hpp"
#include "db/write_gate.hpp"

#include "db/connection.hpp"

#include <bit>
#include <charconv>

namespace db {

namespace {

// Object identifiers (OIDs) of built-in types, from pg_type.dat.
namespace type {
constexpr Oid boolean = 16, bytea = 17, int8 = 20, int2 = 21, int4 = 23, text = 25, json = 114, float4 = 700,
              float8 = 701, bpchar = 1042, varchar = 1043;
}

bool is_text(Oid oid) {
    switch (oid) {
        case type::text:
        case type::varchar:
        case type::bpchar:
        case type::json:
        case type::bytea: return true;
        default: return false;
    }
}

bool is_number(Oid oid) {
    switch (oid) {
        case type::boolean:
        case type::int2:
        case type::int4:
        case type::int8:
        case type::float4:
        case type::float8: return true;
        default: return false;
    }
}

// Network order, two's complement.
std::int64_t big_endian(std::string_view bytes) {
    if (bytes.empty()) return 0;
    std::uint64_t value = static_cast<signed char>(bytes[0]) < 0 ? ~std::uint64_t{0} : 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return static_cast<std::int64_t>(value);
}

std::string_view state_of(const PGresult* result) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state ? state : "";
}

}  // namespace

// ---- parameters ----

std::string& PostgresParameters::scratch() {
    if (scratch_used_ == scratch_.size()) scratch_.emplace_back();
    auto& text = scratch_[scratch_used_++];
    text.clear();
    return text;
}

void PostgresParameters::add(const char* start, std::size_t length, bool binary) {
    pointers_.push_back(start);
    lengths_.push_back(static_cast<int>(length));
    formats_.push_back(binary ? 1 : 0);
}

void PostgresParameters::fill(std::span<const Value> values) {
    pointers_.clear();
    lengths_.clear();
    formats_.clear();
    scratch_used_ = 0;
    for (const auto& value : values) {
        if (std::holds_alternative<std::monostate>(value)) {
            add(nullptr, 0, false);
        } else if (const auto truth = std::get_if<bool>(&value)) {
            add(*truth ? "t" : "f", 1, false);
        } else if (const auto blob = std::get_if<Blob>(&value)) {
            add(blob->bytes.data() ? blob->bytes.data() : "", blob->bytes.size(), true);
        } else {
            auto& out = scratch();
            if (const auto integer = std::get_if<std::int64_t>(&value)) {
                char digits[24];
                out.assign(digits, std::to_chars(digits, digits + sizeof digits, *integer).ptr);
            } else if (const auto real = std::get_if<double>(&value)) {
                char digits[40];
                out.assign(digits, std::to_chars(digits, digits + sizeof digits, *real).ptr);
            } else if (const auto text = std::get_if<std::string_view>(&value)) {
                refuse_nul(*text);
                out = *text;
            } else if (const auto ids = std::get_if<IdList>(&value)) {
                append_array(out, *ids);
            } else {
                append_array(out, std::get<TextList>(value));
            }
            add(out.c_str(), out.size(), false);
        }
    }
}

bool PostgresParameters::same_as(const PostgresParameters& other) const {
    if (lengths_ != other.lengths_ || formats_ != other.formats_) return false;
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
        if (!pointers_[i] != !other.pointers_[i]) return false;
        const auto length = static_cast<std::size_t>(lengths_[i]);
        if (pointers_[i] &&
            std::string_view(pointers_[i], length) != std::string_view(other.pointers_[i], length))
            return false;
    }
    return true;
}

// ---- rows ----

std::string_view PostgresRows::bytes(int column) const {
    return {
        PQgetvalue(result_.get(), row_, column),
        static_cast<std::size_t>(PQgetlength(result_.get(), row_, column))
    };
}

void PostgresRows::wrong_type(int column, const char* wanted) const {
    throw Failure(
        std::string(sql_.name) + ": column " + PQfname(result_.get(), column) + " is no " + wanted +
        " but of type " + std::to_string(PQftype(result_.get(), column)) + " of pg_type: cast it"
    );
}

std::int64_t PostgresRows::integer(int column) const {
    switch (PQftype(result_.get(), column)) {
        case type::boolean:
        case type::int2:
        case type::int4:
        case type::int8: return big_endian(bytes(column));
        default: wrong_type(column, "integer");
    }
}

double PostgresRows::real(int column) const {
    const auto raw = static_cast<std::uint64_t>(big_endian(bytes(column)));
    switch (PQftype(result_.get(), column)) {
        case type::float8: return std::bit_cast<double>(raw);
        case type::float4: return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
        default: return static_cast<double>(integer(column));
    }
}

std::string_view PostgresRows::text(int column) const {
    if (!is_text(PQftype(result_.get(), column))) wrong_type(column, "text");
    return bytes(column);
}

void require_readable(const Sql& sql, const PGresult* result, int column) {
    const Oid oid = PQftype(result, column);
    if (is_text(oid) || is_number(oid)) return;
    throw Failure(
        std::string(sql.name) + ": column " + PQfname(result, column) + " has type " + std::to_string(oid) +
        " of pg_type, which is not read: cast it"
    );
}

// ---- errors ----

bool refuses_writing(const PGresult* result) { return state_of(result) == "25006"; }

bool postgres_succeeded(const PGresult* result) {
    const auto status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

void throw_postgres(const char* statement, const PGresult* result) {
    const auto state = state_of(result);
    std::string text = std::string(statement) + ": " + PQresultErrorMessage(result);
    while (text.ends_with('\n')) text.pop_back();
    if (state == "23505") throw Duplicate(text);                  // unique_violation
    if (state == "40001" || state == "40P01") throw Retry(text);  // serialization_failure, deadlock_detected
    if (state == "22021" || state == "22P05") throw base::Invalid("Text must be valid UTF-8");
    if (state == "57014" && base::Within::over()) throw base::TimedOut();  // query_canceled
    if (state == "53100") throw DiskFull(text);                            // disk_full
    const bool outage = state.empty() || state.starts_with("08") ||        // the connection broke
                        state.starts_with("53") ||  // no memory, disk full, too many connections
                        state.starts_with("57") ||  // cancelled by statement_timeout, shutdown
                        state.starts_with("58") || state == "55P03" || spoils_connection(result);
    if (outage) throw Outage(text);
    throw Failure(text + " (" + std::string(state) + ")");
}

bool spoils_connection(const PGresult* result) {
    const auto state = state_of(result);
    return state.starts_with("57P") ||  // shutdown
           state == "25P03" ||          // idle_in_transaction_session_timeout
           state == "26000";            // our prepared statements were discarded
}

}  // namespace db
