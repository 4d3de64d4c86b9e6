#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/lower.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "doc/colours.h"
#include "render/chart/chart.h"
#include "render/chart/chart_cells.h"
#include "render/json_cells.h"

namespace xtrace {

namespace {

constexpr size_t kMostWords = 200;  // columns of what a line says of words
/// Calls of which texts are kept for readers without scripts: as many as the table for these has
/// rows.
constexpr size_t kMostPassages = 200;

constexpr std::array<std::string_view, 7> kWaits = {
    "", "person", "tool", "permission", "retry_wait", "unexplained", "background"};

Chart::Wait wait_of(std::string_view word) {
  const auto at = std::find(kWaits.begin(), kWaits.end(), word);
  return at == kWaits.end() ? Chart::Wait::none
                            : static_cast<Chart::Wait>(std::distance(kWaits.begin(), at));
}

/// What a node has no column for in a chart, and what people said in it.
bool is_detail(Role role) {
  return role == Role::detail || role == Role::prompt || role == Role::reply ||
         role == Role::tool_uses || role == Role::task;
}

class ChartReader {
 public:
  ChartReader(const Document& document, Chart::Runs runs, const ListedNodes& only) : only_(only) {
    const Group *graph = group_of(document, kGraphBehind),
                *before = group_of(document, kGraphBefore);
    if (runs != Chart::Runs::old_one && graph != nullptr)
      read(*graph);
    else if (runs != Chart::Runs::old_one)
      read(document.sections());
    if (runs == Chart::Runs::new_one || before == nullptr) return;
    is_old_ = true;
    read(*before);
  }

  Chart take() { return std::move(chart_); }

 private:
  using RowsOf = std::function<void(const Stream::Write& write)>;
  struct Row {
    const RoleColumns& columns;
    std::span<const Cell> cells;

    const Cell& operator[](Role role) const { return columns.in(cells, role); }
    const Cell& first(Role one, Role other) const { return columns.in(cells, one, other); }
  };

  static const Group* group_of(const Document& document, std::string_view name) {
    for (const Section& section : document.sections())
      if (const Group* group = std::get_if<Group>(&section);
          group != nullptr && group->name == name)
        return group;
    return nullptr;
  }

  void read(const std::deque<Section>& sections) {
    for (const Section& section : sections)
      std::visit(Overloaded{[&](const Record& record) {
                              if (record.table.name.empty()) read_level(record.table);
                            },
                            [&](const Table& table) {
                              read(table.name, table.columns, [&](const Stream::Write& write) {
                                for (size_t i = 0; i < table.rows(); ++i) write(table.row(i));
                              });
                            },
                            [&](const Stream& rows) { read(rows.name, rows.columns, rows.rows); },
                            [&](const Group& group) { read(group); }, [](const auto&) {}},
                 section);
  }

  void read(const Group& group) {
    group.members([&](const Document& member) {
      begin_ = chart_.marks.size();
      read(member.sections());
      return true;
    });
  }

  void read_level(const Table& table) {
    const RoleColumns columns(table.columns);
    if (table.rows() > 0 && text_of(columns.in(table.row(0), Role::level)) == "full")
      is_full_ = true;
  }

  void read(std::string_view name, std::span<const Column> columns, const RowsOf& rows) {
    if (name == "nodes") read_nodes(columns, rows);
    if (name == "edges") read_edges(columns, rows);
    if (name == "tool_flows") read_flows(columns, rows);
  }

  void read_nodes(std::span<const Column> columns, const RowsOf& rows) {
    const RoleColumns by_role(columns);
    const bool has_previous = by_role.has(Role::previous);
    has_parents_ = by_role.has(Role::parent) || by_role.has(Role::children);
    std::vector<std::pair<StringId, uint32_t>> children;
    const size_t first = chart_.marks.size();
    rows([&](std::span<const Cell> cells) {
      const Row row{by_role, cells};
      if (!only_.empty() && !only_.contains(text_of(row[Role::id]))) return;
      const uint32_t at = static_cast<uint32_t>(chart_.marks.size());
      chart_.marks.push_back(mark_of(row));
      if (!by_role.has(Role::parent))
        if (const Texts* const* ids = std::get_if<const Texts*>(&row[Role::children]))
          for (Text id : **ids) children.emplace_back(chart_.texts.intern(id.view()), at);
      if (has_previous) {
        chart_.previous.resize(at, Chart::kNone);
        chart_.previous.push_back(text(row[Role::previous]).index);
      }
      if (!is_full_) return;
      chart_.details.push_back(details(columns, cells));
      chart_.asked.push_back(line_of(quoted(text_of(row[Role::prompt]))));
      chart_.said.push_back(line_of(words_of(row)));
      if (chart_.passages.size() < kMostPassages)
        if (std::vector<Passage> said = passages_of(columns, cells); !said.empty())
          chart_.passages.emplace(chart_.marks.back().id, std::move(said));
    });
    // Until now it was the id of a text, because parents may come later.
    for (size_t i = first; i < chart_.marks.size(); ++i) {
      const uint32_t parent = mark_at(StringId(chart_.marks[i].parent));
      chart_.marks[i].parent = parent == i ? Chart::kNone : parent;
      if (has_previous) chart_.previous[i] = mark_at(StringId(chart_.previous[i]));
    }
    for (auto [id, parent] : children)
      if (uint32_t child = mark_at(id);
          child != Chart::kNone && child != parent && chart_.marks[child].parent == Chart::kNone)
        chart_.marks[child].parent = parent;
  }

