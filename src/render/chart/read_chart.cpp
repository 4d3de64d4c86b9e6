#include <algorithm>
#include <array>
#include <map>

#include "base/lower.h"
#include "base/one_of.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "render/chart/chart.h"
#include "render/chart/chart_cells.h"
#include "render/json_cells.h"

namespace xtrace {

namespace {

constexpr size_t kMostWords = 200;  // columns of what a line says of words

constexpr std::array<std::string_view, 7> kWaits = {
    "", "person", "tool", "permission", "retry_wait", "unexplained", "background"};

Chart::Wait wait_of(std::string_view word) {
  const auto at = std::find(kWaits.begin(), kWaits.end(), word);
  return at == kWaits.end() ? Chart::Wait::none
                            : static_cast<Chart::Wait>(std::distance(kWaits.begin(), at));
}

/// Where a node has what. The names before the second are those of calls; others are those of
/// spans, of steps of a story, of actors.
struct NodeKeys {
  explicit NodeKeys(std::span<const Column> columns)
      : id(columns, {"id"}),
        parent(columns, {"parent"}),
        children(columns, {"children"}),
        previous(columns, {"previous"}),
        at(columns, {"at"}),
        session(columns, {"session", "run", "task"}),
        timestamp(columns, {"timestamp"}),
        duration(columns, {"duration_ms", "latencyMs"}),
        waited(columns, {"waited_ms"}),
        waited_for(columns, {"waited_for"}),
        turn(columns, {"turn"}),
        agent_id(columns, {"agent.id", "agent"}),
        agent_name(columns, {"agent.name"}),
        agent_type(columns, {"agent.type"}),
        service(columns, {"service"}),
        source(columns, {"source"}),
        target(columns, {"target"}),
        name(columns, {"name", "label", "promptSummary"}),
        type(columns, {"type"}),
        kind(columns, {"hop_kind", "type"}),
        status(columns, {"status"}),
        error(columns, {"error"}),
        model(columns, {"model"}),
        input(columns, {"tokens.input", "tokensIn"}),
        output(columns, {"tokens.output", "tokensOut"}),
        total(columns, {"tokens.total"}),
        cached(columns, {"tokens.cache_read"}),
        cache_written(columns, {"tokens.cache_creation"}),
        output_is_low(columns, {"tokens.output_is_low"}),
        cost(columns, {"cost_usd", "costUsd"}),
        in_all(columns, {"subtree_cost_usd"}),
        unpriced_in_all(columns, {"subtree_unpriced_calls"}),
        is_partial(columns, {"cost_is_partial", "metrics.cost_is_partial"}),
        partial_in_all(columns, {"subtree_partly_priced_calls"}),
        critical(columns, {"on_critical_path"}),
        prompt(columns, {"prompt"}),
        answer(columns, {"answer"}),
        tool_uses(columns, {"tool_uses"}) {}

  CellKey id, parent, children, previous, at, session, timestamp, duration, waited, waited_for,
      turn, agent_id, agent_name, agent_type, service, source, target, name, type, kind, status,
      error, model, input, output, total, cached, cache_written, output_is_low, cost, in_all,
      unpriced_in_all, is_partial, partial_in_all, critical, prompt, answer, tool_uses;
};

/// What is behind a payload's key, of whichever table of nodes.
bool is_payload(std::string_view key) {
  return is_one_of(key, {"prompt", "answer", "error_text", "system_prompt", "details", "tool_uses",
                         "stop_reason", "requested_model", "declared_tools", "task"});
}

class ChartReader {
 public:
  ChartReader(const Document& document, Chart::Runs runs, const ToldNodes& only) : only_(only) {
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
    const CellKey level(table.columns, {"level"});
    if (table.rows() > 0 && text_of(level.in(table.row(0))) == "full") is_full_ = true;
  }

  void read(std::string_view name, std::span<const Column> columns, const RowsOf& rows) {
    if (name == "nodes") read_nodes(columns, rows);
    if (name == "edges") read_edges(columns, rows);
  }

