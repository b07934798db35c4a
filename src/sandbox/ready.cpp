// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/ready.hpp"

#include "base/log.hpp"
#include "sandbox/child.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

namespace sandbox {

namespace {

using Clock = std::chrono::steady_clock;

// A worker that dies while waiting is not replaced at once, to avoid a tight loop.
constexpr std::chrono::seconds pause_after_death{1};

Ready start_ready() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
    Fd ours(ends[0]), theirs(ends[1]);
    Pipe out = make_pipe(), err = make_pipe();
    Running process = start_worker({"wait", "job"}, theirs.get(), out.write.get(), err.write.get(), "/");
    out.write.close();
    err.write.close();
    return {std::move(process), std::move(ours), std::move(out), std::move(err)};
}

// The thread that keeps a worker ready. It must outlive the workers, because they die with the thread that
// started them.
class Keeper {
public:
    explicit Keeper(std::chrono::seconds idle)
        : idle_(idle), changed_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (changed_.get() < 0) fail("eventfd");
        thread_ = std::thread([this] { keep(); });
    }
    ~Keeper() {
        {
            std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        wake();
        thread_.join();
    }

    std::optional<Ready> take() {
        std::optional<Ready> taken;
        {
            std::lock_guard lock(mutex_);
            wanted_until_ = Clock::now() + idle_;
            if (ready_) taken.emplace(std::move(*ready_));
            ready_.reset();
        }
        wake();
        return taken;
    }

private:
    void wake() const { eventfd_write(changed_.get(), 1); }

    void keep() {
        for (std::chrono::milliseconds wait{}; wait.count() >= 0;) {
            std::array<pollfd, 2> watched{{{changed_.get(), POLLIN, 0}, {exit_fd(), POLLIN, 0}}};
            ::poll(watched.data(), watched.size(), static_cast<int>(wait.count()));
            eventfd_t ignored = 0;
            eventfd_read(changed_.get(), &ignored);
            wait = look();
        }
    }

    // Starts or ends the waiting worker. Returns how long to sleep unless something happens; negative: for
    // ever.
    std::chrono::milliseconds look() {
        std::unique_lock lock(mutex_);
        if (stopped_) return std::chrono::milliseconds(-1);
        auto now = Clock::now();
        if (ready_ && ready_->process.ended()) {
            ready_.reset();
            not_before_ = now + pause_after_death;
        }
        if (now >= wanted_until_) {
            ready_.reset();
            return std::chrono::hours(1);
        }
        if (!ready_ && now >= not_before_) {
            lock.unlock();
            auto started = start();
            lock.lock();
            if (started) ready_.emplace(*std::move(started));
            else not_before_ = now + 10 * pause_after_death;
        }
        auto next = ready_ ? wanted_until_ : std::min(not_before_, wanted_until_);
        return std::max(
            std::chrono::ceil<std::chrono::milliseconds>(next - now), std::chrono::milliseconds(1)
        );
    }

    static std::optional<Ready> start() {
        try {
            return start_ready();
        } catch (const std::exception& e) {
            base::log_warning("no media worker can be kept ready", {{"cause", e.what()}});
            return std::nullopt;
        }
    }

    int exit_fd() {
        std::lock_guard lock(mutex_);
        return ready_ ? ready_->process.exit_fd() : -1;
    }

    const std::chrono::seconds idle_;
    const Fd changed_;
    std::mutex mutex_;
    std::optional<Ready> ready_;
    Clock::time_point wanted_until_ = Clock::now() + idle_, not_before_;
    bool stopped_ = false;
    std::thread thread_;
};

std::mutex keeper_mutex;
std::shared_ptr<Keeper> keeper;

}  // namespace

void keep_worker_ready(std::chrono::seconds idle) {
    std::shared_ptr<Keeper> next;
    if (idle.count() > 0) next = std::make_shared<Keeper>(idle);
    std::lock_guard lock(keeper_mutex);
    keeper.swap(next);
}

std::optional<Ready> take_ready() {
    std::shared_ptr<Keeper> here;
    {
        std::lock_guard lock(keeper_mutex);
        here = keeper;
    }
    return here ? here->take() : std::nullopt;
}

bool hand_over(const Ready& ready, const std::vector<std::string>& arguments, int input, int directory) {
    std::string text;
    for (const auto& word : arguments) text += word + '\n';
    iovec bytes{text.data(), text.size()};
    const std::array<int, 2> descriptors{input, directory};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(descriptors))> space{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(descriptors));
    std::memcpy(CMSG_DATA(head), descriptors.data(), sizeof(descriptors));
    return sendmsg(ready.socket.get(), &message, MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

bool had_begun(const Ready& ready) {
    char said = 0;
    return ready.socket.get() < 0 || recv(ready.socket.get(), &said, 1, MSG_DONTWAIT) == 1;
}

}  // namespace sandbox
