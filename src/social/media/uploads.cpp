// SPDX-License-Identifier: AGPL-3.0-or-later
// Uploads of audio and video: probed on arrival, encoded later.
#include "base/crypto.hpp"
#include "sandbox/video.hpp"
#include "social/media/media_entity.hpp"
#include "social/media/store_files.hpp"

namespace media {

namespace fs = std::filesystem;

namespace {

Type type_of(std::string_view word) {
    if (word == "audio") return Type::audio;
    return word == "gifv" ? Type::gifv : Type::video;
}

// A GIF without animation is an ordinary picture.
bool is_image(const sandbox::Probed& probed) {
    if (auto* refused = std::get_if<sandbox::Refused>(&probed))
        return refused->reason == sandbox::Reason::unsupported_type &&
               refused->detail == sandbox::no_container;
    const auto& facts = std::get<sandbox::VideoFacts>(probed);
    return facts.container == sandbox::Container::gif && !facts.several_frames;
}

void add_picture(Stored& stored, const sandbox::ImageResult& picture, Shelf& shelf) {
    stored.preview = shelf.place("picture/" + picture.preview->file, "_small");
    stored.preview_width = picture.preview->width;
    stored.preview_height = picture.preview->height;
    stored.blurhash = picture.blurhash;
    if (stored.type == Type::audio) stored.colors = colours_of(picture.blurhash);
}

Stored facts_of(const sandbox::VideoResult& made) {
    Stored stored;
    stored.type = type_of(made.type);
    stored.mime = stored.type == Type::audio ? "audio/mpeg" : "video/mp4";
    stored.width = made.facts.width;
    stored.height = made.facts.height;
    if (!made.facts.frame_rate.empty()) stored.frame_rate = made.facts.frame_rate;
    stored.duration = made.facts.duration;
    stored.bitrate = made.facts.bitrate;
    return stored;
}

// A further frame that cannot be read has no hash.
std::optional<Print> print_of(const fs::path& frame, const fs::path& made) {
    const auto folder = made / frame.stem();
    fs::create_directory(folder);
    auto image = image_of(frame, Kind::thumbnail, folder, false);
    const auto* result = std::get_if<sandbox::ImageResult>(&image);
    return result ? std::optional(Print{{}, result->pdq}) : std::nullopt;
}

std::vector<Print> prints_of(
    const fs::path& source, const fs::path& made, const sandbox::VideoResult& result,
    const std::optional<sandbox::ImageResult>& picture
) {
    std::vector<Print> prints{
        {sha256_of(source), picture ? picture->pdq : sandbox::Pdq{}}, {sha256_of(made / result.file), {}}
    };
    for (const auto& frame : result.later_frames)
        if (auto print = print_of(made / frame, made)) prints.push_back(*std::move(print));
    return prints;
}

Processed encoded(const fs::path& source, const Store& store, const sandbox::VideoFacts& facts) {
    WorkFolder made(store.folder());
    auto outcome = sandbox::run_video_job(source, made.path, facts);
    if (auto* refused = std::get_if<sandbox::Refused>(&outcome)) return told(*refused);
    const auto& result = std::get<sandbox::VideoResult>(outcome);
    std::optional<sandbox::ImageResult> picture;
    if (!result.frame.empty()) {
        fs::create_directory(made.path / "picture");
        auto image = image_of(made.path / result.frame, Kind::thumbnail, made.path / "picture", false);
        if (auto* refused = std::get_if<sandbox::Refused>(&image)) {
            if (facts.video) return told(*refused);
        } else {
            picture = std::get<sandbox::ImageResult>(std::move(image));
        }
    }
    auto prints = prints_of(source, made.path, result, picture);
    Shelf shelf(store.files(), made.path, "media", {});
    auto stored = facts_of(result);
    stored.prints = std::move(prints);
    stored.file = shelf.place(result.file);
    if (picture && picture->preview) add_picture(stored, *picture, shelf);
    shelf.settle();
    return stored;
}

sandbox::Probed probed(const fs::path& upload, const fs::path& media) {
    WorkFolder nothing(media);
    return sandbox::probe(upload, nothing.path);
}

std::string kept(const fs::path& upload, const Store& store) {
    auto name = std::string(uploads_folder) + "/" + base::hex(base::random_bytes(16));
    put_copy_of(upload, name, store);
    return name;
}

}  // namespace

Taken Store::take(const TakeUpload& asked) const {
    return or_unavailable([&]() -> Taken {
        auto facts = probed(asked.path, folder_);
        if (is_image(facts)) {
            auto made = process({asked.path, Kind::attachment, {}});
            if (auto* reason = std::get_if<sandbox::Reason>(&made)) return Unwanted{*reason};
            return std::get<Stored>(std::move(made));
        }
        if (auto* refused = std::get_if<sandbox::Refused>(&facts)) return Unwanted{told(*refused), true};
        const auto& came = std::get<sandbox::VideoFacts>(facts);
        Waiting waiting;
        waiting.type = type_of(sandbox::type_of(came));
        if (waiting.type != Type::audio) waiting.width = came.width, waiting.height = came.height;
        if (!came.frame_rate.empty()) waiting.frame_rate = came.frame_rate;
        waiting.duration = came.duration;
        waiting.bitrate = came.bitrate;
        waiting.source = kept(asked.path, *this);
        return waiting;
    });
}

Processed Store::encode(const std::string& source) const {
    return or_unavailable([&]() -> Processed {
        const auto file = files_->find(source);
        if (!file) return sandbox::Reason::broken;
        auto facts = probed(*file, folder_);
        if (auto* refused = std::get_if<sandbox::Refused>(&facts)) return told(*refused);
        return watched(encoded(*file, *this, std::get<sandbox::VideoFacts>(facts)));
    });
}

void Store::forget(const std::string& source) const {
    if (!source.starts_with(uploads_folder)) return;
    try {
        files_->remove(source);
    } catch (const std::exception&) {}  // old ones are swept
}

}  // namespace media