  void read_nodes(std::span<const Column> columns, const RowsOf& rows) {
    const NodeKeys keys(columns);
    std::vector<std::pair<StringId, uint32_t>> children;
    const size_t first = chart_.marks.size();
    rows([&](std::span<const Cell> row) {
      if (!only_.empty() && !only_.contains(text_of(keys.id.in(row)))) return;
      const uint32_t at = static_cast<uint32_t>(chart_.marks.size());
      chart_.marks.push_back(mark_of(keys, row));
      if (!keys.parent.is_there())
        if (const Texts* const* ids = std::get_if<const Texts*>(&keys.children.in(row)))
          for (Text id : **ids) children.emplace_back(chart_.texts.intern(id.view()), at);
      if (keys.previous.is_there()) {
        chart_.previous.resize(at, Chart::kNone);
        chart_.previous.push_back(text(keys.previous, row).index);
      }
      if (!is_full_) return;
      chart_.details.push_back(details(columns, row));
      chart_.asked.push_back(line_of(quoted(text_of(keys.prompt.in(row)))));
      chart_.said.push_back(line_of(words_of(keys, row)));
    });
    // Until now it was the id of a text, as parents may stand behind.
    for (size_t i = first; i < chart_.marks.size(); ++i) {
      const uint32_t parent = mark_at(StringId(chart_.marks[i].parent));
      chart_.marks[i].parent = parent == i ? Chart::kNone : parent;
      if (keys.previous.is_there()) chart_.previous[i] = mark_at(StringId(chart_.previous[i]));
    }
    for (auto [id, parent] : children)
      if (uint32_t child = mark_at(id);
          child != Chart::kNone && child != parent && chart_.marks[child].parent == Chart::kNone)
        chart_.marks[child].parent = parent;
  }

  Chart::Mark mark_of(const NodeKeys& keys, std::span<const Cell> row) {
    Chart::Mark mark;
    mark.is_old = is_old_;
    const std::string_view id = text_of(keys.id.in(row));
    mark.id = unique(id);
    remember(mark.id);
    remember(chart_.texts.intern(id));  // in the answer at hand it is this one
    Chart::Nature nature;
    nature.kind = text(keys.kind, row);
    nature.source = text(keys.source, row);
    nature.target = text(keys.target, row);
    mark.agent = agent_of(keys, row);
    mark.agent_type = keys.agent_type.is_there() ? text(keys.agent_type, row) : mark.agent;
    mark.session = text(keys.session, row);
    mark.name = text(keys.name, row);
    nature.status = text(keys.status, row);
    nature.error = text(keys.error, row);
    nature.model = text(keys.model, row);
    mark.start_us = moment_us(keys.timestamp.in(row));
    mark.duration_us = length_us(keys.duration.in(row));
    mark.finer_ns = finer_ns(keys.duration.in(row));
    const std::string status = lower(text_of(keys.status.in(row)));
    mark.failed = status == "error" || status == "failed";
    mark.critical = truth_of(keys.critical.in(row));
    mark.output_is_low = truth_of(keys.output_is_low.in(row));
    Chart::Figures figures;
    set_place(text_of(keys.at.in(row)), nature, figures);
    figures.waited_us = length_us(keys.waited.in(row));
    figures.waited_for = wait_of(text_of(keys.waited_for.in(row)));
    figures.cost_nusd = billionths_of(keys.cost.in(row));
    figures.in_all_nusd = billionths_of(keys.in_all.in(row));
    mark.cost_is_partial = truth_of(keys.is_partial.in(row));
    mark.is_unpriced_below =
        count_of(keys.unpriced_in_all.in(row)) > 0 || count_of(keys.partial_in_all.in(row)) > 0;
    figures.turn = count_of(keys.turn.in(row));
    figures.input = count_of(keys.input.in(row));
    figures.cached = count_of(keys.cached.in(row));
    figures.cache_written = count_of(keys.cache_written.in(row));
    figures.output = count_of(keys.output.in(row));
    figures.total = count_of(keys.total.in(row));
    chart_.keep(once(nature, natures_, chart_.natures), figures, mark);
    read_tools(keys, row, mark);
    mark.parent = text(keys.parent, row).index;
    return mark;
  }

