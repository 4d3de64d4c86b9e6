#include "doc/document.h"

#include <array>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>

#include "fuzz/fuzz.h"
#include "render/renderer.h"

using namespace xtrace;

namespace {

/// Answers questions with the bytes it has, and with 0 when they are used up.
class Dice {
 public:
  explicit Dice(std::string_view bytes) : bytes_(bytes) {}

  uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto next = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return next;
  }
  size_t below(size_t count) { return byte() % count; }
  bool maybe() { return below(2) == 1; }
  int64_t number() {
    uint64_t number = 0;
    for (size_t left = below(9); left > 0; --left) number = number << 8 | byte();
    return static_cast<int64_t>(number);
  }
  std::string text() {
    const size_t wished = below(24);  // which takes bytes, too
    const size_t length = std::min(wished, bytes_.size());
    std::string text(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return text;
  }

 private:
  std::string_view bytes_;
};

constexpr Column kCells[] = {
    {"id", "which"},
    {"tokens.input", "", CellKind::integer},
    {"tokens.output", "", CellKind::integer, true},
    {"cost_usd", "", CellKind::number},
    {"start", "", CellKind::moment},
    {"status", ""},
    {"tools", "", CellKind::texts},
};

/// A document of any shape that a view could put together, and of many that none does.
class Made {
 public:
  explicit Made(std::string_view bytes)
      : dice_(bytes), door_(Redaction::all, Door::Level::full, 200), document_("dag") {
    for (size_t sections = 1 + dice_.below(3); sections > 0; --sections) switch (dice_.below(4)) {
        case 0: document_.add(outline()); break;
        case 1: document_.add(drawing()); break;
        case 2: document_.add(Record{table({}, 1)}); break;
        default: document_.add(table(kNames[tables_++ % kNames.size()], dice_.below(4)));
      }
  }
  const Document& document() const { return document_; }

 private:
  static constexpr std::array<std::string_view, 3> kNames = {"calls", "sessions", "agents"};

