// SPDX-License-Identifier: AGPL-3.0-or-later
// The routes of oauth over a database, without sockets and threads: the real dispatch on an engine that does
// everything at once. Passwords are not really hashed, mails are kept.
#pragma once
#include "base/crypto.hpp"
#include "http/dispatch.hpp"
#include "jobs/reactions.hpp"
#include "server/tables.hpp"
#include "server/web/pages.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/access.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/accounts/users/mail_hosts.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/setup.hpp"
#include "social/instance/settings.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/oauth/token.hpp"
#include "support/database.hpp"

#include <boost/json.hpp>

namespace oauth_test {

class AtOnce : public db::Engine {
public:
    AtOnce(db::Connection& connection, const db::Context& context)
        : connection_(connection), context_(context) {}

    bool read(std::function<void(db::Read&)> job, db::Position) override {
        // What a job goes on to start runs after it, outside its transaction.
        tasks_.push_back([this, job = std::move(job)] { db::read_now(connection_, context_, job); });
        return run();
    }
    bool write(
        const char*, std::function<void(db::Write&)> change, std::function<void(std::exception_ptr)> done
    ) override {
        tasks_.push_back([this, change = std::move(change), done = std::move(done)] {
            std::exception_ptr error;
            try {
                db::write_now(connection_, context_, change);
            } catch (...) {
                error = std::current_exception();
            }
            done(error);
        });
        return run();
    }
    void later(std::function<void()> task) {
        tasks_.push_back(std::move(task));
        run();
    }

private:
    bool run() {
        if (running_) return true;
        running_ = true;
        while (!tasks_.empty()) {
            auto task = std::move(tasks_.front());
            tasks_.pop_front();
            task();
        }
        running_ = false;
        return true;
    }

    db::Connection& connection_;
    const db::Context& context_;
    std::deque<std::function<void()>> tasks_;
    bool running_ = false;
};

// What happened, by event, in order.
struct Events : db::EventSink {
    std::vector<accounts::ConfirmationWanted> confirmations;
    std::vector<accounts::PasswordResetWanted> resets;
    std::vector<accounts::Activated> activated;
    std::vector<accounts::SecurityNoted> warnings;
    std::vector<base::TokenId> revoked;

    void emitted(db::Write&, std::type_index type, const void* event) override {
        if (type == typeid(accounts::ConfirmationWanted))
            confirmations.push_back(*cast<accounts::ConfirmationWanted>(event));
        if (type == typeid(accounts::PasswordResetWanted))
            resets.push_back(*cast<accounts::PasswordResetWanted>(event));
        if (type == typeid(accounts::Activated)) activated.push_back(*cast<accounts::Activated>(event));
        if (type == typeid(accounts::SecurityNoted))
            warnings.push_back(*cast<accounts::SecurityNoted>(event));
        if (type == typeid(accounts::TokensRevoked))
            for (auto id : cast<accounts::TokensRevoked>(event)->tokens) revoked.push_back(id);
    }

private:
    template <class E>
    static const E* cast(const void* event) {
        return static_cast<const E*>(event);
    }
};

inline std::string encoded(std::string_view text) {
    std::string out;
    for (char c : text) {
        char hex[4];
        std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : std::string(hex);
    }
    return out;
}

using Fields = std::vector<std::pair<std::string, std::string>>;

inline std::string form(const Fields& fields) {
    std::string out;
    for (const auto& [name, value] : fields)
        out += (out.empty() ? "" : "&") + encoded(name) + "=" + encoded(value);
    return out;
}

struct Stage : support::OnEachMigratedDatabase {
    std::unique_ptr<db::Connection> connection;
    Events events;
    base::Site& site = database.site;
    std::unique_ptr<AtOnce> engine;
    http::Limiter limiter;
    std::string address = "192.0.2.1";  // from which requests come
    http::Router router;
    base::ExternalServices services;
    std::unique_ptr<http::Dispatch> dispatch;
    int hashings = 0, comparisons = 0;

