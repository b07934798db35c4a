// SPDX-License-Identifier: AGPL-3.0-or-later
// The form by which people without an account report a post or an account (DSA, article 16).
#include "http/limits.hpp"
#include "http/route.hpp"
#include "social/instance/about.hpp"
#include "social/moderation/notices/notice.hpp"
#include "social/oauth/pages/page.hpp"

#include <algorithm>

namespace pages {
namespace {

using moderation::Category;

struct Form {
    std::string about;  // the address
    std::string category, comment, name, email, authenticity_token;
    std::vector<base::RuleId> rule_ids;
    bool sure = false;  // that what is said is true
};
DESCRIBE(Form, about, category, comment, name, email, authenticity_token, rule_ids, sure)

// Rules that are broken are chosen by themselves.
constexpr Category choices[] = {Category::legal, Category::spam, Category::other};

Category category_of(const Form& form) {
    auto found = std::ranges::find(choices, form.category, [](Category one) { return base::word(one); });
    return found == std::end(choices) ? Category::other : *found;
}

http::Response form_page(
    db::Read& db, const oauth::Visitor& who, const Form& form, int status = 200, std::string_view problem = {}
) {
    instance::View view;
    view.set("ABOUT", form.about)
        .set("COMMENT", form.comment)
        .set("NAME", form.name)
        .set("EMAIL", form.email);
    for (auto one : choices)
        view.add("CATEGORY")
            .set("WORD", base::word(one))
            .say("SAID", moderation::name(one))
            .show_if(one == category_of(form), "CHOSEN");
    if (auto rules = instance::rules(db); !rules.empty()) {
        auto& list = view.add("RULES");
        for (const auto& rule : rules)
            list.add("RULE")
                .set("ID", std::to_string(rule.id.value))
                .set("TEXT", rule.text)
                .show_if(std::ranges::find(form.rule_ids, rule.id) != form.rule_ids.end(), "CHOSEN");
    }
    view.show_if(form.sure, "SURE").set("SITE_LANGUAGE", db.site().language);
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    return oauth::show(db.site(), who, {"report", "Report something", status}, std::move(view));
}

struct About {
    std::string about;
};
DESCRIBE(About, about)

http::Response look(db::Read& db, const http::Request& request, const About& given) {
    Form form;
    form.about = given.about;
    form.category = base::word(Category::legal);
    return form_page(db, oauth::visitor(db, request), form);
}

http::Response hand_in(db::Write& db, const http::Request& request, const Form& form) {
    auto who = oauth::visitor(db, request);
    if (!oauth::has_valid_proof(who, form.authenticity_token)) return oauth::stale_form(db.site(), who);
    auto refused = [&](int status, std::string_view problem) {
        return form_page(db, who, form, status, problem);
    };
    if (!form.sure)
        return refused(422, "Please confirm that what you say is true to the best of your knowledge.");
    moderation::NoticeForm notice{
        form.about, category_of(form), form.rule_ids, form.comment, form.name, form.email
    };
    notice.locale = who.language;
    moderation::HandedIn taken;
    try {
        taken = moderation::notify_of(db, notice, http::counted_address(request.remote_address));
    } catch (const base::NotFound&) {
        return refused(
            422,
            "There is nothing at this address that everybody may see here. Copy the address of the post or "
            "account as this server shows it."
        );
    } catch (const base::Invalid& error) {
        return refused(422, error.what());
    } catch (const base::TooMany&) {
        return refused(
            429,
            "Too many reports came in today. Please try again tomorrow, or write to who runs this server."
        );
    }
    instance::View view;
    view.set("NUMBER", std::to_string(taken.report.value)).show_if(taken.told, "TOLD");
    return oauth::show(db.site(), who, {"report_received", "Thank you"}, std::move(view));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>    ("/report"),
    http::post<hand_in>("/report").body_limit(64 << 10).throttled(http::Throttle::confirmation),
};
// clang-format on

}  // namespace

std::span<const http::Route> notice_pages() { return table; }

}  // namespace pages
