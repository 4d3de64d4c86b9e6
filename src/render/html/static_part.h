#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "doc/document.h"
#include "render/chart/chart.h"

namespace xtrace {

/// What a page says where its script does not run: sums, warnings and the first rows, as markup.
void write_static_part(const Document& document, const Chart& chart, std::ostream& out);

/// `dag of trip.jsonl`
std::string title_of(const Document& document);

/// `text` between tags and in attributes: nothing in it is markup or acts on what is around it.
std::string for_markup(std::string_view text);

}  // namespace xtrace
