// SPDX-License-Identifier: AGPL-3.0-or-later
// `dunlin setup`: asks what a new operator must decide, checks each answer as `config check` and `doctor` do,
// and writes dunlin.toml.
#include "base/log.hpp"
#include "cli/cli_context.hpp"
#include "cli/dialogue.hpp"
#include "cli/setup/draft.hpp"
#include "config/addresses.hpp"
#include "net/client/probe.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/doctor.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iterator>

namespace server {

namespace fs = std::filesystem;

namespace {

struct Result {
    std::string file, previous;  // previous: where the old file is kept
    Findings findings;
    Words next;
};
DESCRIBE(Result, file, previous, findings, next)

const fs::path packaged_file = "/etc/dunlin/dunlin.toml";
constexpr const char* usual_place = "127.0.0.1:3000";

fs::path file_of(const Settings& settings, const SetupOrder& order) {
    if (!order.file.empty()) return fs::absolute(order.file);
    if (!settings.file.empty()) return fs::absolute(settings.file);
    for (const auto& [variable, value] : environment())
        if (variable == "DUNLIN_CONFIG") return fs::absolute(value);
    auto data = Config().data;
    for (const auto& [variable, value] : environment())
        if (variable == "DUNLIN_DATA") data = value;
    for (const auto& flag : settings.flags)
        if (flag.name == "data") data = flag.values.back();
    const auto file = fs::absolute(data) / "dunlin.toml";
    std::error_code unknown;
    if (!fs::is_symlink(file, unknown)) return file;
    // The package's link points to the packaged file.
    if (fs::read_symlink(file, unknown) == packaged_file) return packaged_file;
    throw Refused(file.string() + " is a link; name the file that is meant with --file");
}

std::string flag_of(std::string option) {
    std::ranges::replace(option, '_', '-');
    return "--" + option;
}

class Setup {
public:
    Setup(const Settings& settings, const SetupOrder& order)
        : settings_(settings),
          order_(order),
          asks_(!settings.json && somebody_answers()),
          draft_(settings, file_of(settings, order)) {}

    int run() {
        if (!may_write()) return 1;
        ask_for_address();
        ask_for_domain();
        ask_for_way();
        ask_for_mail();
        ask_for_registrations();
        if (!missing_.empty()) refuse_missing();
        if (!asks_) try_all();
        result_.file = draft_.file().string();
        result_.previous = draft_.write().string();
        if (!settings_.json)
            print(
                "\n" + result_.file + " is written" +
                (result_.previous.empty() ? "." : "; as it was before it is " + result_.previous + ".")
            );
        if (asks_) ask_for_account();
        tell_what_comes_next();
        return 0;
    }

private:
    using Check = std::function<Words(const Config&)>;

    bool may_write() {
        if (!fs::exists(draft_.file()) || order_.sure) return true;
        const auto there = draft_.file().string() + " is there already";
        if (asks_) {
            print(there + ". What is not asked stays as it says; a copy of it is kept.");
            if (asks_for("Shall it be written anew?")) return true;
            print("Nothing was written.");
            return false;
        }
        throw Refused(there + "; say --yes to have it written anew, or name another file with --file");
    }

    // ---- one answer ----

    // Those that begin with the name of one of the options.
    static Words about(const Words& options, const Words& all) {
        Words found;
        for (const auto& text : all)
            if (std::ranges::any_of(options, [&](const auto& name) { return text.starts_with(name + ":"); }))
                found.push_back(text);
        return found;
    }

    // Whether the answer is accepted: never if it is invalid; if it is doubtful, only after confirmation.
    bool taken(const Words& options, const Check& check) {
        Words doubts;
        try {
            doubts = check(draft_.loaded().config);
        } catch (const Mistakes& e) {
            for (const auto& finding : e.all) print(line_of(finding));
            auto is_asked = [&](const Finding& f) { return std::ranges::count(options, f.option) > 0; };
            if (std::ranges::none_of(e.all, is_asked)) throw Refused("Correct that first.");
            return false;
        }
        for (const auto& doubt : doubts) print(doubt);
        return doubts.empty() || asks_for("Take it all the same?");
    }

    void ask_for(
        const std::string& option, const std::string& question, const std::string& usual, const Check& check
    ) {
        do draft_.answer(option, {ask(question, usual)});
        while (!taken({option}, check));
    }

    // Whether a flag has answered it acceptably; without a terminal, a flag or the file must have.
    bool is_settled(const std::string& option, bool needed, const Check& check) {
        const bool given = draft_.is_given(option);
        if (asks_ && given && !taken({option}, check)) throw Refused("Nothing was written.");
        if (!asks_ && needed && !given && draft_.said_of(option).empty()) missing_.push_back(flag_of(option));
        return given || !asks_;
    }

    // ---- questions ----

    static Words doubts_about_address(const Config& config) {
        auto found = about({"public_url"}, doubts(config));
        const auto host = host_of(parse_public_url(config.public_url)->authority);
        if (auto doubt = doubt_about_dns(host)) found.push_back("public_url: " + *doubt);
        return found;
    }

