// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/program.hpp"

#include "base/shared_state.hpp"
#include "base/text/join.hpp"
#include "social/rules/cluster.hpp"
#include "social/rules/label.hpp"
#include "social/rules/word_list.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace rules {

// What the tables know of a post.
struct Program::Looked {
    Sketch sketch;
    std::vector<bool> bits;
    std::map<std::uint32_t, std::string> values;  // by bit: what was found first

    void mark(std::span<const Index::Entry> found, std::string_view value) {
        for (const auto& one : found) {
            if (bits[one.bit]) continue;
            bits[one.bit] = true;
            values.emplace(one.bit, value.substr(0, 100));
        }
    }
};

namespace {

constexpr std::uint32_t no_rule = ~std::uint32_t{0};

std::string phrase(const std::vector<std::string>& words, std::size_t from, std::size_t length) {
    auto out = words[from];
    for (std::size_t at = 1; at < length; ++at) out += ' ' + words[from + at];
    return out;
}

// The hash of a phrase and one more word.
std::uint64_t extended(std::uint64_t phrase, std::uint64_t word) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    return (std::rotl(phrase, 23) ^ word) * odd;
}

}  // namespace

Program::Program(std::vector<Entry> entries) {
    rules_.reserve(entries.size());
    for (auto& entry : entries) {
        auto& rule = rules_.emplace_back();
        rule.entry = std::move(entry);
        for (auto& one : rule.entry.rule.all_of) add(rule, one, false);
        for (auto& one : rule.entry.rule.none_of) add(rule, one, true);
        std::ranges::stable_sort(rule.conditions, {}, &Compiled::cost);
        auto needed = std::ranges::find_if(rule.conditions, [](const Compiled& one) {
            return one.cost == Cost::indexed && !one.unless && one.op != Op::not_;
        });
        const auto number = static_cast<std::uint32_t>(rules_.size() - 1);
        needing_.resize(bits_, no_rule);
        if (needed == rule.conditions.end()) always_.push_back(asked_first(number, rule));
        else needing_[needed->bit] = number;
    }
    // Those that ask the same stand beside each other.
    std::ranges::sort(always_, {}, [](const Asked& one) {
        return std::tuple(one.compares, one.field, one.minutes);
    });
    for (auto* index : {&first_words_, &phrases_, &domains_, &tags_}) index->settle();
}

