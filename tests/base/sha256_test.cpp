#include "base/sha256.h"

#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

constexpr const char* kOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfAMillionAs =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

}  // namespace

TEST_CASE("SHA-256 gives the digests that its standard prints") {
  CHECK(sha256_of("") == kOfNothing);
  CHECK(sha256_of("abc") == kOfAbc);
  CHECK(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_of(std::string(1'000'000, 'a')) == kOfAMillionAs);
}

TEST_CASE("a digest does not depend on the pieces in which the bytes came") {
  size_t piece = GENERATE(1u, 63u, 64u, 65u, 999'999u);
  std::string bytes(1'000'000, 'a');
  Sha256 digest;
  for (size_t at = 0; at < bytes.size(); at += piece)
    digest.add(std::string_view(bytes).substr(at, piece));
  CHECK(digest.hex() == kOfAMillionAs);
}

TEST_CASE("the processor's instructions give the digest that words give") {
  std::string bytes;
  for (size_t i = 0; i < 40 * kSha256Block; ++i) bytes += static_cast<char>(i * i % 251);
  for (size_t count = 0; count <= 40; ++count) {
    Sha256State fast = begin_sha256(), by_words = begin_sha256();
    digest_blocks(bytes.data(), count, fast);
    digest_blocks_by_words(bytes.data(), count, by_words);
    CHECK(fast == by_words);
  }
}

TEST_CASE("a digest can be asked for on the way") {
  Sha256 digest;
  CHECK(digest.hex() == kOfNothing);
  digest.add("a");
  CHECK(digest.hex() != kOfAbc);
  digest.add("bc");
  CHECK(digest.hex() == kOfAbc);
  CHECK(digest.hex() == kOfAbc);
}

TEST_CASE("the digest of a file is that of its first so many bytes") {
  Folder folder;
  std::string path = folder.write("a", std::string(1'000'000, 'a') + "appended since");
  CHECK(sha256_of_file(path, 1'000'000).value() == kOfAMillionAs);
  CHECK(sha256_of_file(path, 0).value() == kOfNothing);
  CHECK(sha256_of_file(folder.write("abc", "abc"), UINT64_MAX).value() == kOfAbc);
}

TEST_CASE("a file that cannot be read has no digest, but an error") {
  Folder folder;
  Result<std::string> digest = sha256_of_file(folder.path() + "/none", 1);
  REQUIRE_FALSE(digest);
  CHECK(digest.error().exit == Exit::input);
  CHECK(digest.error().what ==
        "cannot open '" + folder.path() + "/none': No such file or directory");
  digest = sha256_of_file(folder.path(), 1);
  REQUIRE_FALSE(digest);
  CHECK(digest.error().what == "cannot read '" + folder.path() + "': Is a directory");
}
