// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/translation/translation.hpp"

#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "base/text/html/html.hpp"
#include "social/media/media.hpp"
#include "social/statuses/polls/poll.hpp"

#include <algorithm>

namespace statuses {

namespace {

constexpr std::int64_t lives_seconds = 86'400;

struct Source {
    std::string content, spoiler_text;
    std::optional<std::string> language;
    std::int64_t relations = 0;
};
DESCRIBE(Source, content, spoiler_text, language, relations)

struct Kept {
    std::string texts, source_language, provider;
};
DESCRIBE(Kept, texts, source_language, provider)

}  // namespace

const db::Query<Source> texts_to_translate{
    "texts_to_translate", "SELECT content, spoiler_text, language, relations FROM statuses WHERE id = $1"
};
const db::Query<Kept> kept_translation{
    "kept_translation",
    "SELECT texts, source_language, provider FROM translations WHERE key = $1 AND created_at > $2"
};
const db::Command put_translation{
    "put_translation",
    R"(INSERT INTO translations (key, texts, source_language, provider, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (key) DO UPDATE SET texts = excluded.texts, source_language = excluded.source_language,
           provider = excluded.provider, created_at = excluded.created_at)"
};
const db::Command delete_old_translations{
    "delete_old_translations",
    "DELETE FROM translations WHERE key IN (SELECT key FROM translations WHERE created_at <= $1 LIMIT 500)"
};

namespace {

// Packs all texts of a post into one list, and unpacks the translations.
class Bundle {
public:
    Bundle(db::Read& db, StatusId id, const Source& source) {
        texts.push_back(source.content);
        texts.push_back(base::text::escape(source.spoiler_text));
        if (source.relations & has_poll) poll_ = find_poll(db, id);
        if (source.relations & has_media) media_ = media::of_statuses(db, {id});
        if (poll_)
            for (const auto& option : poll_->options) texts.push_back(base::text::escape(option.title));
        for (const auto& m : media_)
            if (m.description) texts.push_back(base::text::escape(*m.description));
    }

    // Only the content is markup; the other texts are plain.
    Translation unpacked(const std::vector<std::string>& answers) const {
        Translation out;
        out.content = base::text::sanitize(answers[0]);
        out.spoiler_text = base::text::plain_text(answers[1]);
        std::size_t next = 2;
        if (poll_) {
            out.poll = TranslatedPoll{poll_->id, {}};
            for (std::size_t i = 0; i < poll_->options.size(); ++i)
                out.poll->options.push_back({base::text::plain_text(answers[next++])});
        }
        for (const auto& m : media_)
            if (m.description)
                out.media_attachments.push_back({m.id, base::text::plain_text(answers[next++])});
        return out;
    }
    std::vector<std::string> texts;

private:
    std::optional<Poll> poll_;
    std::vector<media::Media> media_;
};

// The language itself, or the language without its region.
std::optional<std::string> choose(const std::vector<std::string>& targets, std::string_view wanted) {
    for (auto name : {wanted, wanted.substr(0, wanted.find_first_of("-_"))})
        if (std::ranges::find(targets, name) != targets.end()) return std::string(name);
    return std::nullopt;
}

const Translated& checked(const Translated& answer, std::size_t wanted) {
    switch (answer.failure) {
        case TranslateFailure::quota:
            throw base::Unavailable(
                "The service for translations has reached its quota; please try again later"
            );
        case TranslateFailure::too_many:
            throw base::Unavailable(
                "The service for translations gets too many requests; please try again later"
            );
        case TranslateFailure::unsupported: throw base::Forbidden();
        case TranslateFailure::broken: throw base::Unavailable("Service Unavailable");
        case TranslateFailure::none: break;
    }
    if (answer.texts.size() != wanted) throw base::Unavailable("Service Unavailable");
    return answer;
}

}  // namespace

NewTranslation translate(
    const base::Ask& ask, db::Read& db, const VisibilityFacts& facts, std::string_view wanted
) {
    if (!db.site().translates) throw base::NotFound("Not Found");
    bool open = facts.visibility == Visibility::public_ || facts.visibility == Visibility::unlisted;
    if (!open || facts.is_reblog()) throw base::Forbidden();
    auto source = db.one(texts_to_translate, facts.id);
    const auto& pairs = ask(TranslationLanguages{});
    auto from = source.language && pairs.contains(*source.language) ? *source.language : std::string();
    auto targets = pairs.find(from.empty() ? "und" : from);
    auto target = targets == pairs.end() ? std::nullopt : choose(targets->second, wanted);
    if (!target || *target == source.language) throw base::Forbidden();
    Bundle bundle(db, facts.id, source);
    NewTranslation out;
    auto key = base::sha256_hex(base::json::to_string(bundle.texts) + from + ">" + *target);
    if (auto kept = db.maybe(kept_translation, key, db.now().plus_seconds(-lives_seconds))) {
        out.texts = kept->texts;
        out.source_language = kept->source_language;
        out.provider = kept->provider;
    } else {
        const auto& answer = checked(ask(Translate{bundle.texts, from, *target}), bundle.texts.size());
        out.key = key;
        out.texts = base::json::to_string(answer.texts);
        out.source_language = answer.source_language.empty() ? from : answer.source_language;
        out.provider = answer.provider;
    }
    out.shown = bundle.unpacked(base::json::read<std::vector<std::string>>(out.texts));
    out.shown.language = *target;
    out.shown.detected_source_language = out.source_language;
    out.shown.provider = out.provider;
    return out;
}

void keep_translation(db::Write& db, const NewTranslation& made) {
    if (!made.key.empty())
        db.run(put_translation, made.key, made.texts, made.source_language, made.provider, db.now());
}

void purge_translations(db::Write& db) {
    db.run(delete_old_translations, db.now().plus_seconds(-lives_seconds));
}

}  // namespace statuses
