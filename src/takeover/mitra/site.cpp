// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team has, and what does not come along.
#include "social/instance/domain_block.hpp"
#include "takeover/mitra/reading.hpp"

#include <algorithm>

namespace takeover::mitra {

namespace {

enum Action : std::int64_t { reject_incoming = 1, reject_media = 2, reject = 5 };

// Less specific ones come first there.
constexpr const char* filter_rules =
    "(SELECT f.id, f.target, f.filter_action, f.is_reversed FROM filter_rule f ORDER BY "
    "position('*' IN f.target) = 0, length(f.target), reverse(f.target), f.filter_action) AS x";

// * stands for any letters, ? for one.
bool fits(std::string_view pattern, std::string_view host) {
    std::size_t at = 0, in = 0, star = pattern.npos, begun = 0;
    while (in < host.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            begun = in;
        } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == host[in])) {
            ++at;
            ++in;
        } else if (star != pattern.npos) {
            at = star + 1;
            in = ++begun;
        } else return false;
    }
    return pattern.find_first_not_of('*', at) == pattern.npos;
}

// As they are judged there: each action alone, where the last rule that fits wins.
class Judged {
public:
    void add(const Rule& rule) {
        if (rule.target.find_first_of("*?") != rule.target.npos) patterns_.push_back(rule);
        else exact_[{rule.filter_action, rule.target}] = !rule.is_reversed;
    }
    bool demands(Action action, const std::string& host, bool with_all = false) const {
        if (const auto said = exact_.find({action, host}); said != exact_.end()) return said->second;
        bool out = false;
        for (const auto& rule : patterns_)
            if (rule.filter_action == action && (with_all || rule.target != "*") && fits(rule.target, host))
                out = !rule.is_reversed;
        return out;
    }
    bool rejects(const std::string& host, bool with_all = false) const {
        return demands(reject_incoming, host, with_all) || demands(reject, host, with_all);
    }

private:
    std::vector<Rule> patterns_;
    std::map<std::pair<std::int64_t, std::string>, bool> exact_;
};

// By name: a domain, or all below it.
struct Named {
    bool it = false, below = false;
};
// What rules take back of a domain.
struct Reversed {
    Named rejection, media;
};

bool told_apart(const Named& reversed, bool it, bool below) {
    return (reversed.it && below && !it) || (reversed.below && it && !below);
}

// What is said of a server is said of those below it here, too: where these are told apart, the stricter one stays.
void put_rule(ServerRules& out, const Judged& judged, const std::string& domain, const Reversed& reversed) {
    const auto below = "_." + domain;
    const bool rejected = judged.rejects(domain), rejected_below = judged.rejects(below);
    const bool media = judged.demands(reject_media, domain);
    const bool media_below = judged.demands(reject_media, below);
    out.left += told_apart(reversed.rejection, rejected, rejected_below);
    out.left += told_apart(reversed.media, media, media_below);
    ServerRuleRow row;
    row.domain = domain;
    row.severity = rejected || rejected_below ? "suspend" : "noop";
    row.reject_media = media || media_below;
    // One that says nothing is an exception from that of a server above it.
    if (row.severity != "noop" || row.reject_media || out.on(domain))
        out.rules.emplace(domain, std::move(row));
    if (out.limited && reversed.rejection.it && !judged.rejects(domain, true)) out.allowed.push_back(domain);
}

}  // namespace

const ServerRuleRow* ServerRules::on(std::string_view host) const {
    for (const auto& domain : instance::domains_upwards(host))
        if (const auto rule = rules.find(domain); rule != rules.end()) return &rule->second;
    return nullptr;
}

ServerRules server_rules(db::Foreign& db) {
    ServerRules out;
    Judged judged;
    std::map<std::size_t, std::map<std::string, Reversed>> by_length;
    db.each<Rule>(
        filter_rules,
        "",
        {},
        [&](const Rule& rule) {
            judged.add(rule);
            const bool rejects = rule.filter_action == reject_incoming || rule.filter_action == reject;
            if (rejects && rule.target == "*") {
                out.limited = out.limited || !rule.is_reversed;
                return;
            }
            const bool all_below = rule.target.starts_with("*.");
            const auto domain = all_below ? rule.target.substr(2) : rule.target;
            if ((!rejects && rule.filter_action != reject_media) || !is_domain(domain)) {
                ++out.left;
                return;
            }
            auto& reversed = by_length[domain.size()][domain];
            auto& of_action = rejects ? reversed.rejection : reversed.media;
            if (rule.is_reversed) (all_below ? of_action.below : of_action.it) = true;
        },
        [&](auto&, auto&) { ++out.left; }
    );
    // Those above come before those below them.
    for (const auto& [length, domains] : by_length)
        for (const auto& [domain, reversed] : domains) put_rule(out, judged, domain, reversed);
    return out;
}

