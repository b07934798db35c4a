// SPDX-License-Identifier: AGPL-3.0-or-later
// Looking through very many hashes for one that is near.
#pragma once
#include "sandbox/pdq.hpp"

#include <optional>

namespace media {

// How far the nearest of these is from any symmetry of the picture, if that is no more than so many bits.
std::optional<int> nearest(const std::vector<sandbox::PdqBits>&, const sandbox::Pdq&, int distance);

}  // namespace media
