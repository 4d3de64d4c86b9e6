#include "input/hash_chains.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/sha256.h"

using namespace xtrace;

namespace {

using Lines = std::vector<std::string>;

std::vector<HashChain> chains_of(const Lines& lines) {
  HashChains chains;
  Extent at;
  for (const std::string& line : lines) {
    ++at.line;
    chains.add(line, at);
  }
  return chains.chains();
}

/// Records whose `seal` is the digest of the rest, and whose `before` is the seal before it.
Lines sealed(size_t count) {
  Lines lines;
  std::string before = std::string(64, '0');
  for (size_t i = 0; i < count; ++i) {
    const std::string rest = fmt::format(R"("before":"{}","n":{},"step":"s{}")", before, i, i % 3);
    before = sha256_of("{" + rest + "}");
    lines.push_back(fmt::format(R"({{{}, "seal": "{}"}})", rest, before));
  }
  return lines;
}

}  // namespace

TEST_CASE("a chain is found whatever its keys are called, and its digests are computed again") {
  const std::vector<HashChain> chains = chains_of(sealed(8));
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].digest == "seal");
  CHECK(chains[0].previous == "before");
  CHECK(chains[0].records == 8);
  CHECK(chains[0].linked == 7);
  CHECK(chains[0].recomputed == 8);
  CHECK(chains[0].holds());
}

TEST_CASE("a record that was changed is found, the first one too") {
  for (size_t changed : {0U, 1U, 5U}) {
    Lines lines = sealed(8);
    lines[changed].replace(lines[changed].find("\"step\":\"s"), 9, "\"step\":\"t");
    const std::vector<HashChain> chains = chains_of(lines);
    REQUIRE(chains.size() == 1);
    CHECK(!chains[0].holds());
    CHECK(chains[0].altered.line == changed + 1);
    CHECK(chains[0].broken.line == 0);
  }
}

TEST_CASE("a record that was taken out is found") {
  Lines lines = sealed(8);
  lines.erase(lines.begin() + 4);
  const std::vector<HashChain> chains = chains_of(lines);
  REQUIRE(chains.size() == 1);
  CHECK(!chains[0].holds());
  CHECK(chains[0].broken.line == 5);
}

TEST_CASE("a record may name the digest of the line before it") {
  Lines lines = {R"({"n":0})"};
  for (int i = 1; i < 5; ++i)
    lines.push_back(fmt::format(R"({{"n":{},"parent":"sha256:{}"}})", i, sha256_of(lines.back())));
  std::vector<HashChain> chains = chains_of(lines);
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].digest.empty());
  CHECK(chains[0].holds());
  lines[2] += ' ';
  chains = chains_of(lines);
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].broken.line == 4);
}

TEST_CASE("digests that stay the same, or that nothing names, are no chain") {
  const std::string digest = sha256_of("a prompt"), other = sha256_of("a tool");
  Lines lines;
  for (int i = 0; i < 5; ++i)
    lines.push_back(fmt::format(R"({{"prompt":"{}","tool":"{}","own":"{}"}})", digest, other,
                                sha256_of(std::to_string(i))));
  CHECK(chains_of(lines).empty());
}
