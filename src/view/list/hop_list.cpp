#include "view/list/hop_list.h"

#include "view/common/preface.h"

namespace xtrace {

Result<Document> list_hops(const Question& question, const Filter& filter, const HopList& list) {
  Result<std::shared_ptr<HopScene>> scene =
      scene_of(question.graph.hops(), question, filter, HopLinks::causes);
  if (!scene) return tl::unexpected(scene.error());
  Document document("list");
  if (question.face == Face::outline) {
    Outline outline = list.outline(**scene);
    add_hidden((*scene)->selection.hidden, "span", {}, question.door, outline.foot);
    document.add(std::move(outline));
    return document;
  }
  add_preface("xtrace.list/1", question, (*scene)->names, (*scene)->selection.hidden, document);
  document.add(Stream{list.name, list.columns,
                      [hops = *scene, write_rows = list.write](const Stream::Write& write) {
                        write_rows(*hops, write);
                      }});
  return document;
}

}  // namespace xtrace
