#include "view/diff/comparison.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string_view>

#include "view/common/wanted.h"
#include "view/hops/paths.h"

namespace xtrace {

namespace {

/// The chains of delegation of both runs by the names of their actors, each kept as the chain
/// before it and one name more: agents may be nested thousands deep, and each has a chain.
class Chains {
 public:
  using ChainId = uint32_t;

  std::set<ChainId> of(const RunSteps& run) {
    std::set<ChainId> all;
    auto add = [&](const Hops& hops) {
      const Paths paths(hops);
      std::vector<ChainId> chains;
      for (size_t i = 0; i < paths.size(); ++i) {
        const ActorId actor = paths.last_actor(PathId(i));
        const PathId before = paths.before(PathId(i));
        chains.push_back(join(before ? chains[before.index] : kEmpty,
                              actor ? std::string_view(hops[actor].id) : "unknown"));
      }
      for (size_t i = 0; i < hops.all.size(); ++i) {
        const Hop& hop = hops.all[i];
        if (!hop.is_call() || !any_of(run.names(), hops.runs[hop.run].id)) continue;
        const PathId path = paths.of(HopId(i));
        all.insert(path ? chains[path.index] : kEmpty);
      }
    };
    add(run.graph().hops());
    add(run.graph().call_hops());
    return all;
  }

  ActorPath actors(ChainId chain) const {
    ActorPath actors;
    for (; chain != kEmpty; chain = chains_[chain].first) actors.push_back(chains_[chain].second);
    std::ranges::reverse(actors);
    return actors;
  }

 private:
  static constexpr ChainId kEmpty = UINT32_MAX;
  using Chain = std::pair<ChainId, std::string>;

  ChainId join(ChainId before, std::string_view name) {
    auto [known, is_new] =
        known_.emplace(Chain(before, name), static_cast<ChainId>(chains_.size()));
    if (is_new) chains_.push_back(known->first);
    return known->second;
  }

  std::vector<Chain> chains_;
  std::map<Chain, ChainId> known_;
};

}  // namespace

RunComparison::RunComparison(const RunSteps& old_steps, const RunSteps& new_steps)
    : old_run(old_steps), new_run(new_steps) {
  add_rows(align(old_run, new_run));
  add_edges();
  add_paths();
  find_first();
}

/// One tree of both: the new run's steps in their order, and what is gone at its old place, after
/// what came before it in the old run. Made without recursion, since steps may nest as deep as the
/// input is long: a row stays open until all below it is there, and then knows where it ends.
void RunComparison::add_rows(const Alignment& alignment) {
  struct Open {
    uint32_t old_step, new_step, depth;
    uint32_t row = RunComparison::kNone;  ///< known once it is open: all below it comes between
  };
  std::vector<Open> open;
  auto push = [&](const std::vector<StepSequence>* olds, const std::vector<StepSequence>* news,
                  uint32_t depth) {
    std::map<uint32_t, std::vector<uint32_t>> gone_behind;
    uint32_t last = RunComparison::kNone;
    for (uint32_t step : olds != nullptr ? old_run.in_time(*olds) : std::vector<uint32_t>()) {
      if (alignment.of_old[step] == RunComparison::kNone)
        gone_behind[last].push_back(step);
      else
        last = step;
    }
    std::vector<Open> all;
    auto add_gone = [&](uint32_t behind) {
      for (uint32_t step : gone_behind[behind]) all.push_back({step, RunComparison::kNone, depth});
    };
    add_gone(RunComparison::kNone);
    if (news != nullptr)
      for (uint32_t step : new_run.in_time(*news)) {
        all.push_back({alignment.of_new[step], step, depth});
        if (alignment.of_new[step] != RunComparison::kNone) add_gone(alignment.of_new[step]);
      }
    open.insert(open.end(), all.rbegin(), all.rend());
  };
  push(&old_run.tops(), &new_run.tops(), 0);
  while (!open.empty()) {
    Open at = open.back();
    if (at.row != RunComparison::kNone) {  // all below it is there
      rows[at.row].end = static_cast<uint32_t>(rows.size());
      open.pop_back();
      continue;
    }
    open.back().row = static_cast<uint32_t>(rows.size());
    Row row;
    row.old_step = at.old_step;
    row.new_step = at.new_step;
    row.depth = at.depth;
    row.diff_status = at.old_step == RunComparison::kNone   ? DiffStatus::added
                      : at.new_step == RunComparison::kNone ? DiffStatus::removed
                      : old_run.hashes(at.old_step).whole == new_run.hashes(at.new_step).whole
                          ? DiffStatus::equal
                          : DiffStatus::changed;
    rows.push_back(row);
    push(at.old_step == RunComparison::kNone ? nullptr : &old_run.below(at.old_step),
         at.new_step == RunComparison::kNone ? nullptr : &new_run.below(at.new_step), at.depth + 1);
  }
  std::vector<uint32_t> unequal(rows.size() + 1);  // before each row
  for (uint32_t i = 0; i < rows.size(); ++i)
    unequal[i + 1] = unequal[i] + (rows[i].diff_status != DiffStatus::equal);
  for (uint32_t i = 0; i < rows.size(); ++i) rows[i].all_equal = unequal[i] == unequal[rows[i].end];
}

void RunComparison::add_edges() {
  struct Seen {
    bool in_old = false, in_new = false;
    Relation old_relation = Relation::other, new_relation = Relation::other;
  };
  std::map<std::pair<uint32_t, uint32_t>, Seen> seen;
  std::vector<uint32_t> of_old(old_run.size()), of_new(new_run.size());
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (rows[i].in(false)) of_old[rows[i].old_step] = i;
    if (rows[i].in(true)) of_new[rows[i].new_step] = i;
  }
  for (const StoryEdge& edge : old_run.story().edges) {
    Seen& one = seen[{of_old[edge.from], of_old[edge.to]}];
    one.in_old = true;
    one.old_relation = edge.relation;
  }
  for (const StoryEdge& edge : new_run.story().edges) {
    Seen& one = seen[{of_new[edge.from], of_new[edge.to]}];
    one.in_new = true;
    one.new_relation = edge.relation;
  }
  for (const auto& [ends, one] : seen) {
    DiffStatus diff_status = !one.in_old                            ? DiffStatus::added
                             : !one.in_new                          ? DiffStatus::removed
                             : one.old_relation == one.new_relation ? DiffStatus::equal
                                                                    : DiffStatus::changed;
    edges.push_back({ends.first, ends.second, diff_status, one.old_relation, one.new_relation});
  }
}

