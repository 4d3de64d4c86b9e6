#include "view/audit/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <variant>

#include "base/address.h"
#include "base/json_writer.h"
#include "facts/tool_targets.h"
#include "link/calls/agents.h"
#include "view/audit/written_files.h"
#include "view/query/query_name.h"

namespace xtrace {

namespace {

using Value = std::variant<Text, double>;
/// What is said of one thing or relation, by the names of PROV and our own.
using Attributes = std::vector<std::pair<std::string_view, Value>>;

/// The sections of a document, in the order in which they are written.
enum class Part : uint8_t {
  entity,
  activity,
  agent,
  used,
  was_generated_by,
  was_informed_by,
  was_derived_from,
  was_associated_with,
  was_attributed_to,
  acted_on_behalf_of,
  last = acted_on_behalf_of
};

/// A relation has two ends, and the name of its section begins the names of its rows.
struct PartRow {
  std::string_view key, first, second;
};
constexpr PartRow kParts[] = {
    {"entity", {}, {}},
    {"activity", {}, {}},
    {"agent", {}, {}},
    {"used", "prov:activity", "prov:entity"},
    {"wasGeneratedBy", "prov:entity", "prov:activity"},
    {"wasInformedBy", "prov:informed", "prov:informant"},
    {"wasDerivedFrom", "prov:generatedEntity", "prov:usedEntity"},
    {"wasAssociatedWith", "prov:activity", "prov:agent"},
    {"wasAttributedTo", "prov:entity", "prov:agent"},
    {"actedOnBehalfOf", "prov:delegate", "prov:responsible"},
};
static_assert(std::size(kParts) == static_cast<size_t>(Part::last) + 1);

/// Collects the rows of a document.
class Provenance {
 public:
  explicit Provenance(const TraceScene& scene)
      : scene_(scene),
        graph_(scene.question.graph),
        trace_(graph_.trace()),
        door_(scene.question.door) {}

  std::string write() {
    const std::string_view query = door_.name(query_name(scene_.trace.query)).view();
    add(Part::activity, "x:query",
        {{"prov:type", Text("xtrace:query")}, {"prov:label", door_.name(query)}});
    for (size_t i = 0; i < steps().size(); ++i) add_step(i);
    for (size_t i = 0; i < steps().size(); ++i) {
      add_causes(i);
      add_reading(i);
      add_writing(i);
    }
    add_user();
    add_answer();
    return written();
  }

 private:
  struct Row {
    std::string id;
    Attributes attributes;
  };

  const std::vector<Step>& steps() const { return scene_.trace.steps; }
  static std::string step_id(size_t at) { return fmt::format("x:step-{}", at + 1); }
  Text own(std::string text) { return door_.composed(std::move(text)); }

  void add(Part part, std::string id, Attributes attributes) {
    std::erase_if(attributes, [](const auto& one) {
      const Text* text = std::get_if<Text>(&one.second);
      return text != nullptr && text->empty();
    });
    parts_[static_cast<size_t>(part)].push_back({std::move(id), std::move(attributes)});
  }

  /// A relation between two ends, once.
  void relate(Part part, const std::string& first, const std::string& second,
              const Attributes& more = {}) {
    if (first == second || !related_.emplace(part, first, second).second) return;
    const PartRow& names = kParts[static_cast<size_t>(part)];
    Attributes all = {{names.first, own(first)}, {names.second, own(second)}};
    all.insert(all.end(), more.begin(), more.end());
    const size_t number = parts_[static_cast<size_t>(part)].size() + 1;
    add(part, fmt::format("_:{}-{}", names.key, number), std::move(all));
  }

  /// The thing of this kind and name, made when it is first met.
  std::string thing(Part part, std::string_view kind, const std::string& name,
                    const Attributes& attributes) {
    const auto [known, is_new] = things_.try_emplace({kind, name});
    if (!is_new) return known->second;
    known->second = fmt::format("x:{}-{}", kind, ++numbers_[kind]);
    add(part, known->second, attributes);
    return known->second;
  }

  std::string input(const Extent& at) {
    const Source& source = trace_.sources[at.file];
    return thing(Part::entity, "input", std::to_string(at.file),
                 {{"prov:type", Text("xtrace:input")},
                  {"prov:label", scene_.names.text(source.path)},
                  {"xtrace:sha256", Door::own(source.sha256)}});
  }

