// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/translate.hpp"

#include "base/json.hpp"
#include "base/text/catalogue.hpp"
#include "base/text/spoken_languages.hpp"

#include <boost/json.hpp>

namespace http {

namespace {

namespace json = boost::json;

// Replaces a member's text and leaves every other byte unchanged.
class Rewriting {
public:
    Rewriting(std::string& body, const std::string& language) : body_(body), language_(language) {}

    void replace(std::string_view name, std::string_view text) {
        auto wording = base::text::translated(language_, text);
        if (wording == text) return;
        auto before = member(name, text), after = member(name, wording);
        auto at = body_.find(before, from_);
        if (at == body_.npos) return;
        body_.replace(at, before.size(), after);
        from_ = at + after.size();
        changed_ = true;
    }
    bool changed() const { return changed_; }

private:
    static std::string member(std::string_view name, std::string_view text) {
        return "\"" + std::string(name) + "\":" + base::json::to_string(std::string(text));
    }

    std::string& body_;
    const std::string& language_;
    std::size_t from_ = 0;
    bool changed_ = false;
};

std::string_view text_of(const json::object& object, std::string_view name) {
    auto* found = object.if_contains(name);
    return found && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
}

void rewrite(Rewriting& body, const json::object& refusal) {
    if (auto text = text_of(refusal, "error"); !text.empty()) body.replace("error", text);
    auto* details = refusal.if_contains("details");
    if (!details || !details->is_object()) return;
    for (const auto& [field, problems] : details->get_object()) {
        if (!problems.is_array()) continue;
        for (const auto& problem : problems.get_array())
            if (problem.is_object())
                body.replace("description", text_of(problem.get_object(), "description"));
    }
}

}  // namespace

std::string answer_language(
    const Request& request, std::string_view lang, std::string_view locale, const base::Site& site
) {
    return base::text::language_for({lang, locale, request.header("Accept-Language"), site.language});
}

void translate(Response& refusal, const std::string& language) {
    if (language == base::text::spoken_languages().front().code) return;
    if (!refusal.content_type.starts_with("application/json")) return;
    boost::system::error_code broken;
    auto body = json::parse(refusal.body, broken);
    if (broken || !body.is_object() || body.get_object().contains("error_description")) return;
    Rewriting rewriting(refusal.body, language);
    auto* nested = body.get_object().if_contains("error");
    rewrite(rewriting, nested && nested->is_object() ? nested->get_object() : body.get_object());
    if (rewriting.changed()) refusal.headers.emplace_back("Content-Language", language);
}

}  // namespace http
