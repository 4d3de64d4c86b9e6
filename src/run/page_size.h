#pragma once

#include "doc/document.h"
#include "run/request.h"

namespace xtrace {

/// How many nodes a picture of the answer would have, with those of the graphs behind it.
size_t count_nodes(const Document& document);

/// Is there room for them in the format? Exit::usage tells how to ask for fewer. `things`: how many
/// calls and spans the input has, which is quicker to know.
Status check_page_size(const Document& document, const Renderer& renderer, size_t things);

}  // namespace xtrace
