// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres/address.hpp"

#include "db/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace db {

namespace {

using std::chrono::milliseconds, std::chrono::seconds;

constexpr milliseconds look_every{100};
// How long to wait for each of several hosts; one that was silent is tried after all others for a while.
constexpr seconds patience_with_host{2}, silent_for{30};
// Giving up sooner than this says nothing about the host.
constexpr milliseconds long_enough{300};

using Parts = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

std::string value_of(const Parts& parts, std::string_view keyword) {
    for (const auto* one = parts.get(); one->keyword; ++one)
        if (one->keyword == keyword && one->val) return one->val;
    return {};
}

std::vector<std::string> listed(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t start = 0; start <= text.size();) {
        const auto end = std::min(text.find(',', start), text.size());
        all.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return all;
}

std::string message(const PGconn* connection) {
    std::string text = connection ? PQerrorMessage(connection) : "out of memory";
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace

PostgresAddress::PostgresAddress(std::string url) : url_(std::move(url)), hosts_(1) {
    const Parts parts(PQconninfoParse(url_.c_str(), nullptr), PQconninfoFree);
    // libpq's error message for an unparsable address contains the password.
    if (!parts) trouble_ = "the address is not understood";
    // This mode makes libpq ask all hosts twice, so the list is left to libpq.
    if (!parts || value_of(parts, "target_session_attrs") == "prefer-standby") return;
    const auto names = listed(value_of(parts, "host")), addresses = listed(value_of(parts, "hostaddr")),
               ports = listed(value_of(parts, "port"));
    const auto count = std::max(names.size(), addresses.size());
    auto fits = [&](const std::vector<std::string>& list) {
        return list.size() == 1 || list.size() == count;
    };
    // libpq rejects lists of different lengths with its own message.
    if (count < 2 || !fits(names) || !fits(addresses) || !fits(ports)) return;
    hosts_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (names.size() == count) hosts_[i].name = names[i];
        if (addresses.size() == count) hosts_[i].address = addresses[i];
        if (ports.size() == count) hosts_[i].port = ports[i];
    }
}

PostgresHandle PostgresAddress::begin(const Host& host) const {
    std::vector<const char*> keywords, values;
    auto say = [&](const char* keyword, const std::string& value) {
        if (value.empty()) return;
        keywords.push_back(keyword);
        values.push_back(value.c_str());
    };
    static const std::string name = "dunlin", timeout = "15000", idle = "10", interval = "3", count = "3",
                             encoding = "UTF8";
    say("fallback_application_name", name);
    say("tcp_user_timeout", timeout);
    say("keepalives_idle", idle);
    say("keepalives_interval", interval);
    say("keepalives_count", count);
    say("client_encoding", encoding);
    // Later keywords override earlier ones.
    say("dbname", url_);
    say("host", host.name);
    say("hostaddr", host.address);
    say("port", host.port);
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    return PostgresHandle(PQconnectStartParams(keywords.data(), values.data(), 1));
}

// The host that answered last comes first, then the others as listed; silent ones come last.
std::vector<std::size_t> PostgresAddress::order() {
    const std::lock_guard lock(mutex_);
    std::vector<std::size_t> all(hosts_.size());
    std::iota(all.begin(), all.end(), 0);
    const auto now = Clock::now();
    std::ranges::stable_sort(all, {}, [&](std::size_t i) {
        return hosts_[i].silent_until > now ? 2 : i == last_ ? 0 : 1;
    });
    return all;
}

void PostgresAddress::answered(std::size_t host) {
    const std::lock_guard lock(mutex_);
    last_ = host;
    hosts_[host].silent_until = {};
}

void PostgresAddress::silent(std::size_t host) {
    const std::lock_guard lock(mutex_);
    hosts_[host].silent_until = Clock::now() + silent_for;
}

PostgresHandle PostgresAddress::connect(milliseconds longest, const std::function<void()>& look) {
    if (!trouble_.empty()) throw Outage(trouble_);
    const auto begun = Clock::now();
    std::string why = "the server does not answer";
    for (const auto number : order()) {
        const auto asked = Clock::now();
        const auto until =
            std::min(begun + longest, hosts_.size() > 1 ? asked + patience_with_host : asked + longest);
        auto connection = begin(hosts_[number]);
        // A failure that is immediate, such as a missing socket, needs no waiting.
        const bool begun_well = connection && PQstatus(connection.get()) != CONNECTION_BAD;
        auto wants = begun_well ? PGRES_POLLING_WRITING : PGRES_POLLING_FAILED;
        while (wants != PGRES_POLLING_OK && wants != PGRES_POLLING_FAILED && Clock::now() < until) {
            try {
                look();
            } catch (...) {
                if (Clock::now() - asked > long_enough) silent(number);
                throw;
            }
            const short events = wants == PGRES_POLLING_READING ? POLLIN : POLLOUT;
            pollfd socket{PQsocket(connection.get()), events, 0};
            const auto rest = std::chrono::ceil<milliseconds>(until - Clock::now());
            const auto wait = std::clamp(rest, milliseconds(1), look_every);
            if (::poll(&socket, 1, static_cast<int>(wait.count())) > 0)
                wants = PQconnectPoll(connection.get());
        }
        if (wants == PGRES_POLLING_OK) {
            answered(number);
            return connection;
        }
        if (wants == PGRES_POLLING_FAILED) why = message(connection.get());
        else silent(number);
        if (Clock::now() >= begun + longest) break;
    }
    throw Outage(why);
}

}  // namespace db