    void ask_for_address() {
        if (is_settled("public_url", true, doubts_about_address)) return;
        print(
            "What people type into the browser. Ids of posts contain it, so it stays as it is from the first "
            "post on."
        );
        ask_for(
            "public_url",
            "Public address, for example https://social.example.org",
            draft_.said_of("public_url"),
            doubts_about_address
        );
    }

    static Words doubts_about_handles(const Config& config) { return ask_domain(config).doubts; }

    void ask_for_domain() {
        if (is_settled("domain", false, doubts_about_handles)) return;
        const auto host = parse_public_url(draft_.loaded().config.public_url)->authority;
        const auto said = draft_.said_of("domain");
        print(
            "\nWhat stands in handles after the @. It may be another domain, which then has to lead here; "
            "never change it later."
        );
        ask_for("domain", "Domain of handles", said.empty() ? host : said, doubts_about_handles);
        if (draft_.said_of("domain") == host) draft_.answer("domain", {""});  // the default
    }

    static Words doubts_about_places(const Config& config) {
        Words found = faults_of_sockets(config);
        std::ranges::move(about({"tls_listen"}, faults_of_files(config)), std::back_inserter(found));
        for (const auto* list : {&config.listen, &config.tls_listen})
            for (const auto& text : *list)
                if (auto obstacle = net::obstacle_to_listening(*parse_endpoint(text)))
                    found.push_back(
                        (list == &config.listen ? "listen: " : "tls_listen: ") + text +
                        " cannot be listened on now (" + *obstacle +
                        "); stop what does, or see that the server may"
                    );
        return found;
    }

    static Words everywhere(const std::string& port) {
        Words all{"0.0.0.0:" + port};
        const net::Endpoint v6{.address = "::", .port = 0};
        if (!net::obstacle_to_listening(v6)) all.push_back("[::]:" + port);
        return all;
    }

    void choose_own() {
        draft_.answer("tls_listen", everywhere("443"));
        auto listen = everywhere("80");
        listen.insert(listen.begin(), usual_place);
        draft_.answer("listen", listen);
    }

    void choose_proxy() {
        // If Dunlin itself used to listen for browsers, it would occupy the proxy's port.
        if (!draft_.said_of("tls_listen").empty()) draft_.answer("listen", {usual_place});
        draft_.answer("tls_listen", {});
    }

    void ask_for_way() {
        if (draft_.is_given("listen") || draft_.is_given("tls_listen")) {
            if (asks_ && !taken({"listen", "tls_listen"}, doubts_about_places))
                throw Refused("Nothing was written.");
            return;
        }
        if (!asks_) {
            if (order_.tls == "self") choose_own();
            else if (order_.tls == "proxy") choose_proxy();
            else if (draft_.said_of("listen").empty() && draft_.said_of("tls_listen").empty())
                missing_.emplace_back("--tls");
            return;
        }
        print(
            "\nHTTPS: the server gets a certificate and keeps it by itself (ports 443 and 80 must be free "
            "and reachable), or a proxy such as nginx or Caddy in front does."
        );
        auto tls = order_.tls;
        const bool secure = draft_.loaded().config.public_url.starts_with("https://");
        const auto usual = draft_.said_of("tls_listen").empty() ? "proxy" : "self";
        for (;;) {
            if (tls.empty()) tls = secure ? choose("Who does HTTPS?", {"self", "proxy"}, usual) : "proxy";
            if (tls == "proxy") break;
            choose_own();
            if (taken({"listen", "tls_listen"}, doubts_about_places)) return;
            tls.clear();
        }
        choose_proxy();
        const auto said = draft_.said_of("listen");
        print("Where the proxy finds it: an address and port, or unix: and a path.");
        ask_for("listen", "Listen on", said.empty() ? usual_place : said, doubts_about_places);
    }

    static Words doubts_about_smtp(const Config& config) {
        auto found = about({"smtp_url", "smtp_user", "smtp_password", "smtp_from"}, doubts(config));
        if (found.empty())
            if (auto doubt = doubt_about_mail(config)) found.push_back(*doubt);
        return found;
    }

    void ask_for_mail() {
        if (is_settled("smtp_url", false, doubts_about_smtp)) return;
        print(
            "\nMail, for links of confirmation and new passwords. Without a mail server mails are written to "
            "a folder, where nobody reads them."
        );
        const auto domain = host_of(draft_.loaded().config.domain);
        do {
            const auto url =
                ask("Mail server, for example smtp://mail.example.org:587; \"none\" for none",
                    draft_.said_of("smtp_url").empty() ? "none" : draft_.said_of("smtp_url"));
            const bool none = url == "none";
            draft_.answer("smtp_url", {none ? "" : url});
            if (none) {
                for (const std::string option : {"smtp_user", "smtp_password", "smtp_from"})
                    draft_.answer(option, {""});
                return;
            }
            ask_for_login(domain);
        } while (!taken({"smtp_url", "smtp_user", "smtp_password", "smtp_from"}, doubts_about_smtp));
    }

