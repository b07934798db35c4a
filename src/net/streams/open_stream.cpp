// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/streams/open_stream.hpp"

#include <algorithm>
#include <utility>

namespace net {

OpenStream::OpenStream(Opening opening)
    : worker_(std::move(opening.worker)),
      place_of_connection_(std::move(opening.place_of_connection)),
      place_of_request_(std::move(opening.place_of_request)),
      stream_(std::move(opening.stream)),
      line_(std::move(opening.line)),
      frames_(options().stream_message),
      head_(std::move(opening.head)),
      websocket_(opening.websocket),
      in_chunks_(opening.in_chunks) {
    worker_->open.fetch_add(1);
    worker_->totals.streams_open.fetch_add(1);
    worker_->add(*this);
}

OpenStream::~OpenStream() {
    count_end();
    worker_->open.fetch_sub(1);
}

void OpenStream::begin() {
    outlet_ = std::make_shared<Outlet>(weak_from_this(), worker_, options().stream_backlog);
    stream_->opened(outlet_);
    if (worker_->draining()) drain();
    else await_beat();
    push();
    if (!over_) watch();
}

void OpenStream::drain() {
    outlet_->close(http::Close::restart);
    worker_->set_deadline(*this, options().end_patience);
}

void OpenStream::await_beat() {
    worker_->set_deadline(*this, websocket_ ? options().ping_interval : options().heartbeat_interval);
}

// Checks whether the client is still there.
void OpenStream::expire() {
    static const auto heartbeat = std::make_shared<const std::string>(":thump\n\n");
    constexpr int patience = 2;
    if (ending_ || worker_->draining()) return over();
    if (websocket_) {
        if (std::exchange(unanswered_, std::uint8_t{1}) > 0) return over();
        ping_due_ = true;
    } else {
        unanswered_ = writing_ ? static_cast<std::uint8_t>(unanswered_ + 1) : std::uint8_t{0};
        if (unanswered_ >= patience) return over();
        outlet_->send(heartbeat);
    }
    await_beat();
    push();
}

std::array<asio::const_buffer, 3> OpenStream::unsent() const {
    const auto body = body_ ? asio::buffer(*body_) : asio::const_buffer();
    std::array<asio::const_buffer, 3> out{asio::buffer(head_), body, asio::buffer(tail())};
    auto sent = sent_;
    for (auto& part : out) {
        const auto of_part = std::min(sent, part.size());
        part += of_part;
        sent -= of_part;
    }
    return out;
}

void OpenStream::push() {
    if (over_) return;
    if (!ending_ && outlet_->overrun()) end(http::Close::policy);
    if (writing_) return;
    do {
        if (!send()) return;
    } while (next());
}

bool OpenStream::send() {
    if (sent_ < size()) {
        std::size_t sent = 0;
        if (send_at_once(sent)) {
            over();
            return false;
        }
        sent_ += sent;
        if (sent_ < size()) {
            writing_ = true;
            send_rest();
            return false;
        }
    }
    bytes_out_ += std::exchange(sent_, 0);
    head_ = {};
    body_ = nullptr;
    return true;
}

void OpenStream::written(ErrorCode error, std::size_t size) {
    writing_ = false;
    sent_ += size;
    if (over_) return;
    if (error) return over();
    if (!websocket_) unanswered_ = 0;
    push();
}

bool OpenStream::next() {
    if (!said_bye_ && !pong_.empty()) {
        head_ = std::exchange(pong_, {});
        return true;
    }
    if (!ending_ && std::exchange(ping_due_, false)) {
        head_ = control_frame(Opcode::ping, {});
        return true;
    }
    if (!ending_) {
        if ((body_ = outlet_->next())) {
            if (websocket_) head_ = frame_head(Opcode::text, body_->size());
            if (in_chunks_) head_ = chunk_head(body_->size());
            return true;
        }
        const auto why = outlet_->end();
        if (!why) return false;
        end(*why);
    }
    if (!std::exchange(said_bye_, true)) {
        if (websocket_) head_ = close_frame(code_);
        if (in_chunks_) head_ = last_chunk;
        return true;
    }
    if ((heard_bye_ || !websocket_) && !std::exchange(shut_down_, true)) shut_down();
    return false;
}

void OpenStream::end(http::Close why) {
    if (outlet_->overrun()) worker_->totals.streams_overrun.fetch_add(1);
    end(static_cast<std::uint16_t>(why));
}

// The close follows what was sent before; a client that does not read it is cut off.
void OpenStream::end(std::uint16_t code) {
    ending_ = true;
    code_ = code;
    worker_->set_deadline(*this, worker_->draining() ? options().end_patience : options().linger_timeout);
}

void OpenStream::take(std::string_view bytes) {
    constexpr std::size_t most_unasked = 64 << 10;
    if (!websocket_) {
        unasked_ += bytes.size();
        if (unasked_ > most_unasked) over();
        return;
    }
    while (!bytes.empty() && !heard_bye_ && !deaf_) {
        const auto step = frames_.read(bytes);
        bytes.remove_prefix(step.used);
        hear(step.found);
    }
    push();
}

void OpenStream::hear(FrameReader::Found found) {
    switch (found) {
        case FrameReader::Found::more: return;
        case FrameReader::Found::text:
            if (!ending_) stream_->received(frames_.content());
            return;
        case FrameReader::Found::ping: pong_ = control_frame(Opcode::pong, frames_.content()); return;
        case FrameReader::Found::pong: unanswered_ = 0; return;
        case FrameReader::Found::close: heard_bye_ = true; break;
        case FrameReader::Found::refused: deaf_ = true; break;
    }
    if (!ending_) end(frames_.code());
}

void OpenStream::over() {
    if (std::exchange(over_, true)) return;
    worker_->clear_deadline(*this);
    close();
    count_end();
}

void OpenStream::count_end() {
    const auto stream = std::exchange(stream_, nullptr);
    if (!stream) return;
    bytes_out_ += sent_;
    worker_->totals.streams_open.fetch_sub(1);
    worker_->totals.bytes_out.fetch_add(bytes_out_, std::memory_order_relaxed);
    stream->closed();
    if (!line_) return;
    const auto took = std::chrono::steady_clock::now() - line_->begun;
    options().access_log(
        {.request_id = line_->request_id,
         .remote_address = line_->remote_address,
         .method = http::to_string(line_->method),
         .target = line_->target,
         .user_agent = line_->user_agent,
         .status = line_->status,
         .bytes_in = 0,
         .bytes_out = bytes_out_,
         .took = std::chrono::duration_cast<std::chrono::microseconds>(took)}
    );
}

}  // namespace net
