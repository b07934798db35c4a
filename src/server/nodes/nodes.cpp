// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/nodes/nodes.hpp"

#include "base/json_read.hpp"
#include "base/log.hpp"

namespace server {

namespace {

using std::chrono::milliseconds, std::chrono::seconds;

constexpr milliseconds tick{200};
constexpr seconds silent_for{30};
// Limits the size of a message, as counts are numbers in JSON, and the messages per tick.
constexpr std::size_t uses_in_word = 120, words_of_uses = 8;

struct News {
    std::string channel, event, payload;
};
DESCRIBE(News, channel, event, payload)

// Has no content but the channel: rows are waiting for whoever does such work.
bool wakes(const db::Announcement& one) { return one.event.empty() && one.payload.empty(); }

constexpr std::string_view hello = "hello", here = "here";

}  // namespace

struct NodeWord {
    std::string node;  // the sender
    std::uint64_t number = 0;
    std::string greeting;  // hello: who else is there? here: I am.
    bool missed = false;   // something was too long to send
    std::vector<News> news;
    std::vector<std::int64_t> uses;     // Limiter::Use, four numbers each
    std::vector<std::int64_t> writers;  // the key, and the position of the change
};
DESCRIBE(NodeWord, node, number, greeting, missed, news, uses, writers)

Nodes::Nodes(
    std::string name, std::unique_ptr<base::Broadcast> broadcast, http::Limiter& limiter, Here its_here
)
    : broadcast_(std::move(broadcast)),
      limiter_(limiter),
      here_(std::move(its_here)),
      name_(std::move(name)) {}

Nodes::~Nodes() { stop(); }

void Nodes::start() {
    ending_ = false;
    if (broadcast_) broadcast_->start({[this](std::string_view text) { hear(text); }, [this] { join(); }});
    thread_ = std::thread([this] { loop(); });
}

void Nodes::stop() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (broadcast_) broadcast_->stop();
}

NodeFigures Nodes::figures() const {
    return {broadcast_ && broadcast_->connected(), others_, said_, heard_, missed_};
}

void Nodes::loop() {
    auto beat_at = Clock::now();
    std::unique_lock lock(mutex_);
    while (!ending_) {
        lock.unlock();
        if (Clock::now() >= beat_at) {
            beat_at = Clock::now() + between_beats;
            here_.beat();
            forget_the_silent();
            if (broadcast_) say({.greeting = std::string(here)});
        }
        if (!alone()) say_counts();
        lock.lock();
        const bool nobody = alone();
        const auto until = nobody ? beat_at : std::min(beat_at, Clock::now() + tick);
        wake_.wait_until(lock, until, [&] { return ending_ || (nobody && !alone()); });
    }
}

// ---- sending ----

void Nodes::tell(const std::vector<db::Announcement>& announced) {
    if (alone()) return;
    NodeWord word;
    std::lock_guard lock(saying_);
    for (const auto& one : announced)
        if (here_.works && wakes(one)) wakes_.insert(one.channel);
        else word.news.push_back({one.channel, one.event, one.payload});
    if (!word.news.empty()) say_locked(word);
}

void Nodes::tell_writer(std::uint64_t who, db::Position position) {
    if (alone()) return;
    say({.writers = {static_cast<std::int64_t>(who), static_cast<std::int64_t>(position.value)}});
}

void Nodes::say(NodeWord&& word) {
    std::lock_guard lock(saying_);
    say_locked(word);
}

// Splits a message that is too long into halves.
void Nodes::say_locked(NodeWord& word) {
    word.node = name_;
    word.number = number_ + 1;
    auto text = base::json::to_string(word);
    if (text.size() <= base::Broadcast::longest) {
        ++number_;
        ++said_;
        return broadcast_->say(std::move(text));
    }
    if (word.news.size() < 2) {
        word.news.clear();
        word.missed = true;
        return say_locked(word);
    }
    const auto middle = word.news.begin() + static_cast<std::ptrdiff_t>(word.news.size() / 2);
    NodeWord rest;
    rest.news.assign(std::make_move_iterator(middle), std::make_move_iterator(word.news.end()));
    word.news.erase(middle, word.news.end());
    say_locked(word);
    say_locked(rest);
}

// Wake-ups of many commits are combined, because the node that writes the rows also works on them.
void Nodes::say_counts() {
    std::lock_guard lock(saying_);
    NodeWord word;
    for (const auto& channel : wakes_) word.news.push_back({channel, {}, {}});
    wakes_.clear();
    for (std::size_t n = 0; n < words_of_uses; ++n) {
        const auto uses = limiter_.uses(uses_in_word);
        for (const auto& one : uses)
            word.uses.insert(word.uses.end(), {one.limit, one.key, one.window, one.count});
        if (word.news.empty() && word.uses.empty()) return;
        say_locked(word);
        if (uses.size() < uses_in_word) return;
        word = {};
    }
}

// ---- receiving ----

void Nodes::join() {
    say({.greeting = std::string(hello)});
    ++missed_;
    here_.missed();
}

// Anybody with access to the channel can send anything.
void Nodes::hear(std::string_view text) {
    try {
        take(base::json::read<NodeWord>(text));
    } catch (const std::exception& e) {
        base::log_warning("something was heard that no node says", {{"cause", e.what()}});
    }
}

void Nodes::take(const NodeWord& word) {
    if (word.node == name_) return;
    ++heard_;
    bool gap = word.missed;
    bool first = false;
    {
        std::lock_guard lock(hearing_);
        first = known_.empty();
        auto [other, is_new] = known_.try_emplace(word.node);
        gap = gap || (!is_new && word.number != other->second.number + 1);
        other->second = {Clock::now(), word.number};
        others_ = known_.size();
    }
    if (first) {  // start exchanging counts now, not with the next beat
        {
            std::lock_guard lock(mutex_);
        }
        wake_.notify_all();
    }
    if (word.greeting == hello) say({.greeting = std::string(here)});
    if (gap) ++missed_;
    if (gap) here_.missed();
    for (std::size_t i = 0; i + 4 <= word.uses.size(); i += 4)
        limiter_.used_elsewhere({word.uses[i], word.uses[i + 1], word.uses[i + 2], word.uses[i + 3]});
    for (std::size_t i = 0; here_.wrote && i + 2 <= word.writers.size(); i += 2)
        here_.wrote(
            static_cast<std::uint64_t>(word.writers[i]), {static_cast<std::uint64_t>(word.writers[i + 1])}
        );
    std::vector<db::Announcement> news;
    for (const auto& one : word.news) news.push_back({one.channel, one.event, one.payload});
    if (!news.empty()) here_.announced(std::move(news));
}

void Nodes::forget_the_silent() {
    std::lock_guard lock(hearing_);
    std::erase_if(known_, [](const auto& other) {
        return other.second.heard_at + silent_for < Clock::now();
    });
    others_ = known_.size();
}

}  // namespace server
