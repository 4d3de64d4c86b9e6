#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "doc/document.h"
#include "doc/page.h"
#include "facts/payloads.h"
#include "link/graph/graph.h"
#include "prices/price.h"

namespace xtrace {

/// Collects what can be set from outside. The command line fills it through CLI11; tests through a
/// map; the manual and the completions only list it.
class Options {
 public:
  virtual ~Options() = default;
  /// The heading of the next options in a help; empty: no heading, as for a command's own options.
  virtual void group(std::string_view) {}
  /// A switch.
  virtual void add(std::string_view name, bool& value, std::string_view help) = 0;
  /// One value. `words` are the ones allowed; empty: any text.
  virtual void add(std::string_view name, std::string& value, std::string_view placeholder,
                   std::string_view help, std::vector<std::string_view> words = {}) = 0;
  /// The same several times.
  virtual void add(std::string_view name, std::vector<std::string>& values,
                   std::string_view placeholder, std::string_view help,
                   std::vector<std::string_view> words = {}) = 0;
  /// A number from 0 to 1.
  virtual void add(std::string_view name, double& value, std::string_view placeholder,
                   std::string_view help) = 0;
};

/// A run that another one is compared with.
struct ComparedRun {
  const Graph& graph;
  const Payloads* payloads = nullptr;
};

/// What a view may look at.
struct Question {
  const Graph& graph;
  Door& door;
  Face face = Face::tables;
  const Payloads* payloads = nullptr;
  bool wants_rows = false;  ///< for a page that has but one table: ViewEntry::rows, if it can be
  bool shortens = true;     ///< names that are long, in a table for a page that is not wide
  bool with_properties = false;                ///< in a drawing, those of nodes and edges
  const ComparedRun* before = nullptr;         ///< for a view that compares
  Direction direction = Direction::automatic;  ///< of a drawing, which is to fit a page
  bool lists_own = false;  ///< the input is all sessions of one's own: numbered, newest first
  bool in_order = false;   ///< of a drawing, each edge is shown by itself, in their order
  unsigned jobs = 1;       ///< threads; they change nothing but the time

  bool shows_payload() const { return payloads != nullptr && door.level() == Door::Level::full; }
};

struct FollowOptions;
struct Filter;

/// What a view gets before it answers, in addition to its options.
struct Preparation {
  std::string suite{};                 ///< the file to judge by, if ViewEntry::takes_suite
  std::vector<std::string> options{};  ///< if ViewEntry::is_kept: what has a say, `--level`, `full`
  std::string_view verdict_format{};   ///< the one of the answer, if it holds verdicts alone
  std::vector<std::string> read{};     ///< where it notes each file that it read
  std::vector<std::string> inputs{};   ///< what is asked about
  std::vector<std::string> given{};    ///< options that were typed, by their long names
  bool has_read_inputs = false;  ///< it notes here that it did so itself: no log is among them
};

/// The file in which the verdicts of an answer are kept, to compare later ones with, and the name
/// they get there.
struct BaselineToSave {
  std::string_view id{}, path{};  ///< no path: they are not kept
  std::string_view history{};     ///< a folder in which they are kept too; empty: none
};

/// A question one can put to a graph: its options and one function.
class View {
 public:
  virtual ~View() = default;
  virtual void declare(Options&) {}
  /// Checks what options say together and reads the files they name; called once, before any
  /// answer.
  virtual Status prepare(Preparation&) { return {}; }
  /// An Error with Exit::no means that there is nothing by a name the user gave.
  virtual Result<Document> answer(const Question& question) const = 0;
  /// How many queries match, for views that show one at a time.
  virtual Result<size_t> queries(const Question&) const { return 0; }
  /// The answer about one of these alone.
  virtual Result<Document> answer_query(const Question& question, size_t) const {
    return answer(question);
  }
  /// What it selects calls and hops by; nullptr: it takes all.
  virtual const Filter* filter() const { return nullptr; }
  /// The same of Question::before.
  virtual const Filter* filter_before() const { return nullptr; }
  virtual BaselineToSave baseline_to_save() const { return {}; }
  /// Inputs beside those asked about, which it compares them with: Question::before.
  virtual std::vector<std::string> inputs_before() const { return {}; }
  /// Does it show what statements of usage count where no call or span is on record?
  virtual bool shows_usage_alone() const { return false; }
  /// How its inputs are followed, if ViewEntry::is_live.
  virtual const FollowOptions* follow_options() const { return nullptr; }
};

/// The sections of an answer, without their rows.
using Shape = std::span<const Section>;

/// A view and its documentation for users. To add one: a file that defines its entry, and a line in
/// views.cpp.
struct ViewEntry {
  std::string_view name;      ///< the subcommand
  std::string_view summary;   ///< one line
  std::string_view about;     ///< a paragraph for the manual
  std::string_view examples;  ///< for the help: command, two blanks, what it does; a line each
  std::unique_ptr<View> (*make)();
  /// The shapes its answer may have, for the JSON Schema: tables without rows.
  std::vector<Shape> (*shapes)();

  // What sets it apart from views that answer one question about all inputs together.
  bool draws = false;           ///< its answer can be a picture
  bool has_page = false;        ///< its answer can be a page to look at
  bool tells_order = false;     ///< the edges of that picture are in order of time
  bool is_kept = false;         ///< an answer for each query, which auditors keep and check
  bool converts = false;        ///< its answer comes in formats of other tools, and in no other
  bool is_live = false;         ///< its answer goes on while the inputs grow, a line at a time
  bool keeps_graph = false;     ///< its answer can be kept beside those of before, as a snapshot
  bool lists_sessions = false;  ///< of all of one's own, where no input is named
  bool takes_all = false;       ///< it is about all of one's own sessions, where none is named
  bool takes_suite = false;     ///< it judges by a suite, which is named before the inputs
  bool needs_input = false;     ///< no session is its own default: what it makes goes elsewhere
  bool compares = false;        ///< it is about two inputs, of which one is Question::before
  bool gives_verdicts = false;  ///< it judges what it is asked about
  std::string_view no_means = "anomaly or policy violation";  ///< of a view that gives verdicts
  bool reads_texts = false;  ///< at any level, though only full shows them
  std::string_view rows{};   ///< the table that most come for: steps; empty: the first
};

template <class V>
std::unique_ptr<View> make_view() {
  return std::make_unique<V>();
}

/// Every view, in the order in which users see them.
std::span<const ViewEntry> views();
/// nullptr: there is none of that name.
const ViewEntry* find_view(std::string_view name);

}  // namespace xtrace
