#include <fmt/format.h>

#include "link/graph/subject.h"
#include "view/calls/call_graph.h"
#include "view/common/filter.h"
#include "view/hops/actor_graph.h"
#include "view/hops/hop_graph.h"
#include "view/hops/run_answers.h"
#include "view/story/explanation.h"

namespace xtrace {

namespace {

/// What happened, and what led to what.
class Dag final : public View {
 public:
  void declare(Options& options) override {
    options.add("--view", view_, "VIEW",
                "calls: the calls or spans; actors: who called whom; explanation: all inputs as "
                "one graph, with routine steps folded (default: depends on the input)",
                {"calls", "actors", "explanation"});
    options.add(
        "--unfold", unfold_,
        "show every run and every call instead of folding similar ones (text and pictures)");
    filter_.declare(options);
    filter_.declare_links(options);
    story_.declare_types(options);
    story_.declare(options);
    story_.declare_annotations(options);
  }

  Status prepare(Preparation& given) override {
    only_of_stories_ = StoryOptions::only_of_stories(given.given);
    if (Status fits = check_view(view_ == "calls" || view_ == "actors"); !fits) return fits;
    given.read.insert(given.read.end(), story_.annotation_files.begin(),
                      story_.annotation_files.end());
    return story_.read_annotation_files();
  }

  Result<Document> answer(const Question& question) const override {
    const Trace& trace = question.graph.trace();
    bool is_story = view_ == "explanation" || (view_.empty() && reads_as_story(trace));
    if (Status fits = check_view(!is_story); !fits) return tl::unexpected(fits.error());
    if (is_story) {
      Result<StoryFilter> filter = story_filter_of(filter_);
      if (!filter) return tl::unexpected(filter.error());
      StoryOptions options = story_;
      filter->types = story_.filter.types;
      options.filter = *std::move(filter);
      return explanation(question, options);
    }
    if (view_ == "actors" || (view_.empty() && question.graph.hops().has_trust))
      return graph_of_actors(question, filter_, unfold_);
    if (subject_of(trace) == Subject::spans) return graph_of_hops(question, filter_, unfold_);
    return graph_of_calls(question, filter_, unfold_);
  }

 private:
  /// Notes, folding and the like are about steps, which other graphs have not.
  Status check_view(bool is_other_graph) const {
    if (!is_other_graph || only_of_stories_.empty()) return {};
    return fail(Exit::usage,
                fmt::format("{} applies to steps only; add --view explanation", only_of_stories_));
  }

  std::string view_, only_of_stories_;
  bool unfold_ = false;
  Filter filter_;
  StoryOptions story_;
};

std::vector<Shape> shapes() {
  return {shape_of_calls(), shape_of_hops(), shape_of_actors(), shape_of_runs(),
          shape_of_explanation()};
}

}  // namespace

extern constinit const ViewEntry kDagView = {
    .name = "dag",
    .summary = "show what happened and what led to what",
    .about =
        "Shows the calls, tools and subagents of a log, or the spans of a trace, and "
        "the links between them.",
    .examples =
        R"(  xtrace dag logs.jsonl                      the calls as a tree
  xtrace dag logs.jsonl --session s2         one session
  xtrace dag logs.jsonl --since 5m           last five minutes of the log
  xtrace dag logs.jsonl -f dot | dot -Tsvg   a picture
  xtrace dag calls.jsonl spans.jsonl events.jsonl   combine several sources
  xtrace dag logs/ --view explanation --focus errors   errors with causes and effects
  cat logs.jsonl | xtrace dag -f json -      from a pipe, as JSON
)",
    .make = make_view<Dag>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
    .keeps_graph = true,
    .rows = "nodes",
};

}  // namespace xtrace
