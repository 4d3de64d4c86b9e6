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
  check(Reply::agrees,
        {"yes", "Yes, deploy", "go ahead", "looks good, ship it", "👍", "ja", "Yes, why not?",
         "No need to ask, go ahead", "Don't wait for me, go", "Yes, deploy (Recommended)",
         "Yes please!", "Great, go ahead. Thank you!", "OK – yes", "Don't ask. Yes.", "はい。"});
}

TEST_CASE("who is content or asks for more has nothing against it") {
  check(Reply::goes_on,
        {"ok", "Great, thanks!", "No problem", "No objections.", "ok, dont wait", "Don't stop!",
         "Looks good to me", "Deploy it to staging", "please update the readme as well",
         "Don't ask, just deploy", "no problem, deploy it", "Can you deploy it to staging?",
         "Stop asking and deploy it", "Don't forget to deploy", "Looks good. Can you deploy it?",
         "Deploy it to non-prod, v1.2", "Run the tests that are new", "Use staging."});
}

TEST_CASE("an agreement is one to its last word") {
  check(Reply::unclear,
        {"OK, leave it.", "Sure, leave it as it is.", "Continue without deploying.", "OK, drop it",
         "Fine, I'll do it myself", "Go back to the previous version", "Ok, discard that idea",
         "Great, that's all for today, thanks.", "Proceed with the tests only", "Yes, wait",
         "Right, what would that delete", "Sure, I refuse", "Yes?", "Good idea but dangerous"});
}

TEST_CASE("who asks for something names a deed first, and nothing that puts it off") {
  check(Reply::unclear,
        {"Too risky, that breaks the shop", "Let's postpone that", "That is dangerous.",
         "It's too early for that.", "I said the opposite: undo this.", "Please revert it.",
         "Please explain the plan to me.", "Thank you, that was it.", "Thanks", "Why not?",
         "Deploy scripts are broken", "Release: that failed", "Deploy?", "Make sure it is safe",
         "Build alone", "Deploy it tomorrow", "Leave everything as it is", "Unanswered"});
}

TEST_CASE("what begins as a denied doubt may be none") {
  check(Reply::unclear, {"Don't stop the server.", "No doubt that would break it.", "No doubt",
                         "Don't wait to undo it", "No problem was ever solved so", "No idea",
                         "Please don't cancel the deployment", "no doubt, yes"});
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
         "1", "?", "Wait, then deploy", "Don't. Deploy it", "Non-prod: yes, deploy", "drop it"});
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
  // Newer ones.
  const std::string newer = "Your questions have been answered: ";
  CHECK(answers_in(newer + R"("Deploy now?"="No, cancel it". You can now continue with these )" +
                   "answers in mind.") == Answers{"No, cancel it"});
  for (const std::string& none : {head, newer}) CHECK(answers_in(none + tail).empty());
  CHECK(answers_in(head + "Yes" + tail) == Answers{"Yes"});
}

TEST_CASE("answers in JSON stand below that name") {
  using Answers = std::vector<std::string>;
  CHECK(answers_in(R"({"answers":{"Deploy now?":"No"}})") == Answers{"No"});
  CHECK(answers_in(R"({"answers":{"q1":{"answers":["Yes, deploy"]}}})") == Answers{"Yes, deploy"});
  CHECK(answers_in(R"({"answer":"Yes"})") == Answers{"Yes"});
  CHECK(answers_in(R"({"answers":{}})").empty());
  CHECK(answers_in(R"({"status":"No"})") == Answers{R"({"status":"No"})"});
}
