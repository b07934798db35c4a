// SPDX-License-Identifier: AGPL-3.0-or-later
// The folder of uploads (data/media), and the questions by which handlers and jobs use it. No decoder runs
// here and uploaded bytes are not kept: the sandboxed worker re-encodes every picture.
//
//   media/<2 hex>/<32 hex>.<ext>, media/<2 hex>/<32 hex>_small.<ext>     attachments of statuses, previews
//   avatars|headers/<2 hex>/<account id>-<32 hex>.<ext>, …_static.png    and the still of an animated one
//   emojis/<2 hex>/<32 hex>.<ext>, …_static.png
//   .work/<32 hex>/                                                       of one job, deleted with it
//   .uploads/<32 hex>                                                     waits for the encoder (processing.hpp)
//   .withheld/…                                                           files of suspended accounts
//   .evidence/<32 hex>.<ext>                                              reported; for moderators only
//   .quarantine/<32 hex>.<ext>                                            on a list of prohibited pictures
//   .archives/…                                                           exports and imports (transfer/archive.hpp)
//
// The 32 digits are random, so that nobody can guess the address of a file. Files of one picture are a family:
// their names differ only after the first `_` or `.`. The first two digits name the shard.
#pragma once
#include "base/ask.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "sandbox/media_job.hpp"
#include "sandbox/pdq.hpp"
#include "social/media/files.hpp"
#include "social/media/types.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace media {

// A thumbnail is shown instead of a video's first frame: only its preview is kept.
BOOST_DEFINE_ENUM_CLASS(Kind, attachment, avatar, header, emoji, thumbnail)

// Hashes that identify a picture.
struct Print {
    std::string sha256;  // hexadecimal, of a file's bytes; may be empty
    sandbox::Pdq pdq;
};

struct Stored {
    std::string file, mime;  // all paths are below data/media
    std::int64_t width = 0, height = 0;
    std::string preview, blurhash;  // attachments
    std::int64_t preview_width = 0, preview_height = 0;
    std::string still;  // avatars, headers, emojis; `file` itself unless it is animated
    Type type = Type::image;
    std::optional<std::string> frame_rate, colors;  // colors: JSON
    std::optional<double> duration;
    std::optional<std::int64_t> bitrate;
    std::vector<Print> prints;  // of the upload, the stored file, and further frames of a video
    base::AccountId owner;      // of an avatar or header
};
using Processed = std::variant<Stored, sandbox::Reason>;

// The answer is kept with the request and contains the names, so a function that is run again sees the same
// files. They are stored durably; if no row references them, sweep_orphans() removes them.
struct ProcessImage {
    std::string path;  // of the upload
    Kind kind = Kind::attachment;
    base::AccountId owner;  // of an avatar or header
    using Answer = Processed;
};
DESCRIBE(ProcessImage, path, kind, owner)

// Audio or video, kept as uploaded until it is encoded.
struct Waiting {
    Type type = Type::video;
    std::string source;  // a path below data/media that is not served
    // As uploaded.
    std::int64_t width = 0, height = 0;
    std::optional<std::string> frame_rate;
    std::optional<double> duration;
    std::optional<std::int64_t> bitrate;
};
struct Unwanted {
    sandbox::Reason reason;
    bool moving = false;  // it was detected as audio or video
};
using Taken = std::variant<Stored, Waiting, Unwanted>;

// An upload of any kind. Images are processed at once; everything else is queued.
struct TakeUpload {
    std::string path;
    using Answer = Taken;
};
DESCRIBE(TakeUpload, path)

// Encodes a Waiting one; takes minutes. Its source is deleted afterwards.
struct Encode {
    std::string source;
    using Answer = Processed;
};
DESCRIBE(Encode, source)

// Missing files are ignored. Answers how many were removed.
struct RemoveFiles {
    std::vector<std::string> files;
    using Answer = int;
};
DESCRIBE(RemoveFiles, files)

