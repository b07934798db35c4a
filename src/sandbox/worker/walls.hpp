// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The walls the worker puts around itself before it looks at its input. In order: limits and Landlock (files) first,
// then libvips is initialised from /usr, then seccomp (system calls). None can be taken down again. A wall that fails
// to stand ends the process; only a kernel without Landlock is tolerated, with a word in the log.

namespace worker {

void limit_resources();  // also: closes fds from 3 up, dies with the server, no new privileges, no core dumps
void limit_files();      // reading /usr, /lib, ld.so's cache; writing the current directory
void limit_calls(bool may_load_code
);  // libheif loads its codecs late; everything else gets no executable memory

}  // namespace worker
