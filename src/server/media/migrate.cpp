// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/media/migrate.hpp"

#include "net/s3/signing.hpp"
#include "server/media/places.hpp"
#include "social/media/store_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace server {

namespace {

namespace fs = std::filesystem;
using net::s3::Trouble;

constexpr std::int64_t most_failures_in_a_row = 20;
constexpr std::size_t most_problems = 10;

enum class Outcome { there, copied, gone };

// Files of running jobs and checks are not moved.
bool stays(const std::string& name) {
    return name.starts_with(std::string(media::work_folder) + "/") || name.starts_with(".check/");
}

class Mover {
public:
    Mover(const Config& config, const MediaMove& order)
        : order_(order), folder_(config.media_path()), files_(folder_), client_(bucket_options(config)) {}

    std::vector<media::KeptFile> all() {
        std::vector<media::KeptFile> out;
        auto add = [&](media::KeptFile file) {
            if (!stays(file.name)) out.push_back(std::move(file));
        };
        if (order_.to == MediaStore::s3) {
            files_.list("", add);
            return out;
        }
        for (std::string after;;) {
            const auto some = client_.list("", after);
            if (some.empty()) return out;
            for (const auto& one : some) add({one.key, one.bytes, one.changed});
            after = some.back().key;
        }
    }

    Outcome move(const media::KeptFile& file) { return order_.to == MediaStore::s3 ? put(file) : get(file); }

    void remove_source(const std::string& name) {
        if (order_.to == MediaStore::s3) files_.remove(name);
        else client_.remove(name);
    }

private:
    Outcome put(const media::KeptFile& file) {
        const auto path = folder_ / file.name;
        std::error_code none;
        if (!fs::exists(path, none)) return Outcome::gone;
        const auto digest = net::s3::sha256_of(path);
        const auto known = client_.head(file.name);
        if (known && known->bytes == fs::file_size(path) && known->sha256 == digest) return Outcome::there;
        if (order_.dry_run) return Outcome::copied;
        client_.put(file.name, path, facts_of(file.name));
        const media::WorkFolder work(folder_);
        const auto back = work.path / "back";
        if (!client_.get(file.name, back) || net::s3::sha256_of(back) != digest)
            throw net::s3::Failure(Trouble::damaged, "what the bucket gives back is not what was put there");
        // The server may have removed or withheld it meanwhile (both_files.hpp).
        if (fs::exists(path)) return Outcome::copied;
        client_.remove(file.name);
        return Outcome::gone;
    }

    Outcome get(const media::KeptFile& file) {
        const auto path = folder_ / file.name;
        const auto known = client_.head(file.name);
        if (!known) return Outcome::gone;
        std::error_code none;
        const bool same_size = fs::exists(path, none) && fs::file_size(path) == known->bytes;
        if (same_size && !known->sha256.empty() && net::s3::sha256_of(path) == known->sha256)
            return Outcome::there;
        if (order_.dry_run) return Outcome::copied;
        const media::WorkFolder work(folder_);
        const auto come = work.path / "come";
        const auto object = client_.get(file.name, come);
        if (!object) return Outcome::gone;
        const auto digest = net::s3::sha256_of(come);
        if (!object->sha256.empty() && digest != object->sha256)
            throw net::s3::Failure(Trouble::damaged, "what came of the bucket is not what was put there");
        const timespec times[] = {{0, UTIME_NOW}, {object->changed.ms / 1000, 0}};
        ::utimensat(AT_FDCWD, come.c_str(), times, 0);
        files_.put({{file.name, come}});
        if (net::s3::sha256_of(path) != digest)
            throw std::system_error(EIO, std::generic_category(), path.string() + " is not what was written");
        if (client_.head(file.name)) return Outcome::copied;
        files_.remove(file.name);
        return Outcome::gone;
    }

    const MediaMove& order_;
    const fs::path folder_;
    media::FolderFiles files_;
    net::s3::Client client_;
};

bool is_hopeless(Trouble trouble) {
    return trouble == Trouble::key || trouble == Trouble::secret || trouble == Trouble::bucket ||
           trouble == Trouble::region || trouble == Trouble::clock || trouble == Trouble::denied;
}

// The worker threads, and their progress.
class Course {
public:
    Course(Mover& mover, const MediaMove& order, std::vector<media::KeptFile> files)
        : mover_(mover), order_(order), files_(std::move(files)) {
        moved_.files = std::ssize(files_);
        for (const auto& file : files_) moved_.bytes += static_cast<std::int64_t>(file.bytes);
    }

    MediaMoved run(const std::function<void(const MediaMoved&)>& progress) {
        std::vector<std::jthread> threads;
        working_ = order_.threads;
        for (int i = 0; i < order_.threads; ++i) threads.emplace_back([this] { work(); });
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::seconds(2), [&] { return working_ == 0; })) {
            const auto now = moved_;
            lock.unlock();
            progress(now);
            lock.lock();
        }
        if (!hopeless_.empty())
            throw Refused(
                hopeless_ + "; " + std::to_string(moved_.copied) +
                " files were copied, and a further run goes on"
            );
        return moved_;
    }

private:
    void work() {
        for (;;) {
            const media::KeptFile* file = nullptr;
            {
                const std::lock_guard lock(mutex_);
                if (next_ < files_.size() && hopeless_.empty()) file = &files_[next_++];
                else if (--working_ == 0) ended_.notify_all();
            }
            if (!file) return;
            move(*file);
        }
    }

    void move(const media::KeptFile& file) {
        try {
            const auto outcome = mover_.move(file);
            const bool take_away = order_.remove && !order_.dry_run && outcome != Outcome::gone;
            if (take_away) mover_.remove_source(file.name);
            const std::lock_guard lock(mutex_);
            in_a_row_ = 0;
            moved_.removed += take_away ? 1 : 0;
            (outcome == Outcome::there  ? moved_.there
             : outcome == Outcome::gone ? moved_.gone
                                        : moved_.copied)++;
            if (outcome == Outcome::copied) moved_.copied_bytes += static_cast<std::int64_t>(file.bytes);
        } catch (const net::s3::Failure& e) {
            failed(file, e.what(), is_hopeless(e.trouble));
        } catch (const std::exception& e) {
            failed(file, e.what(), false);
        }
    }

    void failed(const media::KeptFile& file, const std::string& why, bool hopeless) {
        const std::lock_guard lock(mutex_);
        ++moved_.failed;
        if (moved_.problems.size() < most_problems) moved_.problems.push_back(file.name + ": " + why);
        if (hopeless || ++in_a_row_ >= most_failures_in_a_row) hopeless_ = why;
    }

    Mover& mover_;
    const MediaMove& order_;
    const std::vector<media::KeptFile> files_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t next_ = 0;
    int working_ = 0;
    std::int64_t in_a_row_ = 0;
    std::string hopeless_;
    MediaMoved moved_;
};

}  // namespace

MediaMoved move_media(
    const Config& config, const MediaMove& order, const std::function<void(const MediaMoved&)>& progress
) {
    if (config.s3_bucket.empty())
        throw Refused("There is no bucket; set s3_bucket and its keys in dunlin.toml");
    try {
        Mover mover(config, order);
        return Course(mover, order, mover.all()).run(progress);
    } catch (const net::s3::Failure& e) {
        throw Refused(std::string("The bucket cannot be used: ") + e.what());
    }
}

}  // namespace server
