#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "link/blame/search.h"

namespace xtrace {

BlameSearch::BlameSearch(const BlameSources& sources)
    : from(sources), graph(sources.graph), of_call_(sources.graph.trace().calls.size(), kNoStep) {
  for (uint32_t at = 0; at < size(); ++at) {
    const GraphStep& one = step(at);
    if (one.kind == GraphStep::Kind::call) of_call_[one.call.index] = at;
    if (one.kind != GraphStep::Kind::tool_use) continue;
    if (one.tool != nullptr) of_tool_.emplace(one.tool, at);
    if (one.use) named_[graph.trace()[one.use]].push_back(at);
  }
}

uint32_t BlameSearch::of(CallId call) const {
  return call ? of_call_[call.index] : kNoStep;
}

uint32_t BlameSearch::of(const Activity& tool) const {
  const auto at = of_tool_.find(&tool);
  return at == of_tool_.end() ? kNoStep : at->second;
}

std::vector<uint32_t> BlameSearch::failed_from(uint32_t step) const {
  std::vector<uint32_t> steps{step};
  for (auto at = failed_with.find(step); at != failed_with.end() && steps.size() <= size();
       at = failed_with.find(at->second))
    steps.push_back(at->second);
  return steps;
}

const std::vector<uint32_t>& BlameSearch::uses_named(std::string_view id) const {
  static const std::vector<uint32_t> kNothing;
  const auto named = named_.find(id);
  return named == named_.end() ? kNothing : named->second;
}

namespace {

/// How each step leads to the symptom.
class Ways {
 public:
  Ways(const CauseGraph& graph, uint32_t symptom)
      : best_(graph.size()), next_(graph.size(), kNoStep), length_(graph.size()) {
    best_[symptom] = 1;
    const std::span<const uint32_t> order = graph.order();
    for (size_t i = order.size(); i-- > 0;) {
      const uint32_t to = order[i];
      if (best_[to] <= 0) continue;
      for (uint32_t link : graph.causes_of(to)) take(graph[link].from, to, graph[link].confidence);
    }
  }

  bool lead_from(uint32_t step) const { return best_[step] > 0; }
  double confidence(uint32_t step) const { return best_[step]; }
  std::vector<uint32_t> path(uint32_t step) const {
    std::vector<uint32_t> path;
    if (!lead_from(step)) return path;
    for (uint32_t at = step; at != kNoStep; at = next_[at]) path.push_back(at);
    return path;
  }

 private:
  /// Of two equally sure ways the shorter one.
  void take(uint32_t from, uint32_t to, double confidence) {
    constexpr double kEqual = 1e-9;
    const double sure = confidence * best_[to];
    const uint32_t length = length_[to] + 1;
    const bool is_equal = std::abs(sure - best_[from]) < kEqual;
    if (sure < best_[from] - kEqual || (is_equal && length >= length_[from])) return;
    best_[from] = sure;
    next_[from] = to;
    length_[from] = length;
  }

  std::vector<double> best_;
  std::vector<uint32_t> next_, length_;
};

/// The links of the graph, and those by values that steps reuse.
CauseGraph with_reuse(const BlameSearch& search) {
  const std::span<const CauseLink> links = search.from.steps.causes.links();
  std::vector<CauseLink> all(links.begin(), links.end());
  all.insert(all.end(), search.reuse.begin(), search.reuse.end());
  return {search.size(), std::move(all)};
}

class Ranking {
 public:
  Ranking(const BlameSearch& search, BlameFindings& out) : search_(search), out_(out) {}

