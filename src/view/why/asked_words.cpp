#include "view/why/asked_words.h"

#include <fmt/format.h>

#include "base/text.h"
#include "view/common/named_calls.h"
#include "view/common/place.h"

namespace xtrace {

Text words_of_question(const HopScene& scene, CallId call, std::string_view asked) {
  const std::string id(scene.names.id(call).view());
  std::string what = fmt::format("{} ({})", printable(asked), id);
  if (asked.empty() || asked == id) {
    what = id;
  } else if (Place::read(asked)) {  // several lines tell of a call, and others of none
    const bool is_told_there = !calls_by_id(scene.question.graph, asked).empty();
    what =
        fmt::format("{} at {} ({} {})", id, scene.names.shown_at(call).view(),
                    is_told_there ? "also recorded at" : "the next call after", printable(asked));
  }
  return scene.question.door.composed(fmt::format("Why did {} happen?", what));
}

}  // namespace xtrace
