#pragma once

#include "doc/document.h"
#include "run/request.h"

namespace xtrace {

/// The rows of the tables of that name, with those in the graphs behind the answer.
size_t count_rows(const Document& document, std::string_view table);

/// Is there room for them in the format? Exit::usage explains how to ask for fewer. `things`: how
/// many calls and spans the input has, which is quicker to know.
Status check_page_size(const Document& document, const Renderer& renderer, size_t things);

}  // namespace xtrace
