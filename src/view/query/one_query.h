#pragma once

#include <memory>
#include <optional>
#include <string>

#include "view/common/selection.h"
#include "view/query/trace_queries.h"

namespace xtrace {

/// The query that an answer about calls or hops is to be about, if the user names one.
class OneQuery {
 public:
  void declare(Options& options);
  bool is_named() const { return !name_.empty(); }

  /// `query`: an index into TraceQueries::all, as View::answer_query() has it, before what is
  /// named. nullptr: the answer is about all queries. Exit::no: there is no such query.
  Result<const Query*> find(const Question& question, std::optional<size_t> query) const;

 private:
  std::string name_;
  mutable std::shared_ptr<const TraceQueries> known_;  ///< of the graph asked about last
};

/// Leave out what is not of the query: it is not shown, and not hidden by a filter either.
void narrow(Selection& selection, const Query& query, const Graph& graph);
void narrow(HopSelection& selection, const Query& query, const Trace& trace, const Hops& hops);

}  // namespace xtrace
