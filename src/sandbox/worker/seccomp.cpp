// SPDX-License-Identifier: AGPL-3.0-or-later
// The second part of the sandbox: system calls that decoding a picture never needs. A deny-list rather than
// an allow-list, because libvips, glib and four dozen codec libraries of any distribution must work with it.
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "sandbox/worker/walls.hpp"

namespace worker {
namespace {

// clang-format off
constexpr const char* forbidden[] = {
    // the network, and talking to other processes
    "socket", "socketpair", "socketcall", "connect", "bind", "listen", "accept", "accept4", "sendto",
    "sendmsg", "sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "shmget", "shmat", "shmctl", "msgget",
    "msgsnd", "msgrcv", "semget", "semop", "semtimedop", "ipc", "mq_open", "mq_unlink", "kill", "tkill",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd", "pidfd_send_signal",
    // other programs and processes
    "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev",
    "process_madvise", "process_mrelease", "kcmp", "setpgid", "setsid", "sched_setscheduler",
    "sched_setattr",
    // parts of the kernel with a history of vulnerabilities
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd",
    "keyctl", "add_key", "request_key", "memfd_create", "memfd_secret", "vmsplice", "splice", "tee",
    "inotify_init", "inotify_init1", "fanotify_init", "fanotify_mark", "modify_ldt", "personality",
    "remap_file_pages", "mbind", "move_pages", "migrate_pages", "set_mempolicy", "uselib", "_sysctl",
    "lookup_dcookie", "map_shadow_stack",
    // namespaces, mounts, modules, clocks, the machine
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at", "open_by_handle_at",
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon",
    "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "settimeofday", "adjtimex", "clock_adjtime",
    "clock_settime", "stime", "sethostname", "setdomainname", "iopl", "ioperm", "vhangup", "nfsservctl",
    // changing its identity
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid",
    "setfsgid", "capset",
    // files: it only creates regular ones
    "symlink", "symlinkat", "link", "linkat", "mkdir", "mkdirat", "mknod", "mknodat", "rename", "renameat",
    "renameat2", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
    "setxattr", "lsetxattr", "fsetxattr", "chdir", "fchdir",
};
// clang-format on

void check(int result) {
    static bool failed = false;
    if (result == 0 || failed) return;
    failed = true;
    fail_wall("seccomp cannot be set up");
}

void forbid(scmp_filter_ctx filter, const char* name, int error = EPERM) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;  // unknown to this libseccomp
    check(seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), number, 0));
}

template <class Compare>
void forbid_if(scmp_filter_ctx filter, int number, Compare compare) {
    check(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &compare));
}

scmp_arg_cmp bits(unsigned argument, std::uint64_t mask, std::uint64_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

scmp_filter_ctx common_filter(std::initializer_list<std::string_view> but = {}) {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == nullptr) check(-1);
    // The filter must also apply to threads that libvips has already started.
    check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1));

    for (const char* name : forbidden)
        if (std::ranges::find(but, name) == but.end()) forbid(filter, name);
    forbid(filter, "clone3", ENOSYS);  // its flags are in memory, invisible here; glibc uses clone
    forbid_if(filter, SCMP_SYS(clone), bits(0, CLONE_THREAD, 0));
    const auto self = static_cast<std::uint64_t>(getpid());
    forbid_if(filter, SCMP_SYS(tgkill), scmp_arg_cmp{0, SCMP_CMP_NE, self, 0});  // abort() needs its own
    forbid_if(filter, SCMP_SYS(prlimit64), scmp_arg_cmp{0, SCMP_CMP_NE, 0, 0});
    forbid_if(filter, SCMP_SYS(ioctl), bits(1, 0xffffffff, TIOCSTI));
    forbid_if(filter, SCMP_SYS(ioctl), bits(1, 0xffffffff, TIOCLINUX));
    return filter;
}

void load(scmp_filter_ctx filter) {
    check(seccomp_load(filter));
    seccomp_release(filter);
}

}  // namespace

void limit_calls(bool may_load_code) {
    const scmp_filter_ctx filter = common_filter();
    forbid(filter, "execve");
    if (!may_load_code)
        for (int number : {SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(pkey_mprotect)})
            forbid_if(filter, number, bits(2, PROT_EXEC, PROT_EXEC));
    load(filter);
}

void limit_calls_while_waiting() {
    const scmp_filter_ctx filter = common_filter({"recvmsg", "fchdir"});
    forbid(filter, "execve");
    load(filter);
}

// Compares the address of the name, because a filter cannot read strings. In the new program nothing is at
// that address.
void limit_calls_but_starting(const char* program) {
    const scmp_filter_ctx filter = common_filter();
    const auto address = reinterpret_cast<std::uintptr_t>(program);
    forbid_if(filter, SCMP_SYS(execve), scmp_arg_cmp{0, SCMP_CMP_NE, address, 0});
    load(filter);
}

}  // namespace worker
