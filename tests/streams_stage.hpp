// SPDX-License-Identifier: AGPL-3.0-or-later
// Sets up the streams of a World. Private to world.cpp and streams.cpp.
#pragma once
#include "http/dispatch.hpp"
#include "streams.hpp"
#include "world_engine.hpp"

void open_streams(const World&, stage::AtOnce&, base::ExternalServices&, std::function<http::Dispatch&()>);
void close_streams(const World&);
