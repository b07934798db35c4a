// SPDX-License-Identifier: AGPL-3.0-or-later
// The examples of Amazon's documentation of Signature Version 4.
#include <gtest/gtest.h>

#include "base/crypto.hpp"
#include "net/s3/signing.hpp"

namespace {

using net::s3::Keys, net::s3::Unsigned;

const Keys keys{"us-east-1", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};

Unsigned request(std::string method, std::string path) {
    Unsigned out{std::move(method), "examplebucket.s3.amazonaws.com", std::move(path)};
    out.payload = base::sha256_hex("");
    out.at = *base::parse_time("2013-05-24T00:00:00Z");
    return out;
}

std::string signature_of(const Unsigned& asked) {
    const auto headers = net::s3::signed_headers(asked, keys);
    return headers.back().second.substr(headers.back().second.find("Signature=") + 10);
}

TEST(Signatures, of_a_get_with_a_range) {
    auto asked = request("GET", "/test.txt");
    asked.headers = {{"range", "bytes=0-9"}};
    EXPECT_EQ(signature_of(asked), "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    EXPECT_EQ(
        net::s3::signed_headers(asked, keys).back().second,
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    );
}

TEST(Signatures, of_a_put_whose_name_is_encoded) {
    auto asked = request("PUT", "/test$file.text");
    asked.headers = {
        {"date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}
    };
    asked.payload = base::sha256_hex("Welcome to Amazon S3.");
    EXPECT_EQ(signature_of(asked), "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

TEST(Signatures, of_a_query_without_a_value) {
    auto asked = request("GET", "/");
    asked.query = {{"lifecycle", ""}};
    EXPECT_EQ(signature_of(asked), "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

TEST(Signatures, of_a_query_that_is_not_sorted) {
    auto asked = request("GET", "/");
    asked.query = {{"prefix", "J"}, {"max-keys", "2"}};
    EXPECT_EQ(signature_of(asked), "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(Signatures, of_an_address_that_anybody_may_read) {
    const auto query = net::s3::presigned_query(request("GET", "/test.txt"), keys, 86'400);
    EXPECT_TRUE(
        query.ends_with("&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    ) << query;
}

}  // namespace
