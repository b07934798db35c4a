// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether the media bucket works as needed.
#include "base/crypto.hpp"
#include "base/deadline.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "net/client/http_client.hpp"
#include "net/s3/signing.hpp"
#include "server/backup_place.hpp"
#include "server/checks/checks.hpp"
#include "server/media/places.hpp"

#include <fstream>

namespace server {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{5};

// A temporary file.
struct Small {
    Small() { std::ofstream(path, std::ios::binary) << text; }
    ~Small() {
        std::error_code none;
        fs::remove(path, none);
    }
    Small(const Small&) = delete;
    const std::string name = base::hex(base::random_bytes(16)), text = "what dunlin looks for, " + name;
    const fs::path path = fs::temp_directory_path() / ("dunlin-check-" + name);
};

// Whether it is readable without a key.
bool can_be_read(const Config& config, const std::string& url, const Small& small) {
    net::HttpClientOptions options;
    options.extra_ca_file = config.extra_ca_file;
    base::Fetch question;
    question.url = url;
    question.trusted = question.plain_http = true;
    question.seconds = patience.count();
    const auto answer = net::HttpClient(std::move(options)).fetch(question);
    return answer.ok() && answer.body == small.text;
}

// The bucket also contains withheld files and evidence, under names that begin with a dot.
std::optional<std::string> doubt_about_openness(const Config& config, const Small& small) {
    if (config.media_url.empty() || config.media_url == "presigned") return std::nullopt;
    if (!can_be_read(config, config.media_url + "/.check/" + small.name, small)) return std::nullopt;
    return "media_url: everybody can read what is withheld there; let strangers read media/, avatars/, "
           "headers/ and "
           "emojis/ only (docs/operating/media.md has a policy)";
}

// Writes, reads and removes a small object; `look` runs further checks on it.
Found try_bucket(
    net::s3::Options options, const BucketOptions& names,
    const std::function<void(const Small&, Found&)>& look
) {
    const base::Within within(std::chrono::steady_clock::now() + patience);
    options.tries = 2;
    options.connect = options.silence = std::chrono::seconds(3);
    const auto endpoint = options.endpoint;
    Found found;
    Small small;
    const auto name = ".check/" + small.name;
    try {
        net::s3::Client client(std::move(options));
        client.put(name, small.path, {"text/plain", ""});
        Small back;
        const bool there = client.get(name, back.path).has_value();
        if (!there || net::s3::sha256_of(back.path) != net::s3::sha256_of(small.path))
            found.faults.push_back(
                names.bucket + ": what was put there does not come back; name another bucket"
            );
        look(small, found);
        client.remove(name);
        client.list(".check", "");
    } catch (const net::s3::Failure& e) {
        found.faults.push_back(sentence_of(e, names));
    } catch (const base::TimedOut&) {
        found.faults.push_back(
            names.endpoint + ": " + endpoint + " was silent for 5 seconds; see how it fares"
        );
    }
    return found;
}

}  // namespace

Found ask_bucket(const Config& config) {
    if (config.s3_bucket.empty()) return {};
    return try_bucket(
        bucket_options(config),
        options_of_media_bucket(),
        [&](const Small& small, Found& found) {
            if (auto doubt = doubt_about_openness(config, small)) found.doubts.push_back(*doubt);
        }
    );
}

Found ask_backup_bucket(const Config& config) {
    if (!is_bucket_place(config.backup_to)) return {};
    const auto bucket = backup_bucket_options(config, config.backup_to);
    return try_bucket(bucket, options_of_backup_bucket(config), [&](const Small& small, Found& found) {
        const auto signed_address = net::s3::Client(bucket).presigned(".check/" + small.name, clock_now(), 1);
        if (can_be_read(config, signed_address.substr(0, signed_address.find('?')), small))
            found.faults.push_back(
                "backup_to: everybody can read what is there, with all keys of the server; close the bucket "
                "to "
                "the public"
            );
    });
}

}  // namespace server
