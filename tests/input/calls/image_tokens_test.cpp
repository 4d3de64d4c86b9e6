#include "input/calls/image_tokens.h"

#include <catch2/catch.hpp>

#include "base/base64.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

std::string png(uint32_t width, uint32_t height) {
  std::string bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const uint32_t size : {width, height})
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift & 0xff);
  return base64(bytes + std::string(16, '\0'));
}

}  // namespace

TEST_CASE("an image takes tokens by its size, and never more than the largest") {
  CHECK(tokens_of_image(750, 1000) == 1000);
  CHECK(tokens_of_image(4000, 3000) == 1600);
  CHECK(tokens_of_image(UINT32_MAX, UINT32_MAX) == 1600);
  CHECK(tokens_of_image(10, 10) == 0);
}

TEST_CASE("the head of an image tells its size") {
  CHECK(tokens_of_image(png(300, 500)) == 200);
  CHECK(tokens_of_image(
            base64("GIF89a" + std::string("\x2c\x01\xf4\x01", 4) + std::string(30, '\0'))) == 200);
  const std::string segment = std::string("\xff\xe0\x00\x04zz", 6);
  const std::string frame = std::string("\xff\xc0\x00\x11\x08\x01\xf4\x01\x2c", 9);
  CHECK(tokens_of_image(base64("\xff\xd8" + segment + frame + std::string(30, '\0'))) == 200);
  CHECK(tokens_of_image(base64(std::string("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0", 24) +
                               std::string("\x2b\x01\x00\xf3\x01\x00", 6) +
                               std::string(8, '\0'))) == 200);
}

TEST_CASE("an image that does not tell its size is taken for a large one") {
  CHECK(tokens_of_image("") == 1600);
  CHECK(tokens_of_image("iVBOR") == 1600);
  CHECK(tokens_of_image(base64("BM" + std::string(60, 'x'))) == 1600);
}

TEST_CASE("what a tool gave as an image is as long as a text of its tokens") {
  Transcript session;
  session.user("u1", "look").answer("a1", "m1", uses("t1", "Read"));
  session.raw(R"({"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"S1",)"
              R"("timestamp":"2026-02-01T10:00:09.000Z","message":{"role":"user","content":[)"
              R"({"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":)"
              R"({"type":"base64","media_type":"image/png","data":")" +
              png(300, 500) + R"("}}]}]}})");
  session.after("r1").answer("a2", "m2", says("a cat"));
  const Trace trace = read_log(session.text());
  std::vector<uint32_t> results;
  for (const BlockSize& size : trace.block_sizes)
    if (size.kind == BlockSize::Kind::image && size.tool_use) results.push_back(size.bytes);
  CHECK(results == std::vector<uint32_t>{800});
}
