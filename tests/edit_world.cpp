#include "edit_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "link/causes/random_numbers.h"

namespace xtrace {

namespace {

struct WorldLine {
  std::string text;
  uint32_t writer = EditWorld::kNobody;
};
using WorldLines = std::vector<WorldLine>;

class EditWorldMaker {
 public:
  EditWorldMaker(EditWorld& world, uint64_t seed, const EditWorldKind& kind)
      : world_(world), kind_(kind), random_(seed) {}

  void make() {
    world_.existed = kind_.exists;
    if (kind_.exists)
      for (uint32_t i = 5 + below(15); i > 0; --i) append(make_block(kNobody));
    for (uint32_t i = 0; i < kind_.edits; ++i) {
      versions_.push_back(file_);
      edit(i == 0 && !kind_.exists);
      if (chance(kind_.human)) change_by_hand();
      if (chance(kind_.formatter)) format();
      if (chance(kind_.reverts)) put_back();
    }
    for (const WorldLine& line : file_) {
      world_.lines.push_back(line.text);
      world_.writers.push_back(line.writer);
    }
  }

 private:
  static constexpr uint32_t kNobody = EditWorld::kNobody;

  uint32_t below(size_t n) { return random_.below(static_cast<uint32_t>(n)); }
  bool chance(double share) { return random_.uniform() < share; }
  std::string word() { return fmt::format("w{}", below(kind_.vocabulary) * 7919 % 9973); }
  std::string make_line() {
    const std::string indent(2 * (1 + below(2)), ' ');
    switch (below(8)) {
      case 0: return indent + "return " + word() + ";";
      case 1: return indent + "break;";
      default:
        return indent + fmt::format("{} = {}('{}', {});", word(), word(), word(), below(100));
    }
  }
  /// A function, or a few lines of one.
  WorldLines make_block(uint32_t writer) {
    WorldLines block;
    const bool is_function = chance(0.4);
    if (is_function)
      block.push_back({fmt::format("int {}({} {}) {{", word(), word(), word()), writer});
    for (uint32_t k = 1 + below(6); k > 0; --k) block.push_back({make_line(), writer});
    if (is_function) block.push_back({"}", writer});
    if (is_function) block.push_back({"", writer});
    return block;
  }
  static std::string text_of(const WorldLines& lines, size_t from, size_t to) {
    std::string text;
    for (size_t i = from; i < to; ++i) text += (i > from ? "\n" : "") + lines[i].text;
    return text;
  }

  /// Changes some lines of a part: new ones, others gone, changed, moved or repeated.
  WorldLines changed(WorldLines part, uint32_t writer) {
    for (uint32_t n = 1 + below(4); n > 0; --n) {
      const size_t at = below(part.size() + 1);
      const auto place = part.begin() + static_cast<ptrdiff_t>(at);
      switch (below(8)) {
        case 0:
          if (at < part.size() && part.size() > 1) part.erase(place);
          break;
        case 1:
          if (at < part.size()) part[at] = {make_line(), writer};
          break;
        case 2:
          if (at < part.size()) part.insert(place, {part[below(part.size())].text, writer});
          break;
        case 3:
          if (part.size() > 5) std::rotate(part.begin(), part.begin() + 2, part.end());
          break;
        case 4:
          if (at < part.size() && !part[at].text.empty()) {
            part[at].text += " // " + word();
            part[at].writer = writer;
          }
          break;
        default: {
          const WorldLines block = make_block(writer);
          part.insert(place, block.begin(), block.end());
        }
      }
    }
    return part;
  }

  void append(const WorldLines& block) { file_.insert(file_.end(), block.begin(), block.end()); }

  void edit(bool is_first) {
    const bool is_recorded = is_first || !chance(kind_.unrecorded);
    const auto writer =
        is_recorded ? static_cast<uint32_t>(world_.edits.size()) : EditWorld::kUnrecorded + lost_++;
    std::string read;
    if (!file_.empty() && !is_known_ && chance(kind_.reads)) {
      read = text_of(file_, 0, file_.size());
      is_known_ = is_recorded;
    }
    TextEdit edit;
    if (is_first || file_.empty() || chance(kind_.whole)) {
      if (file_.empty())
        for (uint32_t i = 3 + below(10); i > 0; --i) append(make_block(writer));
      else
        file_ = changed(changed(file_, writer), writer);
      edit = {.after = text_of(file_, 0, file_.size()) + "\n", .is_whole = true};
      is_known_ |= is_recorded;
    } else if (chance(kind_.patches)) {
      edit = patch(writer);
    } else if (chance(0.15)) {
      edit = part_of_line(writer);
    } else {
      edit = replacement(writer);
    }
    is_known_ &= is_recorded;
    if (edit.is_whole) put_ = {0, file_.size()};
    if (put_.first < put_.second)
      world_.claims.push_back(
          {writer, put_.first, put_.second - 1, text_of(file_, put_.first, put_.second)});
    if (!is_recorded) return;
    world_.edits.push_back(std::move(edit));
    world_.read.push_back(std::move(read));
  }