    explicit Stage(bool limits = false) : limiter(limits) {
        database.options.context.events = &events;
        connection = database.connection();
        db::migrate(*connection, {1000});
        engine = std::make_unique<AtOnce>(*connection, database.options.context);
        db::write_now(*connection, database.options.context, instance::ensure_keys);
        services.answers<accounts::FindMailHosts>([](const auto&) { return accounts::MailHosts{}; });
        services.answers<accounts::HashPassword>([this](const auto& asked) {
            ++hashings;
            return "hash:" + asked.password;
        });
        services.answers<accounts::PasswordMatches>([this](const auto& asked) {
            ++comparisons;
            return asked.hash == "hash:" + asked.given;
        });
        add_routes();
        http::DispatchOptions options;
        options.site = &site;
        options.clock = database.options.context.clock;
        options.spool = std::filesystem::temp_directory_path();
        options.authenticate = oauth::credentials;
        options.authenticate_session = oauth::session_credentials;
        options.user_of_page = oauth::user_of_page;
        options.other_face = server::other_face;
        options.known_browser = oauth::known_browser;
        options.cpu = [this](std::function<void()> task) {
            engine->later(std::move(task));
            return true;
        };
        dispatch = std::make_unique<http::Dispatch>(router, *engine, limiter, services, std::move(options));
    }

    template <class F>
    auto write(F&& f) {
        return db::write_now(*connection, database.options.context, std::forward<F>(f));
    }
    template <class F>
    auto read(F&& f) {
        return db::read_now(*connection, database.options.context, std::forward<F>(f));
    }
    void pass(std::int64_t seconds) { database.clock_ms += seconds * 1000; }

    base::UserId user(const std::string& name, base::RoleId role = accounts::everyone) {
        accounts::NewUser form;
        form.username = name;
        form.email = name + "@example.com";
        form.password_hash = "hash:password of " + name;
        form.role = role;
        form.confirmed = true;
        return write([&](db::Write& db) { return accounts::create_user(db, form); });
    }

    http::Response send(
        http::Method method, const std::string& target, const std::string& body = "",
        http::Headers headers = {}
    ) {
        http::Request request;
        request.method = method;
        request.target = target;
        request.body = body;
        request.headers = std::move(headers);
        if (!body.empty() && http::find_header(request.headers, "Content-Type").empty())
            request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
        request.remote_address = address;
        std::optional<http::Response> answer;
        dispatch->serve(std::move(request), http::Pending([&](http::Response response) {
                            answer = std::move(response);
                        }));
        if (!answer) ADD_FAILURE() << target << " was not answered";
        return answer.value_or(http::Response{});
    }
    http::Response get(const std::string& target, const std::string& token = "") {
        http::Headers headers;
        if (!token.empty()) headers.emplace_back("Authorization", "Bearer " + token);
        return send(http::Method::get, target, "", std::move(headers));
    }
    http::Response post(const std::string& target, const Fields& fields, const std::string& token = "") {
        http::Headers headers;
        if (!token.empty()) headers.emplace_back("Authorization", "Bearer " + token);
        return send(http::Method::post, target, form(fields), std::move(headers));
    }

    struct Client {
        std::string id, secret;
        base::AppId app;
    };
    Client client(
        const std::string& scopes = "read write follow push",
        const std::string& redirect = "https://app.example/cb"
    ) {
        auto made = boost::json::parse(
            post(
                "/api/v1/apps", {{"client_name", "An app"}, {"redirect_uris", redirect}, {"scopes", scopes}}
            ).body
        );
        return {
            made.at("client_id").as_string().c_str(),
            made.at("client_secret").as_string().c_str(),
            {std::stoll(made.at("id").as_string().c_str())}
        };
    }

private:
    void add_routes() {
        for (auto table : server::routes()) router.add(table);
        server::add_client_routes(router);
    }
};

inline std::string text(const boost::json::value& value, std::string_view member) {
    return std::string(std::string_view(value.at(member).as_string()));
}

inline std::string header(const http::Response& response, std::string_view name) {
    return std::string(response.header(name));
}

// Keeps cookies and reads forms as a browser does.
class Browser {
public:
    explicit Browser(Stage& stage) : stage_(stage) {}

