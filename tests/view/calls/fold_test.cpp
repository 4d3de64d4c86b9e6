#include "view/calls/fold.h"

#include <catch2/catch.hpp>

#include "prices/price.h"
#include "story.h"
#include "view/calls/select_calls.h"
#include "view/common/filter.h"

using namespace xtrace;

namespace {

/// Sixty calls of one conversation, of which each asked for a tool that the next one reads.
class Long {
 public:
  static constexpr size_t kCalls = 60;

  explicit Long(size_t failed_tool = kCalls) {
    static const PriceTable kPrices = list_prices();
    story_.prices(kPrices);
    for (size_t i = 0; i < kCalls; ++i) {
      Told& told = story_.call(name(i));
      if (i > 0) told.after(name(i - 1));
      if (i > 0 && i - 1 == failed_tool)
        told.reads_error(tool(i - 1));
      else if (i > 0)
        told.reads(tool(i - 1));
      told_.push_back(&told);
      told.at(static_cast<double>(10 * i))
          .took(2)
          .model("claude-haiku-4-5")
          .tokens(100, 10)
          .uses(tool(i), "Read");
    }
  }

  Told& call(size_t i) { return *told_[i]; }

  /// Which of them are not routine.
  std::vector<size_t> standing_out(Folding folding = Folding::by_length) {
    const Graph& graph = story_.graph();
    Door door(Redaction::all, Door::Level::basic, 200);
    Document document("dag");
    CallScene scene{
        {graph, door},      graph,           select_calls({}, graph, Zone()).value(), Metrics(),
        Names(graph, door), document.arena()};
    scene.spending = Spending(graph, scene.selection);
    const Fold fold(scene, folding);
    std::vector<size_t> out;
    for (size_t i = 0; i < kCalls; ++i)
      if (!fold.is_routine(CallId(i))) out.push_back(i);
    return out;
  }

 private:
  static std::string name(size_t i) { return "c" + std::to_string(i); }
  static std::string tool(size_t i) { return "t" + std::to_string(i); }

  CallStory story_;
  std::vector<Told*> told_;
};

}  // namespace

TEST_CASE("of equal calls none stands out, and all may fold") {
  CHECK(Long().standing_out().empty());
}

TEST_CASE("what cost most and what took longest never folds in a text") {
  Long log;
  for (size_t i : {11, 23, 35}) log.call(i).tokens(90'000, 10);
  for (size_t i : {20, 40}) log.call(i).took(9);
  CHECK(log.standing_out() == std::vector<size_t>{11, 20, 23, 35, 40});
  CHECK(log.standing_out(Folding::runs).empty());  // a picture has less room
}

TEST_CASE("the first few of many large calls stand out") {
  Long log;
  for (size_t i = 0; i < 20; ++i) log.call(i).tokens(static_cast<int64_t>(90'000 - 1000 * i), 10);
  CHECK(log.standing_out() == std::vector<size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("what failed, and who asked for a tool that did, never folds") {
  CHECK(Long(30).standing_out() == std::vector<size_t>{30});
}
