#include "input/transcripts/parted_messages.h"

#include <unordered_map>
#include <unordered_set>

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

class PartDropper {
 public:
  explicit PartDropper(RawTrace& trace) : trace_(trace), said_(trace.utterances) {}

  void drop() {
    for (const Utterance& said : said_)
      if (said.is_part && said.answer) parted_.insert(said.answer.index);
    if (parted_.empty()) return;
    for (const Utterance& said : said_)
      if (tells_whole(said)) whole_.insert(said.id.index);
    for (size_t i = 0; i < said_.size(); ++i)
      if (is_told_again(said_[i])) drop(i);
  }

 private:
  bool tells_whole(const Utterance& said) const {
    const bool is_whole =
        said.is_whole ? said.id == said.answer : said.kind == Kind::asked && said.message;
    return !said.is_part && said.id && is_whole && parted_.contains(said.id.index);
  }

  /// The record of a message whose parts stand elsewhere says nothing by itself.
  bool is_told_again(const Utterance& said) {
    if (said.is_part)
      return whole_.contains(said.answer.index) || (said.id && is_in_other_file(said));
    const bool is_bare = said.kind == Kind::asked ? !said.message : said.kind == Kind::answered;
    return is_bare && !said.is_whole && said.id && whole_.contains(said.id.index);
  }

  bool is_in_other_file(const Utterance& part) {
    const auto [first, is_new] = file_of_.emplace(part.id.index, part.source.file);
    return !is_new && first->second != part.source.file;
  }

  void drop(size_t i) {
    Utterance& said = said_[i];
    // A text is told as a prompt's and as an answer's.
    if (!said.is_part || said.kind != Kind::asked) ++trace_.sources[said.source.file].copies;
    if (i + 1 < said_.size() && gave(said, said_[i + 1])) silence(said_[i + 1]);
    silence(said);
  }

  /// What a tool gave stands behind its part.
  bool gave(const Utterance& part, const Utterance& next) const {
    return part.is_part && part.kind == Kind::answered && part.id && next.kind == Kind::asked &&
           !next.is_part && next.id && next.source.file == part.source.file &&
           trace_[next.id].starts_with(trace_[part.id]);
  }

  static void silence(Utterance& said) {
    said.kind = Kind::silent;
    said.id = said.answer = {};
    said.is_part = false;
  }

  RawTrace& trace_;
  std::vector<Utterance>& said_;
  std::unordered_set<uint32_t> parted_, whole_;     ///< messages, by id
  std::unordered_map<uint32_t, uint32_t> file_of_;  ///< by id of a part
};

}  // namespace

void drop_parts_told_again(RawTrace& trace) {
  PartDropper(trace).drop();
}

}  // namespace xtrace