    http::Response get(const std::string& target) {
        return keep(stage_.send(http::Method::get, target, "", headers()));
    }
    http::Response head(const std::string& target) {
        return keep(stage_.send(http::Method::head, target, "", headers()));
    }
    http::Response post(const std::string& target, Fields fields) {
        return keep(stage_.send(http::Method::post, target, form(fields), headers()));
    }
    // Fills the first form of the page with these, beside its hidden fields.
    http::Response submit(const std::string& target, const http::Response& page, Fields fields) {
        for (auto& hidden : hidden_fields(page.body)) fields.push_back(std::move(hidden));
        return post(target, std::move(fields));
    }
    // The form of the page with a file in it.
    http::Response upload(
        const std::string& target, const http::Response& page, Fields fields, const std::string& content,
        const std::string& name = "file"
    ) {
        for (auto& hidden : hidden_fields(page.body)) fields.push_back(std::move(hidden));
        std::string body;
        auto part = [&](const std::string& head, const std::string& text) {
            body += "--edge\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + text + "\r\n";
        };
        for (const auto& [field, value] : fields) part("name=\"" + field + "\"", value);
        part("name=\"" + name + "\"; filename=\"a.csv\"\r\nContent-Type: text/csv", content);
        auto all = headers();
        all.emplace_back("Content-Type", "multipart/form-data; boundary=edge");
        return keep(stage_.send(http::Method::post, target, body + "--edge--\r\n", std::move(all)));
    }
    http::Response sign_in(
        const std::string& name, const std::string& password, const std::string& query = ""
    ) {
        auto page = get("/auth/sign_in" + query);
        return submit("/auth/sign_in", page, {{"user[email]", name}, {"user[password]", password}});
    }
    http::Response sign_in(const std::string& name) { return sign_in(name, "password of " + name); }

    static Fields hidden_fields(std::string_view html) {
        Fields out;
        html = html.substr(0, html.find("</form>"));
        constexpr std::string_view start = "<input type=\"hidden\" name=\"", middle = "\" value=\"";
        for (auto at = html.find(start); at != html.npos; at = html.find(start, at + 1)) {
            auto rest = html.substr(at + start.size());
            auto name = rest.substr(0, rest.find('"'));
            auto value = rest.substr(name.size() + middle.size());
            out.emplace_back(name, unescaped(value.substr(0, value.find('"'))));
        }
        return out;
    }
    std::map<std::string, std::string> cookies;

private:
    static std::string unescaped(std::string_view html) {
        std::string out;
        for (std::size_t i = 0; i < html.size(); ++i) {
            constexpr std::pair<std::string_view, char> words[] = {
                {"&amp;", '&'}, {"&#39;", '\''}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}
            };
            auto word =
                std::ranges::find_if(words, [&](auto w) { return html.substr(i).starts_with(w.first); });
            out += word == std::end(words) ? html[i] : word->second;
            if (word != std::end(words)) i += word->first.size() - 1;
        }
        return out;
    }
    http::Headers headers() const {
        std::string all;
        for (const auto& [name, value] : cookies) all += (all.empty() ? "" : "; ") + name + "=" + value;
        return {{"Cookie", all}};
    }
    http::Response keep(http::Response response) {
        for (const auto& [name, value] : response.headers) {
            if (name != "Set-Cookie") continue;
            auto pair = value.substr(0, value.find(';'));
            auto equals = pair.find('=');
            if (value.find("Max-Age=0") != value.npos) cookies.erase(pair.substr(0, equals));
            else cookies[pair.substr(0, equals)] = pair.substr(equals + 1);
        }
        return response;
    }

    Stage& stage_;
};

}  // namespace oauth_test
