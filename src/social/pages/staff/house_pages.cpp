// SPDX-License-Identifier: AGPL-3.0-or-later
// The site itself: who may come and what visitors see, its texts, the rules of the house, emojis and relays.
#include "social/accounts/account.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/emojis/emoji.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/media/media.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/site/site_acts.hpp"
#include "social/oauth/pages/entering.hpp"
#include "social/pages/staff/sheet.hpp"

#include <algorithm>

namespace pages {
namespace {

// ---- the site ----

const std::string site_path = address_of(site_part);

struct SiteForm {
    bool approval = false, trends = false, trendable = false, directory = false, hidden = false;
    std::string blocks = "disabled", reasons = "disabled", authenticity_token;
};
DESCRIBE(SiteForm, approval, trends, trendable, directory, hidden, blocks, reasons, authenticity_token)

struct TextForm {
    std::string text, day, authenticity_token;
};
DESCRIBE(TextForm, text, day, authenticity_token)

Field box(std::string_view name, std::string_view label, bool ticked) {
    return {Field::Kind::box, name, label, ticked ? "1" : ""};
}

Field audience(std::string_view name, std::string_view label, const std::string& chosen) {
    Field out{Field::Kind::list, name, label, chosen};
    out.options = {{"disabled", "Nobody"}, {"users", "People of this server"}, {"all", "Everybody"}};
    return out;
}

Panel text_panel(std::string_view title, const std::string& action, const std::string& text, bool dated) {
    Panel out{title};
    Form form{action, "Save", {{Field::Kind::area, "text", "In Markdown", text}}};
    if (dated) form.fields.push_back({Field::Kind::day, "day", "In force from", {}, true});
    out.forms.push_back(std::move(form));
    return out;
}

http::Response site_page(
    db::Read& db, const http::Request& request, const Member& who, std::string_view problem = {},
    const std::optional<std::string>& terms = {}
) {
    auto choices = moderation::site_choices(db);
    auto open = moderation::registrations(db);
    Panel first{"What visitors see"};
    first.facts.push_back(
        {"Who may sign up",
         {},
         open == "open"       ? "Everybody"
         : open == "approval" ? "Whoever a moderator approves"
                              : "Nobody, unless invited"}
    );
    Form form{site_path, "Save"};
    if (open != "closed" && !db.site().approval_required)  // else it is a setting
        form.fields.push_back(box("approval", "Sign-ups wait for approval", open == "approval"));
    for (auto& field :
         {box("trends", "Show what trends", choices.trends),
          box("trendable", "What nobody has decided about may trend", choices.trendable_by_default),
          box("directory", "Show a list of the people here", choices.profile_directory),
          box("hidden", "Ask search engines to stay away", choices.hidden_from_search),
          audience("blocks", "Who sees which servers are limited", choices.show_domain_blocks),
          audience("reasons", "Who sees why they are", choices.show_domain_blocks_rationale)})
        form.fields.push_back(field);
    first.forms.push_back(std::move(form));
    return sheet(
        db,
        request,
        who,
        site_part,
        "This site",
        {first,
         text_panel(
             "About", site_path + "/about", instance::text(db, instance::Text::extended_description), false
         ),
         text_panel(
             "Privacy policy",
             site_path + "/privacy",
             instance::text(db, instance::Text::privacy_policy),
             false
         ),
         text_panel("Terms of service", site_path + "/terms", terms.value_or(instance::terms_text(db)), true)
        },
        problem
    );
}

http::Response look_at_site(db::Read& db, const http::Request& request) {
    auto who = member(db, request, site_part.any_of);
    return who.answer() ? *who.answer() : site_page(db, request, who);
}

http::Response change_site(db::Write& db, const http::Request& request, const SiteForm& form) {
    auto who = member(db, request, site_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return site_page(db, request, who, why); };
    return tried(site_path, saved, refused, [&] {
        moderation::change_site(
            db,
            who.actor,
            {form.trends, form.trendable, form.directory, form.hidden, form.blocks, form.reasons}
        );
        auto open = moderation::registrations(db);
        if (open != "closed" && !db.site().approval_required && (open == "approval") != form.approval)
            moderation::set_approval(db, who.actor, form.approval);
    });
}

template <instance::Text Which>
http::Response write_text(db::Write& db, const http::Request& request, const TextForm& form) {
    auto who = member(db, request, site_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::write_text(db, who.actor, Which, form.text);
    return done(site_path, saved);
}

http::Response write_terms(db::Write& db, const http::Request& request, const TextForm& form) {
    auto who = member(db, request, site_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return site_page(db, request, who, why, form.text); };
    return tried(site_path, saved, refused, [&] {
        auto day = base::parse_time(form.day);
        if (!day) throw base::Invalid("A day is written 2026-12-24.");
        moderation::publish_terms(db, who.actor, form.text, base::Date{day->midnight().ms});
    });
}

// ---- rules of the house ----

const std::string rules_path = address_of(house_rules_part);

struct RuleForm {
    std::string text, hint, authenticity_token;
};
DESCRIBE(RuleForm, text, hint, authenticity_token)

Form rule_form(const std::string& action, const RuleForm& given) {
    return {
        action,
        "Save",
        {{Field::Kind::line, "text", "In a sentence", given.text, true},
         {Field::Kind::area, "hint", "In more words", given.hint}}
    };
}

http::Response house_rules_page(
    db::Read& db, const http::Request& request, const Member& who, const RuleForm& given,
    std::string_view problem = {}
) {
    Panel panel;
    panel.hint = "Whoever signs up agrees to them, and a report can name one.";
    panel.rows.emplace();
    for (const auto& one : instance::rules(db)) {
        auto where = rules_path + "/" + std::to_string(one.id.value);
        Row row{one.text, where};
        row.words = one.hint;
        if (!panel.rows->empty()) row.forms.push_back({where + "/up", "Move up", {}, {}, "quiet"});
        panel.rows->push_back(std::move(row));
    }
    Panel adding{"Add a rule"};
    adding.forms.push_back(rule_form(rules_path, given));
    return sheet(db, request, who, house_rules_part, "Rules", {panel, adding}, problem);
}

http::Response house_rules(db::Read& db, const http::Request& request) {
    auto who = member(db, request, house_rules_part.any_of);
    return who.answer() ? *who.answer() : house_rules_page(db, request, who, {});
}

http::Response add_house_rule(db::Write& db, const http::Request& request, const RuleForm& form) {
    auto who = member(db, request, house_rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return house_rules_page(db, request, who, form, why); };
    return tried(rules_path, added, refused, [&] {
        moderation::add_house_rule(db, who.actor, form.text, form.hint);
    });
}

http::Response house_rule_page(
    db::Read& db, const http::Request& request, const Member& who, base::RuleId id, const RuleForm& given,
    std::string_view problem = {}
) {
    auto where = rules_path + "/" + std::to_string(id.value);
    Panel panel;
    panel.forms = {rule_form(where, given), {where + "/remove", "Remove", {}, {}, "negative"}};
    return sheet(db, request, who, house_rules_part, "A rule", {panel}, problem);
}

http::Response house_rule(db::Read& db, const http::Request& request, const One<base::RuleId>& path) {
    auto who = member(db, request, house_rules_part.any_of);
    if (who.answer()) return *who.answer();
    auto known = instance::rule(db, path.id);
    return house_rule_page(db, request, who, path.id, {known.text, known.hint, {}});
}

struct ByRule {
    base::RuleId id;
};
DESCRIBE(ByRule, id)

http::Response change_house_rule(
    db::Write& db, const http::Request& request, const ByRule& path, const RuleForm& form
) {
    auto who = member(db, request, house_rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) {
        return house_rule_page(db, request, who, path.id, form, why);
    };
    return tried(rules_path, saved, refused, [&] {
        moderation::change_house_rule(db, who.actor, path.id, form.text, form.hint);
    });
}

constexpr auto rule_up = act_on<house_rules_part, moderation::move_house_rule_up, base::RuleId, saved>;
constexpr auto end_rule = act_on<house_rules_part, moderation::end_house_rule, base::RuleId, removed>;

// ---- emojis ----

const std::string emojis_path = address_of(emojis_part);
constexpr std::uint64_t most_emoji_bytes = 1 << 20;

struct EmojiForm {
    std::string shortcode, category, authenticity_token;
    std::optional<http::Upload> picture;
};
DESCRIBE(EmojiForm, shortcode, category, authenticity_token, picture)

http::Response emojis_page(
    db::Read& db, const http::Request& request, const Member& who, const EmojiForm& given,
    std::string_view problem = {}
) {
    Panel panel;
    Form form{
        emojis_path,
        "Add",
        {{Field::Kind::line,
          "shortcode",
          "Shortcode",
          given.shortcode,
          true,
          "Letters, digits and underscores; it is written between colons"},
         {Field::Kind::file,
          "picture",
          "The file",
          {},
          true,
          "PNG, GIF or WebP, at most 256 KiB",
          {},
          "image/png,image/gif,image/webp"},
         {Field::Kind::line, "category", "Category", given.category}}
    };
    form.with_file = true;
    panel.forms.push_back(std::move(form));
    panel.rows.emplace();
    for (const auto& one : emojis::site_emojis(db)) {
        auto where = emojis_path + "/" + std::to_string(one.id.value);
        Row row{":" + one.shortcode + ":"};
        row.picture = db.site().media(one.static_file);
        row.hint = one.category.value_or("");
        if (one.disabled) row.states.push_back("Switched off");
        else if (!one.visible_in_picker) row.states.push_back("Not offered");
        row.forms.push_back(
            {where + (one.disabled ? "/enable" : "/disable"),
             one.disabled ? "Switch on" : "Switch off",
             {},
             {},
             "quiet"}
        );
        if (!one.disabled)
            row.forms.push_back(
                {where + (one.visible_in_picker ? "/unlist" : "/list"),
                 one.visible_in_picker ? "Do not offer" : "Offer",
                 {},
                 {},
                 "quiet"}
            );
        row.forms.push_back({where + "/remove", "Remove", {}, {}, "negative"});
        panel.rows->push_back(std::move(row));
    }
    return sheet(db, request, who, emojis_part, "Emojis", {panel}, problem);
}

http::Response look_at_emojis(db::Read& db, const http::Request& request) {
    auto who = member(db, request, emojis_part.any_of);
    return who.answer() ? *who.answer() : emojis_page(db, request, who, {});
}

struct ReadEmoji {
    std::optional<http::Response> answer;
    media::EmojiFiles files;
};

// What is decoded belongs to who may add it alone.
ReadEmoji read_emoji(
    const base::Ask& ask, db::Read& db, const http::Request& request, const EmojiForm& form
) {
    auto who = member(db, request, emojis_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    if (!form.picture) return {emojis_page(db, request, who, form, "Please choose a file"), {}};
    const auto& processed = ask(media::ProcessImage{form.picture->file->string(), media::Kind::emoji, {}});
    const auto* stored = std::get_if<media::Stored>(&processed);
    if (!stored)
        return {
            emojis_page(
                db, request, who, form, "This picture cannot be used: PNG, GIF or WebP, at most 256 KiB."
            ),
            {}
        };
    return {{}, {stored->file, stored->still}};
}

http::Response put_emoji(
    db::Write& db, const http::Request& request, const EmojiForm& form, const ReadEmoji& read
) {
    if (read.answer) return *read.answer;
    auto who = member(db, request, emojis_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) {
        db.emit(media::FilesReleased{{read.files.file, read.files.static_file}});
        return emojis_page(db, request, who, form, why);
    };
    return tried(emojis_path, added, refused, [&] {
        moderation::put_emoji(db, who.actor, form.shortcode, form.category, read.files);
    });
}

template <bool Disabled, bool Visible>
void set_emoji(db::Write& db, const accounts::Actor& who, base::EmojiId id) {
    moderation::change_emoji(db, who, id, Disabled, Visible);
}
template <auto F, const char* What>
constexpr auto on_emoji = act_on<emojis_part, F, base::EmojiId, What>;

// ---- relays ----

const std::string relays_path = address_of(relays_part);

struct RelayForm {
    std::string address, authenticity_token;
};
DESCRIBE(RelayForm, address, authenticity_token)

std::string_view name_of(federation::RelayState state) {
    switch (state) {
        case federation::RelayState::pending: return "Waiting";
        case federation::RelayState::accepted: return "Active";
        case federation::RelayState::rejected: break;
    }
    return "Refused";
}

http::Response relays_page(
    db::Read& db, const http::Request& request, const Member& who, const RelayForm& given,
    std::string_view problem = {}
) {
    Panel panel;
    panel.hint = "Servers that hand round the posts of others";
    panel.forms.push_back(
        {relays_path,
         "Add",
         {{Field::Kind::line, "address", "Address", given.address, true, "Like https://relay.example/inbox"}}}
    );
    panel.rows.emplace();
    for (const auto& one : federation::relays(db)) {
        Row row{one.address};
        row.states.push_back(name_of(one.state));
        row.hint = day_of(one.created_at);
        row.forms.push_back(
            {relays_path + "/" + std::to_string(one.id.value) + "/remove", "Remove", {}, {}, "negative"}
        );
        panel.rows->push_back(std::move(row));
    }
    return sheet(db, request, who, relays_part, "Relays", {panel}, problem);
}

http::Response look_at_relays(db::Read& db, const http::Request& request) {
    auto who = member(db, request, relays_part.any_of);
    return who.answer() ? *who.answer() : relays_page(db, request, who, {});
}

struct FoundRelay {
    std::optional<http::Response> answer;
    std::string inbox, actor;
};

// A relay is named by its inbox, or as an actor, which has to be asked.
FoundRelay find_relay(
    const base::Ask& ask, db::Read& db, const http::Request& request, const RelayForm& form
) {
    auto who = member(db, request, relays_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}, {}};
    if (form.address.ends_with("/inbox")) return {{}, form.address, {}};
    const auto& found = ask(accounts::Resolve{form.address});
    auto inbox = found.account ? federation::inbox_of(db, found.account) : std::string();
    if (inbox.empty())
        return {
            relays_page(db, request, who, form, "There is no such account, or its server does not answer."),
            {},
            {}
        };
    return {{}, inbox, accounts::account(db, found.account).uri};
}

http::Response add_relay(
    db::Write& db, const http::Request& request, const RelayForm& form, const FoundRelay& found
) {
    if (found.answer) return *found.answer;
    auto who = member(db, request, relays_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return relays_page(db, request, who, form, why); };
    return tried(relays_path, added, refused, [&] {
        moderation::add_relay(db, who.actor, form.address, found.inbox, found.actor);
    });
}

constexpr auto end_relay = act_on<relays_part, moderation::remove_relay, federation::RelayId, removed>;

// clang-format off
constexpr http::Route table[] = {
    http::get<look_at_site>   ("/settings/moderation/site"),
    http::post<change_site>   ("/settings/moderation/site"),
    http::post<write_text<instance::Text::extended_description>>("/settings/moderation/site/about"),
    http::post<write_text<instance::Text::privacy_policy>>      ("/settings/moderation/site/privacy"),
    http::post<write_terms>   ("/settings/moderation/site/terms"),
    http::get<house_rules>    ("/settings/moderation/house_rules"),
    http::post<add_house_rule>("/settings/moderation/house_rules"),
    http::get<house_rule>     ("/settings/moderation/house_rules/:id"),
    http::post<change_house_rule>("/settings/moderation/house_rules/:id"),
    http::post<rule_up>       ("/settings/moderation/house_rules/:id/up"),
    http::post<end_rule>      ("/settings/moderation/house_rules/:id/remove"),
    http::get<look_at_emojis> ("/settings/moderation/emojis"),
    http::post<read_emoji, put_emoji>("/settings/moderation/emojis").body_limit(most_emoji_bytes).files_of(oauth::is_signed_in),
    http::post<on_emoji<set_emoji<true, true>, saved>>  ("/settings/moderation/emojis/:id/disable"),
    http::post<on_emoji<set_emoji<false, true>, saved>> ("/settings/moderation/emojis/:id/enable"),
    http::post<on_emoji<set_emoji<false, false>, saved>>("/settings/moderation/emojis/:id/unlist"),
    http::post<on_emoji<set_emoji<false, true>, saved>> ("/settings/moderation/emojis/:id/list"),
    http::post<on_emoji<moderation::remove_emoji, removed>>("/settings/moderation/emojis/:id/remove"),
    http::get<look_at_relays> ("/settings/moderation/relays"),
    http::post<find_relay, add_relay>("/settings/moderation/relays"),
    http::post<end_relay>     ("/settings/moderation/relays/:id/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> house_pages() { return table; }

}  // namespace pages
