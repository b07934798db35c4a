# SPDX-License-Identifier: AGPL-3.0-or-later
# The compiler: clang 19 with its own linker where installed (Debian 12), else g++ 14 or newer (Debian 13).
# g++ 12 miscompiles coroutines and clang 14 rejects C++20 ranges, so neither is ever picked.
# Set CXX in the environment to override.

if(NOT DEFINED CMAKE_CXX_COMPILER)
  find_program(_cxx NAMES $ENV{CXX} clang++-19 g++-14 g++-15 g++ NO_CACHE REQUIRED)
  string(REGEX REPLACE "clang\\+\\+" "clang" _cc "${_cxx}")
  string(REGEX REPLACE "g\\+\\+" "gcc" _cc "${_cc}")
  set(CMAKE_CXX_COMPILER "${_cxx}")
  set(CMAKE_C_COMPILER "${_cc}")
  set(CMAKE_ASM_COMPILER "${_cc}")
endif()

if(CMAKE_CXX_COMPILER MATCHES "clang")
  set(_linker "-fuse-ld=lld")
endif()
set(CMAKE_EXE_LINKER_FLAGS_INIT "${_linker} -Wl,--as-needed -Wl,-z,relro,-z,now")
