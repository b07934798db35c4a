// SPDX-License-Identifier: AGPL-3.0-or-later
// AddressSanitizer keeps the fake stack frames that an exception left until a frame is created further up the
// stack. In a test with thousands of refused requests this never happens, and each call searches more of them
// for a free one.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define DUNLIN_TEST_KEEPS_FRAMES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DUNLIN_TEST_KEEPS_FRAMES
#endif
#endif

#ifdef DUNLIN_TEST_KEEPS_FRAMES
#include <sanitizer/asan_interface.h>
#endif

namespace support {

[[gnu::noinline]] inline void make_a_frame() {
    volatile char inside[8];
    inside[0] = 0;
}

// Does not affect the frames of the caller and above.
inline void forget_left_frames() {
#ifdef DUNLIN_TEST_KEEPS_FRAMES
    __asan_handle_no_return();
    make_a_frame();
#endif
}

}  // namespace support
