// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The image jobs: which files are produced from which input, in which size and format.

#include <string>

#include "sandbox/pdq.hpp"
#include "sandbox/worker/codecs.hpp"

namespace worker {

struct Input {
    std::string bytes;
    Format format = Format::unknown;
};

struct File {
    std::string name;  // empty: no file
    Size size;
};

struct Record {
    bool animated = false;
    File original, preview, still;
    std::string blurhash;
    sandbox::Pdq pdq;
};

// Writes the files into the current directory. Throws Refusal.
Record process(Kind kind, const Input& input);

}  // namespace worker
