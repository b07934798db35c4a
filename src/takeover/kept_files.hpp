// SPDX-License-Identifier: AGPL-3.0-or-later
// Files whose addresses stand in the rows of a source: they lie below a folder of ours that is called as it was in those addresses, so
// that these go on answering.
#pragma once
#include "takeover/reading.hpp"

namespace takeover {

// What comes behind one of these beginnings, as the path of a file; nothing: it lies elsewhere.
std::optional<std::string> path_below(const std::vector<std::string>& beginnings, std::string_view address);
// It may lie in a bucket, since its address is none of this server.
bool may_lie_elsewhere(const Reading&, std::string_view address);

// `folder`: "media/". The same as the address that others know: "former/media/…" of our media. What is called as no file here may be
// gets another name, and its address leads there.
std::string kept_name(const std::string& folder, const std::string& path);
Files::Found take_kept(const Reading&, const std::string& folder, const std::string& path, Sink&);

media::Type media_type(std::string_view mime);

}  // namespace takeover
