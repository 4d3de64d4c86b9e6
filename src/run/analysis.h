#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "link/graph/graph.h"
#include "run/file_payloads.h"
#include "run/request.h"

namespace xtrace {

/// A file that a request writes.
struct WrittenFile {
  std::string_view option;  ///< that names it
  std::string_view path;    ///< standard output is one
};
std::vector<WrittenFile> written_files(const Request& request);

/// What is read must not be overwritten: `read`, which is `what`, is none of the files that the
/// request writes.
Status check_not_written(const Request& request, const std::string& read, std::string_view what);

/// An input that was read and linked, and what a request wants to know of it.
class Analysis {
 public:
  /// Reads the inputs and links them; from then on no new facts and no new links.
  static Result<std::unique_ptr<Analysis>> about(const Request& request);

  /// A door for one answer, which numbers what it hides from 1. Writes down in `audit` what it
  /// replaces, if there is to be an audit log.
  Result<std::unique_ptr<Door>> door(Audit* audit = nullptr) const;
  /// The answer, or that about one of its queries alone, ready to be written by write().
  Result<Document> answer(Door& door, size_t query = Question::kEachQuery) const;
  /// The same as tables, whatever the format of the answer is.
  Result<Document> tables(Door& door) const;
  void write(const Document& document, std::ostream& out) const {
    request_.renderer->write(document, request_.paper, out);
  }
  /// Every file that was read, also those below folders.
  std::vector<std::string> inputs() const;
  /// When the newest event began; kNoTime where no event says when it was.
  Moment newest() const;
  uint64_t records() const;
  /// Was anything damaged, or could a file not be read?
  bool met_errors() const;
  /// How many queries the request is about.
  Result<size_t> queries() const;

 private:
  /// The run that another is compared with.
  struct Earlier {
    Graph graph;
    FilePayloads payloads;
    ComparedRun before;
    explicit Earlier(Graph of)
        : graph(std::move(of)), payloads(graph.trace()), before{graph, &payloads} {}
  };

  Analysis(const Request& request, Graph graph)
      : request_(request), graph_(std::move(graph)), payloads_(graph_.trace()) {}
  static Result<Graph> read(const Request& request, const std::vector<std::string>& inputs);
  /// Of everything that was read.
  std::vector<const Trace*> traces() const;
  Status reveal_in(Door& door) const;
  Question question(Door& door, size_t query) const;

  const Request& request_;
  Graph graph_;
  FilePayloads payloads_;
  std::unique_ptr<const Earlier> earlier_;  ///< if the request compares two
};

}  // namespace xtrace
