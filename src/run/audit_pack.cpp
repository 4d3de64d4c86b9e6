#include "run/audit_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/text.h"
#include "input/raw_inputs.h"
#include "keep/safe_name.h"
#include "link/calls/sessions.h"
#include "redact/canary.h"
#include "render/renderer.h"
#include "run/answer.h"
#include "run/audit_lists.h"
#include "run/load_runs.h"
#include "view/audit/coverage.h"
#include "view/audit/provenance.h"
#include "view/query/query_name.h"
#include "view/query/query_trace.h"
#include "view/query/trace_queries.h"

namespace xtrace {

namespace {

namespace fs = std::filesystem;

/// `name` without what could move a cursor: names are in lists that are compared byte by byte.
std::string plain_name(std::string_view name) {
  std::string plain;
  while (!name.empty()) {
    const auto [character, length] = decode(name);
    plain += acts_on_terminal(character) ? "_" : std::string(name.substr(0, length));
    name.remove_prefix(length);
  }
  return plain;
}

/// The last parts of a path, so many of them.
std::string last_parts(const fs::path& path, size_t count) {
  std::vector<std::string> parts;
  for (const fs::path& part : path)
    if (!part.empty() && part != "/" && part != "." && part != "..") parts.push_back(part.string());
  std::string name;
  for (size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i)
    name += (name.empty() ? "" : "/") + parts[i];
  return name.empty() ? path.string() : name;
}

/// Calls inputs by their base names, or by as many folders with them as it takes to tell them
/// apart: where they are on this machine is of no concern to an auditor. Records are still read
/// again where they are.
void shorten_names(Trace& trace) {
  constexpr size_t kMostParts = 64;  // deeper paths stay whole
  std::vector<std::string> names;
  for (size_t parts = 1; parts <= kMostParts; ++parts) {
    names.clear();
    for (const Source& source : trace.sources)
      names.push_back(plain_name(last_parts(fs::path(source.path), parts)));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) break;
  }
  for (size_t i = 0; i < names.size(); ++i)
    trace.sources[i].original = std::exchange(trace.sources[i].path, names[i]);
}

/// Does any record of the query name this session or run, as it is or as answers show it?
bool is_of_session(const Graph& graph, const Query& query, std::string_view session, Door& door) {
  const Trace& trace = graph.trace();
  const auto is_it = [&](std::string_view name) {
    return name == session || (!name.empty() && door.name(name).view() == session);
  };
  const auto is_in = [&](CallId call) {
    return is_it(session_name(trace, graph.session_of(call)));
  };
  const auto names_it = [&](SpanId id) {
    const Span& span = trace[id];
    return is_it(trace[span.session]) || is_it(trace[span.run]) || is_it(trace[span.trace]);
  };
  return std::any_of(query.calls.begin(), query.calls.end(), is_in) ||
         std::any_of(query.spans.begin(), query.spans.end(), names_it);
}

/// Paths of files that differ also where file systems take names for equal that differ in case.
class PackNames {
 public:
  std::string path_of(std::string_view project, std::string_view query) {
    const std::string name = safe_file_name(query);
    std::string path = fmt::format("{}/{}", safe_file_name(project), name);
    for (int nth = 2; !taken_.insert(folded(path)).second; ++nth)
      path = fmt::format("{}/{}", safe_file_name(project),
                         name_with_digest(name, fmt::format("{}~{}", query, nth)));
    return path;
  }

 private:
  static std::string folded(std::string name) {
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return name;
  }
  std::set<std::string> taken_;
};

class PackMaker {
 public:
  PackMaker(const Request& request, const AuditRequest& audit) : request_(request), audit_(audit) {}

  Result<AuditPack> make() {
    Result<std::vector<Trace>> traces = load_runs(request_);
    if (!traces) return tl::unexpected(traces.error());
    Result<std::vector<RawInput>> raw = read_raw_inputs(traces->front());
    if (!raw) return tl::unexpected(raw.error());
    shorten_names(traces->front());
    runs_ = link_runs(*std::move(traces), request_.link_options());
    Result<std::unique_ptr<Door>> door = open_door(request_, runs_);
    if (!door) return tl::unexpected(door.error());
    facts_.level = request_.level == Door::Level::full ? "full" : "basic";
    facts_.made_at = audit_.made_at;
    facts_.command = {"xtrace", "audit"};
    add_to_command("--query", audit_.query, **door);
    add_to_command("--session", audit_.session, **door);
    for (const Request& asked : audit_.answers)
      facts_.command.insert(facts_.command.end(), {"--with", std::string(asked.entry->name)});
    facts_.command.insert(facts_.command.end(), audit_.options.begin(), audit_.options.end());
    if (Status chosen = choose(**door); !chosen) return (*door)->pass(chosen.error());
    for (const size_t query : chosen_)
      if (Status added = add_query(query); !added) return tl::unexpected(added.error());
    add_coverage(*raw, **door);
    list_inputs(*raw, **door);
    count(**door);
    add("redaction.json", redaction_json(facts_, request_.redaction, plant_canary(**door)));
    add("reproduce.json", reproduce_json(facts_, request_.options));
    add("README.md", pack_readme(facts_, chosen_.size()));
    pack_.root = add_lists(facts_, pack_.files);
    pack_.queries = chosen_.size();
    return std::move(pack_);
  }

