#include "cli/verify_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/merkle.h"
#include "base/one_of.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/time.h"
#include "cli/verify_recorded.h"
#include "run/audit_pack.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::string_view kManifest = "manifest.json", kSums = "SHA256SUMS",
                           kStatement = "statement.json";

/// The relations of PROV-JSON and their two ends, each the name of a role and of the section that
/// it names a thing of.
struct RelationRow {
  std::string_view name, first, first_section, second, second_section;
};
constexpr RelationRow kRelations[] = {
    {"used", "prov:activity", "activity", "prov:entity", "entity"},
    {"wasGeneratedBy", "prov:entity", "entity", "prov:activity", "activity"},
    {"wasInformedBy", "prov:informed", "activity", "prov:informant", "activity"},
    {"wasDerivedFrom", "prov:generatedEntity", "entity", "prov:usedEntity", "entity"},
    {"wasAssociatedWith", "prov:activity", "activity", "prov:agent", "agent"},
    {"wasAttributedTo", "prov:entity", "entity", "prov:agent", "agent"},
    {"actedOnBehalfOf", "prov:delegate", "agent", "prov:responsible", "agent"},
};
constexpr std::string_view kSections[] = {"entity", "activity", "agent"};

/// A pack may come from anybody: what is not of the expected kind is a fault, never an exception.
const Json& member_at(const Json& object, std::string_view key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(std::string(key));
  return found == object.end() ? kNothing : *found;
}
std::string words_at(const Json& object, std::string_view key) {
  const Json& value = member_at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}
int64_t count_at(const Json& object, std::string_view key) {
  const Json& value = member_at(object, key);
  return value.is_number_integer() ? value.get<int64_t>() : -1;
}

/// Checks one pack; the first fault is kept.
class PackCheck {
 public:
  PackCheck(const PackFiles& files, const std::string& root) : files_(files), root_(root) {}

  PackVerdict check() {
    if (!read_manifest()) return verdict_;
    check_files();
    check_tree();
    check_sums();
    check_statement();
    for (const auto& [path, bytes] : files_)
      if (path.starts_with("traces/") && !failed()) check_trace(path);
    for (const auto& [path, bytes] : files_)
      if (path.ends_with(".prov.json") && !failed()) check_provenance(path);
    check_answers();
    check_coverage();
    check_redaction();
    return verdict_;
  }

 private:
  bool failed() const { return !verdict_.fault.empty(); }
  bool that(bool is_good, const std::string& fault) {
    if (!is_good && !failed()) verdict_.fault = fault;
    return is_good;
  }

  /// Of a file that the pack has to have.
  std::optional<Json> parsed(const std::string& path) {
    const auto file = files_.find(path);
    if (!that(file != files_.end(), path + ": missing")) return {};
    std::optional<Json> json = parse_strict(file->second);
    that(json.has_value(), path + ": not valid JSON, or an object has a key twice");
    return json;
  }

  bool read_manifest() {
    std::optional<Json> json = parsed(std::string(kManifest));
    if (!json) return false;
    manifest_ = *std::move(json);
    verdict_.root = words_at(member_at(manifest_, "merkle"), "root");
    verdict_.version = words_at(member_at(manifest_, "generator"), "version");
    verdict_.made_at = words_at(manifest_, "made_at");
    for (const Json& input : member_at(manifest_, "inputs")) {
      digests_.insert(words_at(input, "sha256"));
      ++verdict_.inputs;
    }
    const Json& command = member_at(member_at(manifest_, "reproduction"), "command");
    for (size_t i = 2; command.is_array() && i < command.size(); ++i)
      if (command[i].is_string()) verdict_.options.push_back(command[i].get<std::string>());
    verdict_.files = files_.size();
    return that(words_at(manifest_, "schema") == "xtrace.audit/1",
                "manifest.json: not the manifest of an audit pack (xtrace.audit/1)") &&
           that(member_at(manifest_, "files").is_array() &&
                    member_at(manifest_, "inputs").is_array() && command.is_array(),
                "manifest.json: inputs, files or reproduction.command is missing");
  }

