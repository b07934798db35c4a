// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/backup_place.hpp"

#include "base/crypto.hpp"
#include "base/deadline.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "config/config_load.hpp"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <thread>

namespace server {

namespace {

namespace fs = std::filesystem;
using backup::Stored;

class Bucket final : public backup::Target {
public:
    Bucket(const Config& config, std::string where, int tries)
        : where_(std::move(where)),
          data_(config.data_path()),
          names_(options_of_backup_bucket(config)),
          client_([&] {
              auto options = backup_bucket_options(config, where_);
              options.stop = stop_.get_token();
              options.tries = tries;
              return options;
          }()) {
        while (where_.ends_with('/')) where_.pop_back();
    }

    std::string where() const override { return where_; }

    std::optional<std::uint64_t> size(const std::string& name) override {
        return told(name, [&]() -> std::optional<std::uint64_t> {
            try {
                const auto object = client_.head(name);
                return object ? std::optional(object->bytes) : std::nullopt;
            } catch (const net::s3::Failure& e) {
                // The response to HEAD says only that it was refused; listing returns the reason.
                if (e.trouble != net::s3::Trouble::away && e.trouble != net::s3::Trouble::busy)
                    client_.list(name, "");
                throw;
            }
        });
    }
    std::vector<Stored> list(const std::string& folder) override {
        std::vector<Stored> all;
        for (auto& object : objects(folder)) all.push_back({std::move(object.key), object.bytes});
        return all;
    }
    std::string read(const std::string& name) override {
        auto bytes = told(name, [&] { return client_.get_bytes(name); });
        if (!bytes) throw_missing(name);
        return *std::move(bytes);
    }
    std::string part(const std::string& name, std::uint64_t offset, std::size_t bytes) override {
        const auto whole = read(name);
        return whole.substr(std::min<std::uint64_t>(offset, whole.size()), bytes);
    }
    void fetch(const std::string& name, const fs::path& to) override {
        if (!told(name, [&] { return client_.get(name, to); })) throw_missing(name);
    }
    std::string sha256(const std::string& name) override { return base::sha256_hex(read(name)); }

    void put(const std::string& name, std::string_view bytes, bool) override {
        told(name, [&] { client_.put_bytes(name, std::string(bytes), {type, ""}); });
    }
    void put_file(const std::string& name, const fs::path& from) override {
        told(name, [&] { client_.put(name, from, {type, ""}); });
    }
    void remove(const std::string& name) override {
        told(name, [&] { client_.remove(name); });
    }
    void keep(const std::vector<std::string>&) override {}
    void prepare() override {}
    std::unique_ptr<backup::Hold> hold() override;

    bool grows() const override { return false; }
    void write_at(const std::string&, std::uint64_t, std::string_view) override {
        throw std::logic_error("what is in a bucket does not grow");
    }
    void append(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        write_at(name, offset, bytes);
    }

    std::size_t lanes() const override { return 8; }
    void stop() override { stop_.request_stop(); }

    std::vector<net::s3::Object> objects(const std::string& folder) {
        std::vector<net::s3::Object> all;
        for (;;) {
            auto more = told(folder, [&] { return client_.list(folder, all.empty() ? "" : all.back().key); });
            if (more.empty()) return all;
            if (!all.empty() && more.front().key <= all.back().key)
                throw backup::Away(
                    names_.endpoint +
                    ": the list of the bucket begins again and again; its server does not "
                    "know start-after, so name another one"
                );
            std::ranges::move(more, std::back_inserter(all));
        }
    }

private:
    static constexpr const char* type = "application/octet-stream";

    template <class F>
    std::invoke_result_t<F&> told(const std::string& name, F&& ask) {
        try {
            return ask();
        } catch (const net::s3::Failure& e) {
            if (e.trouble == net::s3::Trouble::damaged)
                throw backup::Broken(backup::Target::where(name) + " is damaged");
            throw backup::Away(sentence_of(e, names_));
        }
    }
    [[noreturn]] void throw_missing(const std::string& name) {
        throw backup::Broken(backup::Target::where(name) + " is missing");
    }

    std::string where_;
    const fs::path data_;
    const BucketOptions names_;
    std::stop_source stop_;
    net::s3::Client client_;
};

// A persistent name of this data folder, by which it recognizes a hold left by its killed predecessor.
std::string own_name(const fs::path& data) {
    constexpr std::size_t bytes = 16;
    const auto made = base::hex(base::random_bytes(bytes));
    if (!fs::is_directory(data)) return made;
    const auto path = data / "backup-node";
    std::string name;
    if (std::ifstream(path) >> name && name.size() == made.size()) return name;
    backup::put(path, made);
    return made;
}

// A process that wants the hold writes an object, and then checks for others: if two do so at the same time,
// both see the other's and neither continues. This relies on the bucket showing writes at once and dating
// them with one clock.
class BucketHold final : public backup::Hold {
public:
    BucketHold(Bucket& bucket, const fs::path& data)
        : bucket_(bucket),
          among_us_(
              (fs::is_directory(data) ? data : fs::temp_directory_path()) / "backup-lock", bucket.where()
          ),
          name_(folder + own_name(data)) {
        renew();
        try {
            refuse_others();
        } catch (...) {
            let_go();
            throw;
        }
        renewing_ = std::jthread([this](const std::stop_token& stop) {
            std::mutex mutex;
            std::condition_variable_any wake;
            std::unique_lock lock(mutex);
            while (!wake.wait_for(lock, stop, renew_every, [] { return false; }) && !stop.stop_requested()) {
                try {
                    renew();
                } catch (const std::exception&) {  // retried
                }
            }
        });
    }
    ~BucketHold() override {
        renewing_.request_stop();
        if (renewing_.joinable()) renewing_.join();
        let_go();
    }
    void require() const override {
        if (lost_ || ran_out(std::chrono::steady_clock::now()))
            throw backup::Away("The bucket was away for so long that another process may be at work there");
    }

private:
    static constexpr const char* folder = "turn/";
    static constexpr std::chrono::minutes lasts{5};
    static constexpr std::chrono::minutes renew_every{1};