  StringId agent_of(const NodeKeys& keys, std::span<const Cell> row) {
    for (const CellKey* key :
         {&keys.agent_id, &keys.agent_name, &keys.service, &keys.source, &keys.type})
      if (std::string_view agent = text_of(key->in(row)); !agent.empty())
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

  void read_tools(const NodeKeys& keys, std::span<const Cell> row, Chart::Mark& mark) {
    mark.first_tool = static_cast<uint32_t>(chart_.tools.size());
    const Table* uses = rows_of(keys.tool_uses.in(row));
    if (uses == nullptr) return;
    const CellKey name(uses->columns, {"name"}), target(uses->columns, {"target"}),
        targets(uses->columns, {"targets"}), permission(uses->columns, {"permission_ms"}),
        duration(uses->columns, {"duration_ms"}), is_error(uses->columns, {"is_error"});
    for (size_t i = 0; i < uses->rows(); ++i) {
      const std::span<const Cell> use = uses->row(i);
      chart_.tools.push_back({text(name, use), all_of(targets, target, use),
                              std::max<int64_t>(length_us(permission.in(use)), 0),
                              length_us(duration.in(use)), finer_ns(duration.in(use)),
                              truth_of(is_error.in(use))});
      mark.tool_failed |= chart_.tools.back().is_error;
    }
    mark.tools = static_cast<uint32_t>(uses->rows());
  }

  void read_edges(std::span<const Column> columns, const RowsOf& rows) {
    const CellKey source(columns, {"source", "from"}), target(columns, {"target", "to"}),
        type(columns, {"type", "relation", "hop_kind"}), method(columns, {"method"}),
        confidence(columns, {"confidence"}), evidence(columns, {"evidence.id"}),
        rivals(columns, {"alternatives"}), is_error(columns, {"is_error"}),
        times(columns, {"count"});
    rows([&](std::span<const Cell> row) {
      Chart::Arrow arrow;
      arrow.from = mark_at(chart_.texts.find(text_of(source.in(row))));
      arrow.to = mark_at(chart_.texts.find(text_of(target.in(row))));
      if (arrow.from == Chart::kNone || arrow.to == Chart::kNone) return;
      Chart::Link link{text(type, row), text(method, row), confidence_of(confidence.in(row))};
      arrow.evidence = text(evidence, row);
      link.is_error = truth_of(is_error.in(row));
      if (int64_t count = count_of(times.in(row)); count > 0) link.times = count;
      arrow.first_rival = static_cast<uint32_t>(chart_.rivals.size());
      link.rivals = read_rivals(rows_of(rivals.in(row)));
      arrow.link = once(link, links_, chart_.links);
      chart_.marks[arrow.to].is_retry |= text_of(type.in(row)) == "retry";
      chart_.arrows.push_back(arrow);
    });
  }

  /// How many there are.
  uint32_t read_rivals(const Table* table) {
    if (table == nullptr) return 0;
    const CellKey source(table->columns, {"source"}), confidence(table->columns, {"confidence"});
    for (size_t i = 0; i < table->rows(); ++i) {
      const StringId id = text(source, table->row(i));
      chart_.rivals.push_back({id, mark_at(id), confidence_of(confidence.in(table->row(i)))});
    }
    return static_cast<uint32_t>(table->rows());
  }

  /// What a node has no column for in a chart, and what people said in it.
  static std::string details(std::span<const Column> columns, std::span<const Cell> row) {
    std::vector<Column> kept;
    std::vector<Cell> cells;
    for (size_t i = 0; i < columns.size(); ++i)
      if (is_payload(columns[i].key)) {
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
  static std::string words_of(const NodeKeys& keys, std::span<const Cell> row) {
    std::string words = quoted(text_of(keys.answer.in(row)));
    const Table* uses = rows_of(keys.tool_uses.in(row));
    if (uses == nullptr) return words;
    const CellKey target(uses->columns, {"target"}), arguments(uses->columns, {"arguments"});
    for (size_t i = 0; i < uses->rows() && words.size() < kMostWords; ++i)
      if (text_of(target.in(uses->row(i))).empty())
        (words += words.empty() ? "" : " ") += in_a_line(text_of(arguments.in(uses->row(i))));
    return words;
  }
  StringId line_of(const std::string& words) {
    return words.empty() ? StringId() : chart_.texts.intern(words);
  }

  StringId text(const CellKey& key, std::span<const Cell> row) {
    const std::string_view text = text_of(key.in(row));
    return text.empty() ? StringId() : chart_.texts.intern(text);
  }

  /// Those of a list, side by side, so that each of them is found; where there is none, the one.
  StringId all_of(const CellKey& list, const CellKey& one, std::span<const Cell> row) {
    const Texts* const* texts = std::get_if<const Texts*>(&list.in(row));
    if (texts == nullptr) return text(one, row);
    std::string all;
    for (const Text& each : **texts) (all += all.empty() ? "" : ", ") += each.view();
    return chart_.texts.intern(all);
  }

  /// Where `item` stands in `all`, and stands once.
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

  const ToldNodes& only_;
  Chart chart_;
  std::vector<uint32_t> mark_of_;  ///< by the id of the text that is its id
  std::map<Chart::Nature, uint32_t> natures_;
  std::map<Chart::Link, uint32_t> links_;
  size_t begin_ = 0;  ///< the first mark of the answer at hand
  bool is_full_ = false;
  bool is_old_ = false;  ///< does it read the older of two runs?
};

}  // namespace

Chart read_chart(const Document& document, Chart::Runs runs, const ToldNodes& only) {
  return ChartReader(document, runs, only).take();
}

std::string Chart::label(const Mark& mark) const {
  if (mark.tools == 0)
    return std::string(texts[mark.name            ? mark.name
                             : nature(mark).model ? nature(mark).model
                                                  : nature(mark).kind]);
  std::string label;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i) {
    if (!label.empty()) label += ", ";
    label += texts[tools[i].name];
    if (tools[i].target) (label += ' ') += texts[tools[i].target];
  }
  return label;
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