  void check_files() {
    std::set<std::string> listed = {std::string(kManifest), std::string(kSums),
                                    std::string(kStatement)};
    std::string before;
    for (const Json& entry : member_at(manifest_, "files")) {
      const std::string path = words_at(entry, "path");
      that(before < path, fmt::format("manifest.json: {} is not in order", shown(path)));
      before = path;
      listed.insert(path);
      const auto file = files_.find(path);
      if (!that(file != files_.end(), shown(path) + ": missing")) continue;
      that(count_at(entry, "bytes") == static_cast<int64_t>(file->second.size()) &&
               words_at(entry, "sha256") == sha256_of(file->second),
           shown(path) + ": changed");
    }
    for (const auto& [path, bytes] : files_)
      that(listed.contains(path), shown(path) + ": not listed in manifest.json");
  }

  void check_tree() {
    MerkleTree tree;
    for (const Json& entry : member_at(manifest_, "files"))
      tree.add(fmt::format("{}  {}\n", words_at(entry, "sha256"), words_at(entry, "path")));
    const Json wanted = {
        {"algorithm", "rfc6962-sha256"}, {"leaves", tree.leaves()}, {"root", tree.root()}};
    that(member_at(manifest_, "merkle") == wanted,
         "manifest.json: merkle is not the root of the listed files");
    that(root_.empty() || root_ == tree.root(),
         fmt::format("the Merkle root is {}, not the one of --root", tree.root()));
  }

  void check_sums() {
    std::string sums;
    for (const auto& [path, bytes] : files_)
      if (path != kSums && path != kStatement)
        sums += fmt::format("{}  {}\n", sha256_of(bytes), path);
    const auto file = files_.find(std::string(kSums));
    if (that(file != files_.end(), "SHA256SUMS: missing"))
      that(file->second == sums, "SHA256SUMS: does not list the files as they are");
  }

  void check_statement() {
    const auto file = files_.find(std::string(kStatement));
    if (!that(file != files_.end(), "statement.json: missing") || failed()) return;
    const Ordered manifest = Ordered::parse(files_.at(std::string(kManifest)), nullptr, false);
    const auto subject = [](const Json& name, const Json& digest) {
      return Ordered{{"name", name}, {"digest", Ordered{{"sha256", digest}}}};
    };
    Ordered subjects = Ordered::array();
    subjects.push_back(subject(kManifest, sha256_of(files_.at(std::string(kManifest)))));
    for (const Json& input : member_at(manifest_, "inputs"))
      subjects.push_back(subject(member_at(input, "path"), member_at(input, "sha256")));
    const auto same = [&](const char* key) {
      return manifest.contains(key) ? manifest[key] : Ordered();
    };
    const Ordered statement = {{"_type", "https://in-toto.io/Statement/v1"},
                               {"subject", subjects},
                               {"predicateType", "urn:xtrace:audit:1"},
                               {"predicate",
                                {{"generator", same("generator")},
                                 {"level", same("level")},
                                 {"merkle_root", verdict_.root},
                                 {"reproduction", same("reproduction")}}}};
    that(file->second == statement.dump(2, ' ', false, Json::error_handler_t::replace) + '\n',
         "statement.json: not the statement about this manifest");
  }

  void check_trace(const std::string& path) {
    const std::optional<Json> trace = parsed(path);
    if (!trace) return;
    const Json& steps = member_at(*trace, "steps");
    that(words_at(*trace, "schema") == "xtrace.trace/1" && steps.is_array() &&
             member_at(*trace, "metrics").is_object() && member_at(*trace, "queryId").is_string() &&
             member_at(*trace, "subgraphDigest").is_string(),
         shown(path) + ": not a trace");
    check_origin(path, *trace);
    constexpr size_t kFolder = std::string_view("traces/").size();
    constexpr size_t kEnding = std::string_view(".json").size();
    const std::string twin =
        fmt::format("provenance/{}.prov.json",
                    path.substr(kFolder, path.size() - kFolder - std::min(path.size(), kEnding)));
    if (failed()) return;
    if (const std::optional<Json> provenance = parsed(twin))
      compare(path, steps, twin, *provenance);
  }

