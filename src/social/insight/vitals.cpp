// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/vitals.hpp"

#include <algorithm>

namespace insight {

namespace {

constexpr moderation::TroubleKind kinds[] = {
    {"commit", "The disk is slow to keep what is written"},
    {"cpu", "Passwords and pictures wait for the CPU"},
    {"jobs", "Many jobs fail"},
    {"machine", "The program takes all the CPU there is"},
    {"readers", "The database is busy reading"},
    {"refused", "Requests are turned away because too many wait"},
    {"route", "One kind of request takes most of the time"},
    {"writer", "The database is busy writing"},
};

}  // namespace

std::string_view sentence_of_slowness(std::string_view kind) {
    const auto found = std::ranges::find(kinds, kind, &moderation::TroubleKind::kind);
    return found == std::end(kinds) ? kind : found->sentence;
}

}  // namespace insight
