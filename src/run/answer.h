#pragma once

#include <memory>
#include <optional>

#include "run/linked_runs.h"
#include "run/request.h"

namespace xtrace {

/// Lets the door show what whoever reads the answer may see, in the zone of the answer.
void admit_audience(const Request& request, Door& door);

/// A door for one answer, which numbers what it hides from 1. Writes down in `audit` what it
/// replaces, if there is to be an audit log. Exit::no: nothing bears an id that is to be revealed.
Result<std::unique_ptr<Door>> open_door(const Request& request, const LinkedRuns& runs,
                                        Audit* audit = nullptr);

/// The answer, or that about one of its queries alone, ready to be written by write_document().
Result<Document> answer(const Request& request, const LinkedRuns& runs, Door& door,
                        std::optional<size_t> query = {});
/// The same as tables, whatever the format of the answer is.
Result<Document> answer_as_tables(const Request& request, const LinkedRuns& runs, Door& door);
/// How many queries the request is about.
Result<size_t> count_queries(const Request& request, const LinkedRuns& runs);

/// In the format that the request asks for. Rows of streams are made, and pass the door, meanwhile.
/// Adds to `remarks` what is printed about the format on standard error.
void write_document(const Request& request, const Document& document, std::ostream& out,
                    std::string* remarks = nullptr);

}  // namespace xtrace
