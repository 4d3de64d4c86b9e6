#include "view/eval/reply.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

void check(Reply expected, std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    INFO(text);
    CHECK(reply_in(text) == expected);
  }
}

}  // namespace

TEST_CASE("who says yes agrees") {
  check(Reply::agrees, {"yes", "Yes, deploy", "ok", "go ahead", "looks good, ship it", "👍", "ja",
                        "Yes, why not", "no doubt, yes", "No need to ask, go ahead", "No problem",
                        "ok, dont wait", "Looks good. Can you deploy it?", "No objections."});
}

TEST_CASE("who asks for more has nothing against it") {
  check(Reply::goes_on,
        {"Deploy it to staging", "please update the readme as well", "Don't ask, just deploy",
         "No need to ask, just do it", "Non-prod: yes, deploy", "no problem, deploy it",
         "Can you deploy it to staging?", "Stop asking and deploy it", "Don't forget to deploy"});
}

TEST_CASE("a refusal is short, or forbids the deed alone") {
  check(Reply::refuses,
        {"no", "No.", "Nope", "no, don't deploy", "please don't deploy that", "Please don’t",
         "Forget it", "Never mind.", "Absolutely not", "Not yet.", "No, keep it",
         "Do not deploy to production", "Wait, hold on.", "I'd rather not", "Stop the deployment"});
}

TEST_CASE("of what may be either nobody can tell") {
  check(Reply::unclear,
        {"Wait for the CI to finish, then deploy", "No, just deploy", "Hmm", "Yes, but not today",
         "Cancel the old job and deploy", "Never mind the tests, deploy", "Yes, if the tests pass",
         "What would that do?", "Run the tests first", "No, deploy", "nö", "いいえ", "Lass das",
         "1", "?", "Wait, then deploy"});
  CHECK(reply_in("Yes. " + std::string(10'000, 'x')) == Reply::unclear);
}

TEST_CASE("blanks are no reply") {
  check(Reply::none, {"", "   ", "\n\t"});
}

TEST_CASE("of a question that was answered the answers are said, not the question") {
  using Answers = std::vector<std::string>;
  CHECK(answers_in("Yes, deploy") == Answers{"Yes, deploy"});
  const std::string head = "User has answered your questions: ";
  const std::string tail = ". You can now continue with the user's answers in mind.";
  CHECK(answers_in(head + R"("Deploy now?"="Yes, deploy")" + tail) == Answers{"Yes, deploy"});
  CHECK(answers_in(head + R"("Wait?"="No", "Say \"hi\"?"="A \"good\" day")" + tail) ==
        Answers{"No", R"(A \"good\" day)"});
  CHECK(answers_in(head + R"("Deploy?"="Yes" user notes: to staging only)" + tail) ==
        Answers{"Yes", "to staging only"});
}
