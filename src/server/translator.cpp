// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/translator.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "config/clock.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace server {

namespace {

namespace json = boost::json;
using statuses::LanguagePairs, statuses::Translate, statuses::Translated, statuses::TranslateFailure;

struct LibreQuestion {
    std::vector<std::string> q;
    std::string source, target, format = "html";
    base::json::Omit<std::string> api_key;
};
DESCRIBE(LibreQuestion, q, source, target, format, api_key)

struct DeeplQuestion {
    std::vector<std::string> text;
    base::json::Omit<std::string> source_lang;
    std::string target_lang, tag_handling = "html";
};
DESCRIBE(DeeplQuestion, text, source_lang, target_lang, tag_handling)

std::string changed(std::string text, char from, char to, char by) {
    for (char& c : text)
        if (c >= from && c <= to) c = static_cast<char>(c + by);
    return text;
}
std::string upper(const std::string& text) { return changed(text, 'a', 'z', 'A' - 'a'); }
std::string lower(const std::string& text) { return changed(text, 'A', 'Z', 'a' - 'A'); }

// Converts "PT-BR" to our form "pt-BR".
std::string our_code(const std::string& theirs) {
    auto dash = theirs.find('-');
    return lower(theirs.substr(0, dash)) + (dash == theirs.npos ? "" : theirs.substr(dash));
}

Translated failed(const base::Fetched& answer) {
    auto why = TranslateFailure::broken;
    if (answer.status == 429) why = TranslateFailure::too_many;
    if (answer.status == 403 || answer.status == 456) why = TranslateFailure::quota;
    if (answer.status == 400) why = TranslateFailure::unsupported;
    if (why == TranslateFailure::broken)
        base::log_warning(
            "the service for translations failed",
            {{"status", std::to_string(answer.status)}, {"cause", base::word(answer.failure)}}
        );
    return {why, {}, {}, {}};
}

std::string text_of(const json::value& object, std::string_view name) {
    auto* members = object.if_object();
    auto* value = members ? members->if_contains(name) : nullptr;
    auto* text = value ? value->if_string() : nullptr;
    return text ? std::string(*text) : std::string();
}

const json::array* list_of(const json::value& object, std::string_view name) {
    auto* members = object.if_object();
    auto* value = members ? members->if_contains(name) : nullptr;
    return value ? value->if_array() : nullptr;
}

json::value parsed(const base::Fetched& answer) {
    json::error_code error;
    auto value = json::parse(answer.body, error);
    return error ? json::value() : value;
}

}  // namespace

Translator::Translator(const Config& config, Ask ask)
    : service_(config.translate_service),
      url_(config.translate_url),
      key_(config.translate_key),
      ask_(std::move(ask)) {
    while (url_.ends_with('/')) url_.pop_back();
}

base::Fetch Translator::question(const std::string& path) const {
    base::Fetch asked;
    asked.url = url_ + path;
    asked.plain_http = true;
    asked.trusted = true;
    asked.redirects = 0;
    asked.seconds = 15;
    asked.headers = {{"Accept", "application/json"}};
    if (service_ == TranslateService::deepl)
        asked.headers.push_back({"Authorization", "DeepL-Auth-Key " + key_});
    return asked;
}

Translated Translator::translate(const Translate& asked) const {
    return service_ == TranslateService::deepl ? by_deepl(asked) : by_libretranslate(asked);
}

Translated Translator::by_libretranslate(const Translate& asked) const {
    LibreQuestion body{asked.texts, asked.source.empty() ? "auto" : asked.source, asked.target};
    if (!key_.empty()) body.api_key = key_;
    auto fetch = question("/translate");
    fetch.post = true;
    fetch.headers.push_back({"Content-Type", "application/json"});
    fetch.body = base::json::to_string(body);
    auto answer = ask_(fetch);
    if (!answer.ok()) return failed(answer);
    auto value = parsed(answer);
    Translated out;
    out.source_language = asked.source;
    out.provider = "LibreTranslate";
    auto* texts = list_of(value, "translatedText");
    if (!texts) return failed(answer);
    for (const auto& text : *texts)
        out.texts.emplace_back(text.is_string() ? std::string(text.get_string()) : "");
    if (auto* found = list_of(value, "detectedLanguage"); found && !found->empty() && asked.source.empty())
        out.source_language = text_of((*found)[0], "language");
    return out;
}

Translated Translator::by_deepl(const Translate& asked) const {
    DeeplQuestion body{asked.texts, {}, upper(asked.target)};
    if (!asked.source.empty()) body.source_lang = upper(asked.source.substr(0, asked.source.find('-')));
    auto fetch = question("/v2/translate");
    fetch.post = true;
    fetch.headers.push_back({"Content-Type", "application/json"});
    fetch.body = base::json::to_string(body);
    auto answer = ask_(fetch);
    if (!answer.ok()) return failed(answer);
    auto value = parsed(answer);
    auto* translations = list_of(value, "translations");
    if (!translations || translations->empty()) return failed(answer);
    Translated out;
    out.provider = "DeepL.com";
    out.source_language = our_code(text_of((*translations)[0], "detected_source_language"));
    for (const auto& one : *translations) out.texts.push_back(text_of(one, "text"));
    return out;
}

LanguagePairs Translator::languages() {
    std::lock_guard lock(mutex_);
    auto now = clock_now().ms;
    if (now < known_until_) return known_;
    auto fresh = service_ == TranslateService::deepl ? of_deepl() : of_libretranslate();
    constexpr std::int64_t week_ms = 7 * 86'400'000, hour_ms = 3'600'000;
    known_until_ = now + (fresh.empty() ? hour_ms : week_ms);
    if (!fresh.empty()) known_ = std::move(fresh);
    return known_;
}

LanguagePairs Translator::of_libretranslate() const {
    LanguagePairs out;
    auto answer = ask_(question("/languages"));
    auto value = answer.ok() ? parsed(answer) : json::value();
    if (!value.is_array()) return out;
    auto& any = out["und"];
    for (const auto& one : value.get_array()) {
        auto code = text_of(one, "code");
        if (code.empty()) continue;
        auto& targets = out[code];
        if (auto* list = list_of(one, "targets"))
            for (const auto& target : *list) {
                auto name = target.is_string() ? std::string(target.get_string()) : std::string();
                if (name.empty() || name == code) continue;
                targets.push_back(name);
                if (std::ranges::find(any, name) == any.end()) any.push_back(name);
            }
    }
    return out;
}

LanguagePairs Translator::of_deepl() const {
    auto read = [&](const char* type) {
        std::vector<std::string> codes;
        auto answer = ask_(question(std::string("/v2/languages?type=") + type));
        auto value = answer.ok() ? parsed(answer) : json::value();
        if (value.is_array())
            for (const auto& one : value.get_array())
                if (auto code = text_of(one, "language"); !code.empty()) codes.push_back(our_code(code));
        return codes;
    };
    auto sources = read("source"), targets = read("target");
    LanguagePairs out;
    if (sources.empty() || targets.empty()) return out;
    // Plain codes are accepted even if only regional variants are listed.
    for (const char* plain : {"en", "pt"})
        if (std::ranges::find(targets, plain) == targets.end()) targets.emplace_back(plain);
    out["und"] = targets;
    for (const auto& source : sources)
        for (const auto& target : targets)
            if (target.substr(0, target.find('-')) != source) out[source].push_back(target);
    return out;
}

}  // namespace server
