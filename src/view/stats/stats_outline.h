#pragma once

#include <map>
#include <span>
#include <string>

#include "view/stats/stats.h"

namespace xtrace {

/// More rows of a table than this are for programs.
inline constexpr size_t kMostRows = 20;

/// The sections of `stats` as text, a table after the other.
class StatsOutlines {
 public:
  StatsOutlines(const Stats& stats, Document& document)
      : stats_(stats), door_(stats.question.door), document_(document), all_(all_of(stats)) {}

  /// The first of what could have been saved; `advise` shows all of it.
  void waste();
  void totals();
  /// Groups of model calls. The bar is of the cost where that is known of any, else of the calls.
  void calls(std::string_view what, const std::vector<Grouped>& groups);
  /// Those of `--by`, with a line for all of them together.
  void groups(const std::vector<Grouped>& groups);
  void tools();
  void operations();
  void errors();
  void retries();
  void repeated();

 private:
  Text say(std::string text) { return door_.composed(std::move(text)); }
  Outline outline_of(std::string_view what, const std::vector<Grouped>& groups, bool is_asked);
  Outline::Line line_of(Text name, const Grouped& group, bool is_asked);
  /// Makes bars of days longer, of which there are too many for shares: the most expensive fills
  /// one.
  void show_relative_costs(std::span<const int64_t> costs, Outline& outline);
  /// Adds what subagents cost and how sure the attribution is.
  void add_attribution(const std::vector<Grouped>& groups, Outline& outline);
  Text name(std::string_view name) { return name.empty() ? Text("(unknown)") : stats_.name(name); }
  /// By the name of a task that is a turn of a user, what people call it.
  std::map<std::string, std::string, std::less<>> turns() const;
  void life_line(Outline& outline);
  void path_lines(Outline& outline);
  std::string slack_off_path() const;

  const Stats& stats_;
  Door& door_;
  Document& document_;
  Grouped all_;
};

/// A bar as long as the share is of ten columns, to an eighth of one; the smallest there is for
/// what is not nothing.
std::string share_bar(double share);
/// `12%`, `3.4%`, `<0.1%`
std::string percent(double share);
inline double part_of(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace xtrace
