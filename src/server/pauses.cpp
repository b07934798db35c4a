// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/pauses.hpp"

#include "base/text/utf8.hpp"
#include "config/data_directory.hpp"

#include <fstream>
#include <iterator>

namespace server {

namespace {

constexpr std::size_t longest_sentence = 500;

// The part that is shown, without a partial character at the end.
std::string shown(const std::string& sentence) {
    return base::text::clean_utf8(sentence.substr(0, base::text::whole_characters(sentence, longest_sentence))
    );
}

std::filesystem::path file_of(const Config& config, Pause pause) {
    return config.data_path() / (pause == Pause::read_only ? "read-only" : "maintenance");
}

}  // namespace

void begin_pause(const Config& config, Pause pause, const std::string& sentence) {
    const auto path = file_of(config, pause);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << shown(sentence);
    if (!file.flush()) throw DataDirectoryError("The file " + path.string() + " cannot be written");
    give_to_owner(config, path);  // the server could not read a file owned by root
}

void end_pause(const Config& config, Pause pause) {
    std::error_code error;
    const auto path = file_of(config, pause);
    std::filesystem::remove(path, error);
    if (error)
        throw DataDirectoryError("The file " + path.string() + " cannot be removed: " + error.message());
}

std::optional<std::string> paused(const Config& config, Pause pause) {
    std::ifstream file(file_of(config, pause), std::ios::binary);
    if (!file) return std::nullopt;
    auto sentence = shown({std::istreambuf_iterator<char>(file), {}});
    while (sentence.ends_with('\n')) sentence.pop_back();
    return sentence;
}

}  // namespace server
