// SPDX-License-Identifier: AGPL-3.0-or-later
// The RSA key shared by everybody in tests: generating one takes longer than most tests.
#pragma once
#include "social/federation/keys/keys.hpp"

namespace support {

inline const federation::KeyPair& key_pair() {
    static const federation::KeyPair pair{
        R"(-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu180gJIk2w+ShSqf1Ipf
P0iwME3YV8hyyzBetCzmgwYN0p3sieVXZN+JA0VE0M9RSA5+8Flqxg7cDf0wmOvN
4Ip5aueOn6djug37tZYsTrRD3g05eB1yqER27mk8uaAN2p2NvTVFTkAQN+xsFsVq
a5N3/b3/nGX1CiM5rlc969FIKfHc8DJ1L/nKVkIZQoC7DmantIC66uJZ19Ae5pMl
/3OD6Er73D3ZozVlVgdRV1I9nUJOqsd2ZQvTx7aioWPZ3BCgJBmwrvl+k+G2qLSr
ZeikgILVEh6YqdGfvAQ6CtYhp6OoZP1XroAEjbyzfxDn1QHjeCqDnFVOSJLGz8MW
yQIDAQAB
-----END PUBLIC KEY-----
)",
        R"(-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7XzSAkiTbD5KF
Kp/Uil8/SLAwTdhXyHLLMF60LOaDBg3SneyJ5Vdk34kDRUTQz1FIDn7wWWrGDtwN
/TCY683ginlq546fp2O6Dfu1lixOtEPeDTl4HXKoRHbuaTy5oA3anY29NUVOQBA3
7GwWxWprk3f9vf+cZfUKIzmuVz3r0Ugp8dzwMnUv+cpWQhlCgLsOZqe0gLrq4lnX
0B7mkyX/c4PoSvvcPdmjNWVWB1FXUj2dQk6qx3ZlC9PHtqKhY9ncEKAkGbCu+X6T
4baotKtl6KSAgtUSHpip0Z+8BDoK1iGno6hk/VeugASNvLN/EOfVAeN4KoOcVU5I
ksbPwxbJAgMBAAECggEALXSkTQinTkmR1yKHEc3b24Nr0twfvvQO/UInx3gZF/Ix
CkZrquxrbjpYh+WXEz0oT93MZ8yZfaD/O5mP35ldIbsWR5wTWqIGLI3V4bCj4RgU
WttEdOJX/YBWhfIb3EB6++07BIrW3GvoQ1jkxAVyktR8yJ7+UtfdQW9YP/ZEPF/n
5qYqr1+ImHbW3GkXgrS/Z1BfNdaIxbabD3fXg38ksnmUik4K4RnrnD2ZzK3dvEEv
vBAPnOXuyn3+gCFnMfB4wOH9RD2Jj/qPKWgPk/rquDzAZYmZGoiX8N9Izx4xO8yV
JhbQBJgsfcjs81q3yGtsPo8I7HaXGLj0DvAT/HdrrQKBgQDd2vQ9FJRkMAYBpGPo
rN4f2MsotPjjHry9sYosayMlP8SqHBDk3xaFPZvlrvF3oPihrKCnAGv4i5OCz78a
McRxZ+3AVmGsQnvtOMVSx37aKxWaOc29M1M67K4pNyU5q0lniW0kCYOthHy31NcL
P0gRuS/t6UIEZg/DhPSqoI8nywKBgQDYNZ0KmmLcdc8uAJbw+F3FHvjcbr+wkeKV
HKVhxXI4yeMRcmcPCEh4tBd6LHHM3HrgE/50NIyKzfHV4rr8TETTO+nW/gbi5FEk
H3eCdMH4iApOjwD8blRNkLXhXPBitMM3P8kWqph7W3htY1J8axQZ0P3HtXad+inV
q7RZAfNhOwKBgDsEdhiRkvAb/l0NeC57XhOmvlSz38m7cYYc5p7uWUkdb5m5IZ1g
40LKouA067NhNQL9Qzdp208hAjq4PSQgvRtWBF84G3+RqBnxEjz1KP+smnCOk/aS
4r84GxSHwPVYZYyPeGMvzMGqDutwSUyKpwdf9ioZ9R/qbqMaiWOilrKFAoGAIL/m
PL/r76bsrfQq6O9GDODHI2SnJpDCeIGxT2EADzgNbAwfLji7+YSV9cybpENVXXHJ
3kJDc5cEZbiFSEgpOLHfltA9rMqWu9kEWj9jTkkU/pdMt+/iVylvU2anhtwIoerI
g+VtWWoekLs1uGDj15E/j6ud/wnwokvy8nSIMBcCgYEAu24tBYpFK23tOW5kzaRQ
fRlGr2PTpCXL4f62hk1xJbqSkqhNogN2VvlyOYO7/Mp0jVqID97Igcxig4duUqfD
Tx7N7OwAmQmBk/RbySxYVG/qEAYnud6wHnqIAhKyemGkl1xlRwNtpsYi1B2T2IEs
5qW09H829KHRE1ecKCjkDVw=
-----END PRIVATE KEY-----
)"
    };
    return pair;
}

}  // namespace support
