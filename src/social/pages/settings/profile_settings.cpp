// SPDX-License-Identifier: AGPL-3.0-or-later
// The profile as a form, for who has no JavaScript: what the web client shows at /settings/profile.
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/instance/configuration.hpp"
#include "social/pages/settings/settings_page.hpp"

namespace pages {

namespace {

const std::string path = hub + "/profile";

// A box that is not ticked is not sent.
struct Form {
    std::string display_name, note, avatar_description, header_description, authenticity_token;
    std::optional<http::Upload> avatar, header;
    std::vector<accounts::ProfileField> fields_attributes;
    bool remove_avatar = false, remove_header = false, locked = false, discoverable = false,
         indexable = false, hide_collections = false, bot = false;
};
DESCRIBE(
    Form, display_name, note, avatar_description, header_description, authenticity_token, avatar, header,
    fields_attributes, remove_avatar, remove_header, locked, discoverable, indexable, hide_collections, bot
)

Form form_of(const accounts::Account& account) {
    Form form;
    form.display_name = account.display_name;
    form.note = account.note;
    form.avatar_description = account.avatar_description;
    form.header_description = account.header_description;
    for (const auto& field : accounts::fields_of(account))
        form.fields_attributes.push_back({field.name, field.value});
    form.locked = account.locked;
    form.discoverable = account.discoverable.value_or(false);
    form.indexable = account.indexable;
    form.hide_collections = account.hide_collections.value_or(false);
    form.bot = account.actor_type == "Service";
    return form;
}

void add_pictures(
    instance::View& view, const base::Site& site, const accounts::Account& account, const Form& form
) {
    using accounts::PictureOf;
    auto add = [&](std::string_view name,
                   const std::string& file,
                   PictureOf which,
                   const std::string& text,
                   std::string_view choose,
                   std::string_view describe) {
        auto& one = view.add("PICTURE").set("NAME", name).set("TEXT", text);
        one.say("CHOOSE", choose).say("DESCRIBE", describe);
        if (!file.empty())
            one.add("THERE")
                .set("ADDRESS", accounts::picture_address(site, account, which))
                .set("NAME", name)
                .say("CHOOSE", choose);
    };
    add("avatar",
        account.avatar,
        PictureOf::avatar_static,
        form.avatar_description,
        "Choose a picture of you",
        "Description of your picture");
    add("header",
        account.header,
        PictureOf::header_static,
        form.header_description,
        "Choose a banner",
        "Description of the banner");
}

http::Response profile_page(
    db::Read& db, const http::Request& request, const Owner& who, const Form& form,
    std::string_view problem = {}
) {
    const auto account = accounts::account(db, who.user.account_id);
    const instance::ConfiguredAccounts limits;
    auto most = [](int number) { return std::to_string(number); };
    instance::View view;
    view.set("DISPLAY_NAME", form.display_name).set("NOTE", form.note);
    view.set("LONGEST_NAME", most(limits.max_display_name_length));
    view.set("LONGEST_TEXT", most(limits.max_avatar_description_length));
    add_pictures(view, db.site(), account, form);
    for (int n = 0; n < limits.max_profile_fields; ++n) {
        const auto at = static_cast<std::size_t>(n);
        const auto field =
            at < form.fields_attributes.size() ? form.fields_attributes[at] : accounts::ProfileField{};
        view.add("FIELD")
            .set("INDEX", std::to_string(n))
            .set("NUMBER", std::to_string(n + 1))
            .set("LABEL", field.name)
            .set("CONTENT", field.value)
            .set("LONGEST", most(limits.profile_field_value_limit));
    }
    view.show_if(form.locked, "LOCKED").show_if(form.discoverable, "DISCOVERABLE");
    view.show_if(form.indexable, "INDEXABLE").show_if(form.hide_collections, "HIDDEN_NETWORK");
    view.show_if(form.bot, "BOT").set("PROFILE", accounts::url_of(db.site(), account));
    return settings_page(db, request, who, "settings_profile", "Your profile", problem, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    return profile_page(db, request, who, form_of(accounts::account(db, who.user.account_id)));
}

struct Checked {
    std::optional<http::Response> answer;
    base::AccountId account;
    accounts::ProfileChanges changes;
};

Checked check(const base::Ask& ask, db::Read& db, const http::Request& request, const Form& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    const auto id = who.user.account_id;
    accounts::ProfileChanges changes;
    changes.display_name = form.display_name;
    changes.note = form.note;
    changes.avatar_description = form.avatar_description;
    changes.header_description = form.header_description;
    changes.fields = form.fields_attributes;
    changes.locked = form.locked;
    changes.discoverable = form.discoverable;
    changes.indexable = form.indexable;
    changes.hide_collections = form.hide_collections;
    changes.bot = form.bot;
    try {
        changes = accounts::render(db, accounts::account(db, id), std::move(changes));
        auto stored = [&](media::Kind kind, const std::optional<http::Upload>& given, bool removed) {
            if (given) return accounts::picture(ask, id, kind, given->file.get());
            return removed ? std::optional(accounts::Picture{}) : std::nullopt;
        };
        changes.avatar = stored(media::Kind::avatar, form.avatar, form.remove_avatar);
        changes.header = stored(media::Kind::header, form.header, form.remove_header);
    } catch (const base::Invalid& error) {
        return {profile_page(db, request, who, form, error.what()), {}, {}};
    }
    return {std::nullopt, id, std::move(changes)};
}

http::Response change(db::Write& db, const Checked& checked) {
    if (checked.answer) return *checked.answer;
    accounts::change_profile(db, checked.account, checked.changes);
    return done(path, "profile");
}

// What the client shows at this address, where there is no client.
http::Response lead_here(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : oauth::redirect(path);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>         ("/settings/account/profile"),
    http::post<check, change>("/settings/account/profile").body_limit(20 << 20).files_of(oauth::is_signed_in),
    http::get<lead_here>    ("/settings/profile"),
};
// clang-format on

}  // namespace

std::span<const http::Route> profile_settings() { return table; }

}  // namespace pages
