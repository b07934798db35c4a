// SPDX-License-Identifier: AGPL-3.0-or-later
// Letters speak the language of who gets them.
#include "base/embedded.hpp"
#include "base/text/spoken_languages.hpp"
#include "social/accounts/users/mail.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr, testing::Not;

accounts::SendMail letter(
    std::string_view name, const std::string& locale, const std::string& of_site = "en",
    const std::string& person = "Ann"
) {
    base::Site site;
    site.title = "The <Site>";
    site.domain = "social.test";
    site.public_url = "https://social.test";
    site.language = of_site;
    instance::View view;
    for (auto value : {"LINK", "HANDLE", "TEXT", "TARGET", "REPORTER", "COMMENT", "STOP"})
        view.set(value, value);
    view.set("NAME", person).count("COUNT", 3).add("APPROVED");
    view.add("BEGUN"), view.add("RIGHT");
    view.add("MANY").count("COUNT", 3);
    for (auto said : {"WHAT", "SENTENCE", "TITLE"}) view.say(said, "A passkey was added");
    view.say("CATEGORY", "Spam");
    base::Ask ask;
    try {
        accounts::send_mail(ask, site, {"ann@example.org", locale}, name, view);
    } catch (const base::Needs& needs) {
        return std::any_cast<accounts::SendMail>(needs.question);
    }
    ADD_FAILURE() << "nothing is sent";
    return {};
}

std::vector<std::string> names() {
    constexpr std::string_view folder = "web/mail/", ending = ".txt";
    std::vector<std::string> out;
    for (const auto& [path, bytes] : base::embedded_files())
        if (path.starts_with(folder) && path.ends_with(ending))
            out.emplace_back(path.substr(folder.size(), path.size() - folder.size() - ending.size()));
    return out;
}

TEST(Letters, speak_each_language_in_subject_text_and_html) {
    EXPECT_GT(names().size(), 10u);
    for (const auto& name : names()) {
        auto english = letter(name, "en");
        for (const auto& language : base::text::spoken_languages()) {
            SCOPED_TRACE(name + " in " + language.code);
            auto sent = letter(name, language.locale);
            EXPECT_THAT(
                sent.html,
                HasSubstr("<html lang=\"" + language.code + "\" dir=\"" + language.direction + "\">")
            );
            for (const auto* part : {&sent.subject, &sent.text, &sent.html}) {
                EXPECT_THAT(*part, Not(HasSubstr("[[")));
                EXPECT_THAT(*part, Not(HasSubstr("{{")));
                EXPECT_THAT(*part, Not(HasSubstr("plural")));
            }
            EXPECT_FALSE(sent.subject.empty());
            EXPECT_FALSE(sent.text.starts_with('\n'));
            EXPECT_THAT(sent.text, HasSubstr("The <Site>"));
            EXPECT_THAT(sent.html, Not(HasSubstr("<Site>")));
            if (language.code == "en") continue;
            EXPECT_NE(sent.subject, english.subject);
            EXPECT_NE(sent.text, english.text);
        }
    }
}

TEST(Letters, speak_the_language_of_the_site_to_who_has_chosen_none) {
    EXPECT_EQ(letter("confirmation", "", "de").subject, "Bestätige deine E-Mail-Adresse für The <Site>");
    EXPECT_EQ(letter("confirmation", "tlh", "de").subject, "Bestätige deine E-Mail-Adresse für The <Site>");
    EXPECT_EQ(
        letter("confirmation", "fr-CA", "de").subject, "Confirmez votre adresse e-mail pour The <Site>"
    );
    EXPECT_EQ(letter("confirmation", "").subject, "Confirm your e-mail address for The <Site>");
}

TEST(Letters, say_what_happened_in_that_language) {
    auto security = letter("security", "de");
    EXPECT_EQ(security.subject, "Ein Passkey wurde hinzugefügt: The <Site>");
    EXPECT_THAT(security.text, HasSubstr("Wenn du es nicht warst"));
    EXPECT_THAT(letter("new_report", "ar").text, HasSubstr("محتوى مزعج"));
    EXPECT_EQ(letter("posts", "pl").subject, "3 nowe wpisy: Ann");
    EXPECT_EQ(letter("posts", "en").subject, "3 new posts by Ann");
}

TEST(Letters, have_a_subject_of_one_line_whatever_somebody_is_called) {
    auto sent = letter("subscription", "", "en", "Ann\r\nBcc: all@example.org");
    EXPECT_EQ(sent.subject.find_first_of("\r\n"), std::string::npos) << sent.subject;
}

}  // namespace
