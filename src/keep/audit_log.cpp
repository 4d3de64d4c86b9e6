#include "keep/audit_log.h"

#include <ostream>
#include <string>

#include "base/json_writer.h"
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
  return write_answer(path, Readers::owner, [&](std::ostream& out) {
    for (const Audit::Entry& entry : audit.entries) {
      std::string line;
      JsonWriter json(line);
      json.open_object(JsonLayout::tight());
      json.field("rule", entry.rule);
      json.field("number", entry.number);
      json.field("characters", entry.characters);
      json.field("at", words_of(entry.place, door));
      json.close();
      out << line << '\n';
    }
  });
}

}  // namespace xtrace
