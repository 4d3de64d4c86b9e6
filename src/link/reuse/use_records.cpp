#include "link/reuse/use_records.h"

namespace xtrace {

const std::vector<UseRecords::Said>& UseRecords::said_in(CallId call) {
  if (read_ == call) return said_;
  read_ = call;
  said_.clear();
  Call line = trace_[call];
  const uint32_t lines = line.places;
  if (payloads_ == nullptr || !line.in_transcript || lines < 2) return said_;
  line.places = 1;
  for (uint32_t i = 0; i < lines; ++i, ++line.first_place)
    for (const Quote& quote : payloads_->quotes(line))
      if (!quote.tool_use.empty())
        said_.push_back({quote.kind, quote.tool_use, trace_.places[line.first_place]});
  return said_;
}

Extent UseRecords::asked(CallId call, std::string_view use) {
  for (const Said& said : said_in(call))
    if (said.kind == Quote::Kind::tool_use && said.use == use) return said.at;
  return trace_[call].source;
}

std::optional<Extent> UseRecords::answered(CallId reader, std::string_view use) {
  for (const Said& said : said_in(reader))
    if (said.kind == Quote::Kind::tool_result && said.use == use) return said.at;
  return std::nullopt;
}

}  // namespace xtrace
