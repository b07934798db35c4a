// SPDX-License-Identifier: AGPL-3.0-or-later
// Many WebSockets that listen, in a process of their own, which notes when each hears of something: when the bytes came to
// its socket, as the kernel says. They are read later, for who measures has the same processors as who is measured, which
// people who listen have not.
//
// usage: listeners    of its input, a line each:
//        open PORT COUNT     then COUNT lines "TARGET TOKEN"; says how many are open
//        forget              what was heard; says nothing
//        arrived COUNT MS REST    says when each message came, in microseconds of the monotonic clock, once there are so
//                            many or the time is over; reads nothing for the first REST milliseconds
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "listeners: %s\n", why.c_str());
    std::exit(1);
}

std::int64_t us_of(const timespec& time) { return time.tv_sec * 1'000'000LL + time.tv_nsec / 1000; }

std::int64_t now_us() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return us_of(time);
}

// From the clock of day, which the kernel uses, to the monotonic one.
std::int64_t between_clocks() {
    timespec day{};
    clock_gettime(CLOCK_REALTIME, &day);
    return now_us() - us_of(day);
}

struct Frame {
    unsigned kind = 0;
    std::size_t head = 0, size = 0;
};

// False as long as its head is not whole.
bool read_head(const std::string& data, std::size_t at, Frame& out) {
    auto byte = [&](std::size_t i) {
        return static_cast<std::uint64_t>(static_cast<unsigned char>(data[at + i]));
    };
    if (data.size() < at + 2) return false;
    out.kind = byte(0) & 15;
    out.size = byte(1) & 127;
    out.head = out.size < 126 ? 2 : out.size == 126 ? 4 : 10;
    if (data.size() < at + out.head) return false;
    if (out.head == 2) return true;
    out.size = 0;
    for (std::size_t i = 2; i < out.head; ++i) out.size = out.size << 8 | byte(i);
    return true;
}

class Crowd {
public:
    void open(int port, const std::string& target, const std::string& token) {
        int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) fail("cannot connect");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        const std::string asking =
            "GET " + target +
            " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Authorization: Bearer " +
            token + "\r\n\r\n";
        if (write(fd, asking.data(), asking.size()) != static_cast<ssize_t>(asking.size()))
            fail("cannot write");
        std::string head;
        std::size_t end = head.npos;
        while ((end = head.find("\r\n\r\n")) == head.npos) {
            const auto size = read(fd, buffer_.data(), buffer_.size());
            if (size <= 0) fail("no answer to an upgrade");
            head.append(buffer_.data(), static_cast<std::size_t>(size));
        }
        if (!head.starts_with("HTTP/1.1 101")) fail("no WebSocket: " + head.substr(0, 200));
        fcntl(fd, F_SETFL, O_NONBLOCK);
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
        epoll_event what{EPOLLIN, {.fd = fd}};
        epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &what);
        ++open_;
        if (head.size() > end + 4) take(fd, head.substr(end + 4), now_us());
    }

    void look(int milliseconds) {
        epoll_event ready[512];
        const int count = epoll_wait(epoll_, ready, std::size(ready), milliseconds);
        const auto shift = between_clocks();
        for (int i = 0; i < count; ++i) {
            const int fd = ready[i].data.fd;
            std::int64_t came = 0;
            const auto size = receive(fd, came);
            if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (size <= 0) fail("a listener was sent away");
            auto rest = rest_.extract(fd);
            take(
                fd,
                (rest ? rest.mapped() : "") + std::string(buffer_.data(), static_cast<std::size_t>(size)),
                came ? came + shift : now_us()
            );
        }
    }

    std::size_t open_count() const { return open_; }
    void forget() { arrivals_.clear(); }
    const std::vector<std::int64_t>& arrivals() const { return arrivals_; }

private:
    // As recv(); when the last of it came, by the clock of day.
    ssize_t receive(int fd, std::int64_t& came) {
        iovec into{buffer_.data(), buffer_.size()};
        alignas(cmsghdr) char notes[256];
        msghdr message{};
        message.msg_iov = &into;
        message.msg_iovlen = 1;
        message.msg_control = notes;
        message.msg_controllen = sizeof notes;
        const auto size = recvmsg(fd, &message, 0);
        for (auto* note = CMSG_FIRSTHDR(&message); size > 0 && note; note = CMSG_NXTHDR(&message, note)) {
            if (note->cmsg_level != SOL_SOCKET || note->cmsg_type != SCM_TIMESTAMPNS) continue;
            timespec time{};
            std::memcpy(&time, CMSG_DATA(note), sizeof time);
            came = us_of(time);
        }
        return size;
    }
    void take(int fd, std::string data, std::int64_t came) {
        std::size_t at = 0;
        for (Frame frame; read_head(data, at, frame) && data.size() >= at + frame.head + frame.size;) {
            constexpr unsigned ping = 9;
            if (frame.kind != ping) arrivals_.push_back(came);
            else if (write(fd, "\x8a\x80\0\0\0\0", 6) != 6) fail("cannot answer a ping");
            at += frame.head + frame.size;
        }
        if (at < data.size()) rest_[fd] = data.substr(at);
    }

    int epoll_ = epoll_create1(0);
    std::size_t open_ = 0;
    std::vector<char> buffer_ = std::vector<char>(65536);
    std::unordered_map<int, std::string> rest_;  // of a frame that is not whole
    std::vector<std::int64_t> arrivals_;
};

}  // namespace

int main() {
    Crowd crowd;
    // Pings are answered also while nobody asks.
    for (;;) {
        fd_set input;
        FD_ZERO(&input);
        FD_SET(0, &input);
        timeval soon{0, 100'000};
        if (std::cin.rdbuf()->in_avail() <= 0 && select(1, &input, nullptr, nullptr, &soon) == 0) {
            crowd.look(0);
            continue;
        }
        std::string what;
        if (!(std::cin >> what)) return 0;
        if (what == "open") {
            int port = 0;
            std::size_t count = 0;
            std::cin >> port >> count;
            for (std::size_t i = 0; i < count; ++i) {
                std::string target, token;
                std::cin >> target >> token;
                crowd.open(port, target, token);
                if (i % 200 == 199) crowd.look(0);
            }
            std::cout << crowd.open_count() << std::endl;
        } else if (what == "forget") {
            crowd.forget();
            std::cout << std::endl;
        } else if (what == "arrived") {
            std::size_t count = 0;
            std::int64_t ms = 0, rest = 0;
            std::cin >> count >> ms >> rest;
            usleep(static_cast<useconds_t>(rest * 1000));
            for (const auto end = now_us() + ms * 1000; crowd.arrivals().size() < count && now_us() < end;)
                crowd.look(50);
            for (auto one : crowd.arrivals()) std::cout << one << ' ';
            std::cout << std::endl;
        } else {
            fail("what is " + what + "?");
        }
    }
}
