// SPDX-License-Identifier: AGPL-3.0-or-later
// Refusals in the language of who is refused (behaviours: section 2).
#include "social/accounts/users/user.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

const db::Command test_set_locale{"test_set_locale", "UPDATE users SET locale = $2 WHERE account_id = $1"};

constexpr auto english = "Record not found", german = "Eintrag nicht gefunden",
               french = "Enregistrement introuvable", spanish = "Registro no encontrado",
               japanese = "該当するデータが見つかりません";

struct Languages : OnEachWorld {
    Person alice = w.local("alice");
    Languages() {
        // Nobody signs up before there is an owner.
        w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, {std::stoll(alice.id)});
            accounts::set_role(db, user->id, accounts::owner);
        });
    }

    static Answer missing(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/accounts/1", fields);
    }
    Person with_locale(const std::string& locale) {
        auto who = w.local("with_" + locale.substr(0, 2));
        w.write([&](db::Write& db) { db.run(test_set_locale, base::AccountId{std::stoll(who.id)}, locale); });
        return who;
    }
    Person accepting(const std::string& languages) {
        return w.anonymous().with("Accept-Language", languages);
    }
};
ON_EACH_DATABASE(Languages);

TEST_P(Languages, of_refusals_are_english_unless_somebody_asks) {
    for (const auto& who : {w.anonymous(), alice, accepting("sv"), accepting("*"), accepting("\xff;;q=")}) {
        auto answer = missing(who);
        EXPECT_EQ(answer.status, 404);
        EXPECT_EQ(answer.body, R"({"error":"Record not found"})");
        EXPECT_EQ(answer.header("Content-Language"), "");
    }
}

TEST_P(Languages, of_refusals_are_what_the_browser_wants_most) {
    for (auto [wanted, text] :
         {std::pair{"de", german},
          {"de-AT,en;q=0.5", german},
          {"sv, fr-CA;q=0.8, de;q=0.7", french},
          {"de;q=0.1, es;q=0.9", spanish},
          {"ja-JP", japanese},
          {"en-GB, de;q=0.9", english}}) {
        auto answer = missing(accepting(wanted));
        EXPECT_EQ(answer.status, 404);
        EXPECT_EQ(answer.error(), text) << wanted;
        EXPECT_EQ(answer.header("Content-Type"), "application/json; charset=utf-8");
        EXPECT_EQ(answer.header("Cache-Control"), "private, no-store");
    }
    EXPECT_EQ(missing(accepting("de-AT")).header("Content-Language"), "de");
}

TEST_P(Languages, of_refusals_are_the_users_before_the_browsers_and_lang_before_both) {
    auto somebody = with_locale("de").with("Accept-Language", "ja");
    EXPECT_EQ(missing(somebody).error(), german);
    EXPECT_EQ(missing(somebody, {{"lang", "fr"}}).error(), french);
    EXPECT_EQ(missing(somebody, {{"lang", "en"}}).error(), english);
    EXPECT_EQ(missing(somebody, {{"lang", "sv"}}).error(), german);
    EXPECT_EQ(missing(with_locale("es-MX")).error(), spanish);
    EXPECT_EQ(missing(alice.with("Accept-Language", "ja")).error(), english) << "her locale is English";
    EXPECT_EQ(missing(with_locale("").with("Accept-Language", "ja")).error(), japanese) << "nothing chosen";
    auto posted = somebody.post("/api/v1/statuses", {{"status", " "}, {"lang", "es"}});
    EXPECT_EQ(posted.error(), "Datos no válidos: El texto no puede estar en blanco");
}

