#include "input/spans/otlp_metric.h"

#include <algorithm>

#include "base/lower.h"
#include "base/number.h"
#include "base/one_of.h"
#include "input/spans/span_values.h"

namespace xtrace {

namespace {

/// As many of the unit of ours as one of the metric's is: waits are told in milliseconds.
double unit_of(std::string_view key, std::string_view unit) {
  if (!key.ends_with("Ms")) return 1;
  return unit == "s" ? 1e3 : unit == "us" ? 1e-3 : unit == "ns" ? 1e-6 : 1;
}

}  // namespace

bool counts_money(json::element metric) {
  if (lower(json::text_at(metric, "unit")).find("usd") != std::string::npos) return true;
  const std::string name = lower(json::text_at(metric, "name"));
  for (size_t begin = 0, end = 0; begin < name.size(); begin = end + 1) {
    end = std::min(name.find_first_of("._-/", begin), name.size());
    const std::string_view word = std::string_view(name).substr(begin, end - begin);
    if (is_one_of(word, {"cost", "costs", "usd", "dollars"})) return true;
  }
  return false;
}

void read_measurements(std::string_view key, json::element metric, const Extent& place,
                       const SpanTags* resource, Shard& shard) {
  double unit = unit_of(key, json::text_at(metric, "unit"));
  auto read_point = [&](json::element point) {
    Measurement told;
    told.source = place;
    told.key = key;
    SpanTags tags = resource != nullptr ? *resource : SpanTags();
    bool has_number = false;
    json::fields(point, [&](std::string_view name, json::element value) {
      Duration time = kNoDuration;
      if (name == "timeUnixNano" && read_units(value, 1, time) && time > Duration{0})
        told.time = Time(time);
      else if (name == "asDouble")
        has_number |= !value.get_double().get(told.number);
      else if (name == "asInt" && !has_number) {
        std::optional<double> whole = number_of<double>(json::text(value));
        has_number = whole || !value.get_double().get(told.number);
        if (whole) told.number = *whole;
      } else if (name == "attributes")
        tags.read(value);
    });
    if (!has_number || told.time == kNoTime) return;
    told.number *= unit;
    told.component = shard.intern(tags.text(Tag::component));
    told.service = shard.intern(tags.text(Tag::service));
    shard.add(told);
  };
  // A gauge is what it is; of a sum each point is what came together so far. Of a histogram nobody
  // can tell when it was how much.
  for (std::string_view kind : {"gauge", "sum"}) {
    json::element values, points;
    if (json::find(metric, kind, values) && json::find(values, "dataPoints", points))
      json::items(points, read_point);
  }
}

}  // namespace xtrace