  std::string agent(const std::string& name) {
    return thing(Part::agent, "agent", name,
                 {{"prov:type", Text("prov:SoftwareAgent")}, {"prov:label", door_.name(name)}});
  }

  /// Who did a step: the agent of a call, else the service or the node itself of a pipeline.
  std::string agent_of(const Step& step) {
    if (step.call) return agent(agent_name(graph_.agent_of(step.call)));
    if (step.span)
      if (const ActivityId at = graph_.activities().of_span[step.span.index]; at)
        if (const std::string_view name = graph_.activities()[at].agent.name; !name.empty())
          return agent(std::string(name));
    return agent(step.service.empty() ? "pipeline" : std::string(step.service));
  }

  void add_step(size_t at) {
    const Step& step = steps()[at];
    Attributes said = {{"prov:type", Text("xtrace:step")},
                       {"prov:label", door_.name(step.node)},
                       {"xtrace:id", scene_.id(step)},
                       {"xtrace:at", scene_.names.at(step.at)},
                       {"xtrace:status", Door::own(word(step.outcome))},
                       {"xtrace:model", scene_.names.text(step.model)}};
    add_times(step, said);
    add(Part::activity, step_id(at), std::move(said));
    relate(Part::was_associated_with, step_id(at), agent_of(step));
    relate(Part::used, step_id(at), input(step.at), {{"xtrace:how", Text("recorded_in")}});
    if (step.call)
      for (const ToolUse* use : graph_.tool_uses_of(step.call))
        if (use->id) asked_.emplace(trace_[use->id], at);
  }

  /// Both with the same number of digits, so that they compare as texts; readers take six.
  void add_times(const Step& step, Attributes& said) {
    if (step.start.time == kNoTime) return;
    const bool has_end = step.took != kNoDuration && step.took >= Duration::zero();
    const Time end = has_end ? after(step.start.time, step.took) : kNoTime;
    constexpr uint8_t kMost = 6;
    const uint8_t digits = std::min(
        kMost, std::max(decimals_of(step.start.time, step.start.decimals),
                        has_end ? decimals_of(end, step.start.decimals) : step.start.decimals));
    said.emplace_back("prov:startTime", own(format_time({step.start.time, digits})));
    if (has_end) said.emplace_back("prov:endTime", own(format_time({end, digits})));
  }

  void add_causes(size_t at) {
    const Step& step = steps()[at];
    if (step.parent != Step::kNone) {
      const bool is_inferred = step.cause != nullptr;
      relate(Part::was_informed_by, step_id(at), step_id(step.parent),
             {{"xtrace:confidence", is_inferred ? confidence(*step.cause) : 1.0},
              {"xtrace:method", is_inferred ? Door::own(word(step.cause->rule)) : Text("parent")}});
    }
    for (const size_t joined : step.joins)
      relate(Part::was_informed_by, step_id(at), step_id(joined),
             {{"xtrace:confidence", 1.0}, {"xtrace:method", Text("parent")}});
    if (step.cause != nullptr && step.cause->kind == LinkKind::subagent_spawn &&
        step.parent != Step::kNone)
      relate(Part::acted_on_behalf_of, agent_of(step), agent_of(steps()[step.parent]));
  }

  /// What it was given to read; what a tool returned was made in the step that asked for it.
  void add_reading(size_t at) {
    for (const EvidenceRef& ref : steps()[at].record.evidence) {
      if (scene_.withholds(ref)) continue;
      const std::string entity = evidence(ref);
      relate(Part::used, step_id(at), entity, {{"xtrace:how", Text("read")}});
      if (const auto asked = asked_.find(ref.id); asked != asked_.end())
        relate(Part::was_generated_by, entity, step_id(asked->second));
    }
  }

