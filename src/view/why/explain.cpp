#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "view/common/add_face.h"
#include "view/common/filter.h"
#include "view/common/names.h"
#include "view/common/place.h"
#include "view/common/preface.h"
#include "view/common/selector.h"
#include "view/common/view.h"
#include "view/common/words.h"
#include "view/hops/hop_scene.h"
#include "view/hops/run_answers.h"
#include "view/why/cause_picture.h"
#include "view/why/explain_call.h"
#include "view/why/explain_step.h"
#include "view/why/hop_target.h"
#include "view/why/listing.h"
#include "view/why/provenance_answer.h"
#include "view/why/source_answer.h"
#include "view/why/source_line.h"
#include "view/why/source_question.h"

namespace xtrace {

namespace {

bool chooses_runs(const std::string& option) {
  return option.starts_with("--session ") || option.starts_with("--run ");
}

/// Filters choose hops by which an actor was reached; calls and turns are always explained in full.
/// Only filters by run or session apply to these: they decide which turn of that number is meant.
bool chooses_runs_alone(const Filter& filter) {
  const std::vector<std::pair<std::string, Filter>> each = filter.each();
  return !filter.chooses_edges() && filter.min_confidence == 0 &&
         std::ranges::all_of(each, [](const auto& one) { return chooses_runs(one.first); });
}

/// Of the calls those of runs that such filters choose.
std::vector<CallId> in_chosen_runs(const Filter& filter, const HopScene& scene,
                                   std::vector<CallId> calls) {
  if (!filter.any() || !chooses_runs_alone(filter)) return calls;
  std::erase_if(calls, [&](CallId id) {
    const Run& run = scene.hops.runs[scene.question.graph.session_of(id).number - 1];
    return std::ranges::none_of(run.hops, [&](HopId hop) { return scene.selection.shows(hop); });
  });
  return calls;
}

/// That the filter has no effect on what `node` names.
tl::unexpected<Error> takes_no_filter(const Filter& filter, const std::string& node) {
  std::string given = "a link filter";
  for (const auto& [option, alone] : filter.each())
    if (!chooses_runs(option)) {
      given = option;
      break;
    }
  return fail(Exit::usage,
              fmt::format("{} has no effect on '{}': filters select how an actor was reached, but "
                          "calls, turns and steps are always explained in full; remove the filter",
                          printable(given), printable(node)));
}

/// Why did this happen?
class Explain final : public View {
 public:
  void declare(Options& options) override {
    options.add("--node", node_, "NAME",
                "actor, agent (Explore#3), turn (9), call, span, tool use, step, file:line or a "
                "unique part of a name");
    source_.declare(options);
    options.add("--parallel-window", window_, "T",
                "treat causes that start within T of each other as concurrent (100ms)");
    options.add("--unfold", unfold_,
                "show every run, and every call of a chain (text and pictures)");
    options.add("--all-paths", all_paths_,
                "list all chains of causes and effects (default: 100 of each)");
    filter_.declare_hops(options);
  }

