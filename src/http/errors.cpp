// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/errors.hpp"

#include "base/errors.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "db/connection.hpp"
#include "db/write_gate.hpp"

#include <map>

namespace http {

namespace {

struct Detail {
    std::string error, description;
};
DESCRIBE(Detail, error, description)

struct Body {
    std::string error;
    base::json::Omit<std::map<std::string, std::vector<Detail>>> details;
};
DESCRIBE(Body, error, details)

Response refusal(const base::Invalid& invalid) {
    Body body{invalid.what(), {}};
    if (!invalid.fields.empty()) {
        auto& details = body.details.value.emplace();
        for (const auto& field : invalid.fields)
            details[field.field].push_back({field.code, field.description});
    }
    Response response;
    response.status = 422;
    response.body = base::json::to_string(body);
    response.body.insert(response.body.size() - 1, invalid.more);
    return response;
}

Response unauthorized(std::string_view sentence) {
    auto response = http::failure(401, sentence);
    response.headers.emplace_back(
        "WWW-Authenticate",
        "Bearer realm=\"Doorkeeper\", error=\"invalid_token\", error_description=\"" + std::string(sentence) +
            "\""
    );
    return response;
}

}  // namespace

Response failure(int status, std::string_view sentence) {
    Response response;
    response.status = status;
    response.body = "{\"error\":";
    base::json::write(response.body, sentence);
    response.body += '}';
    return response;
}

Response failure(std::exception_ptr thrown, const Request& request, std::string_view route) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Refusal& e) {
        return e.response;
    } catch (const base::NotFound& e) {
        return failure(404, e.what());
    } catch (const base::Forbidden& e) {
        return failure(403, e.what());
    } catch (const base::Unauthorized& e) {
        return unauthorized(e.what());
    } catch (const base::Invalid& e) {
        return refusal(e);
    } catch (const base::BadRequest& e) {
        return failure(400, e.what());
    } catch (const base::Conflict& e) {
        return failure(409, e.what());
    } catch (const base::Gone& e) {
        return failure(410, e.what());
    } catch (const base::TooMany& e) {
        return failure(429, e.what());
    } catch (const db::ReadOnly& e) {
        auto response = failure(503, e.what());
        response.headers.emplace_back("Retry-After", std::to_string(e.retry_after));
        return response;
    } catch (const base::Unavailable& e) {
        auto response = failure(503, e.what());
        response.headers.emplace_back("Retry-After", "5");
        return response;
    } catch (const db::Duplicate&) {
        return failure(422, "Duplicate record");
    } catch (const std::exception& e) {
        base::log_error("internal error", {{"request", request.id}, {"route", route}, {"cause", e.what()}});
    } catch (...) {
        base::log_error("internal error", {{"request", request.id}, {"route", route}});
    }
    return failure(500, "We're sorry, but something went wrong on our end.");
}

}  // namespace http
