#include "keep/health.h"

#include <algorithm>
#include <ostream>

#include "base/now.h"
#include "keep/output.h"

namespace xtrace {

namespace {

double milliseconds(Duration length) {
  return static_cast<double>(length.count()) / 1e6;
}

}  // namespace

void Health::note_ingest(Measured time, int64_t records, bool errors) {
  batches_.add(static_cast<double>(records));
  ingests_.add(milliseconds(time.took));
  failed_batches_ += errors;
  keep({Span::Kind::ingest, time, records, 0, errors});
}

void Health::note_created(int64_t nodes, int64_t edges) {
  nodes_ += nodes;
  edges_ += edges;
}

void Health::note_update(Duration latency) {
  const double length = milliseconds(latency);
  updates_.add(length);
  auto bound = std::find_if(kBounds.begin(), kBounds.end(),
                            [&](int64_t most) { return length <= static_cast<double>(most); });
  ++classes_[static_cast<size_t>(bound - kBounds.begin())];
}

void Health::note_prune(Measured time, int64_t nodes, int64_t edges) {
  prunes_.add(milliseconds(time.took));
  nodes_pruned_ += nodes;
  edges_pruned_ += edges;
  keep({Span::Kind::prune, time, nodes, edges, false});
}

void Health::note_snapshot(Measured time, int64_t bytes) {
  snapshots_.add(milliseconds(time.took));
  snapshot_bytes_ = bytes;
  keep({Span::Kind::persist, time, bytes, 0, false});
}

void Health::keep(Span span) {
  spans_.push_back(span);
  if (spans_.size() > kSpans) spans_.pop_front();
}

Status write_health(const std::string& path, const Health& health) {
  const bool for_prometheus = path.ends_with(".prom") || path.ends_with(".txt");
  return write_answer(path, Readers::umask, [&](std::ostream& out) {
    for_prometheus ? write_health_as_prometheus(health, out)
                   : write_health_as_otlp(health, now(), out);
  });
}

}  // namespace xtrace