  void rank() {
    gather();
    const CauseGraph graph = with_reuse(search_);
    leave_out_effects(graph);
    find_slice(graph);
    explain();
    std::ranges::stable_sort(out_.candidates,
                             [&](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
    const size_t listed = std::min(out_.candidates.size(), kMostSuspects);
    const Ways ways(graph, out_.symptom);
    for (size_t i = 0; i < listed; ++i) {
      BlameCandidate& one = out_.candidates[i];
      one.path = way_outwards(one.step);
      if (one.path.empty()) one.path = ways.path(one.step);
    }
  }

 private:
  /// From a span to the symptom, through the spans around it that failed with it; empty: they do
  /// not lead there.
  std::vector<uint32_t> way_outwards(uint32_t step) const {
    std::vector<uint32_t> way = search_.failed_from(step);
    const auto symptom = std::ranges::find(way, out_.symptom);
    if (symptom == way.end() || step == out_.symptom) return {};
    way.erase(symptom + 1, way.end());
    return way;
  }

  /// Is it a repetition of an earlier step, of which nothing is known but that it failed as well?
  bool is_repetition(const BlameCandidate& one) const {
    return search_.repeats.contains(one.step) &&
           std::ranges::all_of(one.signals, [](const FoundSignal& signal) {
             return signal.signal == BlameSignal::error ||
                    signal.signal == BlameSignal::error_unmended;
           });
  }

  /// Did a span of another run fail, of which nothing else is known?
  bool is_of_other_run(const BlameCandidate& one) const {
    const GraphStep& step = search_.step(one.step);
    const Hops& hops = search_.graph.joined_hops();
    return step.kind == GraphStep::Kind::hop && one.signals.size() == 1 &&
           one.signals.front().signal == BlameSignal::error_unmended &&
           hops[step.hop].run != hops[search_.step(out_.symptom).hop].run;
  }

  /// By signals, one candidate for each step.
  void gather() {
    std::map<uint32_t, BlameCandidate> by_step;
    for (const FoundSignal& signal : search_.found) {
      if (signal.step == kNoStep) continue;
      BlameCandidate& one = by_step[signal.step];
      one.step = signal.step;
      const SignalRow& row = row_of(signal.signal);
      const bool is_again = std::ranges::any_of(
          one.signals, [&](const FoundSignal& has) { return has.signal == signal.signal; });
      if (!is_again) one.weight += row.weight;
      one.strength = std::max(one.strength, row.strength);
      one.signals.push_back(signal);
    }
    // The failure that is asked about is no reason for itself.
    if (out_.from == SymptomFrom::error || out_.from == SymptomFrom::given)
      if (const auto own = by_step.find(out_.symptom);
          own != by_step.end() && own->second.strength == Strength::weak)
        by_step.erase(own);
    for (auto& [step, one] : by_step) {
      const bool is_elsewhere = is_of_other_run(one);
      out_.elsewhere += is_elsewhere;
      if (!is_elsewhere && !is_repetition(one)) out_.candidates.push_back(std::move(one));
    }
  }

  /// What came of the symptom cannot have led to it, but for spans within it that it failed with.
  void leave_out_effects(const CauseGraph& graph) {
    const uint32_t begin[] = {out_.symptom};
    const Reached effects = find_reached(graph, begin);
    std::erase_if(out_.candidates, [&](const BlameCandidate& one) {
      return effects.has(one.step) && way_outwards(one.step).empty();
    });
  }

  void find_slice(const CauseGraph& graph) {
    const Ways ways(graph, out_.symptom);
    const Dominators dominators(search_.from.steps.causes);
    out_.looked_at = search_.size();
    for (uint32_t at = 0; at < search_.size(); ++at) out_.in_slice += ways.lead_from(at);
    for (BlameCandidate& one : out_.candidates) {
      const bool is_within = !way_outwards(one.step).empty();
      one.in_slice = is_within || ways.lead_from(one.step);
      one.confidence = is_within ? 1 : ways.confidence(one.step);
      one.dominates_symptom = dominators.dominates(one.step, out_.symptom);
    }
  }

  static bool is_explainable(const BlameCandidate& one) {
    return std::ranges::all_of(
        one.signals, [](const FoundSignal& signal) { return row_of(signal.signal).is_inherited; });
  }

  /// A candidate explains what uses a value that came of it, through whichever steps; weak ones
  /// explain nothing. The first one that does is named.
  void explain() {
    const CauseGraph reuse(search_.size(), search_.reuse);
    std::unordered_map<uint32_t, size_t> of_step;
    for (size_t i = 0; i < out_.candidates.size(); ++i) of_step[out_.candidates[i].step] = i;
    std::vector<uint32_t> root(search_.size(), kNoStep);  // by step: what explains it
    for (uint32_t at : reuse.order()) {
      for (uint32_t link : reuse.causes_of(at)) {
        const uint32_t from = reuse[link].from;
        const auto giver = of_step.find(from);
        const bool explains =
            giver != of_step.end() && out_.candidates[giver->second].strength != Strength::weak;
        root[at] = std::min({root[at], root[from], explains ? from : kNoStep});
      }
      const auto own = of_step.find(at);
      if (root[at] == kNoStep || own == of_step.end()) continue;
      BlameCandidate& one = out_.candidates[own->second];
      if (!is_explainable(one)) continue;
      one.explained_by = root[at];
      out_.candidates[of_step[root[at]]].explains.push_back(at);
    }
  }

  /// Smaller ones come first.
  std::tuple<bool, bool, int, double, double, uint32_t> key_of(const BlameCandidate& one) const {
    return {!one.in_slice,
            one.explained_by != kNoStep,
            -static_cast<int>(one.strength),
            -one.weight,
            -one.confidence,
            one.step};
  }

  const BlameSearch& search_;
  BlameFindings& out_;
};

/// What a user would ask about: the last failure that was not mended, else the last step.
void choose_symptom(const BlameSearch& search, BlameFindings& out) {
  const BlameSources& from = search.from;
  if (from.symptom || !from.verdicts.empty()) {
    out.symptom = from.symptom ? *from.symptom : from.verdicts.back();
    out.from = from.symptom ? SymptomFrom::given : SymptomFrom::verdict;
    return;
  }
  for (const FoundSignal& signal : search.found) {
    if (signal.signal != BlameSignal::error_unmended || signal.step == kNoStep) continue;
    const uint32_t outermost = search.failed_from(signal.step).back();
    if (out.symptom != kNoStep && outermost < out.symptom) continue;
    out.symptom = outermost;
    out.from = SymptomFrom::error;
  }
  if (out.symptom == kNoStep) out.symptom = static_cast<uint32_t>(search.size() - 1);
}

/// A failure that the symptom is, or that it reads right away, is what is asked about, and no
/// answer: it counts as little as one that was mended.
void weaken_symptom(BlameSearch& search, uint32_t symptom) {
  const CauseGraph& causes = search.from.steps.causes;
  const auto is_told = [&](uint32_t step) {
    if (step == symptom) return true;
    return std::ranges::any_of(causes.causes_of(symptom), [&](uint32_t link) {
      return causes[link].from == step && search.step(step).kind == GraphStep::Kind::tool_use;
    });
  };
  for (FoundSignal& signal : search.found) {
    const bool is_failure = signal.signal == BlameSignal::error_unmended;
    if (signal.step == kNoStep) continue;
    const Activity* tool = search.step(signal.step).tool;
    const bool is_difference = signal.signal == BlameSignal::diverged && tool != nullptr &&
                               tool->outcome == Outcome::error;
    if (!(is_failure || is_difference) || !is_told(signal.step)) continue;
    if (is_failure)
      signal.signal = BlameSignal::error;
    else
      signal.step = kNoStep;  // that it failed is why the baseline is there
  }
}

}  // namespace

BlameFindings find_candidates(const BlameSources& from) {
  BlameFindings out;
  if (from.steps.steps.empty()) return out;
  BlameSearch search(from);
  if (from.steps.steps.front().kind == GraphStep::Kind::hop) {
    find_span_signals(search);
    find_failed_spans(search);
  } else {
    find_text_signals(search);
    find_tool_signals(search);
  }
  for (uint32_t step : from.verdicts) search.add({BlameSignal::verdict, step});
  if (from.known != nullptr) find_known_signals(search);
  choose_symptom(search, out);
  weaken_symptom(search, out.symptom);
  Ranking(search, out).rank();
  out.missing_results = search.missing_results;
  out.unread_calls = search.unread_calls;
  out.plain_spans = search.plain_spans;
  return out;
}

}  // namespace xtrace
