// SPDX-License-Identifier: AGPL-3.0-or-later
// How imports are stored. Private to transfer.
#pragma once
#include "social/transfer/import.hpp"

namespace transfer {

constexpr std::size_t lines_of_chunk = 50;

std::optional<Import> find_import(db::Read&, ImportId);
std::vector<Line> chunk_of(db::Read&, ImportId, std::int64_t number);
std::vector<Line> all_lines(db::Read&, ImportId);
// Unless it has ended before. Only what failed stays of its lines.
void end_import(db::Write&, ImportId, ImportState);

}  // namespace transfer
