#include "settings/standards_file.h"

#include <fmt/format.h>

#include <cmath>

#include "base/one_of.h"
#include "base/text.h"
#include "settings/setting.h"
#include "settings/settings_file.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

constexpr std::string_view kSchema = "xtrace.assess/1";

class ProfileFile {
 public:
  explicit ProfileFile(const std::string& path) : path_(path) {}

  Result<Profile> read(const Setting& root) {
    const Setting *schema = root.find("schema"), *profile = root.find("profile");
    if (root.kind != Kind::table || (schema == nullptr && profile == nullptr))
      return no_baseline(root);
    if (schema != nullptr && schema->text != kSchema)
      return wrong_setting(
          path_, *schema,
          fmt::format("not a baseline of assess, whose schema is {}{}", kSchema,
                      schema->text.starts_with("xtrace.assess/")
                          ? "; recreate it with this version: xtrace assess "
                            "--learn RUNS -f json -o baseline.json"
                          : "; xtrace assess --learn RUNS -f json -o baseline.json "
                            "writes one"));
    if (root.find("reasons") != nullptr) return no_baseline(root);
    keys(root, "a baseline",
         {"schema", "generator", "level", "redaction", "revealed", "field_descriptions", "inputs",
          "warnings", "parts", "filtered", "profile", "edges", "agents", "resources", "paths",
          "figures", "redactions"});
    value(root, "schema");
    if (!wrong_) return tl::unexpected(wrong_.error());
    if (profile == nullptr) return no_baseline(root);
    Profile learned;
    if (const Setting* hides = root.find("redaction"))
      learned.hides = hides->text == "off"            ? Redaction::off
                      : hides->text == "secrets_only" ? Redaction::secrets_only
                                                      : Redaction::all;
    keys(*profile, "profile", {"runs", "depth_p95", "depth_max", "group_paths", "judges"});
    if (profile->find("group_paths") != nullptr)
      learned.group_paths = count(*profile, "group_paths");
    learned.runs = count(*profile, "runs");
    learned.depth = bound(*profile, "depth_p95", "depth_max");
    rows(root, "edges", {"source", "target", "hop_kind", "runs", "calls_p95", "calls_max"},
         [&](const Setting& row) {
           EdgeName name{text(row, "source"), text(row, "target"), text(row, "hop_kind")};
           Profile::Edge edge{count(row, "runs"), bound(row, "calls_p95", "calls_max")};
           return learned.edges.emplace(std::move(name), edge).second;
         });
    rows(root, "agents", {"agent", "fan_out_p95", "fan_out_max"}, [&](const Setting& row) {
      return learned.fan_out.emplace(text(row, "agent"), bound(row, "fan_out_p95", "fan_out_max"))
          .second;
    });
    rows(root, "resources", {"resource", "runs"}, [&](const Setting& row) {
      return learned.resources.emplace(text(row, "resource"), count(row, "runs")).second;
    });
    rows(root, "paths", {"path", "runs"}, [&](const Setting& row) {
      PathName actors;
      if (const Setting* path = value(row, "path")) {
        Result<std::vector<std::string>> names = texts_of(path_, *path, "path");
        if (!names) return note(names.error());
        actors = *std::move(names);
      }
      return learned.paths.emplace(std::move(actors), count(row, "runs")).second;
    });
    // Older versions did not learn them.
    learned.is_without_figures = root.find("figures") == nullptr;
    if (!learned.is_without_figures)
      rows(root, "figures",
           {"figure", "tool", "runs", "used", "min", "median", "mad", "p95", "max"},
           [&](const Setting& row) {
             Figure figure{count(row, "runs"),    count(row, "used"), number(row, "min"),
                           number(row, "median"), number(row, "mad"), bound(row, "p95", "max")};
             std::string name = text(row, "figure");
             if (name != kToolFigure) return learned.figures.emplace(name, figure).second;
             return learned.tools.emplace(text(row, "tool"), figure).second;
           });
    if (wrong_ && learned.runs == 0)
      return wrong_setting(path_, *profile,
                           "the baseline contains no runs; create it from normal runs: xtrace "
                           "assess --learn RUNS -f json -o baseline.json");
    if (!wrong_) return tl::unexpected(wrong_.error());
    return learned;
  }

