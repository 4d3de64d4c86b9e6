#include <fmt/format.h>

#include <ostream>

#include "keep/health.h"

namespace xtrace {

namespace {

/// Writes families one after another: name and help precede their samples.
class Exposition {
 public:
  explicit Exposition(std::ostream& out) : out_(out) {}

  void add_counter(std::string_view name, std::string_view help, int64_t value) {
    begin(name, help, "counter");
    out_ << fmt::format("{} {}\n", name, value);
  }
  void add_gauge(std::string_view name, std::string_view help, int64_t value) {
    begin(name, help, "gauge");
    out_ << fmt::format("{} {}\n", name, value);
  }
  /// A count and a sum without quantiles.
  void add_summary(std::string_view name, std::string_view help, const HealthTally& tally) {
    begin(name, help, "summary");
    end(name, tally);
  }
  void add_histogram(std::string_view name, std::string_view help, const Health& health) {
    begin(name, help, "histogram");
    int64_t so_far = 0;  // each bucket holds all that is below its bound
    for (size_t i = 0; i < Health::kBounds.size(); ++i) {
      so_far += health.update_classes()[i];
      out_ << fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name, Health::kBounds[i], so_far);
    }
    out_ << fmt::format("{}_bucket{{le=\"+Inf\"}} {}\n", name, health.updates().count);
    end(name, health.updates());
  }

 private:
  void begin(std::string_view name, std::string_view help, std::string_view type) {
    std::string safe;
    for (char c : help) safe += c == '\\' ? "\\\\" : c == '\n' ? "\\n" : std::string(1, c);
    out_ << fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, safe, name, type);
  }
  void end(std::string_view name, const HealthTally& tally) {
    out_ << fmt::format("{0}_sum {1}\n{0}_count {2}\n", name, tally.sum, tally.count);
  }

  std::ostream& out_;
};

}  // namespace

void write_health_as_prometheus(const Health& health, std::ostream& out) {
  Exposition text(out);
  text.add_counter("explain_ingest_batches_total", "Batches of records read.",
                   health.ingests().count);
  text.add_counter("explain_ingest_errors_total", "Batches with damaged records.",
                   health.failed_batches());
  text.add_summary("explain_ingest_batch_size", "Records per batch.", health.batches());
  text.add_summary("explain_ingest_latency_ms", "Milliseconds taken to read and link a batch.",
                   health.ingests());
  text.add_counter("explain_node_created_total", "Graph nodes created.", health.nodes_created());
  text.add_counter("explain_edge_created_total", "Graph edges created.", health.edges_created());
  text.add_gauge("explain_nodes_in_memory", "Nodes held in memory.", health.nodes_in_memory());
  text.add_histogram("explain_graph_update_latency", "Milliseconds from an event to its update.",
                     health);
  text.add_counter("explain_prunes_total", "Number of times that nodes were folded or removed.",
                   health.prunes().count);
  text.add_counter("explain_prune_nodes_total", "Nodes folded or removed.", health.nodes_pruned());
  text.add_counter("explain_prune_edges_total", "Edges removed with them.", health.edges_pruned());
  text.add_summary("explain_prune_latency_ms", "Milliseconds taken to fold or remove nodes.",
                   health.prunes());
  text.add_counter("explain_pii_redactions_total", "Replacements of secrets and personal data.",
                   health.redactions());
  text.add_counter("explain_persist_snapshots_total", "Snapshots written.",
                   health.snapshots().count);
  text.add_gauge("explain_persist_file_size_bytes", "Size of the snapshot file.",
                 health.snapshot_bytes());
  text.add_summary("explain_persist_latency_ms", "Milliseconds taken to write a snapshot.",
                   health.snapshots());
}

}  // namespace xtrace
