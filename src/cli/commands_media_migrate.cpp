// SPDX-License-Identifier: AGPL-3.0-or-later
// dunlin media migrate: files between the folder and the bucket.
#include "cli/cli_context.hpp"
#include "server/media/migrate.hpp"

#include <chrono>

namespace server {

namespace {

struct Report {
    std::string to;
    bool dry_run = false;
    std::int64_t files = 0, bytes = 0, there = 0, copied = 0, copied_bytes = 0, gone = 0, removed = 0,
                 failed = 0;
    double seconds = 0;
    std::vector<std::string> problems;
};
DESCRIBE(
    Report, to, dry_run, files, bytes, there, copied, copied_bytes, gone, removed, failed, seconds, problems
)

std::string megabytes(std::int64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

std::string what_follows(const Config& config, const MediaMove& order, const MediaMoved& moved) {
    const std::string to = boost::describe::enum_to_string(order.to, "");
    if (moved.failed > 0) return "Run it again for those that failed.";
    if (config.media_store != order.to)
        return "Now set media_store = \"" + to +
               "\" in dunlin.toml and restart every node; then run this once more for what has come "
               "meanwhile.";
    if (order.remove) return "Nothing else is to be done.";
    const std::string from = order.to == MediaStore::s3 ? "in the folder" : "in the bucket";
    return "The files are still " + from +
           " as well; --remove removes them there, each once its copy was verified." +
           (order.to == MediaStore::folder ? " After that the options that begin with s3_ can go." : "");
}

}  // namespace

int migrate_media(const Settings& settings, const MediaMoveOrder& given) {
    const auto config = settings.load().config;
    MediaMove order;
    order.to = given.to == "s3" ? MediaStore::s3 : MediaStore::folder;
    order.dry_run = given.dry_run;
    order.remove = given.remove;
    if (order.remove && config.media_store != order.to)
        throw Refused(
            "Nothing is removed while the server puts its files there: first set media_store = \"" +
            given.to + "\" in dunlin.toml and restart every node"
        );
    const auto begun = std::chrono::steady_clock::now();
    auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    const auto moved = move_media(config, order, [&](const MediaMoved& so_far) {
        const auto done = so_far.there + so_far.copied + so_far.gone + so_far.failed;
        print_note(
            std::to_string(done) + " of " + std::to_string(so_far.files) + " files, " +
            megabytes(so_far.copied_bytes) + " copied, " +
            std::to_string(static_cast<std::int64_t>(static_cast<double>(done) / seconds())) +
            " files a second"
        );
    });
    const int status = moved.failed > 0 ? 1 : 0;
    if (settings.json) {
        print_json(Report{
            given.to,
            order.dry_run,
            moved.files,
            moved.bytes,
            moved.there,
            moved.copied,
            moved.copied_bytes,
            moved.gone,
            moved.removed,
            moved.failed,
            seconds(),
            moved.problems
        });
        return status;
    }
    for (const auto& problem : moved.problems) print_note(problem);
    print(
        std::to_string(moved.files) + " files, " + megabytes(moved.bytes) + ": " +
        std::to_string(moved.there) + " were there already, " + std::to_string(moved.copied) +
        (order.dry_run ? " would be copied" : " were copied and verified") + ", " +
        std::to_string(moved.gone) + " were removed meanwhile, " + std::to_string(moved.failed) + " failed" +
        (order.remove && !order.dry_run
             ? ", " + std::to_string(moved.removed) + " were removed where they had been"
             : "") +
        "."
    );
    if (!order.dry_run) print(what_follows(config, order, moved));
    return status;
}

}  // namespace server