 private:
  tl::unexpected<Error> no_baseline(const Setting& root) const {
    return wrong_setting(
        path_, root,
        "not a baseline; create one: xtrace assess --learn RUNS -f json -o baseline.json");
  }
  /// The first thing that is wrong counts.
  bool note(const Error& error) {
    if (wrong_) wrong_ = tl::unexpected(error);
    return true;
  }
  void keys(const Setting& of, std::string_view what, const std::vector<std::string_view>& known) {
    if (Status checked = check_keys(path_, of, what, known); !checked) note(checked.error());
  }
  /// Null: it is missing, which is noted.
  const Setting* value(const Setting& from, std::string_view key) {
    const Setting* found = from.find(key);
    if (found == nullptr)
      note(wrong_setting(path_, from, fmt::format("{} is missing", key)).value());
    return found;
  }
  double number(const Setting& from, std::string_view key) {
    const Setting* found = value(from, key);
    if (found == nullptr) return 0;
    Result<double> read = number_of(path_, *found, key);
    if (!read) note(read.error());
    return read ? *read : 0;
  }
  int64_t count(const Setting& from, std::string_view key) {
    double read = number(from, key);
    if (read >= 0 && read <= 1e15 && read == std::floor(read)) return static_cast<int64_t>(read);
    note(wrong_setting(path_, *from.find(key), fmt::format("{} must be a whole number", key))
             .value());
    return 0;
  }
  Bound bound(const Setting& from, std::string_view p95, std::string_view most) {
    Bound bound{number(from, p95), number(from, most), from.line};
    if (bound.p95 > bound.most)
      note(wrong_setting(path_, from, fmt::format("{} is greater than {}", p95, most)).value());
    return bound;
  }
  std::string text(const Setting& row, std::string_view key) {
    const Setting* found = value(row, key);
    if (found == nullptr) return {};
    // From whom is not always known.
    if (found->kind == Kind::text) return found->text;
    note(wrong_setting(path_, *found, fmt::format("{} must be a string", key)).value());
    return {};
  }
  /// `each` says whether that row is the first of its name.
  template <class Each>
  void rows(const Setting& root, std::string_view key, const std::vector<std::string_view>& known,
            Each each) {
    const Setting* list = value(root, key);
    if (list == nullptr) return;
    if (list->kind != Kind::list) {
      note(wrong_setting(path_, *list, fmt::format("{} must be a list", key)).value());
      return;
    }
    for (const SettingItem& item : list->items) {
      keys(item.value, fmt::format("a row of {}", key), known);
      if (!wrong_) return;
      if (!each(item.value))
        note(wrong_setting(path_, item.value, fmt::format("duplicate row in {}", key)).value());
    }
  }

  const std::string& path_;
  Status wrong_;
};

/// Those of A2A, which say nothing of what an agent may call.
constexpr std::string_view kOtherCardKeys[] = {"description",
                                               "url",
                                               "version",
                                               "protocolVersion",
                                               "provider",
                                               "capabilities",
                                               "skills",
                                               "iconUrl",
                                               "defaultInputModes",
                                               "defaultOutputModes",
                                               "documentationUrl",
                                               "security",
                                               "securitySchemes",
                                               "preferredTransport",
                                               "additionalInterfaces",
                                               "supportsAuthenticatedExtendedCard",
                                               "signatures"};
constexpr std::string_view kCardLists[] = {"dependencies", "tools", "resources"};