  Chart::Mark mark_of(const Row& row) {
    Chart::Mark mark;
    mark.is_old = is_old_;
    const std::string_view id = text_of(row[Role::id]);
    mark.id = unique(id);
    remember(mark.id);
    remember(chart_.texts.intern(id));  // in the answer at hand it is this one
    Chart::Nature nature;
    nature.kind = text(row.first(Role::kind, Role::type));
    nature.source = text(row[Role::source]);
    nature.target = text(row[Role::target]);
    mark.agent = agent_of(row);
    mark.agent_type = row.columns.has(Role::agent_type) ? text(row[Role::agent_type]) : mark.agent;
    if (const std::string_view own = text_of(row[Role::agent_colour]); !own.empty())
      if (const std::string colour = read_colours(own).border; !colour.empty())
        chart_.colours.try_emplace(mark.agent_type, colour);
    mark.session = text(row.first(Role::session, Role::task));
    mark.name = text(row[Role::name]);
    nature.status = text(row[Role::status]);
    nature.error = text(row[Role::error]);
    nature.model = text(row[Role::model]);
    mark.start_us = moment_us(row[Role::start]);
    mark.duration_us = length_us(row[Role::duration]);
    mark.finer_ns = finer_ns(row[Role::duration]);
    const std::string status = lower(text_of(row[Role::status]));
    mark.failed = status == "error" || status == "failed";
    mark.critical = truth_of(row[Role::on_critical_path]);
    mark.output_is_low = truth_of(row[Role::output_is_low]);
    Chart::Figures figures;
    set_place(text_of(row[Role::place]), nature, figures);
    figures.waited_us = length_us(row[Role::waited]);
    figures.waited_for = wait_of(text_of(row[Role::waited_for]));
    figures.cost_nusd = billionths_of(row[Role::cost]);
    figures.in_all_nusd = billionths_of(row[Role::subtree_cost]);
    mark.cost_is_partial = truth_of(row[Role::cost_is_partial]);
    mark.is_unpriced_below =
        count_of(row[Role::subtree_unpriced]) > 0 || count_of(row[Role::subtree_partial]) > 0;
    figures.turn = count_of(row[Role::turn]);
    figures.input = count_of(row[Role::input]);
    figures.cached = count_of(row[Role::cache_read]);
    figures.cache_written = count_of(row[Role::cache_write]);
    figures.output = count_of(row[Role::output]);
    figures.total = count_of(row[Role::tokens]);
    chart_.keep(once(nature, natures_, chart_.natures), figures, mark);
    read_tools(rows_of(row[Role::tool_uses]), mark);
    mark.parent = text(row[Role::parent]).index;
    return mark;
  }

  StringId agent_of(const Row& row) {
    for (Role role : {Role::agent, Role::service, Role::source, Role::type})
      if (std::string_view agent = text_of(row[role]); !agent.empty())
        return chart_.texts.intern(agent);
    return {};
  }

  void set_place(std::string_view at, Chart::Nature& nature, Chart::Figures& figures) {
    const size_t end = at.find_last_not_of("0123456789");
    const bool is_known = end != std::string_view::npos && end > 0 && end + 1 < at.size() &&
                          at.size() - end < 17 && (at[end] == ':' || at[end] == '@') &&
                          (at[end + 1] != '0' || end + 2 == at.size());
    if (!at.empty()) nature.file = chart_.texts.intern(is_known ? at.substr(0, end) : at);
    if (!is_known) return;
    figures.has_offset = at[end] == '@';
    figures.place = 0;
    for (char digit : at.substr(end + 1)) figures.place = figures.place * 10 + (digit - '0');
  }

