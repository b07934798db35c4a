// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres/broadcast.hpp"

#include "base/log.hpp"
#include "db/worker.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace db {

namespace {

using std::chrono::milliseconds, std::chrono::seconds;

constexpr milliseconds shortest_pause{100}, longest_pause{10'000};
constexpr seconds setting_up{5}, longest_silence{10};
constexpr std::size_t most_waiting = 4096;

}  // namespace

PostgresBroadcast::PostgresBroadcast(std::string url)
    : address_(std::move(url)), bell_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (bell_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

PostgresBroadcast::~PostgresBroadcast() {
    stop();
    ::close(bell_);
}

void PostgresBroadcast::start(Ears ears) {
    ears_ = std::move(ears);
    ending_ = false;
    thread_ = std::thread([this] { loop(); });
}

void PostgresBroadcast::stop() {
    ending_ = true;
    ::eventfd_write(bell_, 1);
    if (thread_.joinable()) thread_.join();
}

void PostgresBroadcast::say(std::string text) {
    {
        std::lock_guard lock(mutex_);
        if (!connected_ || texts_.size() >= most_waiting) return;
        texts_.push_back(std::move(text));
    }
    ::eventfd_write(bell_, 1);
}

void PostgresBroadcast::loop() {
    bool told = false;
    for (auto pause = shortest_pause; !ending_;) {
        try {
            connect();
            connected_ = true;
            if (std::exchange(told, false)) base::log_info("other nodes are heard again");
            pause = shortest_pause;
            ears_.joined();
            converse();
        } catch (const std::exception&) {
            if (!std::exchange(told, true))
                base::log_warning("other nodes are not heard", {{"cause", cause(std::current_exception())}});
        }
        connected_ = false;
        connection_.reset();
        {
            std::lock_guard lock(mutex_);
            texts_.clear();
        }
        for (const auto until = Clock::now() + pause; !ending_ && Clock::now() < until;)
            wait(std::chrono::ceil<milliseconds>(until - Clock::now()));
        pause = std::min(2 * pause, longest_pause);
    }
}

void PostgresBroadcast::broken() const {
    std::string why = connection_ ? PQerrorMessage(connection_.get()) : "out of memory";
    while (why.ends_with('\n')) why.pop_back();
    throw Outage(why);
}

void PostgresBroadcast::wait(milliseconds longest) {
    pollfd all[] = {{bell_, POLLIN, 0}, {connection_ ? PQsocket(connection_.get()) : -1, POLLIN, 0}};
    ::poll(all, 2, static_cast<int>(longest.count()));
    eventfd_t rung;
    ::eventfd_read(bell_, &rung);
}

void PostgresBroadcast::connect() {
    connection_ = address_.connect(setting_up, [this] {
        if (ending_) throw Outage("it is over");
    });
    PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
    const auto worker = ask("SELECT pg_backend_pid()");
    if (PQgetvalue(worker.get(), 0, 0) != std::to_string(PQbackendPID(connection_.get())))
        throw Outage("a pooler stands before PostgreSQL, which passes nothing on: set shared_liveness");
    // If a crash of the server loses a notification, its listeners are disconnected anyway.
    ask("SET synchronous_commit = off");
    ask("SET statement_timeout = '5s'");
    // Several sites may share a database, each with its own schema.
    const auto name = ask("SELECT 'dunlin ' || current_schema()");
    channel_ = PQgetvalue(name.get(), 0, 0);
    const std::unique_ptr<char, void (*)(void*)> quoted(
        PQescapeIdentifier(connection_.get(), channel_.data(), channel_.size()), PQfreemem
    );
    if (!quoted) broken();
    ask((std::string("LISTEN ") + quoted.get()).c_str());
}

// For the queries of connect(), which are answered at once.
PostgresResult PostgresBroadcast::ask(const char* text) {
    if (!PQsendQuery(connection_.get(), text)) broken();
    const auto begun = Clock::now();
    PostgresResult last;
    for (;;) {
        while (PQisBusy(connection_.get())) {
            if (ending_ || Clock::now() - begun > setting_up) throw Outage("the server does not answer");
            pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
            if (::poll(&socket, 1, 100) > 0 && !PQconsumeInput(connection_.get())) broken();
        }
        PostgresResult result(PQgetResult(connection_.get()));
        if (!result) return last;
        if (!postgres_succeeded(result.get())) throw Outage(PQresultErrorMessage(result.get()));
        last = std::move(result);
    }
}

void PostgresBroadcast::speak(const std::vector<std::string>& texts) {
    std::string list;
    append_array(list, TextList{texts});
    const char* const values[] = {channel_.c_str(), list.c_str()};
    constexpr const char* notify = "SELECT count(pg_notify($1, text)) FROM unnest($2::text[]) AS text";
    if (!PQsendQueryParams(connection_.get(), notify, 2, nullptr, values, nullptr, nullptr, 0)) broken();
}

bool PostgresBroadcast::receive() {
    if (!PQconsumeInput(connection_.get())) broken();
    bool taken = false;
    while (!taken && !PQisBusy(connection_.get())) {
        const PostgresResult result(PQgetResult(connection_.get()));
        if (result && !postgres_succeeded(result.get())) throw Outage(PQresultErrorMessage(result.get()));
        taken = !result;
    }
    struct Free {
        void operator()(PGnotify* one) const { PQfreemem(one); }
    };
    while (const std::unique_ptr<PGnotify, Free> one{PQnotifies(connection_.get())}) ears_.heard(one->extra);
    return taken;
}

// One batch is on its way at a time; what is to be said meanwhile is the next. The nodes speak every few seconds
// (server/nodes/nodes.cpp), so that a server that says nothing for longer is gone.
void PostgresBroadcast::converse() {
    std::vector<std::string> texts;
    bool speaking = false;
    for (auto said = Clock::now(); !ending_;) {
        if (!speaking) {
            texts.clear();
            {
                std::lock_guard lock(mutex_);
                texts.swap(texts_);
            }
            speaking = !texts.empty();
            if (speaking) speak(texts);
            if (speaking) said = Clock::now();
        }
        wait(seconds(1));
        if (receive()) speaking = false;
        if (speaking && Clock::now() - said > longest_silence) throw Outage("the server does not answer");
    }
}

}  // namespace db
