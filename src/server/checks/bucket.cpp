// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether the bucket of media does what it is there for.
#include "base/crypto.hpp"
#include "base/deadline.hpp"
#include "net/client/http_client.hpp"
#include "net/s3/signing.hpp"
#include "server/checks/checks.hpp"
#include "server/media/places.hpp"

#include <fstream>

namespace server {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{5};

std::string sentence_of(const Config& config, const net::s3::Failure& e) {
    using enum net::s3::Trouble;
    const std::string why = e.what();
    switch (e.trouble) {
        case away:
            return "s3_endpoint: " + why +
                   "; start it, or correct the address, for example https://s3.eu-central-1.amazonaws.com";
        case busy:
            return "s3_endpoint: " + config.s3_endpoint + ": " + why + "; see how it fares, and try again";
        case key: return "s3_access_key: " + why + "; correct it, or make a new key";
        case secret: return "s3_secret_key: " + why + "; copy it again, or make a new key";
        case bucket: return "s3_bucket: " + why + "; make it, or correct its name, or s3_path_style";
        case region: return "s3_region: " + why + "; write the region of the bucket";
        case clock: return "s3_endpoint: " + why + "; set the clock of this machine by NTP";
        case denied: return "s3_access_key: " + why + "; let it put, get, list and delete objects there";
        case damaged:
        case other: break;
    }
    return "s3_bucket: " + why + "; see what its server says of that";
}

// A file for a moment.
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

// What is withheld or kept as evidence stands in the same bucket, under names that begin with a dot.
std::optional<std::string> doubt_about_openness(const Config& config, const Small& small) {
    if (config.media_url.empty() || config.media_url == "presigned") return std::nullopt;
    net::HttpClientOptions options;
    options.extra_ca_file = config.extra_ca_file;
    base::Fetch question;
    question.url = config.media_url + "/.check/" + small.name;
    question.trusted = question.plain_http = true;
    question.seconds = patience.count();
    const auto answer = net::HttpClient(std::move(options)).fetch(question);
    if (!answer.ok() || answer.body != small.text) return std::nullopt;
    return "media_url: everybody can read what is withheld there; let strangers read media/, avatars/, "
           "headers/ and "
           "emojis/ only (docs/operating/media.md has a policy)";
}

}  // namespace

Found ask_bucket(const Config& config) {
    if (config.s3_bucket.empty()) return {};
    const base::Within within(std::chrono::steady_clock::now() + patience);
    auto options = bucket_options(config);
    options.tries = 2;
    options.connect = options.silence = std::chrono::seconds(3);
    Found found;
    Small small;
    const auto name = ".check/" + small.name;
    try {
        net::s3::Client client(std::move(options));
        client.put(name, small.path, {"text/plain", ""});
        Small back;
        const bool there = client.get(name, back.path).has_value();
        if (!there || net::s3::sha256_of(back.path) != net::s3::sha256_of(small.path))
            found.faults.push_back("s3_bucket: what was put there does not come back; name another bucket");
        if (auto doubt = doubt_about_openness(config, small)) found.doubts.push_back(*doubt);
        client.remove(name);
        client.list(".check", "");
    } catch (const net::s3::Failure& e) {
        found.faults.push_back(sentence_of(config, e));
    } catch (const base::TimedOut&) {
        found.faults.push_back(
            "s3_endpoint: " + config.s3_endpoint + " was silent for 5 seconds; see how it fares"
        );
    }
    return found;
}

}  // namespace server
