// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/application.hpp"

#include "base/errors.hpp"
#include "http/answer_headers.hpp"
#include "http/errors.hpp"

namespace http {

PendingAdmission::~PendingAdmission() {
    if (!send_) return;
    auto response = failure(std::make_exception_ptr(base::Unavailable()), {}, {});
    response.common_headers = headers_of_errors();
    refuse(std::move(response));
}

void PendingAdmission::refuse(Response response) {
    Admission admission;
    admission.refusal = std::move(response);
    admit(std::move(admission));
}

}  // namespace http
