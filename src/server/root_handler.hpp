// SPDX-License-Identifier: AGPL-3.0-or-later
// The outermost handler: answers health, metrics and files; everything else goes to the routes.
#pragma once
#include "config/config.hpp"
#include "db/engine.hpp"
#include "http/application.hpp"
#include "net/forwarded.hpp"
#include "server/files.hpp"
#include "server/metrics.hpp"

#include <functional>

namespace server {

class RootHandler : public http::Application {
public:
    struct Parts {
        http::Application& routes;
        db::Engine& engine;
        const Meter& meter;
        std::function<Sample()> sample;  // without what only the database knows
    };
    RootHandler(const Config&, Parts);

    void admit(http::Request head, http::PendingAdmission) override;
    void serve(http::Request, http::Pending) override;
    bool may_stay_open(const http::Request&) const override;

private:
    void serve_metrics(const http::Request&, http::Pending);
    bool may_see_metrics(const http::Request&) const;
    bool does(std::string_view path) const;  // or other nodes do

    Parts parts_;
    Metrics metrics_;
    net::NetworkSet near_;
    StaticFiles static_;
    MediaFiles media_;
    const bool web_, streaming_;
};

}  // namespace server
