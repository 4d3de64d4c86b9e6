#include <fmt/format.h>

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
    options.add(
        "--view", view_, "VIEW",
        "which graph; calls: a node per model call or span; actors: a node per user, agent "
        "and resource, the default where spans tell who called whom; explanation: one story "
        "of all that is given, folded to what matters, the default for calls, spans "
        "and events together and for a stored graph",
        {"calls", "actors", "explanation"});
    options.add("--unfold", unfold_,
                "in text and pictures, show every call of a long run, and every run of many");
    filter_.declare(options);
    filter_.declare_links(options);
    story_.declare_types(options);
    story_.declare(options);
    story_.declare_annotations(options);
  }

  Status prepare(Preparation& given) override {
    only_of_stories_ = StoryOptions::only_of_stories(given.given);
    if (Status fits = check_view(view_ == "calls" || view_ == "actors"); !fits) return fits;
    return story_.read_annotation_files();
  }

  Result<Document> answer(const Question& question) const override {
    const Trace& trace = question.graph.trace();
    bool tells_trust = trace.calls.empty() && question.graph.hops().has_trust;
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
    if (view_ == "actors" || (view_.empty() && tells_trust))
      return graph_of_actors(question, filter_, unfold_);
    if (trace.calls.empty()) return graph_of_hops(question, filter_, unfold_);
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
    .summary = "what happened, and what led to what",
    .about =
        "Links the calls of the input: tool results to the calls that asked for them, "
        "subagents to the tool uses that started them, each request to the one whose "
        "conversation it goes on with, retries to what failed. Every link says how sure "
        "it is, by which rule, and where both ends stand. Calls, spans and events of "
        "agents that are given together become one story (--view explanation): records of "
        "one call are one node, steps that went well, fast and cheaply fold into one, and "
        "an event leads back to what set it off.",
    .examples =
        R"(  xtrace dag logs.jsonl                      a tree on the terminal, JSON in a pipe
  xtrace dag logs.jsonl --session s2         one session (`xtrace list` names them)
  xtrace dag logs.jsonl --since 5m           the last five minutes of the log
  xtrace dag logs.jsonl -f dot | dot -Tsvg   a picture
  xtrace dag calls.jsonl spans.jsonl events.jsonl   one story of several sources
  xtrace dag logs/ --view explanation --focus errors   what went wrong, and around it
  cat logs.jsonl | xtrace dag -f json -      from a pipe, for programs
)",
    .make = make_view<Dag>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
    .keeps_graph = true,
    .rows = "nodes",
};

}  // namespace xtrace