    void ask_for_login(const std::string& domain) {
        const auto known = draft_.said_of("smtp_user");
        const auto user = ask("User there; \"none\" for none", known.empty() ? "none" : known);
        const bool none = user == "none";
        draft_.answer("smtp_user", {none ? "" : user});
        std::string password;
        if (!none) {
            const auto before = draft_.said_of("smtp_password");
            password = ask_secret(before.empty() ? "Password" : "Password; empty: as before");
            if (password.empty()) password = before;
        }
        draft_.answer("smtp_password", {password});
        const auto said = draft_.said_of("smtp_from");
        draft_.answer("smtp_from", {ask("Mails come from", said.empty() ? "noreply@" + domain : said)});
    }

    static Words risks_of_registrations(const Config& config) {
        return about({"registrations"}, risks_of(config));
    }

    void ask_for_registrations() {
        if (is_settled("registrations", true, risks_of_registrations)) return;
        const auto said = draft_.said_of("registrations");
        print("\nWho may sign up: everybody (open), whoever the team approves (approval), or nobody (closed)."
        );
        do
            draft_.answer(
                "registrations",
                {choose("Registrations", {"open", "approval", "closed"}, said.empty() ? "approval" : said)}
            );
        while (!taken({"registrations"}, risks_of_registrations));
    }

    // ---- without a terminal ----

    void refuse_missing() const {
        std::string all;
        for (const auto& flag : missing_) all += (all.empty() ? "" : ", ") + flag;
        throw ConfigError(
            "Nobody can be asked without a terminal, and with --json nobody is; give " + all +
            ", too (`dunlin setup --help`)"
        );
    }

    void try_all() {
        const auto loaded = draft_.loaded();
        for (auto check :
             {doubts_about_address,
              doubts_about_handles,
              doubts_about_places,
              doubts_about_smtp,
              risks_of_registrations})
            std::ranges::move(
                loaded.findings(Level::warning, check(loaded.config)), std::back_inserter(result_.findings)
            );
        if (!settings_.json)
            for (const auto& finding : result_.findings) print_note(line_of(finding));
    }

    // ---- afterwards ----

    // Files that another user creates in the data folder would not be readable for the server.
    static bool may_fill(const Config& config) {
        struct stat facts{};
        if (::stat(config.data_path().c_str(), &facts) != 0) return true;
        return facts.st_uid == ::geteuid();
    }

    Settings with_file() const {
        auto settings = settings_;
        settings.file = draft_.file().string();
        return settings;
    }

    void ask_for_account() {
        const auto config = draft_.loaded().config;
        if (!may_fill(config) || (!config.postgres() && fs::exists(config.database_file()))) return;
        print(
            "\nThe first account, its owner's: user name and e-mail address. It can be made later, in the "
            "browser."
        );
        for (;;) {
            NewAccount account;
            account.name = ask("User name; empty for later", "");
            if (account.name.empty()) return;
            account.email = ask("E-mail address", "");
            account.role = "owner";
            account.confirmed = true;
            try {
                create_account(with_file(), account);
                return;
            } catch (const std::runtime_error& e) {
                print(e.what());
            }
        }
    }

    void tell_what_comes_next() {
        const auto config = draft_.loaded().config;
        const bool packaged = draft_.file() == packaged_file;
        const bool in_data = draft_.file() == fs::absolute(config.data_path() / "dunlin.toml");
        const auto where = " --data " + config.data + (in_data ? "" : " --config " + draft_.file().string());
        const auto listen = draft_.said_of("listen");
        // Otherwise systemd would open the usual address, and the server would listen nowhere else.
        if (packaged && !listen.empty() && listen != usual_place)
            result_.next.emplace_back("systemctl mask --now dunlin.socket");
        result_.next.push_back(
            !packaged ? "dunlin serve" + where
                      : std::string("systemctl enable --now dunlin") +
                            (config.tls_listen.empty() ? "" : " dunlin-https.socket")
        );
        result_.next.push_back((packaged ? "sudo -u dunlin dunlin doctor" : "dunlin doctor") + where);
        if (settings_.json) return print_json(result_);
        if (config.tls_listen.empty() && config.public_url.starts_with("https://"))
            print(
                "The proxy must hand on Host, X-Forwarded-For, X-Forwarded-Proto and WebSockets; "
                "docs/operating/proxy.md has files ready to be copied."
            );
        print("Next, and once it runs:");
        for (const auto& command : result_.next) print("  " + command);
    }

    const Settings& settings_;
    const SetupOrder& order_;
    const bool asks_;
    Draft draft_;
    Words missing_;
    Result result_;
};

}  // namespace

int setup(const Settings& settings, const SetupOrder& order) {
    base::set_log(base::LogLevel::error, false);  // findings are printed below
    return Setup(settings, order).run();
}

}  // namespace server
