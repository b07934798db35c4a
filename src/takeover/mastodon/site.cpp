// SPDX-License-Identifier: AGPL-3.0-or-later
// What belongs to the server: roles, what was set, rules about others, its own rules, its key for push messages, relays.
#include "base/json.hpp"
#include "base/network.hpp"
#include "base/text/blank.hpp"
#include "social/accounts/users/role.hpp"
#include "takeover/mastodon/reading.hpp"

#include <array>

namespace takeover::mastodon {

namespace {

// "'it''s'" or "\"a\\nb\"", and plain words as they stand.
std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != text.back() || (text.front() != '"' && text.front() != '\''))
        return std::string(text);
    const char quote = text.front();
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote == '\'' && text.substr(i).starts_with("''")) ++i;
        if (quote != '"' || text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char next = text[++i];
        out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    }
    return out;
}

// The lines of a block, without what they are set in by.
std::string block(std::string_view lines) {
    std::string out;
    std::size_t margin = std::string_view::npos;
    while (!lines.empty()) {
        const auto end = std::min(lines.find('\n'), lines.size());
        auto line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (margin == line.npos && !base::text::is_blank(line)) margin = line.find_first_not_of(' ');
        if (margin != line.npos) line.remove_prefix(std::min(margin, line.size()));
        out.append(line) += '\n';
    }
    while (out.ends_with('\n')) out.pop_back();
    return out;
}

}  // namespace

MaybeText text_of_yaml(std::string_view yaml) {
    if (!yaml.starts_with("---")) return std::nullopt;
    yaml.remove_prefix(3);
    const auto end = std::min(yaml.find('\n'), yaml.size());
    const auto first = base::text::trimmed(yaml.substr(0, end));
    const auto rest = yaml.substr(std::min(end + 1, yaml.size()));
    if (first.empty() || first.front() == '!' || first.front() == '[' || first.front() == '{')
        return std::nullopt;
    if (first.front() == '|' || first.front() == '>') return block(rest);
    if (!base::text::is_blank(rest) && rest != "...\n") return unquoted(base::text::trimmed(yaml));
    return unquoted(first);
}

Settings site_settings(db::Foreign& db) {
    Settings out;
    if (db.columns_of("settings").empty()) return out;
    db.each<Setting>(
        "settings",
        "",
        {},
        [&](const Setting& s) {
            if (auto text = text_of_yaml(s.value)) out.insert_or_assign(s.var, *std::move(text));
        },
        [](auto&, auto&) {}
    );
    return out;
}

