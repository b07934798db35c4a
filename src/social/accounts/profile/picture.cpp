// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/picture.hpp"

#include "base/errors.hpp"

namespace accounts {

namespace {

std::string_view problem(sandbox::Reason reason) {
    using enum sandbox::Reason;
    switch (reason) {
        case unsupported_type: return "must be a JPEG, PNG, GIF or WebP image";
        case too_large_file: return "must be less than 8 MB";
        case too_large_dimensions: return "has too many pixels";
        case broken:
        case too_many_frames:
        case timeout:
        case crashed: break;
    }
    return "could not be read";
}

}  // namespace

std::optional<Picture> picture(
    const base::Ask& ask, base::AccountId account, media::Kind kind, const std::filesystem::path* upload
) {
    if (!upload) return std::nullopt;
    const auto& processed = ask(media::ProcessImage{upload->string(), kind, account});
    if (auto* reason = std::get_if<sandbox::Reason>(&processed))
        throw base::Invalid(
            {base::FieldError{std::string(base::word(kind)), "ERR_INVALID", std::string(problem(*reason))}}
        );
    const auto& stored = std::get<media::Stored>(processed);
    return Picture{stored.file, stored.still};
}

std::vector<std::string> replaced(const Picture& old) {
    std::vector<std::string> files;
    if (old.static_file != old.file && !old.static_file.empty()) files.push_back(old.static_file);
    if (!old.file.empty()) files.push_back(old.file);
    return files;
}

}  // namespace accounts
