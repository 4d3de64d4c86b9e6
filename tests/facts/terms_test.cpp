#include "facts/terms.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string_view tier(std::string_view key, std::string_view said) {
  return word(terms_stated(key, said).tier);
}

std::string_view place(std::string_view model) {
  return word(terms_of_model(model).residency);
}

std::string_view place_at(std::string_view address) {
  return word(terms_of_address(address).residency);
}

}  // namespace

TEST_CASE("every vendor states a tier by a word of its own") {
  CHECK(tier("service_tier", "flex") == "flex");
  CHECK(tier("serviceTier", "priority") == "priority");
  CHECK(tier("service_tier", "default") == "standard");
  CHECK(tier("service_tier", "auto").empty());
  CHECK(tier("usage.service_tier", "priority").empty());  // paid before, at any speed
  CHECK(tier("speed", "fast") == "fast");
  CHECK(tier("trafficType", "ON_DEMAND_FLEX") == "flex");
  CHECK(tier("x-gemini-service-tier", "priority") == "priority");
  CHECK(tier("temperature", "flex").empty());
}

TEST_CASE("a place is stated by its name, and by nothing that was put in its place") {
  CHECK(word(terms_stated("inference_geo", "us").residency) == "regional");
  CHECK(word(terms_stated("inference_geo", "global").residency) == "global");
  CHECK(word(terms_stated("inference_geo", "not_available").residency).empty());
  CHECK(word(terms_stated("inference_geo", "[removed]").residency).empty());
  CHECK(word(terms_stated("inference_geo", "").residency).empty());
}

TEST_CASE("the name of a model of Bedrock's states where it is served") {
  CHECK(place("us.anthropic.claude-opus-4-8") == "regional");
  CHECK(place("jp.anthropic.claude-haiku-4-5-20251001-v1:0") == "regional");
  CHECK(place("global.anthropic.claude-opus-4-8") == "global");
  CHECK(place("anthropic.claude-opus-5") == "regional");
  CHECK(place("arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-8") ==
        "regional");
  CHECK(place("arn:aws:bedrock:eu-west-1:1:inference-profile/global.anthropic.claude-opus-4-8") ==
        "global");
  CHECK(place("arn:aws:bedrock:eu-west-1:1:application-inference-profile/x1y2z3") == "unclear");
  CHECK(place("anthropic/claude-opus-5").empty());
  CHECK(place("claude-opus-5").empty());
  CHECK(place("us.meta.llama3").empty());
}

TEST_CASE("the address of a request states where it is served") {
  CHECK(place_at("https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/"
                 "europe-west1/publishers/anthropic/models/claude-sonnet-4-6:rawPredict") ==
        "regional");
  CHECK(place_at("/v1/projects/p/locations/global/publishers/anthropic/models/m:rawPredict") ==
        "global");
  CHECK(place_at("https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/"
                 "google/models/gemini-3.8-flash:generateContent") == "global");
  CHECK(place_at("https://aiplatform.eu.rep.googleapis.com/v1/x") == "regional");
  CHECK(place_at("https://eu.api.openai.com/v1/responses") == "regional");
  CHECK(place_at("https://us-east-1.api.x.ai/v1/chat/completions") == "regional");
  CHECK(place_at("https://api.openai.com/v1/responses").empty());
  CHECK(place_at("https://api.x.ai/v1/chat/completions").empty());
  CHECK(place_at("/v1/messages").empty());
  CHECK(place_at("eu.api.openai.com") == "regional");  // as spans name a host
}

TEST_CASE(
    "of what one record states, what is not usual counts; of several, the first that states") {
  Terms terms;
  terms.add({ServiceTier::batch});
  terms.add({ServiceTier::standard, Residency::regional});
  CHECK(terms == Terms{ServiceTier::batch, Residency::regional});
  const Terms answer{ServiceTier::standard};
  CHECK(answer.over({ServiceTier::priority, Residency::regional}) ==
        Terms{ServiceTier::standard, Residency::regional});
  CHECK(Terms{}.over({ServiceTier::flex}).tier == ServiceTier::flex);
}
