// SPDX-License-Identifier: AGPL-3.0-or-later
// The media worker: one job per process. For its input and output see sandbox/media_job.hpp.
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/worker/codecs.hpp"
#include "sandbox/worker/image.hpp"
#include "sandbox/worker/walls.hpp"

namespace {

using namespace worker;

std::string read_input(std::size_t limit) {
    constexpr std::size_t part = 1 << 20;
    std::string bytes;
    for (std::size_t size = 0;;) {
        bytes.resize(std::min(limit, size + part));
        const ssize_t n = ::read(0, bytes.data() + size, bytes.size() - size);
        if (n < 0) throw Refusal(Reason::broken, "the input cannot be read");
        size += static_cast<std::size_t>(n);
        if (size >= limit) throw Refusal(Reason::too_large_file, std::to_string(limit) + " bytes or more");
        bytes.resize(size);
        if (n == 0) return bytes;
    }
}

Kind kind_of(std::string_view word) {
    for (std::size_t i = 0; i < sandbox::kind_words.size(); ++i)
        if (sandbox::kind_words[i] == word) return static_cast<Kind>(i);
    throw Refusal(Reason::crashed, "unknown kind of job");
}

void write_file_line(const char* role, const File& file) {
    if (!file.name.empty())
        std::printf("%s %s %d %d\n", role, file.name.c_str(), file.size.width, file.size.height);
}

void write_pdq_line(const sandbox::Pdq& pdq) {
    std::printf("pdq %d ", pdq.quality);
    for (const auto& bits : pdq.bits)
        for (const std::uint64_t word : bits) std::printf("%016" PRIx64, word);
    std::putchar('\n');
}

void image_job(Kind kind, bool heif_allowed) {
    Input input{read_input(sandbox::limits::file_bytes(kind))};
    input.format = format_of(input.bytes);  // only the first bytes
    if (!accepted(kind, input.format, heif_allowed))
        throw Refusal(Reason::unsupported_type, "not an image we take");
    start_codecs();
    if (input.format == Format::heif) start_heif();
    limit_calls(input.format == Format::heif);

    const Record record = process(kind, input);
    std::printf("animated %d\n", record.animated ? 1 : 0);
    write_file_line("original", record.original);
    write_file_line("preview", record.preview);
    write_file_line("static", record.still);
    if (!record.blurhash.empty()) std::printf("blurhash %s\n", record.blurhash.c_str());
    write_pdq_line(record.pdq);
}

int answer(std::string_view what, std::string_view kind, bool heif_allowed) {
    if (what == "selftest") {
        start_codecs();
        limit_calls(false);
        return selftest(kind);
    }
    if (what != "image") return 2;
    try {
        image_job(kind_of(kind), heif_allowed);
    } catch (const Refusal& refusal) {
        const std::string_view reason = sandbox::word(refusal.reason);
        std::printf(
            "refused %.*s %s\n",
            static_cast<int>(reason.size()),
            reason.data(),
            one_line(refusal.words).c_str()
        );
    } catch (const std::exception& trouble) {
        std::printf("refused broken %s\n", one_line(trouble.what()).c_str());
    }
    std::puts("end");
    return 0;
}

// The sandbox persists across execve; sandbox/ffmpeg.cpp builds the arguments.
int become(std::string_view tool, char** arguments) {
    static constexpr const char* programs[] = {"/usr/bin/ffprobe", "/usr/bin/ffmpeg"};
    for (const char* program : programs) {
        if (!std::string_view(program).ends_with(tool) || !tool.starts_with("ff")) continue;
        limit_calls_but_starting(program);
        char* const no_environment[] = {nullptr};
        execve(program, arguments, no_environment);
        std::perror(program);
        return sandbox::no_such_program;
    }
    return 2;
}

constexpr Bounds image_bounds{
    sandbox::limits::cpu_seconds, sandbox::limits::memory_bytes, sandbox::limits::output_bytes
};
constexpr Bounds video_bounds{
    sandbox::limits::video_cpu_seconds,
    sandbox::limits::video_memory_bytes,
    sandbox::limits::video_output_bytes
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    std::vector<std::string> words(argv + 1, argv + argc);
    const bool video = words[0] == "run";
    const Bounds& bounds = video ? video_bounds : image_bounds;
    const bool waits = words[0] == "wait";
    prctl(PR_SET_NAME, waits ? "dunlin-starts" : "dunlin-media");
    limit_resources(bounds);
    if (waits) {
        start_codecs();
        limit_calls_while_waiting();
        words = wait_for_job();
        if (words.size() < 2) return 2;
    }
    limit_time(bounds);
    limit_files();
    if (video) return become(words[1], argv + 2);
    const int code = answer(words[0], words[1], words.size() > 2 && words[2] == "heif");
    // libvips need not clean up: the process ends here.
    _exit(std::fflush(stdout) == 0 ? code : 4);
}