  /// Is it of the level and of inputs of the manifest?
  void check_origin(const std::string& path, const Json& answer) {
    that(member_at(answer, "level") == member_at(manifest_, "level"),
         shown(path) + ": its level is not that of the manifest");
    for (const Json& input : member_at(answer, "inputs"))
      that(digests_.contains(words_at(input, "sha256")),
           shown(path) + ": made from an input that the manifest does not list");
  }

  /// Do both have the same steps?
  void compare(const std::string& path, const Json& steps, const std::string& twin,
               const Json& provenance) {
    const Json& activities = member_at(provenance, "activity");
    size_t count = 0;
    for (const Json& activity : activities)
      count += words_at(activity, "prov:type") == "xtrace:step";
    if (!that(count == steps.size(), fmt::format("{}: {} steps, but {} has {}", shown(twin), count,
                                                 shown(path), steps.size())))
      return;
    for (size_t i = 0; i < steps.size(); ++i) {
      const Json& activity = member_at(activities, fmt::format("x:step-{}", i + 1));
      that(words_at(activity, "xtrace:id") == words_at(steps[i], "id") &&
               words_at(activity, "xtrace:at") == words_at(steps[i], "at"),
           fmt::format("{}: step {} is not that of {}", shown(twin), i + 1, shown(path)));
    }
  }

  void check_provenance(const std::string& path) {
    const std::optional<Json> document = parsed(path);
    if (!document) return;
    const Json& prefixes = member_at(*document, "prefix");
    that(prefixes.is_object() && !prefixes.empty(), shown(path) + ": declares no prefix");
    std::set<std::string> known = {"prefix"};
    for (const std::string_view section : kSections) {
      known.emplace(section);
      const Json& things = member_at(*document, section);
      if (things.is_object())
        for (const auto& [id, thing] : things.items()) check_thing(path, prefixes, id, thing);
    }
    that(!member_at(*document, "activity").empty(), shown(path) + ": has no activity");
    for (const RelationRow& row : kRelations) {
      known.emplace(row.name);
      for (const Json& relation : member_at(*document, row.name))
        check_relation(path, *document, row, relation);
    }
    if (document->is_object())
      for (const auto& [section, rows] : document->items())
        that(known.contains(section),
             fmt::format("{}: unknown section {}", shown(path), shown(section)));
  }

  void check_thing(const std::string& path, const Json& prefixes, const std::string& id,
                   const Json& thing) {
    const size_t colon = id.find(':');
    that(colon != id.npos && prefixes.is_object() && prefixes.contains(id.substr(0, colon)),
         fmt::format("{}: the prefix of {} is not declared", shown(path), shown(id)));
    std::optional<Moment> times[2];
    const char* const keys[] = {"prov:startTime", "prov:endTime"};
    for (size_t i = 0; i < 2; ++i) {
      if (member_at(thing, keys[i]).is_null()) continue;
      times[i] = parse_time(words_at(thing, keys[i]));
      that(times[i].has_value(),
           fmt::format("{}: {} of {} is not a time", shown(path), keys[i], shown(id)));
    }
    that(!times[0] || !times[1] || times[0]->time <= times[1]->time,
         fmt::format("{}: {} ends before it starts", shown(path), shown(id)));
  }

  void check_relation(const std::string& path, const Json& document, const RelationRow& row,
                      const Json& relation) {
    for (const auto& [role, section] :
         {std::pair(row.first, row.first_section), std::pair(row.second, row.second_section)})
      that(member_at(document, section).contains(words_at(relation, role)),
           fmt::format("{}: {} names no {} as {}", shown(path), row.name, section, role));
    const Json& confidence = member_at(relation, "xtrace:confidence");
    that(confidence.is_null() || (confidence.is_number() && confidence.get<double>() >= 0 &&
                                  confidence.get<double>() <= 1),
         fmt::format("{}: a confidence in {} is not from 0 to 1", shown(path), row.name));
  }

