#include "link/activities/hop_path.h"
#include "link/graph/subject.h"
#include "view/calls/select_calls.h"
#include "view/calls/spending.h"
#include "view/common/filter.h"
#include "view/common/preface.h"
#include "view/hops/hop_scene.h"
#include "view/whatif/read_changes.h"
#include "view/whatif/whatif_answer.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.whatif/1";

/// What would have been faster or cheaper.
class WhatIfView final : public View {
 public:
  void declare(Options& options) override {
    options_.declare(options);
    filter_.declare(options);
  }

  Status prepare(Preparation&) override {
    Result<std::vector<ReplayChange>> changes = read_changes(options_);
    if (!changes) return tl::unexpected(changes.error());
    changes_ = *std::move(changes);
    return {};
  }

  Result<Document> answer(const Question& question) const override {
    const auto what = std::make_shared<WhatIf>(question);
    what->changes = changes_;
    const bool has_calls = subject_of(question.graph.trace()) != Subject::spans;
    if (Status read = has_calls ? add_calls(*what) : add_hops(*what); !read)
      return tl::unexpected(read.error());
    if (Status found = find_names(*what); !found) return tl::unexpected(found.error());
    find_answers(*what);
    Document document("whatif");
    if (question.face == Face::outline) {
      add_whatif_outline(*what, document);
      return document;
    }
    add_preface(kSchema, question, what->names, what->hidden, document, Meanings::on_request,
                has_calls ? Covers::calls : Covers::all);
    add_whatif_tables(what, document);
    return document;
  }

 private:
  /// Sessions are replayed whole: nothing else shows what their calls waited for.
  Status add_calls(WhatIf& what) const {
    const Graph& graph = what.question.graph;
    Result<Selection> chosen = select_calls(filter_, graph, what.question.door.zone());
    if (!chosen) return tl::unexpected(chosen.error());
    std::vector<bool> sessions(graph.sessions().size(), false);
    for (CallId id : graph.timeline().in_order())
      if (chosen->shows(id)) sessions[graph.session_of(id).number - 1] = true;
    what.hidden = std::move(chosen->hidden);
    what.hidden.nodes = what.hidden.edges = 0;
    Selection whole;
    for (size_t i = 0; i < graph.trace().calls.size(); ++i) {
      whole.calls.push_back(sessions[graph.session_of(CallId(i)).number - 1]);
      what.hidden.nodes += !whole.calls[i];
    }
    for (uint32_t i = 0; i < graph.links().size(); ++i)
      if (whole.shows(graph.links()[i].from) && whole.shows(graph.links()[i].to))
        whole.links.push_back(i);
    const ShownCalls shown{[&](CallId id) { return whole.shows(id); }, whole.links};
    what.replay = replay_calls(graph, shown);
    what.billed = billed_calls(graph, shown, what.replay);
    const Usage total = Spending(graph, whole).total();
    const ReplayCost placed = cost_of(what.billed, {}, {}, graph.prices());
    const int64_t unplaced = at_least_none(total.cost) - placed.upper;
    what.unplaced = {unplaced, unplaced, at_least_none(total.unpriced - placed.unpriced),
                     at_least_none(total.low + total.partly - placed.low)};
    return {};
  }

  Status add_hops(WhatIf& what) const {
    Result<std::shared_ptr<HopScene>> scene = hop_scene(what.question, filter_, HopLinks::causes);
    if (!scene) return tl::unexpected(scene.error());
    const Hops& hops = (*scene)->hops;
    const ShownHops whole = whole_runs(**scene);
    what.hops = &hops;
    what.hidden = (*scene)->selection.hidden;
    what.hidden.nodes = what.hidden.edges = 0;
    for (size_t i = 0; i < hops.all.size(); ++i) what.hidden.nodes += !whole.shows(HopId(i));
    const Graph& graph = what.question.graph;
    what.replay = replay_hops(graph, hops, whole);
    what.billed = billed_hops(graph, hops, what.replay);
    return {};
  }

  ChangeOptions options_;
  std::vector<ReplayChange> changes_;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = shape_of_answer(whatif_sections());
  return {kShape};
}

}  // namespace

extern constinit const ViewEntry kWhatIfView = {
    .name = "whatif",
    .summary = "what would have been faster or cheaper",
    .about =
        "Replays a session with changes: tools, agents or models removed or made faster, no "
        "retries, no waiting for you, parallel subagents, other prices or a full cache. Each "
        "figure has a lower and an upper bound; they are equal where the log records enough. "
        "Without a change, it lists what each tool, model and agent would save if removed. It "
        "assumes that the agent takes the same steps and uses the same tokens. "
        "The critical path is what determined when the session ended. Its parts are those of "
        "`stats` (waiting for you, permission prompts, model, tools, background work, retry waits, "
        "unexplained) and: failed calls, calls interrupted by you, hand-over (to a subagent, and "
        "from its report back) and other spans (neither a model nor a tool).",
    .examples = R"(  xtrace whatif session.jsonl                    what is worth changing
  xtrace whatif session.jsonl --speed tool:Bash=2x       Bash twice as fast
  xtrace whatif session.jsonl --remove agent:Explore     without Explore agents
  xtrace whatif session.jsonl --parallel --no-waiting    both together
  xtrace whatif session.jsonl --price claude-opus-4-5=claude-haiku-4-5
  xtrace whatif session.jsonl -f csv --table removable   for a spreadsheet
)",
    .make = make_view<WhatIfView>,
    .shapes = shapes,
    .has_page = true,
    .rows = "removable",
};

}  // namespace xtrace
