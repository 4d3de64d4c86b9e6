#include "live/missed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/text.h"

namespace xtrace {

namespace {

/// Everything that came, in that order, as far as is on record.
struct History {
  std::vector<Arrival> arrivals;
  size_t before = 0;     ///< so many, the first, came before the moment in question
  std::string document;  ///< one that was written since; empty: none
};

History history_of(std::vector<Arrival> all, const Generations& generations, Time moment) {
  std::stable_sort(all.begin(), all.end(), [&](const Arrival& a, const Arrival& b) {
    return generations.before(a.record, b.record);
  });
  History history;
  std::vector<std::pair<Time, Arrival>> came;
  came.reserve(all.size());
  Time newest = kNoTime;
  for (size_t i = 0; i < all.size(); ++i) {
    const uint32_t file = all[i].record.generation;
    if (i == 0 || all[i - 1].record.generation != file) newest = kNoTime;
    newest = std::max(newest, all[i].ids.logged);
    if (newest >= moment && generations[file].is_whole) history.document = generations[file].path;
    came.emplace_back(newest, std::move(all[i]));
  }
  // Records without a time came with the one that follows them in their file, at the latest.
  for (size_t i = came.size(); i-- > 0;)
    if (came[i].first == kNoTime) {
      bool is_last = i + 1 == came.size() ||
                     came[i + 1].second.record.generation != came[i].second.record.generation;
      came[i].first = is_last ? Time::max() : came[i + 1].first;
    }
  std::stable_sort(came.begin(), came.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  history.arrivals.reserve(came.size());
  for (auto& [time, arrival] : came) {
    history.before += time < moment;
    history.arrivals.push_back(std::move(arrival));
  }
  return history;
}

std::string reason_against(const History& history, size_t most) {
  if (history.before == 0) return "no record is older";
  if (!history.document.empty())
    return fmt::format("{} is a single document whose earlier content is gone",
                       printable(history.document));
  if (size_t since = history.arrivals.size() - history.before; since > most)
    return fmt::format("{} records have arrived since, more than --max-queued {}", since, most);
  return {};
}

/// What was told otherwise by a reading of everything than by ids: when that was read, and so how a
/// reader has it now, is not known.
class Doubtful {
 public:
  void add(const GraphChange& change) {
    nodes_.insert(change.removed_nodes.begin(), change.removed_nodes.end());
    for (const GraphRows::Node& node : change.added_nodes) nodes_.insert(node.id);
    edges_.insert(change.removed_edges.begin(), change.removed_edges.end());
    for (const GraphRows::Edge& edge : change.added_edges) edges_.insert(edge.ends);
    for (const GraphChange::Regrouped& summary : change.summaries) {
      std::set<std::string>& members = members_[summary.id];
      members.insert(summary.added.begin(), summary.added.end());
      members.insert(summary.removed.begin(), summary.removed.end());
    }
  }

  bool empty() const { return nodes_.empty() && edges_.empty() && members_.empty(); }

  /// All of it as it is in `rows`.
  GraphChange settled(const GraphRows& rows) const {
    GraphChange change;
    change.removed_nodes.assign(nodes_.begin(), nodes_.end());
    for (const GraphRows::Node& node : rows.nodes)
      if (nodes_.contains(node.id)) change.added_nodes.push_back(node);
    std::set<Ends> edges = edges_;
    for (const GraphRows::Edge& edge : rows.edges) {
      bool goes = nodes_.contains(edge.ends.first) || nodes_.contains(edge.ends.second);
      if (!goes && !edges_.contains(edge.ends)) continue;
      edges.insert(edge.ends);
      change.added_edges.push_back(edge);
    }
    change.removed_edges.assign(edges.begin(), edges.end());
    std::map<std::string, std::set<std::string>> gone = members_;
    for (const GraphRows::Summary& summary : rows.summaries) {
      auto found = gone.find(summary.id);
      if (found == gone.end()) continue;
      for (const std::string& member : summary.members) found->second.erase(member);
      std::set<std::string>& removed = found->second;
      change.summaries.push_back({summary.id, summary.members, {removed.begin(), removed.end()}});
      gone.erase(found);
    }
    for (const auto& [id, removed] : gone)
      change.summaries.push_back({id, {}, {removed.begin(), removed.end()}});
    return change;
  }

 private:
  std::set<std::string> nodes_;
  std::set<Ends> edges_;
  std::map<std::string, std::set<std::string>> members_;  ///< by summary
};

/// So much may be read to know, after each record, what a reading of everything found by then:
/// about a second's work.
constexpr uint64_t kMostReadAgain = 128 << 20;

/// Goes through what a reader may have been told, step by step.
class Replay {
 public:
  Replay(LiveGraph& graph, const Generations& generations, History history)
      : graph_(graph), history_(std::move(history)), held_(generations) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < held_.size(); ++i) bytes += std::exchange(held_[i].bytes, 0);
    const std::vector<Arrival>& all = history_.arrivals;
    is_of_several_ = std::any_of(all.begin(), all.end(), [&](const Arrival& arrival) {
      return arrival.record.generation != all.front().record.generation;
    });
    reads_again_ = bytes == 0 || history_.arrivals.size() <= kMostReadAgain / bytes;
  }

