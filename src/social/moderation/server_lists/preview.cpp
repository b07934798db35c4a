// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/server_lists/preview.hpp"

#include "social/accounts/account.hpp"
#include "social/instance/domain_allow.hpp"

#include <algorithm>
#include <span>

namespace moderation {

namespace {

using instance::Severity;

constexpr std::size_t shown_people = 10;

struct ServerFigure {
    std::string domain;
    std::int64_t accounts = 0;
};
DESCRIBE(ServerFigure, domain, accounts)

struct PreviewedTie {
    std::int64_t server = 0;  // its place among those asked about
    AccountId here;
};
DESCRIBE(PreviewedTie, server, here)

std::string backwards(const std::string& domain) { return {domain.rbegin(), domain.rend()}; }

}  // namespace

// known_servers and accounts belong to accounts, follows to relationships.
const db::Query<std::string> servers_within_domains{
    "servers_within_domains",
    R"(SELECT s.domain FROM json_each($1) j CROSS JOIN known_servers s ON s.reversed = j.value
       UNION SELECT s.domain FROM json_each($1) j
           CROSS JOIN known_servers s ON s.reversed > j.value || '.' AND s.reversed < j.value || '/')",
    R"(SELECT s.domain FROM unnest($1::text[]) AS j (value)
           CROSS JOIN LATERAL (SELECT domain FROM known_servers WHERE reversed = j.value OFFSET 0) s
       UNION SELECT s.domain FROM unnest($1::text[]) AS j (value)
           CROSS JOIN LATERAL (SELECT domain FROM known_servers
               WHERE reversed > j.value || '.' AND reversed < j.value || '/' OFFSET 0) s)"
};
const db::Query<ServerFigure> accounts_of_servers{
    "accounts_of_servers",
    R"(SELECT domain, count(*) AS accounts FROM accounts WHERE domain IN LIST($1) AND domain <> '' GROUP BY domain)"
};
#define PREVIEWED_TIES_POSTGRES(here, there)                                                            \
    "SELECT j.place - 1 AS server, f.here FROM unnest($1::text[]) WITH ORDINALITY AS j (value, place) " \
    "CROSS JOIN LATERAL (SELECT id FROM accounts WHERE domain = j.value AND domain <> '' OFFSET 0) a "  \
    "CROSS JOIN LATERAL (SELECT " here " AS here FROM follows WHERE " there " = a.id OFFSET 0) f"
// The index knows which follows there are, not whose. SQLite reads them in the order in which they are stored, so that it reads
// each page once; without a limit it would leave that order out.
const db::Query<PreviewedTie> previewed_following{
    "previewed_following",
    R"(SELECT t.server, f.account_id AS here FROM (
           SELECT j.key AS server, f.id FROM json_each($1) j
               CROSS JOIN accounts a ON a.domain = j.value AND a.domain <> ''
               CROSS JOIN follows f ON f.target_id = a.id ORDER BY f.id LIMIT -1) t
           CROSS JOIN follows f ON f.id = t.id)",
    PREVIEWED_TIES_POSTGRES("account_id", "target_id")
};
const db::Query<PreviewedTie> previewed_followers{
    "previewed_followers",
    R"(SELECT j.key AS server, f.target_id AS here FROM json_each($1) j
           CROSS JOIN accounts a ON a.domain = j.value AND a.domain <> '' CROSS JOIN follows f ON f.account_id = a.id)",
    PREVIEWED_TIES_POSTGRES("target_id", "account_id")
};

namespace {

bool is_same(const instance::KnownRule* one, const instance::KnownRule* other) {
    if (!one || !other) return one == other;
    return one->severity == other->severity && one->reject_media == other->reject_media &&
           one->reject_reports == other->reject_reports;
}

class Previewing {
public:
    Previewing(db::Read& db, ListPlan plan) : db_(db), plan_(std::move(plan)) {}

    ListPreview preview() {
        show_domains();
        find_servers();
        for (const auto& one : db_.all(accounts_of_servers, touched_)) {
            auto& server = by_server_.at(one.domain);
            server.accounts = one.accounts;
            out_.domains[server.line].accounts += one.accounts;
            out_.accounts += one.accounts;
        }
        for (std::span<const std::string> left(suspended_); !left.empty();) {
            const auto some = next_servers(left);
            count_ties(some, previewed_following, &PreviewedDomain::following, &Losses::following);
            count_ties(some, previewed_followers, &PreviewedDomain::followers, &Losses::followers);
            left = left.subspan(some.size());
        }
        show_people();
        return std::move(out_);
    }

private:
    struct Server {
        std::size_t line = 0;  // of out_.domains
        std::int64_t accounts = 0;
    };
    struct Losses {
        std::int64_t following = 0, followers = 0;
    };