  /// Is each answer about a query that has a trace, of the same inputs, and listed as a command?
  void check_answers() {
    constexpr std::string_view kFolder = "answers/", kEnding = ".json";
    std::map<std::string, int64_t> answers;  // by command
    for (const auto& [path, bytes] : files_) {
      if (!path.starts_with(kFolder) || failed()) continue;
      const size_t end = path.size() - std::min(path.size(), kEnding.size());
      const size_t dot = path.rfind('.', end - 1);
      if (!that(path.ends_with(kEnding) && dot != path.npos && dot > kFolder.size(),
                shown(path) + ": not an answer"))
        return;
      const std::string command = path.substr(dot + 1, end - dot - 1);
      const std::string query = path.substr(kFolder.size(), dot - kFolder.size());
      that(
          is_one_of(command, kPackAnswers) && files_.contains(fmt::format("traces/{}.json", query)),
          shown(path) + ": not an answer about a query of this pack");
      ++answers[command];
      const std::optional<Json> answer = parsed(path);
      if (!answer) return;
      that(words_at(*answer, "schema") == fmt::format("xtrace.{}/1", command),
           fmt::format("{}: not an answer of xtrace {}", shown(path), shown(command)));
      check_origin(path, *answer);
    }
    if (failed()) return;
    const std::optional<Json> reproduce = parsed("reproduce.json");
    if (!reproduce) return;
    for (const Json& command : member_at(*reproduce, "commands"))
      if (command.is_array() && command.size() > 1 && command[1].is_string())
        --answers[command[1].get<std::string>()];
    for (const std::string_view command : kPackAnswers)
      that(answers[std::string(command)] == 0,
           fmt::format("reproduce.json: not as many commands of {} as answers", command));
  }

  void check_coverage() {
    if (failed()) return;
    const std::optional<Json> coverage = parsed("coverage.json");
    if (!coverage) return;
    that(member_at(*coverage, "events").is_array(), "coverage.json: has no events");
    for (const Json& event : member_at(*coverage, "events")) {
      const bool is_missing = !member_at(event, "missing").is_null();
      const bool has_places =
          !member_at(event, "first").is_null() && !member_at(event, "last").is_null();
      that((count_at(event, "count") == 0) == is_missing && is_missing != has_places,
           fmt::format("coverage.json: {} is neither recorded nor missing",
                       shown(words_at(event, "kind"))));
    }
  }

  void check_redaction() {
    if (failed()) return;
    const std::optional<Json> redaction = parsed("redaction.json");
    if (!redaction) return;
    const Json& canary = member_at(*redaction, "canary");
    that(count_at(canary, "planted") > 0 && count_at(canary, "leaked") == 0,
         "redaction.json: made-up secrets came through redaction");
  }

  static std::string shown(const std::string& text) { return clip(printable(text), 120); }

  const PackFiles& files_;
  const std::string& root_;
  Json manifest_;
  std::set<std::string> digests_;  ///< of the inputs
  PackVerdict verdict_;
};

}  // namespace

PackVerdict check_pack(const PackFiles& files, const std::string& root) {
  return PackCheck(files, root).check();
}

std::string first_difference(const PackFiles& pack, const PackFiles& again) {
  for (const auto& [path, bytes] : pack) {
    const auto other = again.find(path);
    const std::string shown = clip(printable(path), 120);
    if (other == again.end()) return shown + ": does not follow from the inputs";
    if (other->second == bytes) continue;
    const auto [here, there] =
        std::mismatch(bytes.begin(), bytes.end(), other->second.begin(), other->second.end());
    const auto lines = std::count(bytes.begin(), here, '\n');
    return fmt::format("{}:{}: differs from what the inputs give", shown, lines + 1);
  }
  for (const auto& [path, bytes] : again)
    if (!pack.contains(path))
      return clip(printable(path), 120) +
             ": follows from the inputs, but the pack does not have it";
  return {};
}

}  // namespace xtrace
