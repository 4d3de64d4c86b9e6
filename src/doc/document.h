#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "doc/table.h"

namespace xtrace {

struct TracedSpan;
struct Verdicts;

/// What a thing in a picture or a tree is like; renderers choose colours and line styles.
enum class Tone : uint8_t {
  plain,
  heading,
  agent,
  spawn,
  error,
  quiet,
  // Where two are compared:
  added,
  removed,
  changed,
};

/// A picture: nodes, in groups that may nest, and edges between them.
struct Drawing {
  static constexpr uint32_t kNone = UINT32_MAX;
  enum class Stroke : uint8_t { solid, dashed, dotted, faint };
  struct Group {
    Text label;
    uint32_t parent = kNone;  ///< index into groups, smaller than its own
  };
  struct Node {
    Text id;                  ///< unique in the picture
    std::vector<Text> lines;  ///< the label, line by line
    Text kind;                ///< nodes of one kind look alike
    uint32_t group = kNone;
    bool error = false;
    bool critical = false;  ///< on the path that took longest
    bool spike = false;     ///< its cost is unusual
    Entries properties{};   ///< for databases, which have room for them
    Text type{};   ///< for databases: a word of ours such as Call; empty: its kind is such a word
    Text scope{};  ///< for databases, which hold many logs: what distinguishes its id from the same
                   ///< one of another, such as a moment, or a run and its begin
    Tone tone = Tone::plain;  ///< added, removed and changed count for more than the kind
    Text colour{};            ///< that its log gives it (read_colours); else its kind's
    Text tip{};               ///< what only a picture that answers the pointer has room for
    /// For databases: part of a graph that the log records. Its type is the log's own word, and a
    /// node of the same type, scope and id in another drawing is the same node.
    bool told = false;
  };
  struct Edge {
    uint32_t from = 0, to = 0;  ///< indices into nodes
    Text label;
    Text detail{};  ///< what only a picture with a line for each edge has room for
    Stroke stroke = Stroke::solid;
    bool error = false;
    int64_t times = 1;     ///< how many links this one represents
    Text relation{};       ///< for databases: a word of ours in capitals, such as HAS_STEP
    Entries properties{};  ///< for databases
    Tone tone = Tone::plain;
    bool told = false;  ///< for databases: the relation is the log's own word
  };
  /// What a stroke means in this drawing; dotted is unsure in all.
  struct Meaning {
    Stroke stroke;
    Text words;
  };
  Text title;
  std::vector<Group> groups;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Meaning> meanings;
  Text note;  ///< what it does not show, and how to see it
};

/// A tree for people: lines of equal columns, one of which is flexible and indented by depth.
struct Outline {
  struct Column {
    Column(Text its_title, bool is_right = false, bool is_tree = false, uint8_t its_spare = 0,
           bool is_place = false, bool is_pair = false)
        : title(its_title),
          right(is_right),
          tree(is_tree),
          spare(its_spare),
          place(is_place),
          pair(is_pair) {}
    /// Rows can be ordered by it.
    Column(Text its_title, Role its_role, uint8_t its_spare = 0)
        : Column(its_title, its_role != Role::status, false, its_spare) {
      role = its_role;
    }

