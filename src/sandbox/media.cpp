// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/media.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

namespace sandbox {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::optional<int> dimension(std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 1 || value > limits::side)
        return {};
    return value;
}

bool begins_with(const std::filesystem::path& path, std::string_view magic) {
    std::string head(magic.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return file && head == magic;
}

// "original original.jpg 640 480": accepted if it is one of our names and the file really has that type.
std::optional<ImageFile> named_file(
    const std::vector<std::string_view>& words, const std::filesystem::path& dir
) {
    if (words.size() != 4 || !words[1].starts_with(std::string(words[0]) + ".")) return {};
    const auto* output =
        std::find_if(outputs.begin(), outputs.end(), [&](const Output& o) { return o.file == words[1]; });
    const auto width = dimension(words[2]), height = dimension(words[3]);
    if (output == outputs.end() || !width || !height) return {};

    const auto path = dir / output->file;
    struct stat facts{};
    if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1) return {};
    if (!begins_with(path, output->magic)) return {};
    return ImageFile{
        std::string(output->file),
        *width,
        *height,
        std::string(output->mime),
        static_cast<std::uintmax_t>(facts.st_size)
    };
}

bool is_blurhash(std::string_view text) {
    constexpr std::string_view digits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
    constexpr std::size_t length = 4 + 2 * limits::blurhash_components * limits::blurhash_components;
    return text.size() == length && text.find_first_not_of(digits) == text.npos;
}

template <class Number>
std::optional<Number> number(std::string_view digits, int base) {
    Number value{};
    const auto* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value, base);
    if (read.ec != std::errc{} || read.ptr != end) return {};
    return value;
}

std::optional<Pdq> read_pdq(std::string_view quality, std::string_view digits) {
    constexpr std::size_t of_word = 16;
    Pdq out;
    const auto read = number<int>(quality, 10);
    if (!read || *read < 0 || *read > 100) return {};
    out.quality = *read;
    if (digits.size() != out.bits.size() * out.bits[0].size() * of_word) return {};
    for (auto& bits : out.bits)
        for (auto& word : bits) {
            const auto value = number<std::uint64_t>(digits.substr(0, of_word), 16);
            if (!value) return {};
            word = *value;
            digits.remove_prefix(of_word);
        }
    return out;
}

bool read_line(std::string_view line, const std::filesystem::path& dir, ImageResult& result) {
    const auto words = split(line, ' ');
    if (words[0] == "animated" && words.size() == 2) {
        result.animated = words[1] == "1";
        return true;
    }
    if (words[0] == "blurhash" && words.size() == 2) {
        result.blurhash = words[1];
        return is_blurhash(words[1]);
    }
    if (words[0] == "pdq" && words.size() == 3) {
        const auto pdq = read_pdq(words[1], words[2]);
        if (pdq) result.pdq = *pdq;
        return pdq.has_value();
    }
    auto file = named_file(words, dir);
    if (!file) return false;
    if (words[0] == "original") result.original = *std::move(file);
    else if (words[0] == "preview") result.preview = std::move(file);
    else if (words[0] == "static") result.still = std::move(file);
    else return false;
    return true;
}

ImageOutcome read_record(std::string_view record, const std::filesystem::path& dir) {
    auto lines = split(record, '\n');
    if (lines.size() < 3 || !lines.back().empty() || lines[lines.size() - 2] != "end")
        return Refused{Reason::crashed, "the worker ended without an answer"};
    lines.resize(lines.size() - 2);

    if (const auto words = split(lines[0], ' '); words[0] == "refused" && words.size() >= 2) {
        const auto* said = std::find(reason_words.begin(), reason_words.end(), words[1]);
        const std::string detail(lines[0].substr(std::min(lines[0].size(), 9 + words[1].size())));
        if (said == reason_words.end()) return Refused{Reason::crashed, "unknown reason: " + detail};
        return Refused{static_cast<Reason>(said - reason_words.begin()), detail};
    }
    ImageResult result;
    for (std::string_view line : lines)
        if (!read_line(line, dir, result))
            return Refused{Reason::crashed, "bad record: " + std::string(line)};
    if (result.original.file.empty()) return Refused{Reason::crashed, "no original in the record"};
    return result;
}

void remove_all_but(const std::filesystem::path& dir, const std::set<std::string>& kept) {
    std::vector<std::filesystem::path> others;
    for (const auto& entry : std::filesystem::directory_iterator(dir))
        if (!kept.contains(entry.path().filename().string())) others.push_back(entry.path());
    for (const auto& path : others) std::filesystem::remove_all(path);  // does not follow symlinks
}

}  // namespace

ImageOutcome judge(const ChildResult& child, const std::filesystem::path& output_dir) {
    if (child.timed_out) return Refused{Reason::timeout, child.err};
    if (child.flooded) return Refused{Reason::crashed, "the worker wrote too much"};
    if (child.signal != 0)
        return Refused{Reason::crashed, "signal " + std::to_string(child.signal) + "; " + child.err};
    if (child.exit_code != 0)
        return Refused{Reason::crashed, "exit code " + std::to_string(child.exit_code) + "; " + child.err};

    auto outcome = read_record(child.out, output_dir);
    if (auto* result = std::get_if<ImageResult>(&outcome)) {
        result->wall = child.wall;
        result->cpu = child.cpu;
        result->peak_rss_kib = child.peak_rss_kib;
    }
    return outcome;
}

namespace {

struct Turns {
    std::mutex mutex;
    std::condition_variable ended;
    int most = 0, running = 0;
};
Turns& turns() {
    static Turns all;
    return all;
}

class OneTurn {
public:
    OneTurn() {
        auto& all = turns();
        std::unique_lock lock(all.mutex);
        all.ended.wait(lock, [&] { return all.most == 0 || all.running < all.most; });
        ++all.running;
    }
    ~OneTurn() {
        auto& all = turns();
        const std::lock_guard lock(all.mutex);
        --all.running;
        all.ended.notify_one();
    }
    OneTurn(const OneTurn&) = delete;
};

}  // namespace

void most_images_at_once(int most) {
    auto& all = turns();
    const std::lock_guard lock(all.mutex);
    all.most = most;
    all.ended.notify_all();
}

ImageOutcome run_image_job(const ImageJob& job) {
    // Unknown files in the directory are deleted at the end, so a directory in use must not be passed by
    // mistake.
    if (!std::filesystem::is_empty(job.output_dir))
        throw std::filesystem::filesystem_error(
            "the directory of an image job must be empty",
            job.output_dir,
            std::make_error_code(std::errc::directory_not_empty)
        );

    std::vector<std::string> arguments{"image", std::string(word(job.kind))};
    if (job.allow_heif) arguments.emplace_back("heif");
    auto outcome = [&] {
        const OneTurn turn;
        return judge(run_worker(arguments, job.input, job.output_dir, job.timeout), job.output_dir);
    }();

    std::set<std::string> kept;
    if (const auto* result = std::get_if<ImageResult>(&outcome)) {
        kept.insert(result->original.file);
        if (result->preview) kept.insert(result->preview->file);
        if (result->still) kept.insert(result->still->file);
    }
    remove_all_but(job.output_dir, kept);
    return outcome;
}

}  // namespace sandbox