TEST_P(Languages, of_refusals_before_anybody_is_known_are_the_browsers) {
    auto german_one = accepting("de");
    auto refused = german_one.get("/api/v1/timelines/home");
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.error(), "Das Zugriffstoken ist ungültig");
    EXPECT_THAT(
        refused.header("WWW-Authenticate"), HasSubstr("error_description=\"The access token is invalid\"")
    );
    auto nowhere = german_one.get("/api/v1/no/such/path");
    EXPECT_EQ(nowhere.status, 404);
    EXPECT_EQ(nowhere.error(), "Nicht gefunden");
    EXPECT_EQ(nowhere.header("Vary"), "Accept, Accept-Language");
    EXPECT_EQ(w.anonymous().get("/api/v1/no/such/path", {{"lang", "de"}}).error(), "Nicht gefunden");
    auto broken = german_one.send(http::Method::post, "/api/v1/apps", "{", "application/json");
    EXPECT_EQ(broken.status, 400);
    EXPECT_EQ(broken.error(), "Die Parameter der Anfrage sind nicht lesbar");
}

TEST_P(Languages, of_details_leave_fields_and_codes_as_they_are) {
    Fields form{{"username", "alice"}, {"email", "x"}, {"password", "short"}, {"agreement", "true"}};
    auto answer = w.app().with("Accept-Language", "de").post("/api/v1/accounts", form);
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(
        answer.error(),
        "Ungültige Angaben: Profilname ist bereits vergeben, E-Mail-Adresse ist ungültig, Passwort ist zu "
        "kurz "
        "(mindestens 8 Zeichen)"
    );
    EXPECT_EQ(answer["details.username.0.error"], "ERR_TAKEN");
    EXPECT_EQ(answer["details.username.0.description"], "ist bereits vergeben");
    EXPECT_EQ(answer["details.email.0.error"], "ERR_INVALID");
    EXPECT_EQ(answer["details.email.0.description"], "ist ungültig");
    EXPECT_EQ(answer["details.password.0.description"], "ist zu kurz (mindestens 8 Zeichen)");
    auto nested = alice.post(
        "/api/v1/collections", {{"name", ""}, {"sensitive", "1"}, {"discoverable", "1"}, {"lang", "fr"}}
    );
    EXPECT_EQ(nested["error.error"], "Saisie invalide : Le nom ne peut pas être vide");
    EXPECT_EQ(nested["error.details.name.0.error"], "ERR_BLANK");
    EXPECT_EQ(nested["error.details.name.0.description"], "ne peut pas être vide");
}

TEST_P(Languages, of_refusals_leave_what_else_they_tell) {
    auto bob = w.local("bob");
    bob.patch("/api/v1/accounts/update_credentials", {{"display_name", "Record not found"}});
    auto answer = alice.post(
        "/api/v1/statuses", {{"status", "@bob hi"}, {"allowed_mentions[]", alice.id}, {"lang", "de"}}
    );
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(answer.error(), "Der Beitrag würde an unerwartete Konten gehen");
    EXPECT_EQ(answer["unexpected_accounts.0.id"], bob.id);
    EXPECT_EQ(answer["unexpected_accounts.0.display_name"], "Record not found");
}

// RFC 6749 wants ASCII there.
TEST_P(Languages, of_oauth_are_english) {
    auto answer = accepting("de").post("/oauth/token", {{"grant_type", "password"}});
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(answer["error_description"], HasSubstr("The authorization grant type is not supported"));
    EXPECT_EQ(answer.header("Content-Language"), "");
}

TEST_P(Languages, change_nothing_that_succeeds) {
    auto path = "/api/v1/accounts/" + alice.id;
    auto answer = accepting("de").get(path);
    EXPECT_EQ(answer.body, w.anonymous().get(path).body);
    EXPECT_EQ(answer.header("Vary"), "Authorization");
    EXPECT_EQ(answer.header("Content-Language"), "");
}

TEST(SiteLanguage, is_that_of_refusals_where_nobody_asks_for_another) {
    World w(support::Database::sqlite, {.site = [](base::Site& site) { site.language = "de"; }});
    EXPECT_EQ(w.anonymous().get("/api/v1/accounts/1").error(), german);
    EXPECT_EQ(w.anonymous().with("Accept-Language", "fr").get("/api/v1/accounts/1").error(), french);
    EXPECT_EQ(w.anonymous().with("Accept-Language", "sv").get("/api/v1/accounts/1").error(), german);
}

}  // namespace
