// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/external_services.hpp"

#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"
#include "base/fetch.hpp"
#include "base/log.hpp"
#include "config/addresses.hpp"
#include "net/client/http_client.hpp"
#include "net/mail.hpp"
#include "server/translator.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/mail_hosts.hpp"
#include "social/accounts/users/password.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/media/store.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/transfer/archive.hpp"

#include <algorithm>
#include <fstream>

namespace server {

namespace {

using accounts::FindHash, accounts::HashPassword, accounts::PasswordMatches, accounts::SendMail;

std::string hash(const HashPassword& asked) { return base::hash_password(asked.password); }

bool matches(const PasswordMatches& asked) { return base::any_password_matches(asked.hash, asked.given); }

std::string found_hash(const FindHash& asked) {
    const auto at = std::ranges::find_if(asked.hashes, [&](const std::string& hash) {
        return base::any_password_matches(hash, asked.given);
    });
    return at == asked.hashes.end() ? "" : *at;
}

class Post {
public:
    Post(const Config& config, std::stop_token stop, std::shared_ptr<MailFigures> figures)
        : folder_(config.mail_path()),
          from_(config.smtp_from),
          figures_(figures ? std::move(figures) : std::make_shared<MailFigures>()) {
        if (!config.smtp_url.empty() && !config.test_mode) smtp_ = parse_smtp_url(config.smtp_url);
        if (!smtp_) return;
        smtp_->user = config.smtp_user;
        smtp_->password = config.smtp_password;
        smtp_->from = config.smtp_from;
        smtp_->stop = std::move(stop);
    }

    bool operator()(const SendMail& asked) const {
        base::Mail mail{asked.to, asked.subject, asked.text, asked.html, asked.unsubscribe};
        if (!smtp_) {
            net::write_mail(folder_, from_, mail);
            base::log_info(
                "mail was written, not sent", {{"folder", folder_.string()}, {"subject", mail.subject}}
            );
            return false;
        }
        try {
            net::send_mail(*smtp_, mail);
            figures_->sent();
            return true;
        } catch (const net::MailError& e) {
            figures_->failed(e.what());
            if (!e.permanent) throw;
            base::log_warning("mail was refused for good", {{"subject", mail.subject}, {"cause", e.what()}});
            return false;
        }
    }

private:
    std::filesystem::path folder_;
    std::string from_;
    std::shared_ptr<MailFigures> figures_;
    std::optional<net::SmtpOptions> smtp_;
};

// Fetches the picture of a link preview, through a temporary file.
struct Pictures {
    std::shared_ptr<net::HttpClient> client;
    std::filesystem::path spool;
    media::Store store;

    std::optional<media::Stored> operator()(const statuses::FetchPicture& asked) const {
        base::Fetch fetch;
        fetch.url = asked.url;
        fetch.headers = {{"Accept", "image/*"}};
        fetch.plain_http = true;
        fetch.most_bytes = 8 << 20;
        fetch.seconds = 20;
        fetch.per_minute = 30;
        auto answer = client->fetch(fetch);
        if (!answer.ok() || answer.body.empty()) return std::nullopt;
        auto file = spool / ("picture-" + base::hex(base::random_bytes(16)));
        std::ofstream(file, std::ios::binary) << answer.body;
        auto processed = store.process({file.string(), media::Kind::attachment, {}});
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
        auto* stored = std::get_if<media::Stored>(&processed);
        return stored ? std::optional(*stored) : std::nullopt;
    }
};

}  // namespace

net::HttpClientOptions client_options(const Config& config) {
    net::HttpClientOptions options;
    options.user_agent = "Dunlin/" + base::Site().version + " (+" + config.public_url + "/)";
    options.own_hosts = {config.domain};
    if (auto url = parse_public_url(config.public_url)) options.own_hosts.push_back(url->authority);
    options.allowed_networks = config.allow_private_addresses;
    options.host_overrides = config.host_overrides;
    options.extra_ca_file = config.extra_ca_file;
    options.plain_http = config.allow_http_peers;
    options.asks_nobody = config.rehearsal;
    return options;
}

base::ExternalServices external_services(
    const Config& config, const media::Store& store, std::stop_token stop, std::shared_ptr<MailFigures> mail
) {
    base::ExternalServices services;
    auto options = client_options(config);
    options.stop = stop;
    auto client = std::make_shared<net::HttpClient>(std::move(options));
    services.answers<statuses::FetchPicture>(Pictures{client, config.spool_path(), store});
    auto translator = std::make_shared<Translator>(config, [client](const base::Fetch& asked) {
        return client->fetch(asked);
    });
    services.answers<statuses::Translate>([translator](const statuses::Translate& asked) {
        return translator->translate(asked);
    });
    services.answers<statuses::TranslationLanguages>([translator](const statuses::TranslationLanguages&) {
        return translator->languages();
    });
    services.answers<base::Fetch>([client](const base::Fetch& asked) { return client->fetch(asked); });
    services.answers<moderation::TellWebhook>([client](const moderation::TellWebhook& asked) {
        return client->fetch(asked.request);
    });
    services.answers<federation::NewKeyPair>([](const federation::NewKeyPair&) {
        auto key = ap::PrivateKey::new_rsa();
        return federation::KeyPair{key.public_key().pem(), key.pem()};
    });
    services.answers<accounts::FindMailHosts>(
        [wanted = config.check_mail_hosts && !config.test_mode](const accounts::FindMailHosts& asked) {
            auto found = wanted ? net::mail_hosts(asked.domain) : std::nullopt;
            return found ? accounts::MailHosts{true, *found} : accounts::MailHosts{};
        }
    );
    services.answers<HashPassword>(hash);
    services.answers<PasswordMatches>(matches);
    services.answers<FindHash>(found_hash);
    services.answers<SendMail>(Post(config, std::move(stop), std::move(mail)));
    media::answer_questions(services, store);
    transfer::answer_questions(services, store);
    return services;
}

}  // namespace server
