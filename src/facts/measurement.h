#pragma once

#include <string_view>

#include "base/id.h"
#include "base/time.h"
#include "facts/record.h"

namespace xtrace {

/// What a component or a machine was under at some moment: a point of an OpenTelemetry metric.
struct Measurement {
  Extent source;
  Time time = kNoTime;
  StringId component;    ///< that it is of: `model-adapter`; nowhere: of the whole service
  StringId service;      ///< nowhere: of the machine
  std::string_view key;  ///< a word of ours, as of a Remark: `cpuUtilization`
  double number = 0;
};

}  // namespace xtrace