    Text title;
    Role role = Role::none;
    bool right = false;  ///< numbers line up on the right
    bool tree = false;   ///< the flexible one
    uint8_t spare = 0;   ///< where there is no room, columns with 1 go first, then 2, …; 0: never
    bool place = false;  ///< paths and the like: the end is most important
    bool pair = false;   ///< comes and goes with the column before it
  };
  struct Line {
    uint32_t depth = 0;
    Tone tone = Tone::plain;
    std::vector<Cell> cells;  ///< may be fewer than there are columns
    bool is_prose = false;    ///< a text below the line before it, in as many lines as it needs
    bool is_spare = false;    ///< one of so many that it is shown only if rows are asked for
    bool is_total = false;    ///< of the lines before it, whatever their order
    /// The bytes of its words in the tree that give way first where there is no room for all.
    uint32_t yields_from = 0, yields_to = 0;
  };
  /// What a column means: nobody asks where it is not shown.
  struct Legend {
    std::string_view column;  ///< its title
    Text words;
    size_t before = SIZE_MAX;  ///< above which line of the foot it is; else below all
  };
  std::vector<Text> head;  ///< sentences above the tree
  std::vector<Column> columns;
  std::vector<Line> lines;
  std::vector<Text> foot;  ///< and below it
  std::vector<Text> list;  ///< behind the head, sentences that are rows: a reader may want fewer
  std::vector<Legend> legends{};
  Text choice{};  ///< which of many lines are not spare: `the 20 most expensive, in order`
};

class Document;

/// Several answers of one shape, in a list: one for each run that must not mix with others. Of
/// tables alone; outlines and drawings of several runs follow one another.
struct Group {
  using Each = std::function<bool(const Document& member)>;
  std::string_view name;
  /// Calls `each` with one after another, which are made meanwhile, until it returns false.
  std::function<void(const Each& each)> members;
};

/// The name of the Group whose one member is the graph that an answer is about.
inline constexpr std::string_view kGraphBehind = "graph";
/// Of an answer that compares, the one with the graph of before.
inline constexpr std::string_view kGraphBefore = "graph_before";

/// Spans, made while they are written. Those of one trace are consecutive.
struct SpanStream {
  using Write = std::function<void(const TracedSpan& span)>;
  std::function<void(const Write& write)> spans;
};

using Section = std::variant<Record, Table, Stream, Drawing, Outline, Group, SpanStream>;

/// Which side of an answer a renderer shows. A view prepares only that one.
enum class Face : uint8_t {
  tables,
  drawing,
  outline,
  spans,         ///< a SpanStream
  trajectories,  ///< a Stream of what agents did, a session a row
  stacks,        ///< a Stream of what was done within what, and its figures (convert/stacks.cpp)
};

/// Owns the lists inside cells.
class CellArena {
 public:
  CellArena();
  CellArena(const CellArena&) = delete;
  CellArena& operator=(const CellArena&) = delete;
  ~CellArena();

  const Texts* keep(Texts texts);
  const TextLists* keep(TextLists lists);
  const Integers* keep(Integers numbers);
  const Table* keep(Table table);
  const Entries* keep(Entries entries);
  void clear();

 private:
  std::deque<Texts> texts_;
  std::deque<TextLists> text_lists_;
  std::deque<Integers> integers_;
  std::deque<Table> tables_;
  std::deque<Entries> entries_;
};

/// The keys at the end of an answer, made when everything before them is written: only then it is
/// known what it took to write it.
struct Closing {
  std::span<const Column> columns;
  std::function<std::vector<Cell>(CellArena& arena)> cells;
};

/// What a view has to say, free of any output format. Its functions, and those above, are in
/// document.cpp: their variants and deques would be made anew in every file that includes this.
class Document {
 public:
  explicit Document(std::string_view view);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  std::string_view view() const { return view_; }
  const std::deque<Section>& sections() const { return sections_; }
  void add(Section section);
  void add(Record record);
  void add(Table table);
  void add(Stream stream);
  void add(Drawing drawing);
  void add(Outline outline);
  void add(Group group);
  void add(SpanStream spans);
  Section& section(size_t at) { return sections_[at]; }
  /// Leaves the sections from there on out.
  void cut(size_t from) {
    sections_.erase(sections_.begin() + static_cast<ptrdiff_t>(from), sections_.end());
  }
  /// Nullptr where the sections are all there is.
  const Closing* closing() const { return closing_ ? &*closing_ : nullptr; }
  void close(Closing closing);

  /// What was judged, for those who want it by its fields; nullptr: the answer gives no verdicts.
  const Verdicts* verdicts() const { return verdicts_.get(); }
  void judge(std::shared_ptr<const Verdicts> verdicts) { verdicts_ = std::move(verdicts); }

  /// Is the answer no, though there is one? The program then ends with Exit::no.
  bool is_no() const { return is_no_; }
  void say_no() { is_no_ = true; }

  /// What its format has no place for, in a sentence; empty: nothing that was found out.
  const std::string& left_out() const { return left_out_; }
  void tell_left_out(std::string sentence) { left_out_ = std::move(sentence); }

  /// Does the answer say what its fields mean, even if nobody asks?
  bool describes_fields() const { return describes_fields_; }
  void describe_fields() { describes_fields_ = true; }

  /// For the cells of its sections; those of a Stream die with their row.
  CellArena& arena() { return *arena_; }

 private:
  std::string_view view_;
  std::unique_ptr<CellArena> arena_;
  std::deque<Section> sections_;
  std::optional<Closing> closing_;
  std::shared_ptr<const Verdicts> verdicts_;
  std::string left_out_;
  bool is_no_ = false;
  bool describes_fields_ = false;
};

static_assert(sizeof(Cell) == 24);

}  // namespace xtrace
