// SPDX-License-Identifier: AGPL-3.0-or-later
// Translates a post with an external service. The result is untrusted and is sanitized like any remote
// content.
#pragma once
#include "base/ask.hpp"
#include "social/statuses/core/visibility.hpp"

#include <map>

namespace statuses {

BOOST_DEFINE_ENUM_CLASS(TranslateFailure, none, quota, too_many, unsupported, broken)

struct Translated {
    TranslateFailure failure = TranslateFailure::none;
    std::vector<std::string> texts;  // in the order asked, untrusted HTML
    std::string source_language, provider;
};

// The question to the service that the operator chose.
struct Translate {
    std::vector<std::string> texts;  // HTML
    std::string source;              // empty: to be detected
    std::string target;
    using Answer = Translated;
};
DESCRIBE(Translate, texts, source, target)

// The target languages of each source language; "und": detected. Empty: no service.
using LanguagePairs = std::map<std::string, std::vector<std::string>>;
struct TranslationLanguages {
    int of_all = 0;
    using Answer = LanguagePairs;
};
DESCRIBE(TranslationLanguages, of_all)

struct TranslatedOption {
    std::string title;
};
DESCRIBE(TranslatedOption, title)
struct TranslatedPoll {
    StatusId id;
    std::vector<TranslatedOption> options;
};
DESCRIBE(TranslatedPoll, id, options)
struct TranslatedMedia {
    MediaId id;
    std::string description;
};
DESCRIBE(TranslatedMedia, id, description)

struct Translation {
    std::string content, spoiler_text, language, detected_source_language, provider;
    std::optional<TranslatedPoll> poll;
    std::vector<TranslatedMedia> media_attachments;
};
DESCRIBE(
    Translation, content, spoiler_text, language, detected_source_language, provider, poll, media_attachments
)

// The translation to store for a day; the key is empty if it was stored already.
struct NewTranslation {
    std::string key, texts, source_language, provider;
    Translation shown;
};

// Throws NotFound (no service), Forbidden (not public, or a pair of languages that the service does not
// support), Unavailable.
NewTranslation translate(const base::Ask&, db::Read&, const VisibilityFacts&, std::string_view target);
void keep_translation(db::Write&, const NewTranslation&);
void purge_translations(db::Write&);  // periodic

}  // namespace statuses
