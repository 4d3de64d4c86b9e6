#include "run/audit_lists.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/merkle.h"
#include "base/sha256.h"
#include "redact/redact_rules.h"
#include "redact/secret_kinds.h"

namespace xtrace {

namespace {

// Lists are laid out as Python's json.dumps(…, indent=2) does, so that a checker can compare bytes.
constexpr JsonLayout kTop = JsonLayout::lines(2);
constexpr JsonLayout kSecond = JsonLayout::lines(4);
constexpr JsonLayout kThird = JsonLayout::lines(6);
constexpr JsonLayout kFourth = JsonLayout::lines(8);

void write_generator(JsonWriter& json, JsonLayout layout) {
  json.open_object("generator", layout);
  json.field("name", "xtrace");
  json.field("version", XTRACE_VERSION);
  json.close();
}

void write_words(JsonWriter& json, std::string_view key, const std::vector<std::string>& words,
                 JsonLayout layout) {
  json.open_list(key, layout);
  for (const std::string& word : words) json.value(word);
  json.close();
}

void write_counts(JsonWriter& json, std::string_view key,
                  const std::map<std::string, int64_t>& counts) {
  json.open_object(key, kSecond);
  for (const auto& [rule, count] : counts) json.field(rule, count);
  json.close();
}

/// A line of SHA256SUMS, which is also a leaf of the tree.
std::string sum_line(const std::string& path, const std::string& bytes) {
  return fmt::format("{}  {}\n", sha256_of(bytes), path);
}

std::string manifest_json(const PackFacts& facts, const PackFiles& files, const MerkleTree& tree) {
  std::string text;
  JsonWriter json(text);
  json.open_object(kTop);
  json.field("schema", "xtrace.audit/1");
  write_generator(json, kSecond);
  json.field("level", facts.level);
  if (!facts.made_at.empty()) json.field("made_at", facts.made_at);
  json.open_list("inputs", kSecond);
  for (const ListedInput& input : facts.inputs) {
    json.open_object(kThird);
    json.field("path", input.path);
    if (!input.format.empty()) json.field("format", input.format);
    json.field("bytes", input.bytes);
    json.field("records", input.records);
    json.field("skipped", input.skipped);
    json.field("sha256", input.sha256);
    json.field("lines", input.lines);
    json.field("records_root", input.records_root);
    json.close();
  }
  json.close();
  json.open_list("files", kSecond);
  for (const auto& [path, bytes] : files) {
    json.open_object(kThird);
    json.field("path", path);
    json.field("bytes", bytes.size());
    json.field("sha256", sha256_of(bytes));
    json.close();
  }
  json.close();
  json.open_object("merkle", kSecond);
  json.field("algorithm", "rfc6962-sha256");
  json.field("leaves", tree.leaves());
  json.field("root", tree.root());
  json.close();
  json.open_object("reproduction", kSecond);
  write_words(json, "command", facts.command, kThird);
  json.close();
  write_counts(json, "redactions", facts.redactions);
  json.close();
  return text + '\n';
}

/// An in-toto Statement v1 about the manifest and the inputs.
std::string statement_json(const PackFacts& facts, const std::string& manifest,
                           const std::string& root) {
  std::string text;
  JsonWriter json(text);
  const auto write_subject = [&](std::string_view name, std::string_view sha256) {
    json.open_object(kThird);
    json.field("name", name);
    json.open_object("digest", kFourth);
    json.field("sha256", sha256);
    json.close();
    json.close();
  };
  json.open_object(kTop);
  json.field("_type", "https://in-toto.io/Statement/v1");
  json.open_list("subject", kSecond);
  write_subject("manifest.json", sha256_of(manifest));
  for (const ListedInput& input : facts.inputs) write_subject(input.path, input.sha256);
  json.close();
  json.field("predicateType", "urn:xtrace:audit:1");
  json.open_object("predicate", kSecond);
  write_generator(json, kThird);
  json.field("level", facts.level);
  json.field("merkle_root", root);
  json.open_object("reproduction", kThird);
  write_words(json, "command", facts.command, kFourth);
  json.close();
  json.close();
  json.close();
  return text + '\n';
}

/// A rule by its name, and a digest of what it looks for: a rule that changes has another one.
struct NamedRule {
  std::string_view kind;
  std::string forms;
};

std::map<std::string_view, NamedRule> named_rules() {
  std::map<std::string_view, NamedRule> rules;
  for (const SecretKind& kind : secret_kinds()) {
    NamedRule& rule = rules.try_emplace(kind.name, NamedRule{"secret", {}}).first->second;
    rule.forms += fmt::format("{}\n{}\n", kind.begins, kind.follows);
  }
  for (const RedactRule& one : redact_rules()) {
    const std::string_view kind = one.kind == Sensitive::personal ? "personal" : "secret";
    NamedRule& rule = rules.try_emplace(one.name, NamedRule{kind, {}}).first->second;
    rule.forms += fmt::format("{}\n{}\n", one.triggers, one.pattern);
  }
  return rules;
}

}  // namespace

std::string add_lists(const PackFacts& facts, PackFiles& files) {
  MerkleTree tree;
  for (const auto& [path, bytes] : files) tree.add(sum_line(path, bytes));
  std::string root = tree.root();
  const std::string manifest = manifest_json(facts, files, tree);
  files["manifest.json"] = manifest;
  std::string sums;
  for (const auto& [path, bytes] : files) sums += sum_line(path, bytes);
  files["SHA256SUMS"] = sums;
  files["statement.json"] = statement_json(facts, manifest, root);
  return root;
}

std::string redaction_json(const PackFacts& facts, const RedactPolicy& policy,
                           const Canary& canary) {
  std::string text;
  JsonWriter json(text);
  json.open_object(kTop);
  json.field("schema", "xtrace.redaction/1");
  write_generator(json, {});
  json.field("level", facts.level);
  json.field("personal_data", policy.which == Redaction::all ? "replaced" : "kept");
  json.open_list("rules", kSecond);
  for (const auto& [name, rule] : named_rules()) {
    if (rule.kind == "personal" && policy.which != Redaction::all) continue;
    json.open_object();
    json.field("name", name);
    json.field("kind", rule.kind);
    json.field("version", std::string_view(sha256_of(rule.forms)).substr(0, 16));
    const auto count = facts.redactions.find(std::string(name));
    json.field("count", count == facts.redactions.end() ? 0 : count->second);
    json.close();
  }
  json.close();
  write_counts(json, "counts", facts.redactions);
  json.open_object("canary");
  json.field("planted", canary.planted);
  json.field("leaked", canary.leaked);
  json.close();
  json.close();
  return text + '\n';
}

std::string reproduce_json(const PackFacts& facts, const std::vector<std::string>& options) {
  std::vector<std::string> names;
  for (const ListedInput& input : facts.inputs) names.push_back(input.path);
  std::string text;
  JsonWriter json(text);
  const auto close_command = [&](std::vector<std::string> words,
                                 const std::vector<std::string>& last) {
    words.insert(words.end(), names.begin(), names.end());
    words.insert(words.end(), last.begin(), last.end());
    for (const std::string& word : words) json.value(word);
    json.close();
  };
  const auto close_question = [&](const PackQuestion& question) {
    std::vector<std::string> words = {"xtrace", question.view, "--query", question.query};
    words.insert(words.end(), options.begin(), options.end());
    close_command(std::move(words), {"-f", "json"});
  };
  json.open_object(kTop);
  json.field("schema", "xtrace.reproduce/1");
  write_generator(json, {});
  json.open_list("commands", kSecond);
  std::vector<std::string> make = {"xtrace", "audit"};
  make.insert(make.end(), facts.command.begin() + 2, facts.command.end());
  json.open_list();
  close_command(make, {"--output-dir", "PACK"});
  json.open_list();
  close_command({"xtrace", "audit", "--verify", "PACK"}, {});
  for (const PackQuestion& question : facts.questions) {
    if (!question.why_not.empty()) continue;
    json.open_list();
    close_question(question);
  }
  json.close();
  json.open_list("without_answer", kSecond);
  for (const PackQuestion& question : facts.questions) {
    if (question.why_not.empty()) continue;
    json.open_object();
    json.open_list("command");
    close_question(question);
    json.field("why", question.why_not);
    json.close();
  }
  json.close();
  json.close();
  return text + '\n';
}

}  // namespace xtrace
