// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once

#include "pch_base.hpp"

#include "db/session.hpp"
#include "http/route.hpp"