  Text text() { return door_.composed(dice_.text()); }
  Texts texts() {
    Texts all;
    for (size_t left = dice_.below(4); left > 0; --left) all.push_back(text());
    return all;
  }
  Entries entries() {
    Entries all;
    for (size_t left = dice_.below(4); left > 0; --left) {
      const Text key = door_.composed(std::to_string(left) + dice_.text());
      all.add(key, cell(false));
    }
    return all;
  }
  double fraction() {
    constexpr double kOdd[] = {0,
                               -0.0,
                               0.1,
                               1e300,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
    const size_t which = dice_.below(12);
    return which < std::size(kOdd) ? kOdd[which] : static_cast<double>(dice_.number()) / 1000;
  }
  Cell cell(bool may_nest) {
    switch (dice_.below(may_nest ? 14 : 9)) {
      case 0: return std::monostate();
      case 1: return nullptr;
      case 2: return dice_.maybe();
      case 3: return dice_.number();
      case 4: return fraction();
      case 5: {
        const auto decimals = static_cast<uint8_t>(dice_.below(10));
        return Moment{Time(Duration(dice_.number())), decimals};
      }
      case 6: return Duration(dice_.number());
      case 7: return Dollars{dice_.number()};
      case 8: return text();
      case 9: return document_.arena().keep(texts());
      case 10: {
        TextLists lists;
        for (size_t left = dice_.below(3); left > 0; --left) lists.push_back(texts());
        return document_.arena().keep(std::move(lists));
      }
      case 11: {
        Integers numbers;
        for (size_t left = dice_.below(3); left > 0; --left) numbers.push_back(dice_.number());
        return document_.arena().keep(std::move(numbers));
      }
      case 12: return document_.arena().keep(entries());
      default: {
        Table rows{"", kCells};
        for (size_t left = dice_.below(3) * std::size(kCells); left > 0; --left)
          rows.cells.push_back(cell(false));
        return document_.arena().keep(std::move(rows));
      }
    }
  }

  Table table(std::string_view name, size_t rows) {
    Table table{name, kCells};
    for (size_t left = rows * std::size(kCells); left > 0; --left)
      table.cells.push_back(cell(true));
    return table;
  }

  Outline outline() {
    Outline outline;
    outline.head = texts();
    outline.foot = texts();
    for (size_t left = 1 + dice_.below(5); left > 0; --left) {
      const Text title = text();
      const size_t kind = dice_.below(8);
      outline.columns.push_back(
          {title, kind == 1, kind == 2, static_cast<uint8_t>(dice_.below(4)), kind == 3});
    }
    for (size_t left = dice_.below(12); left > 0; --left) {
      Outline::Line line;
      line.depth = static_cast<uint32_t>(dice_.below(6));
      line.tone = static_cast<Tone>(dice_.below(9));
      line.is_prose = dice_.below(4) == 1;
      for (size_t cells = dice_.below(outline.columns.size() + 1); cells > 0; --cells)
        line.cells.push_back(cell(true));
      outline.lines.push_back(std::move(line));
    }
    return outline;
  }

  Drawing drawing() {
    constexpr Text kKinds[] = {"agent", "model", "tool", "resource"};
    constexpr Text kRelations[] = {"LED_TO", "HAS_STEP", "CALLED"};
    Drawing drawing;
    drawing.title = text();
    for (size_t left = dice_.below(4); left > 0; --left) {
      const auto made = static_cast<uint32_t>(drawing.groups.size());
      const bool is_inner = made > 0 && dice_.maybe();
      const Text label = text();
      drawing.groups.push_back({label, is_inner ? made - 1 : Drawing::kNone});
    }
    for (size_t count = dice_.below(8), i = 0; i < count; ++i) {
      Drawing::Node node;
      // Of one picture or of several, no id comes twice.
      node.id = door_.composed(dice_.text() + "#" + std::to_string(nodes_++));
      node.lines = texts();
      node.kind = kKinds[dice_.below(std::size(kKinds))];
      if (!drawing.groups.empty() && dice_.maybe())
        node.group = static_cast<uint32_t>(dice_.below(drawing.groups.size()));
      node.error = dice_.maybe();
      node.critical = dice_.maybe();
      node.tone = static_cast<Tone>(dice_.below(9));
      node.properties = entries();
      node.tip = text();
      drawing.nodes.push_back(std::move(node));
    }
    if (drawing.nodes.empty()) return drawing;
    for (size_t left = dice_.below(10); left > 0; --left) {
      Drawing::Edge edge;
      edge.from = static_cast<uint32_t>(dice_.below(drawing.nodes.size()));
      edge.to = static_cast<uint32_t>(dice_.below(drawing.nodes.size()));
      edge.label = text();
      edge.detail = text();
      edge.stroke = static_cast<Drawing::Stroke>(dice_.below(4));
      edge.times = dice_.number();
      edge.relation = kRelations[dice_.below(std::size(kRelations))];
      edge.properties = entries();
      drawing.edges.push_back(std::move(edge));
    }
    drawing.note = text();
    return drawing;
  }

  Dice dice_;
  Door door_;
  Document document_;
  size_t tables_ = 0, nodes_ = 0;
};

}  // namespace

/// Whatever is in an answer, every format holds it.
void xtrace::try_document(std::string_view bytes) {
  const Made made(bytes);
  Paper paper;
  paper.columns = 20 + bytes.size() % 200;
  paper.cuts = bytes.size() % 3 != 0;
  paper.ranking.by = static_cast<Ranking::By>(bytes.size() % 5);
  paper.ranking.top = bytes.size() % 4;
  for (const Renderer& renderer : renderers()) {
    if (renderer.is_foreign() || renderer.holds_verdicts) continue;
    std::ostringstream out;
    renderer.write(made.document(), paper, out);
    expect_sound(renderer, made.document(), out.str());
  }
}