  void read_tools(const Table* uses, Chart::Mark& mark) {
    mark.first_tool = static_cast<uint32_t>(chart_.tools.size());
    if (uses == nullptr) return;
    const RoleColumns columns(uses->columns);
    for (size_t i = 0; i < uses->rows(); ++i) {
      const Row use{columns, uses->row(i)};
      chart_.tools.push_back({text(use[Role::name]), targets_of(use),
                              std::max<int64_t>(length_us(use[Role::permission]), 0),
                              length_us(use[Role::duration]), finer_ns(use[Role::duration]),
                              truth_of(use[Role::is_error]), error_of(use)});
      mark.tool_failed |= chart_.tools.back().is_error;
    }
    mark.tools = static_cast<uint32_t>(uses->rows());
  }

  void read_edges(std::span<const Column> columns, const RowsOf& rows) {
    const RoleColumns by_role(columns);
    rows([&](std::span<const Cell> cells) {
      const Row row{by_role, cells};
      Chart::Arrow arrow;
      arrow.from = mark_at(chart_.texts.find(text_of(row[Role::source])));
      arrow.to = mark_at(chart_.texts.find(text_of(row[Role::target])));
      if (arrow.from == Chart::kNone || arrow.to == Chart::kNone) return;
      Chart::Link link{text(row[Role::type]), text(row[Role::method]),
                       confidence_of(row[Role::confidence])};
      arrow.evidence = text(row[Role::evidence]);
      link.is_error = truth_of(row[Role::is_error]);
      if (int64_t count = count_of(row[Role::count]); count > 0) link.times = count;
      arrow.first_rival = static_cast<uint32_t>(chart_.rivals.size());
      link.rivals = read_rivals(rows_of(row[Role::alternatives]));
      arrow.link = once(link, links_, chart_.links);
      // The steps of a story are recorded as parts of others by their edges only.
      if (uint32_t& parent = chart_.marks[arrow.to].parent;
          !has_parents_ && parent == Chart::kNone && arrow.from != arrow.to &&
          chart_.text(link.method) == "parent")
        parent = arrow.from;
      chart_.marks[arrow.to].is_retry |= text_of(row[Role::type]) == "retry";
      chart_.arrows.push_back(arrow);
    });
  }

  void read_flows(std::span<const Column> columns, const RowsOf& rows) {
    const RoleColumns by_role(columns);
    const CellKey bytes(columns, {"bytes"}), estimated(columns, {"estimated_tokens"});
    rows([&](std::span<const Cell> cells) {
      const Row row{by_role, cells};
      const auto known = [](int64_t count) { return std::max<int64_t>(0, count); };
      chart_.flows.push_back({text(row[Role::source]), text(row[Role::target]),
                              known(count_of(row[Role::count])), known(count_of(row[Role::tokens])),
                              known(count_of(bytes.in(cells))), count_of(estimated.in(cells)) > 0});
    });
  }

  StringId error_of(const Row& use) {
    if (const std::string_view reported = text_of(use[Role::error_text]); !reported.empty())
      return chart_.texts.intern(in_a_line(reported));
    return text(use[Role::error]);
  }

  /// How many there are.
  uint32_t read_rivals(const Table* table) {
    if (table == nullptr) return 0;
    const RoleColumns columns(table->columns);
    for (size_t i = 0; i < table->rows(); ++i) {
      const Row row{columns, table->row(i)};
      const StringId id = text(row[Role::source]);
      chart_.rivals.push_back({id, mark_at(id), confidence_of(row[Role::confidence])});
    }
    return static_cast<uint32_t>(table->rows());
  }

  static std::string details(std::span<const Column> columns, std::span<const Cell> row) {
    std::vector<Column> kept;
    std::vector<Cell> cells;
    for (size_t i = 0; i < columns.size(); ++i)
      if (is_detail(columns[i].role)) {
        kept.push_back(columns[i]);
        cells.push_back(row[i]);
      }
    std::string json;
    append_json_row(json, kept, cells);
    return json == "{}" ? std::string() : json;
  }

  static std::string in_a_line(std::string_view text) {
    return clip(fold_white_space(head(text, 4 * kMostWords)), kMostWords);
  }
  static std::string quoted(std::string_view text) {
    const std::string line = in_a_line(text);
    return line.empty() ? line : "“" + line + "”";
  }
  /// The words of an answer, and what tools were given that have no target.
  static std::string words_of(const Row& row) {
    std::string words = quoted(text_of(row[Role::reply]));
    const Table* uses = rows_of(row[Role::tool_uses]);
    if (uses == nullptr) return words;
    const RoleColumns columns(uses->columns);
    const CellKey given(uses->columns, {"arguments_text"});
    for (size_t i = 0; i < uses->rows() && words.size() < kMostWords; ++i)
      if (const Row use{columns, uses->row(i)}; text_of(use[Role::target]).empty())
        (words += words.empty() ? "" : " ") += in_a_line(text_of(given.in(use.cells)));
    return words;
  }
  StringId line_of(const std::string& words) {
    return words.empty() ? StringId() : chart_.texts.intern(words);
  }

