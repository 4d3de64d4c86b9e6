#include "facts/credits.h"

#include <catch2/catch.hpp>

#include "facts/call.h"

using namespace xtrace;

TEST_CASE("credits whose rate is public are money") {
  CHECK(cost_of_credits(CreditKind::copilot_ai_credit, 1'000'000'000) == 10'000'000);
  CHECK(cost_of_credits(CreditKind::copilot_ai_credit, 1'510'581'560'000) == 15'105'815'600);
  CHECK(cost_of_credits(CreditKind::copilot_ai_credit, 0) == 0);
}

TEST_CASE("credits of plans stay credits") {
  CHECK(cost_of_credits(CreditKind::kiro_credit, 1'000'000'000) == kNoCount);
  CHECK(word(CreditKind::kiro_credit) == "Kiro credit");
}
