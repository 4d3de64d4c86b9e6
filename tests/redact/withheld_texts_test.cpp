#include "redact/withheld_texts.h"

#include <catch2/catch.hpp>

#include "redact/clearance.h"

using namespace xtrace;

TEST_CASE("passages of what is withheld are marked, sentence by sentence") {
  WithheldTexts texts;
  texts.withhold("Sales fell by 3.5 percent. The plant in Oslo closes!");
  CHECK(texts.show("We hear: The plant in Oslo closes, soon.") == "We hear: [WITHHELD], soon.");
  CHECK(texts.show("sales  fell by 3.5 percent") == "[WITHHELD]");
  CHECK(texts.show("{\"text\":\"Sales fell\\nby 3.5 percent\"}") == "[WITHHELD]");
  CHECK(texts.show("Sales fell, as was to be expected.") == "Sales fell, as was to be expected.");
}

TEST_CASE("what is said in the open too, and what is too short to be anybody's, is shown") {
  WithheldTexts texts;
  texts.withhold("Yes, please. The plant in Oslo closes.");
  texts.open("As announced, the plant in Oslo closes.");
  CHECK(texts.show("The plant in Oslo closes.") == "The plant in Oslo closes.");
  CHECK(texts.show("Yes, plea") == "Yes, plea");
}

TEST_CASE("a user may say what the labels of a log mean") {
  LabelRanks labels;
  CHECK(labels.is_beyond("sigilo", "secret"));
  REQUIRE(labels.add({"Sigilo=secret", "uso geral=public"}));
  CHECK(labels.is_beyond("sigilo", "restricted"));
  CHECK_FALSE(labels.is_beyond("SIGILO", "secret"));
  CHECK_FALSE(labels.is_beyond("Uso geral", "public"));
  CHECK(labels.more_sensitive("sigilo", "confidential") == "sigilo");
  CHECK(labels.more_sensitive("uso geral", "internal") == "internal");
}

TEST_CASE("what a label means is one of the words of a clearance") {
  for (const char* wrong : {"sigilo", "=secret", "sigilo=grave", ""})
    CHECK_FALSE(LabelRanks().add({wrong}));
}

TEST_CASE("of passages that overlap the one that was withheld first is marked") {
  WithheldTexts texts;
  texts.withhold("The plant in Oslo closes. In Oslo closes the harbour.");
  texts.withhold("The plant in Oslo closes, says Ann.");
  CHECK(texts.show("The plant in Oslo closes, says Ann") == "[WITHHELD], says Ann");
  CHECK(texts.show("In Oslo closes the harbour") == "[WITHHELD]");
}

TEST_CASE("a passage that begins like another one is found beside it") {
  WithheldTexts texts;
  texts.withhold("The plant in Oslo closes, says Ann. The plant in Oslo. The plant in Oslo opens.");
  CHECK(texts.show("The plant in Oslo grows. The plant in Oslo closes, says Ann.") ==
        "[WITHHELD] grows. [WITHHELD].");
  texts.open("The plant in Oslo is ours");
  CHECK(texts.show("The plant in Oslo grows.") == "The plant in Oslo grows.");
  CHECK(texts.show("The plant in Oslo opens.") == "[WITHHELD].");
}
