#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace xtrace {

/// When something began, and how long it took.
struct Measured {
  Time begin = kNoTime;
  Duration took = Duration::zero();
};

class Stopwatch {
 public:
  /// Since it was made.
  Measured read() const {
    return {begin_, std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - from_)};
  }

 private:
  Time begin_ = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  std::chrono::steady_clock::time_point from_ = std::chrono::steady_clock::now();
};

/// How many there were, and what they come to.
struct HealthTally {
  int64_t count = 0;
  double sum = 0;
  void add(double value) {
    ++count;
    sum += value;
  }
};

/// How the program itself fares: spans and metrics under the names `explain.*` by which an
/// ExplainabilityAgent reports. All of it is measured in real time, so it differs from run to run,
/// and no answer holds any of it.
class Health {
 public:
  /// Upper bounds of the classes of a latency, in milliseconds; above the last there is one more.
  static constexpr std::array<int64_t, 13> kBounds = {1,   2,   5,    10,   20,   50,   100,
                                                      200, 500, 1000, 2000, 5000, 10000};
  /// Of the spans the newest are kept, for who follows a log may do so for weeks; sums have all.
  static constexpr size_t kSpans = 1000;

  struct Span {
    enum class Kind : uint8_t { ingest, prune, persist };
    Kind kind;
    Measured time;
    int64_t amount = 0;  ///< records; nodes that were pruned; bytes of the file
    int64_t edges = 0;   ///< that were pruned
    bool errors = false;
  };

  explicit Health(Time began) : began_(began) {}

  /// `explain.ingest`: a batch of records was read and linked, some of which may be damaged.
  void note_ingest(Measured time, int64_t records, bool errors);
  /// `explain.node_created`, `explain.edge_created`.
  void note_created(int64_t nodes, int64_t edges);
  /// `explain.nodes_in_memory`.
  void note_in_memory(int64_t nodes) { in_memory_ = nodes; }
  /// A graph was made of nothing, and is all there is: the three above.
  void note_graph(int64_t nodes, int64_t edges) {
    note_created(nodes, edges);
    note_in_memory(nodes);
  }
  /// `explain.graph_update_latency`: from the event to the update that reports it.
  void note_update(Duration latency);
  /// `explain.prune`: nodes were folded, or taken out.
  void note_prune(Measured time, int64_t nodes, int64_t edges);
  /// `explain.pii_redactions`.
  void note_redactions(int64_t count) { redactions_ += count; }
  /// `explain.persist_snapshot`: a file of so many bytes was written.
  void note_snapshot(Measured time, int64_t bytes);

  Time began() const { return began_; }
  const std::deque<Span>& spans() const { return spans_; }
  int64_t nodes_created() const { return nodes_; }
  int64_t edges_created() const { return edges_; }
  int64_t nodes_in_memory() const { return in_memory_; }
  int64_t redactions() const { return redactions_; }
  int64_t failed_batches() const { return failed_batches_; }
  int64_t nodes_pruned() const { return nodes_pruned_; }
  int64_t edges_pruned() const { return edges_pruned_; }
  int64_t snapshot_bytes() const { return snapshot_bytes_; }
  const HealthTally& batches() const { return batches_; }  ///< records
  /// Milliseconds.
  const HealthTally& ingests() const { return ingests_; }
  const HealthTally& prunes() const { return prunes_; }
  const HealthTally& snapshots() const { return snapshots_; }
  const HealthTally& updates() const { return updates_; }
  /// How many updates are in each class: above the bound before, up to its own. The last has none.
  const std::array<int64_t, kBounds.size() + 1>& update_classes() const { return classes_; }

 private:
  void keep(Span span);

  Time began_;
  std::deque<Span> spans_;
  int64_t nodes_ = 0, edges_ = 0, in_memory_ = 0, redactions_ = 0, failed_batches_ = 0;
  int64_t nodes_pruned_ = 0, edges_pruned_ = 0, snapshot_bytes_ = 0;
  HealthTally batches_, ingests_, prunes_, snapshots_, updates_;
  std::array<int64_t, kBounds.size() + 1> classes_ = {};
};

/// Two lines of OpenTelemetry's JSON: the metrics as they are at `now`, and the spans.
void write_health_as_otlp(const Health& health, Time now, std::ostream& out);
/// The text exposition format of Prometheus, version 0.0.4. Spans are counts and sums there.
void write_health_as_prometheus(const Health& health, std::ostream& out);

/// Writes it to a file, whole or not at all: for Prometheus where it ends in .prom or .txt, else as
/// OpenTelemetry's JSON.
Status write_health(const std::string& path, const Health& health);

}  // namespace xtrace
