#include "redact/canary.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

Canary canary_of(Redaction redaction) {
  Door door(RedactPolicy(redaction), Door::Level::basic, 200);
  return plant_canary(door);
}

}  // namespace

TEST_CASE("no made-up secret comes through a door that redacts") {
  const Canary all = canary_of(Redaction::all), secrets = canary_of(Redaction::secrets_only);
  CHECK(all.leaked == 0);
  CHECK(secrets.leaked == 0);
  CHECK(all.planted > secrets.planted);
  CHECK(secrets.planted > 1000);
}

TEST_CASE("every made-up secret comes through an open door") {
  const Canary open = canary_of(Redaction::off);
  CHECK(open.leaked == open.planted);
}
