// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "base/ask.hpp"
#include "social/moderation/report.hpp"

namespace moderation {

void mail_report(const base::Ask&, db::Read&, const ReportLetterWanted&);

}  // namespace moderation
