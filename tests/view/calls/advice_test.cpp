#include "view/calls/advice.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("there is advice on each kind of waste, whatever caused it") {
  for (size_t kind = 0; kind < kWasteKinds; ++kind)
    for (RebuildCause cause : {RebuildCause::pause, RebuildCause::resume}) {
      Waste waste{};
      waste.kind = static_cast<WasteKind>(kind);
      waste.cause = cause;
      waste.confidence = 1;
      INFO(kWasteKindWords[kind]);
      CHECK(advice_for(waste).kind == waste.kind);
      CHECK_FALSE(advice_for(waste).words.empty());
    }
}
