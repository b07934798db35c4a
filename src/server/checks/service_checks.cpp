// SPDX-License-Identifier: AGPL-3.0-or-later
// Checks that ask others: the database, the mail server, the server of the handles' domain.
#include "base/deadline.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "db/open.hpp"
#include "http/body/urlencoded.hpp"
#include "net/client/http_client.hpp"
#include "server/backups.hpp"
#include "server/checks/checks.hpp"
#include "server/external_services.hpp"
#include "server/site_settings.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"
#include "social/former/former.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <thread>

namespace server {

namespace {

constexpr std::chrono::seconds patience{5};

Found ask_mail(const Config& config) {
    auto doubt = doubt_about_mail(config);
    return doubt ? Found{{}, {*doubt}} : Found{};
}

}  // namespace

// Applies no migrations, because a server of an earlier version may be running.
Found ask_database(const Config& config) {
    const base::Within within(std::chrono::steady_clock::now() + patience);
    db::Options options;
    options.postgres_url = config.database;
    options.sqlite_file = config.database_file();
    options.keep_log = true;  // a backup follows the log
    Found found;
    if (!config.postgres() && !std::filesystem::exists(options.sqlite_file)) return found;
    auto site = site_of(config);
    auto silent = [&](const std::string& cause) {
        found.faults.push_back(
            "database: it does not answer (" + cause +
            "); start it, or correct the address, for example postgres://dunlin:PASSWORD@127.0.0.1/dunlin"
        );
    };
    try {
        auto connection = db::open_connection(options, db::Mode::read);
        db::read_now(*connection, {&site, clock_now, nullptr}, [&](db::Read& db) {
            accounts::has_owner(db);  // any query would do
            if (auto doubt = doubt_about_contact(db)) found.doubts.push_back(*doubt);
            std::ranges::move(doubts_about_served(config, served_as(db)), std::back_inserter(found.doubts));
        });
    } catch (const db::Outage& e) {
        silent(e.cause.substr(0, e.cause.find('\n')));
    } catch (const base::TimedOut&) {
        silent("it was silent for 5 seconds");
    } catch (const db::Damaged& e) {
        found.faults.push_back(
            "data: " + options.sqlite_file.string() + " is damaged, or is no SQLite database (" + e.what() +
            "); put a backup in its place, or name another folder"
        );
    } catch (const db::Failure&) {
        // Not migrated yet; `serve` does that.
    }
    return found;
}

Found ask_replica(const Config& config) {
    if (config.database_replica.empty()) return {};
    const base::Within within(std::chrono::steady_clock::now() + patience);
    db::Options options;
    options.postgres_url = config.database_replica;
    std::string cause = "it was silent for 5 seconds";
    try {
        db::open_connection(options, db::Mode::read)->script("SELECT 1");
        return {};
    } catch (const db::Outage& e) {
        cause = e.cause.substr(0, e.cause.find('\n'));
    } catch (const base::TimedOut&) {}
    return {
        {},
        {"database_replica: it does not answer (" + cause +
         "), so database serves all that reads; start it, or leave it out"}
    };
}

Found ask_liveness(const Config& config) {
    auto valkey = parse_valkey_url(config.shared_liveness);
    if (!valkey) return {};
    valkey->extra_ca_file = config.extra_ca_file;
    valkey->channel = "dunlin check";
    const auto where = valkey->host + ":" + std::to_string(valkey->port);
    net::ValkeyBroadcast broadcast(*std::move(valkey));
    broadcast.start({[](std::string_view) {}, [] {}});
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!broadcast.connected() && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const bool heard = broadcast.connected();
    broadcast.stop();
    if (heard) return {};
    return {
        {},
        {"shared_liveness: " + where +
         " does not answer, or refuses the user and password; start it, or correct the address, for "
         "example redis://127.0.0.1:6379"}
    };
}

Found ask_domain(const Config& config) {
    const base::Within within(std::chrono::steady_clock::now() + patience);
    net::HttpClient client(client_options(config));
    auto fetch = [&client](const base::Fetch& question) { return client.fetch(question); };
    auto doubt = doubt_about_domain(config, fetch);
    return doubt ? Found{{}, {*doubt}} : Found{};
}

const db::Query<bool> any_undone_takeover{
    "any_undone_takeover", "SELECT EXISTS (SELECT 1 FROM takeovers WHERE state = 'undone') AS found"
};

std::optional<std::string> reason_not_to_serve(db::Read& db, bool rehearsal) {
    if (is_restore_unfinished(db))
        return "a restore into this database broke off before its end: empty the database, for example with "
               "dropdb and createdb, and run `dunlin restore` again";
    if (rehearsal && !former::can_be_rehearsed(db))
        return "there is no copy of another server here that could be rehearsed: only what `dunlin takeover "
               "copy` has made and nobody has finished can";
    if (rehearsal || !former::is_unfinished(db)) return std::nullopt;
    if (db.one(any_undone_takeover))
        return "this place was given back with `dunlin takeover undo`: the other server answers now, and "
               "this "
               "one may start again when another copy is made and finished";
    return "the place of another server is being taken with this database: run `dunlin takeover finish` "
           "first, which copies anew what is here, or look at the copy with `dunlin serve --rehearse`";
}

std::optional<std::string> doubt_about_contact(db::Read& db) {
    const auto& name = db.site().contact_account;
    if (name.empty() || name.find('@') != name.npos) return std::nullopt;
    auto account = accounts::find_by_acct(db, name);
    if (account && account->local()) return std::nullopt;
    return "contact_account: nobody here is called \"" + name +
           "\"; make the account, or write the name of another one";
}

std::optional<std::string> doubt_about_domain(
    const Config& config, const std::function<base::Fetched(const base::Fetch&)>& fetch
) {
    auto url = parse_public_url(config.public_url);
    if (!url || config.domain == url->authority || is_internal(host_of(config.domain))) return std::nullopt;
    // Asks for the server's own handle, which exists before any account does.
    auto way = "/.well-known/webfinger?resource=" +
               http::percent_encoded("acct:" + url->authority + "@" + config.domain);
    base::Fetch question;
    question.url = "https://" + config.domain + way;
    question.seconds = patience.count();
    question.trusted = true;
    auto answer = fetch(question);
    if (answer.ok() && answer.body.find(config.public_url) != std::string::npos) return std::nullopt;
    auto came = answer.failure == base::FetchFailure::none ? "status " + std::to_string(answer.status)
                                                           : std::string(base::word(answer.failure));
    return "domain: https://" + config.domain + "/.well-known/webfinger does not lead here (" + came +
           "), so nobody @" + config.domain + " is found; have the server there redirect that address to " +
           config.public_url + "/.well-known/webfinger";
}

std::optional<std::string> doubt_about_mail(const Config& config, std::stop_token stop) {
    auto smtp = parse_smtp_url(config.smtp_url);
    if (!smtp || config.test_mode) return std::nullopt;
    const auto where = smtp->host + ":" + std::to_string(smtp->port);
    smtp->user = config.smtp_user;
    smtp->password = config.smtp_password;
    smtp->from = config.smtp_from;
    smtp->timeout = patience;
    smtp->stop = std::move(stop);
    try {
        net::greet(*smtp);
        return std::nullopt;
    } catch (const net::MailError& e) {
        if (e.step == net::MailStep::sender)
            return "smtp_from: " + where + " takes no mail from " + config.smtp_from + " (" + e.what() +
                   "); correct smtp_from, or smtp_user and smtp_password";
        if (e.step == net::MailStep::login)
            return "smtp_user: " + where + " does not let us log in (" + e.what() +
                   "); correct smtp_user and smtp_password";
        return "smtp_url: " + where + " cannot be used (" + e.what() +
               "); correct the address, for example smtp://mail.example.org:587 or "
               "smtps://mail.example.org:465";
    } catch (const base::Stopping&) {
        return std::nullopt;
    }
}

Findings check_configuration(const Loaded& loaded, Ask ask) {
    const auto& config = loaded.config;
    Found found{faults_of_files(config), doubts(ask == Ask::everybody ? with_stored_there(config) : config)};
    std::ranges::move(faults_of_sockets(config), std::back_inserter(found.faults));
    if (ask == Ask::everybody) {
        std::vector<std::future<Found>> answers;
        for (auto question :
             {ask_database, ask_replica, ask_liveness, ask_mail, ask_domain, ask_bucket, ask_backup_bucket})
            answers.push_back(std::async(std::launch::async, question, std::cref(config)));
        for (auto& answer : answers) {
            auto more = answer.get();
            std::ranges::move(more.faults, std::back_inserter(found.faults));
            std::ranges::move(more.doubts, std::back_inserter(found.doubts));
        }
    }
    // An option that is wrong is not also called doubtful.
    const auto option_of = [](const std::string& sentence) { return sentence.substr(0, sentence.find(':')); };
    std::erase_if(found.doubts, [&](const std::string& doubt) {
        return std::ranges::find(found.faults, option_of(doubt), option_of) != found.faults.end();
    });
    auto all = loaded.findings(Level::fault, found.faults);
    std::ranges::move(loaded.findings(Level::warning, found.doubts), std::back_inserter(all));
    return all;
}

}  // namespace server