void RunComparison::add_paths() {
  if (is_with_stored(old_run.compared())) return;
  Chains chains;
  const std::set<Chains::ChainId> olds = chains.of(old_run), news = chains.of(new_run);
  auto add = [&](const std::set<Chains::ChainId>& some, const std::set<Chains::ChainId>& others,
                 DiffStatus diff_status) {
    const size_t first_of_them = paths.size();
    for (Chains::ChainId chain : some)
      if (!others.contains(chain)) paths.push_back({chains.actors(chain), diff_status});
    std::ranges::sort(std::span(paths).subspan(first_of_them), {}, &Path::actors);
  };
  add(news, olds, DiffStatus::added);
  add(olds, news, DiffStatus::removed);
}

void RunComparison::find_first() {
  for (uint32_t i = 0; i < rows.size() && first == RunComparison::kNone; ++i)
    if (rows[i].diff_status != DiffStatus::equal) first = i;
  for (const Edge& edge : edges)
    if (edge.diff_status != DiffStatus::equal && edge.to < first) first = edge.to;
  if (first == RunComparison::kNone) return;
  std::vector<bool> in_old(old_run.size()), in_new(new_run.size());
  const Row& row = rows[first];
  if (row.in(false)) in_old = old_run.reached_from(row.old_step);
  if (row.in(true)) in_new = new_run.reached_from(row.new_step);
  for (uint32_t i = first + 1; i < rows.size(); ++i)
    rows[i].follows = (rows[i].in(false) && in_old[rows[i].old_step]) ||
                      (rows[i].in(true) && in_new[rows[i].new_step]);
  const RunSteps& run = row.in(true) ? new_run : old_run;
  const std::vector<bool>& reached = row.in(true) ? in_new : in_old;
  uint32_t place = run.place(row.in(true) ? row.new_step : row.old_step);
  for (uint32_t step : run.order().subspan(place + 1))
    ++(reached[step] ? later_follow : later_apart);
}

int64_t RunComparison::steps(DiffStatus diff_status) const {
  return std::count_if(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.diff_status == diff_status; });
}
int64_t RunComparison::edges_of(DiffStatus diff_status) const {
  return std::count_if(edges.begin(), edges.end(),
                       [&](const Edge& edge) { return edge.diff_status == diff_status; });
}
int64_t RunComparison::paths_of(DiffStatus diff_status) const {
  return std::count_if(paths.begin(), paths.end(),
                       [&](const Path& path) { return path.diff_status == diff_status; });
}

std::vector<uint32_t> RunComparison::folded() const {
  std::vector<uint32_t> otherwise(rows.size() +
                                  1);  // rows before each, to which something else leads
  for (const Edge& edge : edges)
    if (edge.diff_status != DiffStatus::equal) otherwise[edge.to + 1] = 1;
  for (size_t i = 0; i < rows.size(); ++i) otherwise[i + 1] += otherwise[i];
  std::vector<uint32_t> into(rows.size());
  uint32_t begin = RunComparison::kNone;  // of the equal rows at hand
  for (uint32_t i = 0; i < rows.size();) {
    const Row& row = rows[i];
    bool folds = row.all_equal && otherwise[row.end] == otherwise[i];
    if (!folds || (begin != RunComparison::kNone && rows[begin].depth != row.depth))
      begin = RunComparison::kNone;
    if (folds && begin == RunComparison::kNone) begin = i;
    uint32_t end = folds ? row.end : i + 1;
    for (; i < end; ++i) into[i] = folds ? begin : i;
  }
  return into;
}

std::vector<std::pair<Trait, Trait>> RunComparison::differences(const Row& row) const {
  std::vector<std::pair<Trait, Trait>> all;
  if (row.diff_status != DiffStatus::changed) return all;
  std::vector<Trait> olds = old_run.traits(row.old_step), news = new_run.traits(row.new_step);
  std::vector<bool> met(news.size());
  for (Trait& trait : olds) {
    size_t at = 0;
    while (at < news.size() && (met[at] || news[at].field != trait.field)) ++at;
    if (at < news.size()) met[at] = true;
    if (at == news.size())
      all.emplace_back(std::move(trait), Trait());
    else if (!(trait == news[at]))
      all.emplace_back(std::move(trait), news[at]);
  }
  for (size_t i = 0; i < news.size(); ++i)
    if (!met[i]) all.emplace_back(Trait(), std::move(news[i]));
  return all;
}

}  // namespace xtrace
