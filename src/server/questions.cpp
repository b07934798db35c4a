// SPDX-License-Identifier: AGPL-3.0-or-later
// The threads that answer each type of question (base/ask.hpp) for a request: compute threads, threads that
// wait for other servers, or the one that encodes video. The answers are registered elsewhere.
#include "base/fetch.hpp"
#include "server/tables.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/mail_hosts.hpp"
#include "social/accounts/users/password.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/documents/reader_api.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/insight/outside.hpp"
#include "social/media/copy.hpp"
#include "social/media/store.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/remote/thread_wanted.hpp"
#include "social/statuses/translation/translation.hpp"
#include "social/streaming/join.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/post_import.hpp"

namespace server {

// clang-format off
std::span<const Question> questions() {
    static const Question table[] = {
        {typeid(accounts::HashPassword),           Pool::compute},
        {typeid(accounts::PasswordMatches),        Pool::compute},
        {typeid(accounts::FindHash),               Pool::compute},
        {typeid(federation::NewKeyPair),           Pool::compute},
        {typeid(media::ProcessImage),              Pool::files},
        {typeid(media::TakeUpload),                Pool::files},
        {typeid(media::RemoveFiles),               Pool::files},
        {typeid(media::Withhold),                  Pool::files},
        {typeid(media::KeepFiles),                 Pool::files},
        {typeid(media::ForgetKept),                Pool::files},
        {typeid(media::Quarantine),                Pool::files},
        {typeid(media::DestroyQuarantined),        Pool::files},
        {typeid(media::ReadQuarantined),           Pool::files},
        {typeid(media::OldFiles),                  Pool::files},
        {typeid(streaming::Join),                  Pool::compute},
        {typeid(transfer::FindArchive),            Pool::files},
        {typeid(transfer::KeepArchive),            Pool::files},

        {typeid(base::Fetch),                      Pool::fetch},
        {typeid(federation::Get),                  Pool::fetch},
        {typeid(federation::GetKey),               Pool::keys},
        {typeid(federation::KeepKey),              Pool::fetch},
        {typeid(federation::OwnKeyMissing),        Pool::fetch},
        {typeid(accounts::Resolve),                Pool::fetch},
        {typeid(accounts::SendMail),               Pool::fetch},
        {typeid(accounts::FindMailHosts),          Pool::fetch},
        {typeid(collections::LookAtCollections),   Pool::fetch},
        {typeid(media::MakeCopy),                  Pool::fetch},
        {typeid(insight::ExamineServer),           Pool::fetch},
        {typeid(insight::LookAtServer),            Pool::fetch},
        {typeid(insight::LookFromOutside),         Pool::fetch},
        {typeid(insight::LookAtPause),             Pool::compute},
        {typeid(moderation::TellWebhook),          Pool::fetch},
        {typeid(statuses::FetchPicture),           Pool::fetch},
        {typeid(statuses::LookForReplies),         Pool::fetch},
        {typeid(statuses::Translate),              Pool::fetch},
        {typeid(statuses::TranslationLanguages),   Pool::fetch},

        {typeid(media::Encode),                    Pool::encode},
    };
    return table;
}
// clang-format on

std::vector<std::string> unanswered(const base::ExternalServices& services, std::span<const Question> table) {
    std::vector<std::string> out;
    for (const auto& asked : base::questions_asked()) {
        const bool pool = std::ranges::find(table, asked, &Question::type) != table.end();
        if (!pool) out.push_back(std::string(asked.name()) + " has no pool");
        if (!services.knows(asked)) out.push_back(std::string(asked.name()) + " is answered by nobody");
    }
    return out;
}

}  // namespace server