  Status prepare(Preparation& given) override { return source_.prepare(node_, given); }

  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override {
    if (node_.empty() && !source_.is_asked())
      return fail(Exit::usage,
                  "--node is required: a file, tool or agent, a call or span id, a turn ('turn 9') "
                  "or file:line");
    std::optional<Duration> window = parse_span(window_);
    if (!window)
      return fail(Exit::usage,
                  fmt::format("--parallel-window: '{}' is not a duration, such as 100ms or 2s",
                              printable(window_)));
    Listing listing;
    listing.unfold = unfold_;
    if (all_paths_) listing.most = SIZE_MAX;
    // Where `dag` shows a story, its steps come first.
    const Trace& trace = question.graph.trace();
    if (!source_.is_asked() && reads_as_story(trace) && !filter_.any())
      if (Result<Document> step = explain_step(question, node_, listing)) return step;
    Result<std::shared_ptr<HopScene>> scene =
        scene_of(question.graph.joined_hops(), question, filter_, HopLinks::chains);
    if (!scene) return tl::unexpected(scene.error());
    if (source_.is_asked()) return source_.answer(**scene, listing);
    const auto named = [&](unsigned meanings) {
      return find_calls(question.graph, node_, meanings, &(*scene)->names);
    };
    std::vector<CallId> calls = named(NameOf::calls);
    const auto explained = [&](CallId call, std::string_view asked) -> Result<Document> {
      if (!chooses_runs_alone(filter_)) return takes_no_filter(filter_, node_);
      return explain_call(**scene, call, asked, listing);
    };
    const Hops& hops = (*scene)->hops;
    HopSelection& selection = (*scene)->selection;
    if (calls.size() == 1) {
      // A call may be recorded at other places as well as its own.
      const std::optional<Place> place = Place::read(node_, trace);
      const bool is_elsewhere = place && trace[trace[calls.front()].id] != node_ &&
                                !place->is(trace, trace[calls.front()].source);
      return explained(calls.front(), is_elsewhere ? std::string_view(node_) : "");
    }
    // A turn's name, or a lone subagent's, may be part of other names as well.
    if (calls.empty() && find_meant(question.graph, node_, NameOf::targets).empty()) {
      std::vector<CallId> begin = in_chosen_runs(filter_, **scene, named(NameOf::turns));
      if (begin.empty()) begin = in_chosen_runs(filter_, **scene, named(NameOf::subagents));
      if (begin.size() == 1) return explained(begin.front(), node_);
    }
    Result<Meant> target = find_target(**scene, node_);
    if (!target) {
      if (calls.empty()) calls = in_chosen_runs(filter_, **scene, named(NameOf::other_calls));
      if (calls.size() == 1) return explained(calls.front(), node_);
      if (!calls.empty()) return which_call(**scene, node_, calls);
      Result<Document> step = explain_step(question, node_, listing);
      if (!step) step = explain_named_step(question, node_, listing);
      if (step) {
        if (filter_.any()) return takes_no_filter(filter_, node_);
        return step;
      }
      return tl::unexpected(target.error());
    }
    std::shared_ptr<const std::vector<bool>> shown =
        std::make_shared<std::vector<bool>>(selection.hops);
    // Runs in which the target does not occur have nothing to explain.
    selection.narrow(hops, [&](HopId id) { return target->is(hops, id); });
    if (std::find(selection.hops.begin(), selection.hops.end(), true) == selection.hops.end()) {
      if (selection.hidden.nodes > 0)
        return fail(Exit::no, fmt::format("filters hide all records of '{}': {}", printable(node_),
                                          plural(selection.hidden.nodes, "hop")));
      if (!target->actor)
        if (Result<Document> step = explain_step(question, node_, listing)) return step;
      return fail(Exit::no,
                  fmt::format("'{}' has no caller: it is a starting point", printable(node_)));
    }
    std::shared_ptr<const Paths> paths = std::make_shared<Paths>(hops);
    return answer_by_run("explain", "xtrace.explain/1", *scene, unfold_,
                         [paths, shown, wanted = *target, width = *window, listing, asked = node_](
                             const HopScene& about, const Run& run, Document& document) {
                           Provenance why(about, *paths, wanted, run, width, *shown, listing.most);
                           add_face(
                               about.question.face, document,
                               [&] { add_provenance_tables(why, asked, document); },
                               [&] { return picture_of_causes(why, *paths); },
                               [&] { return provenance_outline(why, asked, listing.unfold); });
                           return likeness_of(why);
                         });
  }

 private:
  std::string node_, window_ = "100ms";
  SourceQuestion source_;
  bool unfold_ = false, all_paths_ = false;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = [] {
    std::vector<Section> own = shape_of_provenance();
    own.push_back(shape_of_source_line());
    return shape_of_answer(own, Meanings::always);
  }();
  static const std::vector<Section> kSource =
      shape_of_answer(shape_of_source_tables(), Meanings::always);
  return {kShape, shape_of_runs(), kSource};
}

}  // namespace

extern constinit const ViewEntry kExplainView = {
    .name = "explain",
    .summary = "show why something happened, and its effects",
    .about =
        "Shows every chain of causes that led to a node, with the evidence and "
        "confidence of each link, what ran concurrently, and the node's effects.",
    .examples =
        R"(  xtrace explain run.json --node resource:mock-database   why the database was reached
  xtrace explain run.json --node database                 the same, by part of its name
  xtrace explain run.json --node 7e59e0c13ee01236         why a span happened
  xtrace explain run.json --node database -f mermaid      draw the chains
  xtrace explain logs/ --source-line src/a.cpp:12         which edit wrote this line, and why
  xtrace explain logs/ --source src/a.cpp                 which edits wrote the lines of a file
  xtrace explain logs/ --source a.cpp --blame b.txt       b.txt: git blame --porcelain a.cpp
)",
    .make = make_view<Explain>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
};

}  // namespace xtrace