    bool ran_out(std::chrono::steady_clock::time_point now) const {
        return now - renewed_at_.load() > lasts - renew_every;
    }
    // Does not renew after expiry: another machine may have started then.
    void renew() {
        const auto asked = std::chrono::steady_clock::now();
        lost_ = lost_ || ran_out(asked);
        if (lost_) return;
        bucket_.put(name_, base::to_string(clock_now()) + "\n", true);
        renewed_at_ = asked;
    }
    void refuse_others() {
        const auto all = bucket_.objects(folder);
        const auto own = std::ranges::find(all, name_, &net::s3::Object::key);
        for (const auto& one : all) {
            if (one.key == name_) continue;
            const bool lives = own == all.end() ||
                               one.changed.ms > own->changed.ms - std::chrono::milliseconds(lasts).count();
            if (lives)
                throw backup::Away(
                    "Another machine is at work on the backup in " + bucket_.where() +
                    "; try again when it is done, or five minutes after it was stopped"
                );
            bucket_.remove(one.key);
        }
    }
    void let_go() noexcept {
        try {
            bucket_.remove(name_);
        } catch (const std::exception&) {  // expires by itself
        }
    }

    Bucket& bucket_;
    const backup::FileLock among_us_;
    const std::string name_;
    std::atomic<std::chrono::steady_clock::time_point> renewed_at_{std::chrono::steady_clock::now()};
    std::atomic<bool> lost_ = false;
    std::jthread renewing_;
};

std::unique_ptr<backup::Hold> Bucket::hold() { return std::make_unique<BucketHold>(*this, data_); }

}  // namespace

std::shared_ptr<backup::Target> backup_place(const Config& config, const std::string& where, int tries) {
    std::shared_ptr<backup::Target> place;
    if (is_bucket_place(where)) place = std::make_shared<Bucket>(config, where, tries);
    else place = backup::folder_target(where);
    if (config.backup_key.empty()) return place;
    return backup::sealed_target(std::move(place), parse_backup_key(config.backup_key).value());
}

net::s3::Options backup_bucket_options(const Config& config, const std::string& where) {
    const auto place = parse_bucket_place(where);
    if (!place)
        throw ConfigError(
            "\"" + where +
            "\" is not understood; write the bucket and what the names in it begin with, for "
            "example s3://backups/dunlin"
        );
    if (config.backup_s3_access_key.empty() || config.backup_s3_secret_key.empty())
        throw ConfigError(
            "The bucket " + place->bucket +
            " needs a key; set backup_s3_access_key and backup_s3_secret_key, or those without backup_"
        );
    net::s3::Options options;
    options.endpoint = config.backup_s3_endpoint;
    options.bucket = place->bucket;
    options.prefix = place->prefix;
    options.keys = {config.backup_s3_region, config.backup_s3_access_key, config.backup_s3_secret_key};
    // If unspecified, use what nearly all servers support.
    options.path_style = config.s3_path_style || config.backup_s3_endpoint != config.s3_endpoint;
    options.extra_ca_file = config.extra_ca_file;
    options.clock = clock_now;
    return options;
}

BucketOptions options_of_media_bucket() {
    return {"s3_endpoint", "s3_bucket", "s3_region", "s3_access_key", "s3_secret_key", "s3_path_style"};
}

// A value that is the same for both buckets was most likely set by the common option.
BucketOptions options_of_backup_bucket(const Config& config) {
    const auto named = [](const std::string& own, const std::string& other, const char* option) {
        return (own == other && !other.empty() ? "" : "backup_") + std::string(option);
    };
    BucketOptions names;
    names.endpoint = named(config.backup_s3_endpoint, config.s3_endpoint, "s3_endpoint");
    names.bucket = "backup_to";
    names.region = named(config.backup_s3_region, config.s3_region, "s3_region");
    names.access_key = named(config.backup_s3_access_key, config.s3_access_key, "s3_access_key");
    names.secret_key = named(config.backup_s3_secret_key, config.s3_secret_key, "s3_secret_key");
    names.path_style = "s3_path_style";
    return names;
}

std::string sentence_of(const net::s3::Failure& e, const BucketOptions& option) {
    using enum net::s3::Trouble;
    const std::string why = e.what();
    switch (e.trouble) {
        case away:
            return option.endpoint + ": " + why +
                   "; start it, or correct the address, for example https://s3.eu-central-1.amazonaws.com";
        case busy: return option.endpoint + ": " + why + "; see how it fares, and try again";
        case key: return option.access_key + ": " + why + "; correct it, or make a new key";
        case secret: return option.secret_key + ": " + why + "; copy it again, or make a new key";
        case bucket:
            return option.bucket + ": " + why + "; make it, or correct its name, or " + option.path_style;
        case region: return option.region + ": " + why + "; write the region of the bucket";
        case clock: return option.endpoint + ": " + why + "; set the clock of this machine by NTP";
        case denied:
            return option.access_key + ": " + why + "; let it put, get, list and delete objects there";
        case damaged:
        case other: break;
    }
    return option.bucket + ": " + why + "; see what its server says of that";
}

}  // namespace server