 private:
  const Graph& graph() const { return runs_.now->graph; }
  Question question(Door& door) const {
    return {graph(), door, Face::tables, runs_.now->payloads.get()};
  }
  void add(std::string path, std::string bytes) {
    pack_.files.emplace(std::move(path), std::move(bytes));
  }
  void count(const Door& door) {
    for (const auto& [rule, count] : door.redactor().counts()) facts_.redactions[rule] += count;
  }

  void add_to_command(std::string_view option, const std::string& name, Door& door) {
    if (name.empty()) return;
    facts_.command.emplace_back(option);
    facts_.command.emplace_back(door.name(name).view());
  }

  Status choose(Door& door) {
    queries_ = find_trace_queries(question(door));
    if (!audit_.query.empty()) {
      Result<size_t> found = find_query(question(door), queries_->all, audit_.query);
      if (!found) return tl::unexpected(found.error());
      chosen_ = {*found};
      return {};
    }
    for (size_t i = 0; i < queries_->all.size(); ++i)
      if (audit_.session.empty() || is_of_session(graph(), queries_->all[i], audit_.session, door))
        chosen_.push_back(i);
    if (!chosen_.empty()) return {};
    if (audit_.session.empty()) return fail(Exit::no, "the input contains no query, turn or trace");
    return fail(Exit::no, fmt::format("no session '{}' with a query; `xtrace list` shows sessions",
                                      printable(audit_.session)));
  }

  /// Each as if it were asked for alone, which is how it can be checked.
  Status add_query(size_t at) {
    Result<std::unique_ptr<Door>> door = open_door(request_, runs_);
    if (!door) return tl::unexpected(door.error());
    Result<Document> document = answer(request_, runs_, **door, at);
    if (!document) return tl::unexpected(document.error());
    std::ostringstream trace;
    write_document(request_, *document, trace);
    const Query& query = queries_->all[at];
    const std::string shown((*door)->name(query_name(query)).view());
    const std::string_view project = query.project.empty() ? kNoProject : query.project;
    const std::string name = names_.path_of((*door)->name(project).view(), shown);
    facts_.questions.push_back({"trace", shown, {}});
    add(fmt::format("traces/{}.json", name), std::move(trace).str());
    add(fmt::format("provenance/{}.prov.json", name), provenance(query, **door));
    count(**door);
    for (const Request& asked : audit_.answers)
      if (Status added = add_answer(asked, at, name, shown); !added) return added;
    return {};
  }

  /// A question that has no answer is no fault of the pack: it is listed with the reason.
  Status add_answer(const Request& asked, size_t query, const std::string& name,
                    const std::string& shown) {
    if (queries_->all[query].calls.empty() && queries_->all[query].spans.empty()) return {};
    Result<std::unique_ptr<Door>> door = open_door(asked, runs_);
    if (!door) return tl::unexpected(door.error());
    const std::string view(asked.entry->name);
    Result<Document> document = answer(asked, runs_, **door, query);
    if (!document) {
      facts_.questions.push_back({view, shown, document.error().what});
      ++pack_.unanswered;
      return {};
    }
    std::ostringstream text;
    write_document(asked, *document, text);
    facts_.questions.push_back({view, shown, {}});
    add(fmt::format("answers/{}.{}.json", name, view), std::move(text).str());
    ++pack_.answers;
    count(**door);
    return {};
  }

  std::string provenance(const Query& query, Door& door) const {
    const Question asked = question(door);
    const TraceLimits limits;
    const Names names(graph(), door);
    const QueryTrace trace(asked, query);
    CellArena arena;
    return provenance_of(TraceScene(asked, trace, limits, names, arena));
  }

  void add_coverage(const std::vector<RawInput>& raw, Door& door) {
    std::vector<HashChain> chains;
    for (const RawInput& input : raw)
      chains.insert(chains.end(), input.chains.begin(), input.chains.end());
    const Document document = coverage_of(question(door), chains);
    const Paper paper;
    std::ostringstream json, markdown;
    write_json(document, paper, json);
    Document page("audit");
    page.add(coverage_outline(question(door)));
    write_markdown_page(page, paper, markdown);
    add("coverage.json", std::move(json).str());
    add("coverage.md", std::move(markdown).str());
  }

  void list_inputs(const std::vector<RawInput>& raw, Door& door) {
    const std::vector<Source>& sources = graph().trace().sources;
    for (size_t i = 0; i < sources.size(); ++i)
      facts_.inputs.push_back({.path = std::string(door.name(sources[i].path).view()),
                               .format = std::string(sources[i].format),
                               .sha256 = raw[i].sha256,
                               .records_root = raw[i].records.root(),
                               .bytes = raw[i].bytes,
                               .records = sources[i].records,
                               .skipped = sources[i].skipped,
                               .lines = raw[i].records.leaves()});
  }

  const Request& request_;
  const AuditRequest& audit_;
  LinkedRuns runs_;
  PackFacts facts_;
  AuditPack pack_;
  PackNames names_;
  std::shared_ptr<const TraceQueries> queries_;
  std::vector<size_t> chosen_;
};

}  // namespace

Result<AuditPack> make_audit_pack(const Request& request, const AuditRequest& audit) {
  return PackMaker(request, audit).make();
}

}  // namespace xtrace