Result<AgentCard> read_card(const std::string& path, const Setting& card) {
  std::vector<std::string_view> known = {"agent_id", "name"};
  known.insert(known.end(), std::begin(kCardLists), std::end(kCardLists));
  if (card.kind == Kind::table)
    for (std::string_view other : kOtherCardKeys)
      if (card.find(other) != nullptr) known.push_back(other);
  if (Status checked = check_keys(path, card, "an agent card", known); !checked)
    return tl::unexpected(checked.error());
  AgentCard read;
  read.line = card.line;
  bool declares = false;
  for (const auto& [key, value] : card.items) {
    if (key == "agent_id" || key == "name") {
      Result<std::string> name = text_of(path, value, key);
      if (!name) return tl::unexpected(name.error());
      if (key == "agent_id" || read.agent.empty()) read.agent = *std::move(name);
    }
    if (!is_one_of(key, kCardLists)) continue;
    Result<std::vector<std::string>> names = texts_of(path, value, key);
    if (!names) return tl::unexpected(names.error());
    read.may_use.insert(names->begin(), names->end());
    declares = true;
  }
  if (read.agent.empty()) return wrong_setting(path, card, "the agent card has no agent_id");
  if (!declares)
    return wrong_setting(path, card,
                         "the agent card declares nothing; it needs dependencies, tools or "
                         "resources (the list may be empty)");
  return read;
}

}  // namespace

Result<Profile> read_profile(const std::string& path) {
  Result<Setting> root = read_settings(
      path, {"a baseline",
             "create one from normal runs: xtrace assess --learn RUNS -f json -o baseline.json"});
  if (!root) return tl::unexpected(root.error());
  return ProfileFile(path).read(*root);
}

Result<std::vector<AgentCard>> read_cards(const std::string& path) {
  Result<Setting> root =
      read_settings(path, {"an agent card file", "`xtrace assess --help` shows an example"});
  if (!root) return tl::unexpected(root.error());
  const Setting* agents = root->find("agents");
  if (agents != nullptr) {
    if (Status checked = check_keys(path, *root, "an agent card file", {"agents"}); !checked)
      return tl::unexpected(checked.error());
    if (agents->kind != Kind::list)
      return wrong_setting(path, *agents, "agents must be a list of agent cards");
  }
  bool is_card = root->find("agent_id") != nullptr || root->find("name") != nullptr;
  if (agents == nullptr && root->kind == Kind::table && !is_card)
    if (Status checked = check_keys(path, *root, "an agent card file", {"agents", "agent_id"});
        !checked)
      return tl::unexpected(checked.error());
  std::vector<const Setting*> listed;
  if (const Setting& list = agents != nullptr ? *agents : *root; list.kind == Kind::list)
    for (const SettingItem& item : list.items) listed.push_back(&item.value);
  else
    listed.push_back(&list);
  if (listed.empty()) return wrong_setting(path, *root, "no agent card in the file");
  std::vector<AgentCard> cards;
  for (const Setting* one : listed) {
    Result<AgentCard> card = read_card(path, *one);
    if (!card) return tl::unexpected(card.error());
    for (const AgentCard& other : cards)
      if (other.agent == card->agent)
        return wrong_setting(
            path, *one,
            fmt::format("'{}' already has a card on line {}", printable(card->agent), other.line));
    cards.push_back(*std::move(card));
  }
  return cards;
}

Result<Standards> read_standards(const std::string& baseline, const std::string& cards,
                                 std::vector<std::string>& files) {
  Standards standards;
  if (!baseline.empty()) {
    Result<Profile> profile = read_profile(baseline);
    if (!profile) return tl::unexpected(profile.error());
    standards.baseline = *std::move(profile);
    standards.baseline_path = baseline;
    files.push_back(baseline);
  }
  if (!cards.empty()) {
    Result<std::vector<AgentCard>> read = read_cards(cards);
    if (!read) return tl::unexpected(read.error());
    standards.cards = *std::move(read);
    standards.cards_path = cards;
    files.push_back(cards);
  }
  return standards;
}

}  // namespace xtrace
