#include "keep/audit_log.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "keep/output.h"
#include "redact/place_words.h"

namespace xtrace {

namespace {

std::string words_of(const RecordPlace& place, Door& door) {
  if (place.path.empty()) return "answer";
  return place_words(door.name(place.path).view(), place);
}

}  // namespace

Status write_audit(const std::string& path, const Audit& audit, Door& door) {
  door.stop_keeping();
  return write_answer(path, [&](std::ostream& out) {
    for (const Audit::Entry& entry : audit.entries) {
      nlohmann::ordered_json line = {{"rule", entry.rule},
                                     {"number", entry.number},
                                     {"characters", entry.characters},
                                     {"at", words_of(entry.place, door)}};
      // A path need not be valid UTF-8.
      out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
  });
}

}  // namespace xtrace
