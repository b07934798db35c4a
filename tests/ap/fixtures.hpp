// SPDX-License-Identifier: AGPL-3.0-or-later
// What becomes of a document from another server, as one line of JSON: for the golden file, and for the tool that
// reads a folder of such documents.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fixtures {

std::string outcome(std::string_view name, std::string_view document);

// All .json files below, by name.
std::vector<std::filesystem::path> documents(const std::filesystem::path& folder);
std::string contents(const std::filesystem::path&);

}  // namespace fixtures