namespace {

// Those that have the same name here. Texts with them have a date.
void put_settings(const Reading& r, Sink& sink) {
    constexpr const char* same[] = {
        "noindex",
        "trends",
        "trendable_by_default",
        "profile_directory",
        "bootstrap_timeline_accounts",
        "show_domain_blocks",
        "show_domain_blocks_rationale",
        "custom_css",
        "peers_api_enabled",
        "activity_api_enabled",
    };
    constexpr std::pair<const char*, const char*> texts[] = {
        {"site_extended_description", "text_extended_description"}, {"site_terms", "text_privacy_policy"}
    };
    const auto there = site_settings(r.db);
    for (const auto* name : same)
        if (const auto at = there.find(name); at != there.end()) sink.put(SettingRow{name, at->second});
    for (const auto& [name, own] : texts)
        if (const auto at = there.find(name); at != there.end() && !at->second.empty()) {
            sink.put(SettingRow{own, at->second});
            sink.put(SettingRow{std::string(own) + "_at", std::to_string(r.choice.now.ms)});
        }
    const auto point = r.settings.find("VAPID_PUBLIC_KEY"), number = r.settings.find("VAPID_PRIVATE_KEY");
    if (point != r.settings.end() && number != r.settings.end())
        put_push_key("of the configuration", point->second, number->second, sink);
}

// Three roles are in every database here. Another one that has the number of theirs gets a new one.
void put_roles(const Reading& r, Sink& sink) {
    constexpr std::pair<base::RoleId, const char*> own[] = {
        {accounts::moderator, "Moderator"}, {accounts::admin, "Admin"}, {accounts::owner, "Owner"}
    };
    r.all<Role>("role", "user_roles", sink, [&](const Role& role) {
        RoleRow row;
        row.id = role.id;
        for (const auto& [id, name] : own) {
            if (role.id != id.value || role.name == name) continue;
            const bool owner = id == accounts::owner && (role.permissions & accounts::administrator) != 0;
            if (!owner) row.id = sink.numbers.give("role", std::to_string(role.id), role.created_at);
        }
        row.name = role.name;
        row.color = role.color;
        row.position = role.position;
        row.permissions = role.permissions & accounts::all_permissions;
        row.highlighted = role.highlighted;
        row.collection_limit = role.collection_limit;
        row.require_2fa = role.require_2fa;
        sink.put(std::move(row));
    });
}

void put_server_rules(const Reading& r, Sink& sink) {
    constexpr std::array severities{"silence", "suspend", "noop"};
    r.all<DomainBlock>("domain block", "domain_blocks", sink, [&](const DomainBlock& b) {
        if (!is_domain(b.domain) || b.severity < 0 ||
            b.severity >= static_cast<std::int64_t>(severities.size()))
            return sink.refuse(
                "domain block", std::to_string(b.id), "it names no domain, or does nothing known"
            );
        sink.put(ServerRuleRow{
            b.id,
            b.domain,
            severities[static_cast<std::size_t>(b.severity)],
            b.reject_media,
            b.reject_reports,
            b.obfuscate,
            b.private_comment,
            b.public_comment,
            b.created_at
        });
    });
    r.all<Domain>("domain allow", "domain_allows", sink, [&](const Domain& d) {
        if (is_domain(d.domain)) sink.put(AllowedServerRow{d.id, d.domain, d.created_at});
    });
    r.all<Domain>("email domain block", "email_domain_blocks", sink, [&](const Domain& d) {
        if (is_domain(d.domain))
            sink.put(EmailDomainRow{d.id, d.domain, d.allow_with_approval, d.created_at});
    });
    r.all<IpBlock>("address block", "ip_blocks", sink, [&](const IpBlock& b) {
        constexpr std::int64_t approval = 5000, sign_up = 5500;
        const auto network = base::parse_network(b.ip);
        if (!network) return sink.refuse("address block", std::to_string(b.id), "it names no address");
        sink.put(AddressBlockRow{
            b.id,
            network->text,
            network->first,
            network->last,
            b.severity == approval  ? "sign_up_requires_approval"
            : b.severity == sign_up ? "sign_up_block"
                                    : "no_access",
            b.comment,
            b.expires_at,
            b.created_at
        });
    });
    r.all<UsernameBlock>("name block", "username_blocks", sink, [&](const UsernameBlock& b) {
        sink.put(NameBlockRow{
            b.id, b.username, b.normalized_username, b.exact, b.allow_with_approval, b.created_at
        });
    });
}

// What answers later names the Follow that was sent then, by the same actor.
void put_relays(const Reading& r, Sink& sink) {
    constexpr std::array states{"", "pending", "accepted", "rejected"};
    r.all<Relay>("relay", "relays", sink, [&](const Relay& relay) {
        const bool known = relay.state > 0 && relay.state < static_cast<std::int64_t>(states.size());
        if (!known) return;  // it was switched off
        if (!is_address(relay.inbox_url) || relay.follow_activity_id.empty())
            return sink.refuse("relay", std::to_string(relay.id), "it has no inbox, or was never followed");
        sink.put(RelayRow{
            relay.id,
            relay.inbox_url,
            relay.follow_activity_id,
            states[static_cast<std::size_t>(relay.state)],
            relay.created_at
        });
    });
}

}  // namespace

// Few rows: at once, and again if it was cut off.
void copy_site(const Reading& r, const std::string&, Sink& sink) {
    put_settings(r, sink);
    put_roles(r, sink);
    put_server_rules(r, sink);
    put_relays(r, sink);
    r.all<Rule>("rule", "rules", sink, [&](const Rule& rule) {
        sink.put(RuleRow{rule.id, rule.priority, rule.text, rule.hint, rule.deleted_at});
    });
    r.all<Terms>("terms", "terms_of_services", sink, [&](const Terms& t) {
        if (!t.published_at) return;
        // Those that held from the moment at which they were published have no day of their own.
        auto day = t.effective_date.empty() ? base::to_string(base::Date{t.published_at->midnight().ms})
                                            : t.effective_date;
        sink.put(TermsRow{t.id, t.text, t.changelog, std::move(day), t.published_at, t.created_at});
    });
    r.all<WarningPreset>("warning preset", "account_warning_presets", sink, [&](const WarningPreset& p) {
        sink.put(WarningPresetRow{p.id, p.title, p.text});
    });
}

}  // namespace takeover::mastodon