void copy_site(const Reading& r, const std::string& position, Sink& sink) {
    if (position.empty()) {
        auto rules = server_rules(r.db);
        for (auto& [domain, row] : rules.rules) {
            row.id = sink.numbers.give("domain_block", domain, r.choice.now);
            row.created_at = r.choice.now;
            sink.put(std::move(row));
        }
        for (const auto& domain : rules.allowed)
            sink.put(AllowedServerRow{
                sink.numbers.give("domain_allow", domain, r.choice.now), domain, r.choice.now
            });
    }
    const char* from =
        "(SELECT e.id, e.emoji_name, e.image, e.category, e.updated_at FROM emoji e WHERE e.hostname IS "
        "NULL) AS x";
    r.each<Emoji>("emoji", from, position, sink, [&](const Emoji& e) {
        if (!is_shortcode(e.emoji_name)) return sink.refuse("emoji", e.id, "its name is none");
        EmojiRow row;
        row.file = row.static_file = take_picture(r, e.image, true, ":" + e.emoji_name + ":", sink);
        if (row.file.empty()) return;
        row.id = sink.numbers.give("emoji", e.id, e.updated_at);
        row.shortcode = e.emoji_name;
        row.category = e.category;
        row.created_at = e.updated_at;
        sink.put(std::move(row));
    });
}

namespace {

// Where a row is counted that does not come along.
struct Left {
    const char *what, *from, *where;
};
constexpr Left left[] = {
    {"people with ids that are of no server (FEP-ef61), and all that is theirs", "portable_user_account", ""},
    {"people elsewhere with ids that are of no server (FEP-ef61)",
     "actor_profile",
     "WHERE portable_user_id IS NULL AND actor_json->>'id' LIKE 'ap:%'"},
    {"people here, who get NAME@invalid as their e-mail address and sign in with that", "user_account", ""},
    {"people who sign in by Ethereum or Monero alone, and get a password of the team (dunlin account modify "
     "NAME --reset-password)",
     "user_account",
     "WHERE COALESCE(password_digest, '') = ''"},
    {"people who may only read there, and may post from now on", "user_account", "WHERE user_role = 3"},
    {"groups and other accounts of the server that act by themselves",
     "automated_account",
     "WHERE account_type <> 1"},
    {"posts for subscribers or those of a thread, which are direct from now on: for those who see them "
     "today; of "
     "those of a thread, who wrote in it",
     "post p JOIN user_account u ON u.id = p.author_id",
     "WHERE p.visibility IN (4, 5)"},
    {"posts with a title, which is their first line from now on",
     "post p JOIN user_account u ON u.id = p.author_id",
     "WHERE COALESCE(p.title, '') <> ''"},
    {"reactions with an emoji, which become likes; of several to one post one stays",
     "post_reaction",
     "WHERE content <> '\xf0\x9f\x91\x8e'"},
    {"dislikes", "post_reaction", "WHERE content = '\xf0\x9f\x91\x8e'"},
    {"links to more than one post, of which the first is a quote",
     "(SELECT 1 FROM post_link GROUP BY source_id HAVING count(*) > 1) l",
     ""},
    {"choices not to see answers of somebody", "relationship", "WHERE relationship_type = 5"},
    {"follow requests that were declined", "relationship", "WHERE relationship_type = 7"},
    {"unused invites, which there is no administrator for",
     "user_invite_code",
     "WHERE NOT used AND NOT EXISTS (SELECT 1 FROM user_account WHERE user_role = 2)"},
    {"threads that somebody follows", "conversation_tracking", ""},
    {"subscriptions", "subscription", ""},
    {"payment methods", "payment_method", ""},
    {"invoices", "invoice", ""},
    {"people here with proofs of identity",
     "actor_profile",
     "WHERE user_id IS NOT NULL AND identity_proofs <> '[]'"},
    {"access tokens, which do not end by themselves any more", "oauth_token", "WHERE expires_at > now()"},
    {"access tokens of no app", "oauth_token", "WHERE expires_at > now() AND application_id IS NULL"},
    {"uploads that no post shows", "media_attachment", "WHERE post_id IS NULL"},
    {"decisions of the team in its log", "moderation_action", ""},
    {"deliveries that waited", "background_job", "WHERE job_type = 2"},
};

}  // namespace

std::vector<Loss> losses_of(db::Foreign& db) {
    std::vector<Loss> out;
    for (const auto& one : left)
        if (const auto rows = db.count(one.from, one.where); rows > 0) out.push_back({one.what, rows});
    if (const auto rows = server_rules(db).left; rows > 0)
        out.push_back({"rules about other servers that say what nothing here says", rows});
    out.push_back({"rules about other servers in the configuration (blocked_instances, allowed_instances)", 0}
    );
    return out;
}

}  // namespace takeover::mitra
