// SPDX-License-Identifier: AGPL-3.0-or-later
// Features and limits for clients: the member `configuration` of both Instance entities.
#pragma once
#include "base/json.hpp"
#include "base/site.hpp"

#include <optional>
#include <string>
#include <vector>

namespace instance {

struct ConfiguredUrls {
    std::string streaming;
    std::optional<std::string> status;
    std::string about, privacy_policy;
    std::optional<std::string> terms_of_service;
};
DESCRIBE(ConfiguredUrls, streaming, status, about, privacy_policy, terms_of_service)
struct ConfiguredVapid {
    std::string public_key;
};
DESCRIBE(ConfiguredVapid, public_key)
struct ConfiguredAccounts {
    int max_display_name_length = 40, max_note_length = 500, max_avatar_description_length = 150,
        max_header_description_length = 150, max_featured_tags = 10, max_pinned_statuses = 5,
        max_profile_fields = 4, profile_field_name_limit = 255, profile_field_value_limit = 255;
};
DESCRIBE(
    ConfiguredAccounts, max_display_name_length, max_note_length, max_avatar_description_length,
    max_header_description_length, max_featured_tags, max_pinned_statuses, max_profile_fields,
    profile_field_name_limit, profile_field_value_limit
)
struct V1Accounts {
    int max_featured_tags = 10;
};
DESCRIBE(V1Accounts, max_featured_tags)
struct ConfiguredStatuses {
    int max_characters = 5000, max_media_attachments = 4, characters_reserved_per_url = 23;
};
DESCRIBE(ConfiguredStatuses, max_characters, max_media_attachments, characters_reserved_per_url)
struct V1Media {
    std::vector<std::string> supported_mime_types{
        "image/jpeg",  "image/png",   "image/gif",       "image/heic",      "image/heif", "image/webp",
        "image/avif",  "video/webm",  "video/mp4",       "video/quicktime", "video/ogg",  "audio/wave",
        "audio/wav",   "audio/x-wav", "audio/x-pn-wave", "audio/vnd.wave",  "audio/ogg",  "audio/vorbis",
        "audio/mpeg",  "audio/mp3",   "audio/webm",      "audio/flac",      "audio/aac",  "audio/m4a",
        "audio/x-m4a", "audio/mp4",   "audio/3gpp",      "video/x-ms-asf"
    };
    int image_size_limit = 16'777'216, image_matrix_limit = 33'177'600, video_size_limit = 103'809'024,
        video_frame_rate_limit = 120, video_matrix_limit = 8'294'400;
};
DESCRIBE(
    V1Media, supported_mime_types, image_size_limit, image_matrix_limit, video_size_limit,
    video_frame_rate_limit, video_matrix_limit
)
struct ConfiguredMedia {
    base::json::Spread<V1Media> sizes;
    int description_limit = 10'000;
};
DESCRIBE(ConfiguredMedia, sizes, description_limit)
struct ConfiguredPolls {
    int max_options = 4, max_characters_per_option = 50, min_expiration = 300, max_expiration = 2'629'746;
};
DESCRIBE(ConfiguredPolls, max_options, max_characters_per_option, min_expiration, max_expiration)
struct ConfiguredTranslation {
    bool enabled = false;
};
DESCRIBE(ConfiguredTranslation, enabled)
struct FeedAccess {
    std::string local = "public", remote = "public";
};
DESCRIBE(FeedAccess, local, remote)
struct TimelinesAccess {
    FeedAccess live_feeds, hashtag_feeds, trending_link_feeds;
};
DESCRIBE(TimelinesAccess, live_feeds, hashtag_feeds, trending_link_feeds)

struct Configuration {
    ConfiguredUrls urls;
    ConfiguredVapid vapid;
    ConfiguredAccounts accounts;
    ConfiguredStatuses statuses;
    ConfiguredMedia media_attachments;
    ConfiguredPolls polls;
    ConfiguredTranslation translation;
    TimelinesAccess timelines_access;
    bool limited_federation = false;
};
DESCRIBE(
    Configuration, urls, vapid, accounts, statuses, media_attachments, polls, translation, timelines_access,
    limited_federation
)
struct V1Configuration {
    V1Accounts accounts;
    ConfiguredStatuses statuses;
    V1Media media_attachments;
    ConfiguredPolls polls;
};
DESCRIBE(V1Configuration, accounts, statuses, media_attachments, polls)

Configuration configuration(const base::Site&, std::string vapid_public_key);
V1Configuration v1_configuration(const base::Site&);

}  // namespace instance
