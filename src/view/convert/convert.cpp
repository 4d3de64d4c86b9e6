#include "view/convert/convert.h"

#include "view/calls/call_words.h"
#include "view/calls/select_calls.h"
#include "view/common/view.h"
#include "view/graph_behind.h"
#include "view/hops/shown_parts.h"

namespace xtrace {

namespace {

/// The same facts for other tools.
class Convert final : public View {
 public:
  void declare(Options& options) override {
    filter_.declare(options);
    filter_.declare_links(options);
  }

  Result<Document> answer(const Question& question) const override {
    if (question.face == Face::tables) return graph_behind(question, filter_);
    const bool is_stacks = question.face == Face::stacks;
    // Spans of calls that are on record are exported, too; in stacks they would count twice.
    Result<ShownParts> parts =
        select_parts(filter_, question, is_stacks ? CoveredRuns::leave_out : CoveredRuns::include);
    if (!parts) return tl::unexpected(parts.error());
    Document document("convert");
    std::shared_ptr<const CallScene> calls;
    if (parts->calls) {
      Selection selection = *std::move(parts->calls);
      if (is_stacks) leave_out_unrecorded(question.graph, selection);
      Spending spending(question.graph, selection);
      calls = std::make_shared<CallScene>(CallScene{question,
                                                    question.graph,
                                                    std::move(selection),
                                                    {},
                                                    Names(question.graph, question.door),
                                                    document.arena(),
                                                    std::move(spending)});
    }
    if (is_stacks) {
      document.add(stacks_of(std::move(calls), parts->spans));
      return document;
    }
    const Selection* shown_calls = calls == nullptr ? nullptr : &calls->selection;
    const HopSelection* shown_spans = parts->spans == nullptr ? nullptr : &parts->spans->selection;
    if (question.face == Face::trajectories) {
      if (calls == nullptr)
        return fail(Exit::no, "no trajectories: the input contains spans, but no model calls");
      document.add(trajectories_of(calls));
      document.tell_left_out(left_out_of_trajectories(question.graph, *shown_calls, shown_spans));
      return document;
    }
    if (calls != nullptr) document.add(spans_of_calls(calls));
    document.tell_left_out(left_out_of_spans(question.graph, shown_calls, shown_spans));
    if (parts->spans != nullptr) document.add(spans_of_hops(parts->spans));
    return document;
  }

 private:
  Filter filter_;
};

}  // namespace

void set_times(Time start, Duration duration, TracedSpan& span) {
  constexpr Time k1970{};
  bool is_told = start != kNoTime && start >= k1970;
  if (is_told) span.start = start;
  if (start == kNoTime)
    span.attributes.add("xtrace.start_ns", Text("unknown"));
  else if (!is_told || start.time_since_epoch().count() % 1000 != 0)
    span.attributes.add("xtrace.start_ns", int64_t{start.time_since_epoch().count()});
  if (duration != kNoDuration) span.duration = std::max(duration, Duration{0});
  if (duration == kNoDuration)
    span.attributes.add("xtrace.duration_ns", Text("unknown"));
  else if (duration < Duration{0} || duration.count() % 1000 != 0 || start == kNoTime)
    span.attributes.add("xtrace.duration_ns", int64_t{duration.count()});
}

void set_name(Text name, TracedSpan& span) {
  span.name = name.empty() ? Text("unnamed") : name;
  if (name.empty()) span.attributes.add("xtrace.unnamed", true);
}

void add_usage(const Tokens& tokens, Entries& out) {
  int64_t input = tokens.input < 0 ? kNoCount : tokens_sent(tokens);
  out.add("gen_ai.usage.input_tokens", known(input));
  out.add("gen_ai.usage.output_tokens", known(tokens.output));
  out.add("gen_ai.usage.cache_read.input_tokens", known(tokens.cache_read));
  out.add("gen_ai.usage.cache_creation.input_tokens", known(tokens.cache_creation));
  add_terms(tokens, out);
}

void add_terms(const Tokens& tokens, Entries& out) {
  out.add("xtrace.service_tier", known(Door::own(unusual_tier(tokens.terms))));
  out.add("xtrace.residency", known(Door::own(word(tokens.terms.residency))));
  constexpr Text kUses[] = {
      "xtrace.server_tools.web_search",      "xtrace.server_tools.web_fetch",
      "xtrace.server_tools.x_search",        "xtrace.server_tools.maps",
      "xtrace.server_tools.file_search",     "xtrace.server_tools.code_execution",
      "xtrace.server_tools.image_generation"};
  static_assert(std::size(kUses) == kServerTools);
  for (size_t i = 0; i < kServerTools; ++i)
    if (const int32_t uses = tokens.server_tools.counts[i]; uses > 0)
      out.add(kUses[i], int64_t{uses});
}

extern constinit const ViewEntry kConvertView = {
    .name = "convert",
    .summary = "export to OTLP, Jaeger, ATIF, Perfetto and flame graphs",
    .about =
        "Exports the graph as spans, trajectories, trace events or stacks. Recorded and certain "
        "causes become parents; other causes become links with a confidence. Attributes named "
        "xtrace.* keep everything else, so xtrace can read the same graph back from the spans.",
    .examples =
        R"(  xtrace convert logs.jsonl --to otlp > spans.jsonl    for Tempo or a collector
  xtrace convert logs.jsonl --to otlp-proto -o s.pb    for Phoenix
  xtrace convert run.json --to jaeger -o jaeger.json   for the Jaeger UI
  xtrace convert logs.jsonl --to atif > runs.jsonl     one trajectory per line
  xtrace convert run.jsonl --to perfetto -o run.json   for ui.perfetto.dev
  xtrace convert run.jsonl --to folded --weight time   for flame graphs
  xtrace convert logs.jsonl | xtrace dag -             same graph as logs.jsonl
)",
    .make = make_view<Convert>,
    .shapes = []() -> std::vector<Shape> { return {}; },
    .converts = true,
    .needs_input = true,
};

}  // namespace xtrace