  std::string evidence(const EvidenceRef& ref) {
    const bool is_result = ref.type == "tool_result";
    const std::string name = is_result ? ref.id
                                       : fmt::format("{}\n{}\n{}\n{}\n{}", ref.type, ref.id,
                                                     ref.doc_id, ref.unit_id, ref.url);
    return thing(Part::entity, is_result ? "result" : "evidence", name,
                 {{"prov:type", is_result ? Text("xtrace:tool_result") : Text("xtrace:evidence")},
                  {"prov:label", scene_.text(ref.type)},
                  {"xtrace:id", scene_.text(ref.id)},
                  {"xtrace:tool", scene_.text(ref.tool)},
                  {"xtrace:document", scene_.text(ref.doc_id)},
                  {"xtrace:unit", scene_.text(ref.unit_id)},
                  {"xtrace:url", scene_.text(ref.url)}});
  }

  void add_writing(size_t at) {
    const Step& step = steps()[at];
    if (!step.call) return;
    for (const Activity& tool : graph_.activities().tools_of(step.call)) {
      if (!may_have_written(trace_, tool)) continue;
      const ToolUse* use = tool.use;
      for (const StringId target : targets_of(trace_, *use)) {
        const std::string_view path = trace_[target];
        if (path.empty() || !host_of(path).empty()) continue;
        // Each writing makes a new state of the file.
        const std::string file =
            thing(Part::entity, "file", fmt::format("{}\n{}\n{}", path, at, trace_[use->id]),
                  {{"prov:type", Text("xtrace:file")},
                   {"prov:label", door_.name(path)},
                   {"xtrace:tool_use", scene_.names.text(use->id)}});
        relate(Part::was_generated_by, file, step_id(at), {{"xtrace:how", Text("asked_to_write")}});
      }
    }
  }

  /// A person is on record where a user's words began the query.
  void add_user() {
    const Query& query = scene_.trace.query;
    if (query.from != Query::From::turn || steps().empty() || !steps().front().call) return;
    if (!answers_a_user(graph_, steps().front().call)) return;
    add(Part::agent, "x:user", {{"prov:type", Text("prov:Person")}, {"prov:label", Text("user")}});
    relate(Part::acted_on_behalf_of, agent_of(steps().front()), "x:user");
  }

  /// What the query ended with: the last step that answered and asked for nothing more.
  void add_answer() {
    if (steps().empty()) return;
    size_t last = steps().size() - 1;
    for (size_t i = steps().size(); i-- > 0;)
      if (const Step& step = steps()[i]; step.call && step.outcome == Outcome::ok &&
                                         graph_.tool_uses_of(step.call).empty() &&
                                         agent_of(step) == agent_of(steps().front())) {
        last = i;
        break;
      }
    add(Part::entity, "x:answer", {{"prov:type", Text("xtrace:answer")}});
    relate(Part::was_generated_by, "x:answer", step_id(last));
    relate(Part::was_attributed_to, "x:answer", agent_of(steps()[last]));
    for (const EvidenceRef& ref : scene_.trace.citations)
      if (!scene_.withholds(ref)) relate(Part::was_derived_from, "x:answer", evidence(ref));
  }

  std::string written() const {
    std::string text;
    JsonWriter json(text);
    json.open_object(JsonLayout::lines(2));
    json.open_object("prefix");
    json.field("x", "urn:xtrace:run:");
    json.field("xtrace", "urn:xtrace:ns:");
    json.close();
    for (size_t i = 0; i < std::size(kParts); ++i) {
      if (parts_[i].empty()) continue;
      json.open_object(kParts[i].key, JsonLayout::lines(4));
      for (const Row& row : parts_[i]) {
        json.open_object(row.id);
        for (const auto& [name, value] : row.attributes)
          if (const Text* said = std::get_if<Text>(&value))
            json.field(name, said->view());
          else
            json.field(name, std::get<double>(value));
        json.close();
      }
      json.close();
    }
    json.close();
    return text + '\n';
  }

  const TraceScene& scene_;
  const Graph& graph_;
  const Trace& trace_;
  Door& door_;
  std::array<std::vector<Row>, std::size(kParts)> parts_;
  std::set<std::tuple<Part, std::string, std::string>> related_;
  std::map<std::pair<std::string_view, std::string>, std::string> things_;
  std::map<std::string_view, size_t> numbers_;  ///< the last one given, by kind
  std::map<std::string_view, size_t> asked_;    ///< by the id of a tool use, the step that asked
};

}  // namespace

std::string provenance_of(const TraceScene& scene) {
  return Provenance(scene).write();
}

}  // namespace xtrace