  Result<Missed> run() {
    const std::span<const Arrival> all = history_.arrivals;
    Status done = reads_again_ ? go_through(all.first(history_.before)) : go_to_moment();
    if (!done) return tl::unexpected(done.error());
    missed_.updates.clear();
    if (GraphChange settled = doubtful_.settled(graph_.rows()); settled.any())
      missed_.updates.push_back({std::move(settled), graph_.newest()});
    done = go_through(all.subspan(history_.before));
    if (!done) return tl::unexpected(done.error());
    Result<GraphChange> rest = graph_.reread();
    // Of several files no order of their records is sure, and what folded or was joined without an
    // id may have been told in other ways than these.
    if (is_of_several_ || !reads_again_) is_sure_ &= rest && !rest->any() && !folds();
    if (is_of_several_) is_sure_ &= doubtful_.empty();
    done = note(std::move(rest));
    if (!done) return tl::unexpected(done.error());
    if (!is_sure_)
      missed_.why_not =
          "steps were folded or merged without an ID, and those updates are not recorded";
    return std::move(missed_);
  }

 private:
  Status go_through(std::span<const Arrival> arrivals) {
    for (const Arrival& arrival : arrivals) {
      add(arrival);
      if (Status noted = note(graph_.update()); !noted) return noted;
      if (!reads_again_) continue;
      if (Status noted = note_doubtful(graph_.reread(held_)); !noted) return noted;
    }
    return {};
  }

  /// The moment alone, where there is too much before it to go through: what is told otherwise then
  /// may have been told in more ways than these.
  Status go_to_moment() {
    for (size_t i = 0; i < history_.before; ++i) add(history_.arrivals[i]);
    if (Status noted = note(graph_.update_all(true)); !noted) return noted;
    if (Status noted = note_doubtful(graph_.update_all(false)); !noted) return noted;
    Result<GraphChange> change = graph_.reread(held_);
    if (change) is_sure_ = !change->any() && !folds();
    return note_doubtful(std::move(change));
  }

  void add(const Arrival& arrival) {
    graph_.add(arrival.record, arrival.ids);
    held_[arrival.record.generation].bytes = arrival.record.offset + arrival.record.length;
  }

  /// Which steps stood alone before they folded into one depends on what came when.
  bool folds() const { return !graph_.rows().summaries.empty(); }

  Status note(Result<GraphChange> change) {
    if (!change) return tl::unexpected(change.error());
    if (change->any()) missed_.updates.push_back({*std::move(change), graph_.newest()});
    return {};
  }

  Status note_doubtful(Result<GraphChange> change) {
    if (change) doubtful_.add(*change);
    return note(std::move(change));
  }

  LiveGraph& graph_;
  History history_;
  Generations held_;     ///< the files as far as they went
  bool reads_again_;     ///< everything, after each record
  bool is_of_several_;   ///< files
  bool is_sure_ = true;  ///< is all that may have been told known?
  Doubtful doubtful_;
  Missed missed_;
};

}  // namespace

Result<Missed> tell_missed(LiveGraph& graph, std::vector<Arrival> arrivals,
                           const Generations& generations, Time since, size_t most) {
  std::erase_if(arrivals, [](const Arrival& arrival) { return !arrival.ids.tells(); });
  History history = history_of(std::move(arrivals), generations, since);
  Missed missed;
  missed.why_not = reason_against(history, most);
  if (!missed.why_not.empty()) {
    for (const Arrival& arrival : history.arrivals) graph.add(arrival.record, arrival.ids);
    if (Result<GraphChange> all = graph.reread(); !all) return tl::unexpected(all.error());
    return missed;
  }
  Result<Missed> told = Replay(graph, generations, std::move(history)).run();
  if (told && !told->why_not.empty()) told->updates.clear();
  return told;
}

}  // namespace xtrace
