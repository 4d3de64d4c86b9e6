#include <fmt/format.h>

#include <tuple>

#include "base/number.h"
#include "base/text.h"
#include "view/common/preface.h"
#include "view/query/query_name.h"
#include "view/query/trace_faces.h"
#include "view/query/trace_queries.h"

namespace xtrace {

namespace {

/// What exactly did this query do?
class TraceView final : public View {
 public:
  void declare(Options& options) override {
    options.add("--query", query_, "ID",
                "query to trace: its id or a unique part of it, a call or span in the query, or "
                "file:line; optional if there is only one query");
    options.add("--all", all_, "trace every query of the input");
    options.add("--limit-nodes", limit_nodes_, "N",
                "maximum number of nodes in the subgraph; nodes closest to cited ones are kept");
    options.add(
        "--limit-evidence", limit_evidence_, "N",
        "maximum number of references per step; references cited in the reply are kept first");
  }

  Status prepare(Preparation& given) override {
    if (!query_.empty() && all_)
      return fail(Exit::usage, "--query and --all exclude each other; use one of them");
    reproduction_ = std::move(given.options);
    return {};
  }

  Result<Document> answer(const Question& question) const override {
    return answer_about(question, std::nullopt);
  }

  Result<Document> answer_query(const Question& question, size_t query) const override {
    return answer_about(question, query);
  }

  Result<size_t> queries(const Question& question) const override {
    Result<Chosen> chosen = choose(question);
    if (!chosen) return tl::unexpected(chosen.error());
    return chosen->size();
  }

 private:
  /// Indices of queries.
  using Chosen = std::vector<size_t>;

  /// `query`: the one to show of the chosen ones; none: all of them.
  Result<Document> answer_about(const Question& question, std::optional<size_t> query) const {
    TraceLimits limits;
    for (auto [text, limit, option] : {std::tuple(&limit_nodes_, &limits.nodes, "--limit-nodes"),
                                       {&limit_evidence_, &limits.evidence, "--limit-evidence"}})
      if (Status read = read_limit(*text, option, *limit); !read)
        return tl::unexpected(read.error());
    Result<Chosen> chosen = choose(question);
    if (!chosen) return tl::unexpected(chosen.error());
    if (query) chosen = Chosen{(*chosen)[*query]};
    std::shared_ptr<const Names> names = std::make_shared<Names>(question.graph, question.door);
    Document document("trace");
    if (question.face == Face::tables)
      add_preface("xtrace.trace/1", question, *names, Hidden(), document);
    if (chosen->size() == 1 || question.face != Face::tables) {
      for (size_t i : *chosen)
        add(question, limits, *names, known_->all[i], reproduction_, document);
      return document;
    }
    document.add(Group{"traces", [question, limits, known = known_, names, options = reproduction_,
                                  chosen = *chosen](const Group::Each& each) {
                         size_t mark = question.door.composed_so_far();
                         for (size_t i : chosen) {
                           Document one("trace");
                           add(question, limits, *names, known->all[i], options, one);
                           bool more = each(one);
                           question.door.forget_composed(mark);
                           if (!more) return;
                         }
                       }});
    return document;
  }

  static Status read_limit(const std::string& text, const char* option, size_t& limit) {
    if (text.empty()) return {};
    if (std::optional<size_t> number = number_of<size_t>(text)) {
      limit = *number;
      return {};
    }
    return fail(Exit::usage, fmt::format("{}: '{}' is not a whole number of at least 0", option,
                                         printable(text)));
  }

  Result<Chosen> choose(const Question& question) const {
    known_ = find_trace_queries(question, known_);
    const std::vector<Query>& all = known_->all;
    Chosen chosen;
    if (!query_.empty()) {
      Result<size_t> found = find_query(question, all, query_);
      if (!found) return tl::unexpected(found.error());
      chosen = {*found};
    } else if (all_ || known_->asked == 1 || all.size() == 1) {
      const size_t count = all_ || known_->asked == 0 ? all.size() : known_->asked;
      for (size_t i = 0; i < count; ++i) chosen.push_back(i);
    } else if (all.empty()) {
      return fail(Exit::no, "the input contains no query, turn or trace");
    } else {
      return fail(Exit::usage, fmt::format("the input contains {} queries; use --query ID or --all "
                                           "(`xtrace list FILE --queries` lists them)",
                                           known_->asked));
    }
    return chosen;
  }

  static void add(const Question& question, const TraceLimits& limits, const Names& names,
                  const Query& query, const std::vector<std::string>& options, Document& document) {
    QueryTrace trace(question, query);
    TraceScene scene(question, trace, limits, names, document.arena());
    switch (question.face) {
      case Face::tables: return add_trace_tables(scene, options, document);
      case Face::drawing: return document.add(draw_trace(scene));
      case Face::outline:
        for (Outline& outline : outline_trace(scene)) document.add(std::move(outline));
        break;
      case Face::spans:
      case Face::trajectories:
      case Face::stacks: break;  // those of `convert`
    }
  }

  std::string query_, limit_nodes_, limit_evidence_;
  bool all_ = false;
  std::vector<std::string> reproduction_;              ///< the options that make its answer again
  mutable std::shared_ptr<const TraceQueries> known_;  ///< of the graph asked about last
};

}  // namespace

extern constinit const ViewEntry kTraceView = {
    .name = "trace",
    .summary = "write an audit trace of one query or turn",
    .about =
        "Shows every step of one query in order, with cost, time and evidence, the part of the "
        "graph it visited, what the reply cites, and totals that are the sum of the steps. If the "
        "log names no queries, each trace counts as a query, or each turn of the user with "
        "everything it caused. Prompts and replies appear only with --level full, redacted.",
    .examples = R"(  xtrace trace steps.jsonl --query Q-17               one query
  xtrace trace steps.jsonl --query Q-17 -f both       JSON with a picture
  xtrace trace calls.jsonl --query calls.jsonl:12     the turn of line 12
  xtrace trace logs/ --all --output-dir audit         one file per query
  xtrace trace logs/ --verify audit                   check stored traces against the logs
  xtrace trace logs/ --all -f cypher | cypher-shell   load all into Neo4j
)",
    .make = make_view<TraceView>,
    .shapes = shapes_of_trace,
    .draws = true,
    .has_page = true,
    .is_kept = true,
    .rows = "steps",
};

}  // namespace xtrace