// As many places as there are entries, so that each has about one.
void Program::Index::settle() {
    std::ranges::sort(all_);
    all_.erase(std::ranges::unique(all_).begin(), all_.end());
    all_.shrink_to_fit();
    const auto width = std::max(static_cast<int>(std::bit_width(all_.size())), 1);
    shift_ = 64 - width;
    starts_.assign((std::size_t{1} << width) + 1, 0);
    for (const auto& one : all_) ++starts_[(one.hash >> shift_) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    taken_.assign((std::size_t{8} << width) / 64 + 1, 0);
    for (const auto& one : all_) {
        const auto at = eighth(one.hash);
        taken_[at / 64] |= std::uint64_t{1} << at % 64;
    }
}

bool Program::Index::may_have(std::uint64_t hash) const {
    const auto at = eighth(hash);
    return (taken_[at / 64] >> at % 64 & 1) != 0;
}

std::span<const Program::Index::Entry> Program::Index::find(std::uint64_t hash) const {
    if (!may_have(hash)) return {};
    const auto place = static_cast<std::size_t>(hash >> shift_);
    const auto around = std::span(all_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
    const auto [first, last] = std::ranges::equal_range(around, hash, {}, &Entry::hash);
    return {first, last};
}

void Program::add(CompiledRule& rule, Condition& from, bool unless) {
    const auto& known = field(from.field);
    Compiled out{&from, from.field, from.op, known.cost, unless};
    counts_ = std::max(counts_, from.minutes);
    if (from.op == Op::near) {
        out.cost = Cost::cheap;
        sketches_ = true;
        for (const auto& value : from.values) out.samples.push_back(sketch(value));
    } else if (known.cost == Cost::indexed) {
        out.bit = bits_++;
        for (const auto& value : from.values) {
            if (from.field == FieldId::text) {
                const auto words = words_of(value);
                auto said = hash_(words.front());
                first_words_.add(said, static_cast<std::uint32_t>(words.size()));
                for (std::size_t i = 1; i < words.size(); ++i) said = extended(said, hash_(words[i]));
                phrases_.add(said, out.bit);
            } else {
                (from.field == FieldId::hashtag ? tags_ : domains_).add(hash_(value), out.bit);
            }
        }
        from.values = {};  // they stand in the table
    }
    rule.conditions.push_back(std::move(out));
}

// However many entries begin with a word, each length that they have is looked up once.
void Program::look_for_phrases(Looked& out, const statuses::Candidate& post, Facts& facts) const {
    const auto each = [&](const auto& one) {
        each_word(post.spoiler_text, one);
        each_word(facts.reading().text, one);
    };
    std::vector<std::uint64_t> hashes;
    each([&](std::string_view word) { hashes.push_back(hash_(word)); });
    std::vector<std::string> words;  // of most posts nothing is found
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        auto said = hashes[i];
        std::size_t so_far = 1;
        for (const auto& [hash, length] : first_words_.find(hashes[i])) {
            if (length > hashes.size() - i) break;
            for (; so_far < length; ++so_far) said = extended(said, hashes[i + so_far]);
            const auto found = phrases_.find(said);
            if (found.empty()) continue;
            if (words.empty()) each([&](std::string_view word) { words.emplace_back(word); });
            out.mark(found, phrase(words, i, length));
        }
    }
}

Program::Looked Program::look(const statuses::Candidate& post, Facts& facts) const {
    Looked out;
    out.bits.resize(bits_);
    if (sketches_) out.sketch = sketch(facts.reading().said);
    if (!phrases_.empty()) look_for_phrases(out, post, facts);
    if (!domains_.empty())
        for (std::string_view host : facts.reading().links)
            for (auto above = host;;) {
                out.mark(domains_.find(hash_(above)), host);
                auto dot = above.find('.');
                if (dot == above.npos) break;
                above.remove_prefix(dot + 1);
            }
    if (!tags_.empty())
        for (auto tag : post.tags) out.mark(tags_.find(hash_(tag)), tag);
    return out;
}

namespace {

bool is_within(std::string_view host, std::string_view domain) {
    if (host.size() < domain.size() || !host.ends_with(domain)) return false;
    return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

// What a field of the post is; of numbers and flags as a number.
struct Value {
    std::int64_t number = 0;
    std::vector<std::string> names;
};

Value value_of(FieldId field, std::int64_t minutes, const statuses::Candidate& post, Facts& facts) {
    auto named = [&] {
        return static_cast<std::int64_t>(post.mentions.size()) -
               std::ranges::count(post.mentions, post.author);
    };
    auto text = [](std::string_view one) { return Value{0, {std::string(one)}}; };
    auto seen = [&](Trace trace) { return facts.seen(trace, minutes); };
    switch (field) {
        case FieldId::text:
        case FieldId::link_domain:
        case FieldId::hashtag: return {};
        case FieldId::links: return {std::ssize(facts.reading().links), {}};
        case FieldId::hashtags: return {static_cast<std::int64_t>(post.tags.size()), {}};
        case FieldId::mentions: return {named(), {}};
        case FieldId::local_mentions: return {facts.local_mentions(), {}};
        case FieldId::strangers: return {facts.strangers(), {}};
        case FieldId::first_contact: return {facts.strangers() > 0, {}};
        case FieldId::language: return text(post.language);
        case FieldId::visibility: return text(base::word(post.visibility));
        case FieldId::sensitive: return {post.sensitive, {}};
        case FieldId::has_cw: return {!post.spoiler_text.empty(), {}};
        case FieldId::media: return {post.media, {}};
        case FieldId::has_poll: return {post.poll, {}};
        case FieldId::is_reply: return {post.reply, {}};
        case FieldId::reply_to_stranger: return {facts.answers_stranger(), {}};
        case FieldId::is_edit: return {post.edit, {}};
        case FieldId::author_local: return {facts.author().domain.empty(), {}};
        case FieldId::author_handle: return text(facts.author().handle);
        case FieldId::author_age_days: return {facts.age_days(), {}};
        case FieldId::author_posts: return {facts.posts(), {}};
        case FieldId::author_followers_here: return {facts.followers_here(), {}};
        case FieldId::author_bot: return {facts.author().bot, {}};
        case FieldId::author_limited: return {facts.author().limited, {}};
        case FieldId::author_strikes: return {facts.strikes(), {}};
        case FieldId::author_label: return {0, facts.labels()};
        case FieldId::server_domain: return text(facts.author().domain);
        case FieldId::server_known_days: return {facts.server_known_days(), {}};
        case FieldId::server_list: return {0, facts.server_lists()};
        case FieldId::server_label: return {0, facts.server_labels()};
        case FieldId::near_copies: return {seen(Trace::copies).posts, {}};
        case FieldId::near_copies_authors: return {seen(Trace::copies).authors, {}};
        case FieldId::near_copies_servers: return {seen(Trace::copies).servers, {}};
        case FieldId::same_link: return {seen(Trace::link).posts, {}};
        case FieldId::same_link_authors: return {seen(Trace::link).authors, {}};
        case FieldId::same_link_servers: return {seen(Trace::link).servers, {}};
        case FieldId::link_domain_rate: return {seen(Trace::link_domain).posts, {}};
        case FieldId::hashtag_rate: return {seen(Trace::hashtag).posts, {}};
        case FieldId::author_rate: return {seen(Trace::author).posts, {}};
        case FieldId::server_rate: return {seen(Trace::server).posts, {}};
    }
    return {};
}

bool compares(Op op, std::int64_t bound, std::int64_t number) {
    switch (op) {
        case Op::less: return number < bound;
        case Op::more: return number > bound;
        case Op::not_: return number != bound;
        default: return number == bound;
    }
}

bool names(const Condition& one, FieldType type, const std::vector<std::string>& given) {
    return std::ranges::any_of(given, [&](const std::string& name) {
        return std::ranges::any_of(one.values, [&](const std::string& value) {
            return type == FieldType::domains ? is_within(name, value) : name == value;
        });
    });
}

}  // namespace

bool Program::holds(
    const Compiled& one, const Looked& looked, const statuses::Candidate& post, Facts& facts,
    std::string* value
) const {
    if (one.op == Op::near) {
        return std::ranges::any_of(one.samples, [&](const Sketch& sample) {
            return near(sample, looked.sketch);
        });
    }
    if (one.cost == Cost::indexed) {
        if (value)
            if (auto found = looked.values.find(one.bit); found != looked.values.end())
                *value = found->second;
        return looked.bits[one.bit] != (one.op == Op::not_);
    }
    const auto type = field(one.field).type;
    auto given = value_of(one.field, one.from->minutes, post, facts);
    if (type == FieldType::number || type == FieldType::flag) {
        if (value)
            *value =
                type == FieldType::flag ? (given.number ? "true" : "false") : std::to_string(given.number);
        return compares(one.op, one.from->number, given.number);
    }
    if (value) *value = base::text::joined(given.names);
    return names(*one.from, type, given.names) != (one.op == Op::not_);
}

bool Program::applies(
    const CompiledRule& rule, const Looked& looked, const statuses::Candidate& post, Facts& facts
) const {
    const auto& says = rule.entry.rule;
    if (!says.not_public && !statuses::open(post.visibility)) return false;
    for (const auto& one : rule.conditions)
        if (holds(one, looked, post, facts, nullptr) == one.unless) return false;
    return says.everyone || !facts.passes();
}

// Of what is not for everybody no value is kept.
std::string Program::matched(
    const CompiledRule& rule, const Looked& looked, const statuses::Candidate& post, Facts& facts
) const {
    constexpr std::size_t longest = 500;
    bool shown = statuses::open(post.visibility);
    std::vector<Matched> out;
    for (const auto& one : rule.conditions) {
        if (one.unless) continue;
        Matched found{std::string(field(one.field).name), {}};
        if (shown) holds(one, looked, post, facts, &found.value);
        out.push_back(std::move(found));
        if (base::json::to_string(out).size() > longest) {
            out.pop_back();
            break;
        }
    }
    return base::json::to_string(out);
}

namespace {

void refuse(statuses::Verdict& out, const std::string& why) {
    if (!out.refused) out.refusal = why;
    out.refused = true;
}

// What waits already waits for the longer of both times.
void hold(statuses::Verdict& out, const RuleAction& action) {
    const bool longer = action.hours == 0 || (out.hold_hours != 0 && action.hours > out.hold_hours);
    if (!out.hold || longer) out.hold_hours = action.hours, out.hold_drops = action.drops;
    out.hold = true;
}

void obey(statuses::Verdict& out, const RuleAction& action, bool edit) {
    switch (action.act) {
        case RuleAct::sensitive: out.sensitive = true; break;
        case RuleAct::unlist: out.unlist = true; break;
        case RuleAct::no_notify: out.quiet = true; break;
        case RuleAct::cw:
            if (out.warning.empty()) out.warning = action.text;
            break;
        case RuleAct::refuse: refuse(out, action.text); break;
        case RuleAct::hold:
            // The post that is there stays as it is.
            if (edit) refuse(out, action.text.empty() ? "The team has to look at it first" : action.text);
            else hold(out, action);
            break;
        case RuleAct::allow:
        case RuleAct::label:
        case RuleAct::notify:
        case RuleAct::report:
        case RuleAct::limit_account:
        case RuleAct::suspend_account: break;
    }
}

}  // namespace

Program::Asked Program::asked_first(std::uint32_t rule, const CompiledRule& of) {
    Asked out{rule};
    if (of.conditions.empty()) return out;
    const auto& first = of.conditions.front();
    const auto type = rules::field(first.field).type;
    if (first.cost == Cost::counts || first.cost == Cost::asks ||
        (type != FieldType::number && type != FieldType::flag))
        return out;
    out.field = first.field;
    out.op = first.op;
    out.compares = true;
    out.unless = first.unless;
    out.number = first.from->number;
    out.minutes = first.from->minutes;
    return out;
}

// The rules that may apply, in their order.
std::vector<std::uint32_t> Program::possible(
    const Looked& looked, const statuses::Candidate& post, Facts& facts
) const {
    std::vector<std::uint32_t> out;
    for (const auto& [bit, value] : looked.values)
        if (needing_[bit] != no_rule) out.push_back(needing_[bit]);
    const Asked* before = nullptr;
    std::int64_t number = 0;
    for (const auto& one : always_) {
        if (one.compares) {
            if (!before || before->field != one.field || before->minutes != one.minutes)
                number = value_of(one.field, one.minutes, post, facts).number;
            before = &one;
            if (compares(one.op, one.number, number) == one.unless) continue;
        }
        out.push_back(one.rule);
    }
    std::ranges::sort(out);
    return out;
}

statuses::Verdict Program::judge(const statuses::Candidate& post, Facts& facts, Time now) const {
    statuses::Verdict out;
    if (empty()) return out;
    const auto looked = look(post, facts);
    for (const auto number : possible(looked, post, facts)) {
        const auto& rule = rules_[number];
        const auto& says = rule.entry.rule;
        if (says.expires_at && *says.expires_at <= now) continue;
        // However many watch, those that act are asked.
        if (!rule.entry.acts && out.hits.size() >= most_hits) continue;
        if (!applies(rule, looked, post, facts)) continue;
        out.hits.push_back(
            {rule.entry.id.value,
             rule.entry.version,
             rule.entry.acts,
             says.then,
             matched(rule, looked, post, facts)}
        );
        if (!rule.entry.acts) continue;
        for (const auto& action : says.then) obey(out, action, post.edit);
        if (says.does(RuleAct::allow)) break;
    }
    return out;
}

bool Program::applies(std::size_t rule, const statuses::Candidate& post, Facts& facts) const {
    return applies(rules_.at(rule), look(post, facts), post, facts);
}

std::vector<ExplainedCondition> Program::explain(
    std::size_t at, const statuses::Candidate& post, Facts& facts
) const {
    const auto looked = look(post, facts);
    std::vector<ExplainedCondition> out;
    for (const auto& one : rules_.at(at).conditions) {
        ExplainedCondition line{
            std::string(field(one.field).name), std::string(word(one.op)), one.unless, false, {}
        };
        line.holds = holds(one, looked, post, facts, &line.value);
        out.push_back(std::move(line));
    }
    return out;
}

namespace {

using Kept = base::MadeOnce<Program, std::string>;

Kept& kept() {
    static Kept one;
    return one;
}

std::shared_ptr<const Program> compiled(db::Read& db) {
    std::vector<Program::Entry> entries;
    for (const auto& one : rules(db)) {
        if (one.mode == Mode::off) continue;
        entries.push_back(
            {one.id, one.version, one.mode == Mode::on, with_lists(db, read_definition(one.definition))}
        );
    }
    return std::make_shared<const Program>(std::move(entries));
}

}  // namespace

std::shared_ptr<const Program> program(db::Read& db, const std::string& version) {
    const auto make = [&] { return compiled(db); };
    if (db.is_committed()) return kept().get(version, make);
    const auto known = kept().of(version);
    return known ? known : make();
}

bool any_rule(db::Read& db) { return !rules_version(db).empty(); }

namespace {

// Whether it is one of a cluster is asked of every post.
void look_out(db::Read& db, Facts& facts, Window& window) {
    const auto& traces = facts.note();
    auto copies = window.seen(traces, Trace::copies, cluster_minutes);
    if (copies.posts >= cluster_posts && copies.authors >= cluster_accounts)
        spot(db, Window::sketch_of(traces), window.authors(traces, cluster_minutes));
}

}  // namespace

void watch_post(db::Read& db, const statuses::Candidate& post, Window& window) {
    Facts facts(db, post, &window);
    look_out(db, facts, window);
}

statuses::Verdict judge_post(db::Read& db, const statuses::Candidate& post, Window& window) {
    auto rules = program(db, rules_version(db));
    Facts facts(db, post, &window);
    look_out(db, facts, window);
    return rules->judge(post, facts, db.now());
}

}  // namespace rules
