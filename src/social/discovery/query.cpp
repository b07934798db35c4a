// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/query.hpp"

#include "base/text/hashtag.hpp"
#include "base/text/utf8.hpp"
#include "base/text/words.hpp"
#include "base/time.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"

#include <algorithm>

namespace discovery {

namespace mark {

std::string of(std::string_view fact) { return "_" + std::string(fact); }
std::string by(AccountId id) { return std::string(authors) + std::to_string(id.value); }
std::string mentioning(AccountId id) { return "_m" + std::to_string(id.value); }
std::string tag(std::string_view normal_name) { return "#" + std::string(normal_name); }

std::string language(std::string_view code) {
    std::string out = "_l";
    for (char c : code)
        out += base::text::is_ascii_alnum(static_cast<unsigned char>(c)) ? base::text::ascii_lower(c) : '_';
    return out;
}

}  // namespace mark

namespace {

// One condition as typed: -"two words", from:bob, #tag, word
struct Part {
    bool excluded = false;
    std::string_view name;   // of an operator
    std::string_view value;  // without quotes
    bool quoted = false;
};

constexpr std::string_view operators[] = {"from", "has", "is", "language", "before", "after", "during", "in"};

[[noreturn]] void refuse(const std::string& what) { throw base::Invalid("Search query: " + what); }

bool is_quote(char32_t c) { return c == '"' || c == 0x201C || c == 0x201D || c == 0x201E; }

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<Part> next() {
        while (at_ < text_.size() && base::text::is_space(here().c)) at_ += here().size;
        if (at_ == text_.size()) return std::nullopt;
        Part part;
        if (text_[at_] == '-' || text_[at_] == '+') part.excluded = text_[at_++] == '-';
        for (auto name : operators)
            if (text_.size() - at_ > name.size() && text_[at_ + name.size()] == ':' &&
                base::text::same_ignoring_ascii_case(text_.substr(at_, name.size()), name)) {
                part.name = name;
                at_ += name.size() + 1;
                break;
            }
        read_value(part);
        if (!part.name.empty() && part.value.empty()) refuse(std::string(part.name) + ": needs a value");
        return part;
    }

private:
    base::text::Decoded here() const { return base::text::decode(text_, at_); }

    void read_value(Part& part) {
        part.quoted = at_ < text_.size() && is_quote(here().c);
        if (part.quoted) at_ += here().size;
        auto begin = at_;
        auto ends = [&](char32_t c) { return part.quoted ? is_quote(c) : base::text::is_space(c); };
        while (at_ < text_.size() && !ends(here().c)) at_ += here().size;
        part.value = text_.substr(begin, at_ - begin);
        if (!part.quoted) return;
        if (at_ == text_.size()) refuse("a quotation mark is missing");
        at_ += here().size;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

class Parser {
public:
    Parser(db::Read& db, AccountId viewer) : db_(db), viewer_(viewer) {}

    StatusQuery parse(std::string_view text) {
        Reader reader(text);
        while (auto part = reader.next()) {
            if (part->name.empty()) read_text(*part);
            else read_operator(*part);
            check_size();
        }
        return std::move(query_);
    }

private:
    void add(const Part& part, db::SoughtWords sought) {
        if (!sought.words.empty()) (part.excluded ? query_.none : query_.every).push_back(std::move(sought));
    }
    void add_mark(const Part& part, std::string mark) { add(part, {{std::move(mark)}, false}); }

    void read_text(const Part& part) {
        if (!part.quoted && part.value.starts_with('#')) {
            auto name = base::text::normalise_hashtag(part.value.substr(1));
            if (!name.empty()) add_mark(part, mark::tag(name));
            return;
        }
        auto phrase = base::text::phrase(part.value);
        add(part, {std::move(phrase.words), phrase.open});
    }

    void read_operator(const Part& part) {
        if (part.name == "from") return read_author(part);
        if (part.name == "in") return read_place(part);
        if (part.name == "language") return add_mark(part, mark::language(part.value));
        if (part.name != "has" && part.name != "is") return read_day(part);
        std::string fact;
        for (char c : part.value)
            if (base::text::is_ascii_alnum(static_cast<unsigned char>(c))) fact += base::text::ascii_lower(c);
        // A digit is a mark that no fact has, so nothing is found.
        add_mark(part, mark::of(facts_.find(" " + fact + " ") == facts_.npos ? "0" : fact));
    }

    void read_author(const Part& part) {
        auto name = part.value;
        if (name.starts_with('@')) name.remove_prefix(1);
        if (name == "me") return add_mark(part, mark::by(viewer_));
        auto account = accounts::find_by_acct(db_, name);
        if (account) add_mark(part, mark::by(account->id));
        else if (!part.excluded) query_.impossible = true;
    }

    void read_place(const Part& part) {
        bool library = part.value == "library", open = part.value == "public", all = part.value == "all";
        if (!library && !open && !all) refuse("in: knows library, public and all");
        if (part.excluded && all) refuse("in:all cannot be excluded");
        query_.restricted = true;
        if (all) return;
        (library == part.excluded ? query_.library : query_.open) = false;
    }

    void read_day(const Part& part) {
        constexpr std::int64_t day = 86'400'000, last_year = 253'370'764'800'000;
        auto parsed = base::parse_time(part.value.substr(0, 10));
        bool written = part.value.size() >= 10 && part.value[4] == '-' && part.value[7] == '-';
        if (!parsed || !written || parsed->ms > last_year)
            refuse("\"" + std::string(part.value.substr(0, 40)) + "\" is not a date");
        auto begins = base::day_begins({parsed->ms}, zone());
        auto ends = base::day_begins({parsed->ms + day}, zone());
        query_.restricted = true;
        if (part.name == "during") {
            if (part.excluded) refuse("during: cannot be excluded");
            query_.from = std::max(query_.from, begins);
            query_.until = std::min(query_.until, ends);
        } else if (part.name == "before") {
            if (part.excluded) query_.from = std::max(query_.from, begins);
            else query_.until = std::min(query_.until, begins);
        } else {
            if (part.excluded) query_.until = std::min(query_.until, ends);
            else query_.from = std::max(query_.from, ends);
        }
    }

    const std::string& zone() {
        if (!zone_) {
            auto user = accounts::find_user_of(db_, viewer_);
            zone_ = user && user->time_zone ? *user->time_zone : "";
        }
        return *zone_;
    }

    void check_size() const {
        constexpr std::size_t most_parts = 32, most_words = 512;
        std::size_t words = 0;
        for (const auto* list : {&query_.every, &query_.none})
            for (const auto& sought : *list) words += sought.words.size();
        if (query_.every.size() + query_.none.size() > most_parts || words > most_words) refuse("too long");
    }

    static constexpr std::string_view facts_ =
        " image video audio media poll link embed sensitive reply quote ";
    db::Read& db_;
    AccountId viewer_;
    std::optional<std::string> zone_;
    StatusQuery query_;
};

}  // namespace

StatusQuery parse_query(db::Read& db, AccountId viewer, std::string_view text) {
    return Parser(db, viewer).parse(text);
}

}  // namespace discovery