// Hides files from the public, or restores them (withholding.hpp). Those already moved are ignored.
struct Withhold {
    std::vector<std::string> files;
    bool withheld = true;
    using Answer = int;
};
DESCRIBE(Withhold, files, withheld)
// Keeps evidence although the media may be deleted: a copy of the file in a folder that is not served.
// Missing files are ignored; repeating is harmless. Answers how many are kept now.
struct KeepFiles {
    std::vector<std::string> files;
    using Answer = int;
};
DESCRIBE(KeepFiles, files)
struct ForgetKept {
    std::vector<std::string> files;  // as passed to KeepFiles
    using Answer = int;
};
DESCRIBE(ForgetKept, files)
std::string kept_as(std::string_view file);  // a path below data/media

// Moves pictures into quarantine (hashes/quarantine.hpp), a folder that is not served, or back. `names`:
// their names there. Those already moved are ignored. Answers how many were moved.
struct Quarantine {
    std::vector<std::string> files, names;
    bool in = true;
    using Answer = int;
};
DESCRIBE(Quarantine, files, names, in)
struct DestroyQuarantined {
    std::vector<std::string> names;
    using Answer = int;
};
DESCRIBE(DestroyQuarantined, names)
// For review by the team. Empty: it no longer exists.
struct ReadQuarantined {
    std::string name;
    using Answer = std::string;
};
DESCRIBE(ReadQuarantined, name)

// The media, avatars and headers of one shard that are older than `before`. Also deletes work folders of that
// age.
struct OldFiles {
    int shard = 0;
    base::Time before;
    using Answer = std::vector<std::string>;
};
DESCRIBE(OldFiles, shard, before)

constexpr int shards = 256;

// "media/ab/ab12" of "media/ab/ab12_small.jpg".
std::string_view family(std::string_view file);
// All files of the result, the original last.
std::vector<std::string> family_of(const Stored&);
// Whether it is the main file of its family, not a preview or still.
bool is_original(std::string_view file);

// Blocks: for CPU threads, jobs and the command line. Throws Unavailable if the worker, the disk or the
// storage fails.
class Store {
public:
    // Works in the folder, and stores the files there unless `files` is another storage.
    explicit Store(std::filesystem::path folder, bool accept_heif = true)
        : Store(folder, std::make_shared<FolderFiles>(folder), accept_heif) {}
    Store(std::filesystem::path folder, std::shared_ptr<Files> files, bool accept_heif)
        : folder_(std::move(folder)), files_(std::move(files)), accept_heif_(accept_heif) {}

    const std::filesystem::path& folder() const { return folder_; }
    Files& files() const { return *files_; }

    Processed process(const ProcessImage&) const;
    Taken take(const TakeUpload&) const;
    // Like Encode, but the source stays until forget() is called.
    Processed encode(const std::string& source) const;
    void forget(const std::string& source) const;
    int remove(const RemoveFiles&) const;  // withheld or not
    int withhold(const Withhold&) const;
    int keep(const KeepFiles&) const;
    int forget_kept(const ForgetKept&) const;
    int quarantine(const Quarantine&) const;
    int destroy_quarantined(const DestroyQuarantined&) const;
    std::string read_quarantined(const ReadQuarantined&) const;
    std::vector<std::string> old_files(const OldFiles&) const;

    // Called with everything that was made, before it is visible; false: it must be removed, and the uploader
    // is told that it cannot be read. Set once, before there are threads; copies of this store share it.
    using Watch = std::function<bool(const Store&, const Stored&)>;
    void watch(Watch watch) { *watch_ = std::move(watch); }

private:
    Processed watched(Processed) const;

    std::filesystem::path folder_;
    std::shared_ptr<Files> files_;
    bool accept_heif_;
    std::shared_ptr<Watch> watch_ = std::make_shared<Watch>();
};

// Registers the store to answer the questions.
void answer_questions(base::ExternalServices&, const Store&);

struct EmojiFiles {
    std::string file, static_file;
};
// For the command line. Throws Invalid with a sentence about the file.
EmojiFiles store_emoji(const Store&, const std::filesystem::path& picture);

}  // namespace media