  /// A text that is replaced is there once: agents add lines until it is.
  TextEdit replacement(uint32_t writer) {
    size_t from = below(file_.size()), to = std::min(file_.size(), from + 1 + below(6));
    const std::string all = text_of(file_, 0, file_.size());
    const auto is_once = [&] {
      const std::string text = text_of(file_, from, to);
      const size_t at = all.find(text);
      return !text.empty() && all.find(text, at + 1) == all.npos;
    };
    while (!is_once() && (from > 0 || to < file_.size())) {
      if (from > 0) --from;
      if (to < file_.size()) ++to;
    }
    const WorldLines before(file_.begin() + static_cast<ptrdiff_t>(from),
                            file_.begin() + static_cast<ptrdiff_t>(to));
    const WorldLines after = changed(before, writer);
    replace(from, to, after);
    return {.before = text_of(before, 0, before.size()), .after = text_of(after, 0, after.size())};
  }
  /// With three lines around it.
  TextEdit patch(uint32_t writer) {
    const size_t from = below(file_.size()), to = std::min(file_.size(), from + 1 + below(4));
    const size_t begin = from - std::min<size_t>(from, 3), end = std::min(file_.size(), to + 3);
    const WorldLines before(file_.begin() + static_cast<ptrdiff_t>(begin),
                            file_.begin() + static_cast<ptrdiff_t>(end));
    const WorldLines middle(file_.begin() + static_cast<ptrdiff_t>(from),
                            file_.begin() + static_cast<ptrdiff_t>(to));
    const WorldLines now = changed(middle, writer);
    replace(from, to, now);
    const size_t grown = end - (to - from) + now.size();
    return {.before = text_of(before, 0, before.size()) + "\n",
            .after = text_of(file_, begin, grown) + "\n",
            .has_whole_lines = true};
  }
  TextEdit part_of_line(uint32_t writer) {
    const std::string all = text_of(file_, 0, file_.size());
    for (int tries = 0; tries < 20; ++tries) {
      const size_t at = below(file_.size());
      WorldLine& line = file_[at];
      const size_t open = line.text.find("('");
      if (open == std::string::npos) continue;
      const std::string old = line.text.substr(open - 3, line.text.find(')') - open + 3);
      if (all.find(old) != all.rfind(old)) continue;
      const std::string now = old.substr(0, 3) + fmt::format("('{}', {}", word(), below(1000));
      if (now == old) continue;
      line.text.replace(open - 3, old.size(), now);
      line.writer = writer;
      put_ = {at, at + 1};
      return {.before = old, .after = now};
    }
    return replacement(writer);
  }
  void replace(size_t from, size_t to, const WorldLines& lines) {
    file_.erase(file_.begin() + static_cast<ptrdiff_t>(from),
                file_.begin() + static_cast<ptrdiff_t>(to));
    file_.insert(file_.begin() + static_cast<ptrdiff_t>(from), lines.begin(), lines.end());
    put_ = {from, from + lines.size()};
  }

  void change_by_hand() {
    if (file_.empty()) return;
    const size_t from = below(file_.size()), to = std::min(file_.size(), from + 1 + below(3));
    const WorldLines part(file_.begin() + static_cast<ptrdiff_t>(from),
                          file_.begin() + static_cast<ptrdiff_t>(to));
    replace(from, to, changed(part, kNobody));
    is_known_ = false;
  }
  /// Other indents and quotes, blanks around operators.
  void format() {
    if (file_.empty()) return;
    const size_t from = below(file_.size()), to = std::min(file_.size(), from + 1 + below(20));
    is_known_ = false;
    const bool quotes = chance(0.3);
    for (size_t i = from; i < to; ++i) {
      std::string& text = file_[i].text;
      if (!text.empty()) text = "  " + text;
      if (quotes) std::replace(text.begin(), text.end(), '\'', '"');
    }
  }
  /// A part of an earlier version in place of what is there now.
  void put_back() {
    const WorldLines& old = versions_[below(versions_.size())];
    if (old.size() < 4 || file_.empty()) return;
    const size_t length = 2 + below(6), at = below(old.size());
    const size_t end = std::min(old.size(), at + length), to = below(file_.size());
    const WorldLines part(old.begin() + static_cast<ptrdiff_t>(at),
                          old.begin() + static_cast<ptrdiff_t>(end));
    replace(to, std::min(file_.size(), to + length), part);
    is_known_ = false;
  }

  EditWorld& world_;
  const EditWorldKind& kind_;
  RandomNumbers random_;
  WorldLines file_;
  std::pair<size_t, size_t> put_;  ///< where the last edit put its text
  uint32_t lost_ = 0;              ///< edits that no log has
  std::vector<WorldLines> versions_;
  bool is_known_ = false;  ///< what the agents know of it is what is there
};

}  // namespace

EditWorld::EditWorld(uint64_t seed, const EditWorldKind& kind) {
  EditWorldMaker(*this, seed, kind).make();
}

}  // namespace xtrace
