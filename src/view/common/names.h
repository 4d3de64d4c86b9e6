#pragma once

#include <vector>

#include "base/lazy.h"
#include "view/common/view.h"

namespace xtrace {

/// What calls, places and groups are called in an answer. Everything here has passed the Door.
class Names {
 public:
  Names(const Graph& graph, Door& door);

  /// Unique, and the same for the same record whatever else is in the log.
  Text id(CallId call) const {
    return ids_.get([this] { return unique_ids(); })[call.index];
  }
  /// Its place: `file:line`, or `file@offset` if the file is one document; only the file if it is
  /// about the whole file.
  Text at(const Extent& extent) const;
  Text at(CallId call) const { return at(graph_.trace()[call].source); }
  /// The same for people: `file:line` also in a document, if its calls are on different lines.
  Text shown_at(const Extent& extent) const;
  Text shown_at(CallId call) const { return shown_at(graph_.trace()[call].source); }
  /// Does its line say which record of the file it is?
  bool has_own_line(const Extent& extent) const;
  /// The same for the Door, which needs it before texts of that record pass.
  RecordPlace place(const Extent& extent) const;
  RecordPlace place(CallId call) const { return place(graph_.trace()[call].source); }
  Text session(const Session& session) const;
  /// The last part of the folder that it worked in; empty: not recorded. The whole path passes the
  /// Door, because a secret may extend over several parts.
  Text project(const Session& session) const;
  Text agent(const Agent& agent) const;
  Text text(StringId id) const { return door_.name(graph_.trace()[id]); }
  Text text(std::string_view name) const { return door_.name(name); }

 private:
  std::vector<Text> unique_ids() const;

  const Graph& graph_;
  Door& door_;
  Lazy<std::vector<Text>> ids_;    ///< by call; not every answer names calls
  std::vector<bool> on_one_line_;  ///< by source: documents with several records in one line
};

}  // namespace xtrace
