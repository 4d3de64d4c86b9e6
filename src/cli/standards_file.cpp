#include "cli/standards_file.h"

#include <fmt/format.h>

#include "cli/setting.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

class ProfileFile {
 public:
  explicit ProfileFile(const std::string& path) : path_(path) {}

  Result<Profile> read(const Setting& root) {
    const Setting* profile = root.find("profile");
    if (root.kind != Kind::table || profile == nullptr)
      return wrong_setting(path_, root,
                           "this is no baseline; make one: xtrace assess --learn RUNS -f json");
    Profile learned;
    double runs = 0;
    number(*profile, "runs", runs);
    number(*profile, "depth_p95", learned.depth_p95);
    learned.runs = static_cast<int64_t>(runs);
    rows(root, "edges", [&](const Setting& row) {
      double seen = 0;
      Profile::Edge edge;
      EdgeName name{text(row, "source"), text(row, "target"), text(row, "hop_kind")};
      number(row, "runs", seen);
      number(row, "calls_p95", edge.calls_p95);
      edge.runs = static_cast<int64_t>(seen);
      learned.edges[std::move(name)] = edge;
    });
    rows(root, "agents", [&](const Setting& row) {
      number(row, "fan_out_p95", learned.fan_out_p95[text(row, "agent")]);
    });
    rows(root, "resources", [&](const Setting& row) {
      double seen = 0;
      number(row, "runs", seen);
      learned.resources[text(row, "resource")] = static_cast<int64_t>(seen);
    });
    rows(root, "paths", [&](const Setting& row) {
      double seen = 0;
      PathName actors;
      const Setting* path = row.find("path");
      if (path == nullptr || path->kind != Kind::list)
        return note(row, "a path without its actors");
      for (const SettingItem& item : path->items) actors.push_back(item.value.text);
      number(row, "runs", seen);
      learned.paths[std::move(actors)] = static_cast<int64_t>(seen);
    });
    if (!wrong_) return tl::unexpected(wrong_.error());
    return learned;
  }

 private:
  void note(const Setting& where, const std::string& what) {
    if (wrong_) wrong_ = wrong_setting(path_, where, what);
  }
  void number(const Setting& from, std::string_view key, double& value) {
    const Setting* found = from.find(key);
    if (found == nullptr) return note(from, fmt::format("{} is missing", key));
    Result<double> read = number_of(path_, *found, key);
    if (!read) return note(*found, fmt::format("{} must be a number, 0 or more", key));
    value = *read;
  }
  std::string text(const Setting& row, std::string_view key) {
    const Setting* found = row.find(key);
    if (found == nullptr || found->kind != Kind::text) {
      note(row, fmt::format("{} must be a text", key));
      return {};
    }
    return found->text;
  }
  template <class Each>
  void rows(const Setting& root, std::string_view key, Each each) {
    const Setting* list = root.find(key);
    if (list == nullptr || list->kind != Kind::list)
      return note(root, fmt::format("{} must be a list", key));
    for (const SettingItem& item : list->items) each(item.value);
  }

  const std::string& path_;
  Status wrong_;
};

Result<AgentCard> read_card(const std::string& path, const Setting& card) {
  Status known =
      check_keys(path, card, "an agent card",
                 {"agent_id", "name", "description", "dependencies", "tools", "resources"});
  if (!known) return tl::unexpected(known.error());
  AgentCard read;
  for (const auto& [key, value] : card.items) {
    if (key == "description") continue;
    if (key == "agent_id" || key == "name") {
      Result<std::string> name = text_of(path, value, key);
      if (!name) return tl::unexpected(name.error());
      if (key == "agent_id" || read.agent.empty()) read.agent = *std::move(name);
      continue;
    }
    Result<std::vector<std::string>> names = texts_of(path, value, key);
    if (!names) return tl::unexpected(names.error());
    read.may_use.insert(names->begin(), names->end());
  }
  if (read.agent.empty()) return wrong_setting(path, card, "an agent card has no agent_id");
  return read;
}

}  // namespace

Result<Profile> read_profile(const std::string& path) {
  Result<Setting> root = read_settings(path);
  if (!root) return tl::unexpected(root.error());
  return ProfileFile(path).read(*root);
}

Result<std::vector<AgentCard>> read_cards(const std::string& path) {
  Result<Setting> root = read_settings(path);
  if (!root) return tl::unexpected(root.error());
  const Setting* agents = root->find("agents");
  std::vector<AgentCard> cards;
  std::vector<const Setting*> listed;
  if (const Setting& list = agents != nullptr ? *agents : *root; list.kind == Kind::list)
    for (const SettingItem& item : list.items) listed.push_back(&item.value);
  else
    listed.push_back(&list);
  for (const Setting* one : listed) {
    Result<AgentCard> card = read_card(path, *one);
    if (!card) return tl::unexpected(card.error());
    cards.push_back(*std::move(card));
  }
  return cards;
}

Status read_standards(Assess& assess, std::vector<std::string>& files) {
  Standards standards;
  if (!assess.baseline().empty()) {
    Result<Profile> profile = read_profile(assess.baseline());
    if (!profile) return tl::unexpected(profile.error());
    standards.baseline = *std::move(profile);
    files.push_back(assess.baseline());
  }
  if (!assess.cards().empty()) {
    Result<std::vector<AgentCard>> cards = read_cards(assess.cards());
    if (!cards) return tl::unexpected(cards.error());
    standards.cards = *std::move(cards);
    files.push_back(assess.cards());
  }
  assess.hold_against(std::move(standards));
  return {};
}

}  // namespace xtrace
