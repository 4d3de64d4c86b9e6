#include "render/html/opening.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/chart/chart_cells.h"
#include "render/flat.h"

namespace xtrace {

namespace {

/// The marks that an answer may mean by the names it has for things.
class Named {
 public:
  explicit Named(const Chart& chart) : chart_(chart) {
    for (const Chart::Mark& mark : chart.marks) by_name_.emplace(chart.text(mark.id), &mark);
    // The result of a tool has the id of its use: the call that asked for it.
    for (const Chart::Arrow& arrow : chart.arrows)
      if (const std::string_view use = chart.text(arrow.evidence); !use.empty())
        by_name_.emplace(use, &chart.marks[arrow.from]);
  }

  /// Empty: none.
  std::string id(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() || name.empty() ? std::string()
                                                   : std::string(chart_.text(found->second->id));
  }
  /// Of a use without a result nothing but its place is known.
  std::string id_at(std::string_view place) const {
    const auto found = std::find_if(chart_.marks.begin(), chart_.marks.end(),
                                    [&](const auto& mark) { return chart_.place(mark) == place; });
    return found == chart_.marks.end() || place.empty() ? std::string()
                                                        : std::string(chart_.text(found->id));
  }

 private:
  const Chart& chart_;
  std::unordered_map<std::string_view, const Chart::Mark*> by_name_;
};

std::string_view first_of(const Cell& cell) {
  const Texts* const* texts = std::get_if<const Texts*>(&cell);
  return texts == nullptr || (*texts)->empty() ? std::string_view() : (*texts)->front().view();
}

/// What an answer says of where it belongs, in the order in which that counts.
struct Hints {
  std::string target, span, place;
  std::vector<std::string> steps;
  bool has_actors = false, is_story = false;
};

Hints hints_of(const Document& document) {
  Hints hints;
  flat_tables(document, [&](const FlatTable& table) {
    const bool is_top = table.name.empty(), is_steps = table.name == "steps";
    if (is_top || table.name == "summary") {
      hints.is_story |= CellKey(table.columns, {"show"}).is_there();
      hints.has_actors |= CellKey(table.columns, {"principals", "summary.principals"}).is_there();
    }
    // A row costs as much as in JSON; of many answers none is the one.
    if ((!is_top && !is_steps && table.name != "cause_groups") || !table.group.empty()) return;
    const RoleColumns columns(table.columns);
    const CellKey spans(table.columns, {"span_ids"}), at(table.columns, {"at"});
    table.rows([&](size_t, std::span<const Cell> row) {
      if (is_top) {
        if (hints.target.empty()) hints.target = text_of(columns.in(row, Role::node));
      } else if (is_steps) {
        hints.steps.emplace_back(text_of(columns.in(row, Role::node)));
      } else if (hints.span.empty()) {
        hints.span = first_of(spans.in(row));
        hints.place = first_of(at.in(row));
      }
    });
  });
  return hints;
}

}  // namespace

Opening opening_of(const Document& document, const Chart& chart) {
  const Hints hints = hints_of(document);
  if (document.view() == "dag")
    return {hints.has_actors ? "actors" : hints.is_story ? "tree" : "", ""};
  if (document.view() == "impact") return {"", Named(chart).id(hints.target)};
  if (document.view() != "explain" && document.view() != "trace") return {};
  const Named named(chart);
  if (document.view() == "trace") {
    const auto first = std::find_if(hints.steps.begin(), hints.steps.end(),
                                    [&](const auto& step) { return !named.id(step).empty(); });
    return {hints.steps.empty() ? "" : "steps",
            first == hints.steps.end() ? std::string() : named.id(*first)};
  }
  std::string about = named.id(hints.target);
  for (size_t i = hints.steps.size(); about.empty() && i-- > 0;) about = named.id(hints.steps[i]);
  if (about.empty()) about = named.id(hints.span);
  if (about.empty()) about = named.id_at(hints.place);
  return {"steps", about};
}

}  // namespace xtrace
