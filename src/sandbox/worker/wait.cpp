// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/walls.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace worker {

std::vector<std::string> wait_for_job() {
    prctl(PR_SET_NAME, "dunlin-ready");
    std::array<char, 1024> text{};
    iovec bytes{text.data(), text.size()};
    std::array<int, 2> descriptors{};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(descriptors))> space{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    ssize_t size = -1;
    do size = recvmsg(0, &message, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    const cmsghdr* head = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (head == nullptr || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof(descriptors)))
        _exit(0);
    std::memcpy(descriptors.data(), CMSG_DATA(head), sizeof(descriptors));
    const auto [input, directory] = descriptors;
    prctl(PR_SET_NAME, "dunlin-media");
    if (write(0, "", 1) != 1) _exit(3);  // reports the start: from now on its end is the end of the job
    if (dup2(input, 0) != 0 || fchdir(directory) != 0) _exit(3);
    close(input);
    close(directory);

    std::vector<std::string> words;
    std::string_view lines(text.data(), static_cast<std::size_t>(size));
    for (auto end = lines.find('\n'); end != lines.npos; end = lines.find('\n')) {
        words.emplace_back(lines.substr(0, end));
        lines.remove_prefix(end + 1);
    }
    return words;
}

}  // namespace worker