    void show_domains() {
        for (const auto& one : plan_.rules) {
            const auto& rule = one.rule;
            PreviewedDomain shown{
                rule.domain, rule.severity, rule.reject_media, rule.reject_reports, one.fate
            };
            if (!one.by.empty()) shown.by = one.by;
            if (one.fate == Fate::added || one.fate == Fate::joined)
                by_domain_.emplace(rule.domain, out_.domains.size());
            out_.domains.push_back(std::move(shown));
        }
        out_.added = plan_.count(Fate::added);
        out_.joined = plan_.count(Fate::joined);
        out_.own = plan_.count(Fate::own);
        out_.covered = plan_.count(Fate::covered);
        out_.excepted = plan_.count(Fate::excepted);
    }

    // Those about which the list decides otherwise than was decided before.
    void find_servers() {
        std::vector<std::string> reversed;
        for (const auto& [domain, at] : by_domain_) reversed.push_back(backwards(domain));
        for (auto& server : db_.all(servers_within_domains, reversed)) {
            const auto* before = plan_.before->deciding(server);
            const auto* after = plan_.after.deciding(server);
            if (is_same(before, after) || !after || instance::is_left_out(db_, server)) continue;
            const auto line = by_domain_.find(after->domain);
            if (line == by_domain_.end()) continue;
            by_server_.emplace(server, Server{line->second});
            if (after->severity == Severity::suspend && (!before || before->severity != Severity::suspend))
                suspended_.push_back(server);
            touched_.push_back(std::move(server));
        }
    }

    // So many that the follows with them, which are put in order together, take some megabytes.
    std::span<const std::string> next_servers(std::span<const std::string> left) const {
        constexpr std::int64_t accounts_at_once = 50'000;
        std::size_t servers = 0;
        for (std::int64_t accounts = 0; servers < left.size() && accounts < accounts_at_once; ++servers)
            accounts += by_server_.at(left[servers]).accounts;
        return left.first(servers);
    }

    void count_ties(
        std::span<const std::string> servers, const db::Query<PreviewedTie>& ties,
        std::int64_t PreviewedDomain::* of_domain, std::int64_t Losses::* of_person
    ) {
        std::vector<PreviewedDomain*> lines;
        for (const auto& server : servers) lines.push_back(&out_.domains[by_server_.at(server).line]);
        db_.each(
            ties,
            [&](const PreviewedTie& tie) {
                ++(lines[static_cast<std::size_t>(tie.server)]->*of_domain);
                ++(people_[tie.here.value].*of_person);
            },
            std::vector<std::string>(servers.begin(), servers.end())
        );
    }

    void show_people() {
        for (const auto& [id, losses] : people_) {
            LosingPerson person;
            person.account_id = {id};
            person.following = losses.following;
            person.followers = losses.followers;
            out_.following += losses.following;
            out_.followers += losses.followers;
            out_.losing_most.push_back(std::move(person));
        }
        out_.people = std::ssize(out_.losing_most);
        auto first = [](const LosingPerson& a, const LosingPerson& b) {
            const auto of_a = a.following + a.followers, of_b = b.following + b.followers;
            return of_a != of_b ? of_a > of_b : a.account_id.value < b.account_id.value;
        };
        auto& shown = out_.losing_most;
        const auto count = std::min(shown_people, shown.size());
        std::ranges::partial_sort(shown, shown.begin() + static_cast<std::ptrdiff_t>(count), first);
        shown.resize(count);
        for (auto& person : shown)
            if (auto account = accounts::find_account(db_, person.account_id))
                person.username = account->username;
    }

    db::Read& db_;
    ListPlan plan_;
    ListPreview out_;
    std::unordered_map<std::string, std::size_t> by_domain_;  // lines of out_.domains
    std::unordered_map<std::string, Server> by_server_;
    std::vector<std::string> touched_, suspended_;
    std::unordered_map<std::int64_t, Losses> people_;
};

}  // namespace

ListPreview preview(db::Read& db, const ServerList& list) {
    auto out = preview(db, plan_list(RulesNow(db), list.rules, list.priority));
    out.format = list.format;
    out.refused = list.refused;
    return out;
}

ListPreview preview(db::Read& db, ListPlan plan) { return Previewing(db, std::move(plan)).preview(); }

}  // namespace moderation
