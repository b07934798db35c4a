// SPDX-License-Identifier: AGPL-3.0-or-later
// What notifications carry besides a status, by their type.
#pragma once
#include "social/notifications/attachment.hpp"

namespace server {

std::span<const notifications::Attachment> attachments();

}  // namespace server
