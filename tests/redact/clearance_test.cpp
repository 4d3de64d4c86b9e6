#include "redact/clearance.h"

#include <catch2/catch.hpp>

#include "redact/cleared_texts.h"

using namespace xtrace;

namespace {

Clearance clearance(std::string label, std::string unlabelled = "secret") {
  return {std::move(label), std::move(unlabelled), {}};
}

}  // namespace

TEST_CASE("the head of a text states its label in words") {
  struct Row {
    const char *text, *label;
  };
  const Row rows[] = {
      {"Classification: CONFIDENTIAL\nThe budget is 3 million.", "CONFIDENTIAL"},
      {"# Plan\n\n**Classification:** Restricted\n", "Restricted"},
      {"[CONFIDENTIAL] Minutes of the board", "CONFIDENTIAL"},
      {"Confidencial\n\nActas de la junta", "Confidencial"},
      {"*** TOP SECRET ***\nnames", "TOP SECRET"},
      {"Classificação: confidencial", "confidencial"},
      {"CLASSIFICAÇÃO: INTERNO", "INTERNO"},
      {"Sensitivity: internal - do not forward", "internal"},
      {"(internal) notes of the week", "internal"},
      {"INTERNAL USE ONLY\nphones", "INTERNAL USE ONLY"},
      // Words of everyday language are none.
      {"Public transport is late.", ""},
      {"Internal\n", ""},
      {"secret\n", ""},
      {"Keep this secret.", ""},
      {"Classification: mammal\n", ""},
      // What a text says further down, it may quote.
      {"one\ntwo\nthree\nClassification: SECRET", ""},
      {"", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(label_in(row.text, {}) == row.label);
  }
}

TEST_CASE("a record without a label counts as what is asked for") {
  CHECK(clearance("restricted").withholds(""));
  CHECK_FALSE(clearance("secret").withholds(""));
  CHECK_FALSE(clearance("internal", "internal").withholds(""));
  CHECK(clearance("internal", "internal").withholds("confidential"));
  CHECK(clearance("secret").withholds("cosmic"));  // a label of unknown rank
  CHECK_FALSE(Clearance().withholds("cosmic"));    // nobody asks for a clearance
}

TEST_CASE("only what a record within the clearance says is shown") {
  ClearedTexts texts(clearance("public"));
  texts.add("The harbour opens at nine. Bring the blue form!", "public");
  texts.add("The mayor resigns on Friday.", "");
  CHECK(texts.show("The harbour opens at nine.") == "The harbour opens at nine.");
  CHECK(texts.show("the HARBOUR\\nopens, at nine") == "the HARBOUR\\nopens, at nine");
  CHECK(texts.show("The mayor resigns on Friday.") == "[WITHHELD]");
  CHECK(
      texts.show("The harbour opens at nine. The mayor resigns. He does.\nBring the blue form!") ==
      "The harbour opens at nine. [WITHHELD]\nBring the blue form!");
  CHECK(texts.show("Never read anywhere.") == "[WITHHELD]");
  CHECK(texts.show("{}") == "{}");
}

TEST_CASE("a copy of what is withheld is withheld in a record that may be read") {
  ClearedTexts texts(clearance("public"));
  texts.add("The plant in Oslo closes in May.", "secret");
  texts.add("We hear: The plant in Oslo closes in May. The weather is fine.", "public");
  CHECK(texts.show("We hear: The plant in Oslo closes in May. The weather is fine.") ==
        "We hear: [WITHHELD]. The weather is fine.");
}

TEST_CASE("if records without a label are open, all but what is withheld is shown") {
  ClearedTexts texts(clearance("public", "public"));
  CHECK(texts.show("Nobody read this yet.") == "[WITHHELD]");
  texts.add_record("a.jsonl", 0, "", true);
  texts.add("The plant in Oslo closes in May.", "secret");
  CHECK(texts.show("Nobody labelled this sentence.") == "Nobody labelled this sentence.");
  CHECK(texts.show("He said the plant in oslo closes in may!") == "[WITHHELD]");
  texts.add_source("It is known that the plant in Oslo closes in May.", "public");
  CHECK(texts.show("The plant in Oslo closes in May.") == "The plant in Oslo closes in May.");
  texts.miss_inputs();
  CHECK(texts.show("Nobody labelled this sentence.") == "[WITHHELD]");
  ClearedTexts all(clearance("secret"));
  all.miss_inputs();
  CHECK(all.show("Nobody labelled this sentence.") == "Nobody labelled this sentence.");
}

TEST_CASE("names are shown unless they are texts that are withheld") {
  ClearedTexts texts(clearance("public"));
  texts.add("gpt-5-mini", "");
  texts.add("The mayor resigns on Friday", "");
  CHECK(texts.show_name("gpt-5-mini") == "gpt-5-mini");
  CHECK(texts.show_name("The mayor resigns on Friday") == "[WITHHELD]");
  CHECK(texts.show_name("words that no record of the log has") ==
        "words that no record of the log has");
}

TEST_CASE("the same holds when the label is secret and nothing is beyond it") {
  ClearedTexts texts(clearance("secret"));
  texts.add("The mayor resigns on Friday", "");
  texts.add("The plant in Oslo closes in May.", "secret");
  CHECK(texts.show("The mayor resigns on Friday. The plant in Oslo closes in May.") ==
        "The mayor resigns on Friday. The plant in Oslo closes in May.");
}

TEST_CASE("words that JSON escapes are the same words") {
  ClearedTexts texts(clearance("public"));
  texts.add("{\"city\": \"S\\u00e3o Paulo\", \"note\": \"two\\nlines\"}", "public");
  CHECK(texts.show("{\"city\":\"São Paulo\",\"note\":\"two\\nlines\"}") != WithheldTexts::kMark);
  CHECK(texts.show("city: São Paulo") == "city: São Paulo");
}

TEST_CASE("what became of records is counted, and their labels are known by place") {
  ClearedTexts texts(clearance("internal"));
  texts.add_record("a.jsonl", 0, "secret", true);
  texts.add_record("a.jsonl", 90, "", true);
  texts.add_record("b.jsonl", 0, "public", false);
  CHECK(texts.counts().records == 3);
  CHECK(texts.counts().unlabelled == 1);
  CHECK(texts.counts().withheld == 2);
  CHECK(texts.label_at({"a.jsonl", 0}) == "secret");
  CHECK(texts.label_at({"a.jsonl", 90}).empty());
  CHECK(texts.withholds_at({"a.jsonl", 0}));
  CHECK_FALSE(texts.withholds_at({"b.jsonl", 0}));
  CHECK_FALSE(texts.withholds_at({"c.jsonl", 0}));
}
