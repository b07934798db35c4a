// SPDX-License-Identifier: AGPL-3.0-or-later
// The outermost handler: serves health, readiness, metrics and files; passes everything else to the routes.
#pragma once
#include "config/config.hpp"
#include "db/engine.hpp"
#include "http/application.hpp"
#include "net/forwarded.hpp"
#include "server/files.hpp"
#include "server/media/media_files.hpp"
#include "server/monitoring/metrics.hpp"

#include <functional>

namespace server {

// How a request arrived, to help set up a proxy: contains only what the client sent.
struct Arrival {
    std::string host, scheme, address, upgrade;
    bool forwarded = false, believed = false;  // X-Forwarded-For is present, and was believed
};
DESCRIBE(Arrival, host, scheme, address, upgrade, forwarded, believed)
constexpr std::string_view path_of_arrival = "/health/seen";

class RootHandler : public http::Application {
public:
    struct Parts {
        http::Application& routes;
        db::Engine& engine;
        const Meter& meter;
        std::function<Sample()> sample;  // without what only the database knows
        std::function<void(http::Pending)> ready;
        BucketReading reading;
        // The response to an authority that asks for this token.
        std::function<std::optional<std::string>(const std::string& token)> proof;
    };
    RootHandler(const Config&, Parts);

    void admit(http::Request head, http::PendingAdmission) override;
    void serve(http::Request, http::Pending) override;
    bool may_stay_open(const http::Request&) const override;

private:
    void serve_metrics(const http::Request&, http::Pending);
    bool may_see_metrics(const http::Request&) const;
    http::Pending may_show_media(http::Pending) const;
    bool does(std::string_view path) const;  // or other nodes do
    // The redirect to HTTPS for a request without it.
    std::optional<http::Response> better_way(const http::Request&) const;

    Parts parts_;
    Metrics metrics_;
    net::NetworkSet near_;
    StaticFiles static_;
    MediaFiles media_;
    const std::string media_origin_;  // the origin that media are redirected to; empty: none
    const bool web_, streaming_;
    const std::string secure_url_;  // of this site, if HTTPS is served here
};

}  // namespace server