  StringId text(const Cell& cell) {
    const std::string_view text = text_of(cell);
    return text.empty() ? StringId() : chart_.texts.intern(text);
  }

  /// Those of a list, side by side, so that each of them is found; where there is none, the one.
  StringId targets_of(const Row& use) {
    const Texts* const* texts = std::get_if<const Texts*>(&use[Role::targets]);
    if (texts == nullptr) return text(use[Role::target]);
    std::string all;
    for (const Text& each : **texts) (all += all.empty() ? "" : ", ") += each.view();
    return chart_.texts.intern(all);
  }

  /// The place of `item` in `all`, if it occurs once.
  template <class Item>
  static uint32_t once(const Item& item, std::map<Item, uint32_t>& places, std::vector<Item>& all) {
    auto [found, is_new] = places.emplace(item, static_cast<uint32_t>(all.size()));
    if (is_new) all.push_back(item);
    return found->second;
  }

  /// Answers of several runs may have the same id again: `r1`, `r1~2`.
  StringId unique(std::string_view id) {
    StringId found = chart_.texts.intern(id);
    for (size_t copy = 2; found.index < mark_of_.size() && mark_of_[found.index] != Chart::kNone;
         ++copy)
      found = chart_.texts.intern(std::string(id) + '~' + std::to_string(copy));
    return found;
  }
  void remember(StringId id) {
    if (id.index >= mark_of_.size()) mark_of_.resize(id.index + 1, Chart::kNone);
    mark_of_[id.index] = static_cast<uint32_t>(chart_.marks.size());
  }
  uint32_t mark_at(StringId id) const {
    const uint32_t mark = id && id.index < mark_of_.size() ? mark_of_[id.index] : Chart::kNone;
    return mark != Chart::kNone && mark >= begin_ ? mark : Chart::kNone;
  }

  const ListedNodes& only_;
  Chart chart_;
  std::vector<uint32_t> mark_of_;  ///< by the id of the text that is its id
  std::map<Chart::Nature, uint32_t> natures_;
  std::map<Chart::Link, uint32_t> links_;
  size_t begin_ = 0;  ///< the first mark of the answer at hand
  bool is_full_ = false;
  bool has_parents_ = false;  ///< do its nodes name what they are below?
  bool is_old_ = false;       ///< does it read the older of two runs?
};

}  // namespace

Chart read_chart(const Document& document, Chart::Runs runs, const ListedNodes& only) {
  return ChartReader(document, runs, only).take();
}

std::string Chart::label(const Mark& mark) const {
  if (mark.tools == 0) {
    const Nature& own = nature(mark);
    if (mark.name) return std::string(texts[mark.name]);
    if (mark.failed && own.model)
      return own.error ? std::string("failed: ").append(texts[own.error]) : "failed";
    if (own.model && texts[own.status] == "ok") return "reply";
    return std::string(texts[own.model ? own.model : own.kind]);
  }
  std::string label;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i) {
    if (!label.empty()) label += ", ";
    label += texts[tools[i].name];
    if (tools[i].target) (label += ' ') += texts[tools[i].target];
  }
  return label;
}

std::string Chart::tool_errors(const Mark& mark) const {
  constexpr size_t kMost = 8;  // more are counted elsewhere
  std::string words;
  size_t failed = 0;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i) {
    const Tool& tool = tools[i];
    if (!tool.is_error || ++failed > kMost) continue;
    if (!words.empty()) words += "; ";
    words.append(texts[tool.name]).append(" failed");
    if (tool.error) words.append(": ").append(texts[tool.error]);
  }
  if (failed > kMost) words += "; …";
  return words;
}

std::string Chart::place(const Mark& mark) const {
  std::string place(texts[nature(mark).file]);
  const Figures told = figures(mark);
  if (told.place != kUnknown) place += (told.has_offset ? '@' : ':') + std::to_string(told.place);
  return place;
}

std::pair<int64_t, int64_t> Chart::span() const {
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Mark& mark : marks)
    if (mark.is_timed()) {
      first = std::min(first, mark.start_us);
      last = std::max(last, mark.end_us());
    }
  return first > last ? std::pair<int64_t, int64_t>(0, 0) : std::pair(first, last);
}

}  // namespace xtrace
