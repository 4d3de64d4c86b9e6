#include "link/lines/file_history.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"

namespace xtrace {

namespace {

using Lines = std::span<const std::string_view>;

/// Calls `each` for every word of three letters or more that is whole: those at an end of a text
/// that goes on there may be parts of longer ones.
template <class Each>
void for_each_word(std::string_view text, bool goes_on, Each each) {
  constexpr size_t kShortest = 3;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  for (size_t i = 0; i < text.size();) {
    if (!is_letter(text[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && is_letter(text[i])) ++i;
    const bool is_at_end = goes_on && (begin == 0 || i == text.size());
    if (i - begin >= kShortest && !is_at_end) each(hash_of(text.substr(begin, i - begin)));
  }
}

std::vector<LineKeys> keys_of(Lines lines) {
  std::vector<LineKeys> keys;
  keys.reserve(lines.size());
  for (const std::string_view line : lines) keys.push_back(keys_of_line(line));
  return keys;
}

/// By line of `after`, the line of `before` that it is.
std::vector<uint32_t> kept_lines(const std::vector<LineKeys>& before,
                                 const std::vector<LineKeys>& after) {
  LineIndex index;
  for (size_t i = 0; i < before.size(); ++i)
    index.add(before[i], i == 0 ? LineIndex::kNone : static_cast<uint32_t>(i - 1));
  std::vector<uint32_t> found(after.size(), LineIndex::kNone);
  // What both begin and end with decides what is the same of lines with equal words.
  size_t same = 0;
  const size_t most = std::min(before.size(), after.size());
  while (same < most && before[same].folded == after[same].folded) {
    found[same] = static_cast<uint32_t>(same);
    ++same;
  }
  for (size_t k = 1; k <= most - same; ++k) {
    if (before[before.size() - k].folded != after[after.size() - k].folded) break;
    found[after.size() - k] = static_cast<uint32_t>(before.size() - k);
  }
  index.align(
      std::span(after), LineIndex::By::folded, [](size_t, uint32_t) { return true; }, found);
  return found;
}

}  // namespace

void FileHistory::apply(uint32_t edit, const TextEdit& change) {
  if (change.is_whole)
    write_whole(edit, change.after);
  else if (change.before.empty() || !replace_at_place(edit, change))
    replace_apart(edit, change);
  exists_ = true;
}

void FileHistory::note_contents(const std::string& text) {
  replace_apart(kNone, {.before = text, .after = text, .has_whole_lines = true});
  exists_ = knows_before_ = true;
}

void FileHistory::write_whole(uint32_t edit, const std::string& text) {
  const std::vector<std::string_view> after = lines_of(text);
  const std::vector<LineKeys> keys = keys_of(after);
  std::vector<uint32_t> found;
  index_.align(
      std::span(keys), LineIndex::By::folded,
      [&](size_t, uint32_t node) { return lines_[node].is_live; }, found);
  std::vector<NewLine> lines;
  lines.reserve(after.size());
  const bool is_rewrite = exists_ && !knows_before_;
  for (size_t i = 0; i < after.size(); ++i) {
    const Line* kept = found[i] == kNone ? nullptr : &lines_[found[i]];
    lines.push_back({std::string(after[i]), keys[i], kept != nullptr ? kept->edit : edit,
                     kept != nullptr ? kept->is_rewrite : is_rewrite});
  }
  for (const uint32_t node : live_) end(node);
  live_.clear();
  add_chain(lines);
  knows_before_ = true;
}

std::pair<uint32_t, uint32_t> FileHistory::add_chain(const std::vector<NewLine>& lines) {
  uint32_t first = kNone, last = kNone;
  for (const NewLine& line : lines) {
    last = index_.add(line.keys, last);
    if (first == kNone) first = last;
    lines_.push_back({.text = line.text, .edit = line.edit, .is_rewrite = line.is_rewrite});
    live_.push_back(last);
    if (line.edit == kNone || line.keys.folded == 0) continue;
    auto& [writer, count] = written_.try_emplace(line.keys.folded, kNone, 0).first->second;
    if (writer != line.edit) ++count;
    writer = line.edit;
  }
  return {first, last};
}

/// The lines of a change, each with its writer: what `before` has too keeps the one that it has
/// there, by line of `before`.
std::vector<FileHistory::NewLine> FileHistory::changed(uint32_t edit, Lines before,
                                                       std::span<const uint32_t> nodes,
                                                       Lines after) const {
  const std::vector<LineKeys> keys = keys_of(after);
  const std::vector<uint32_t> kept = kept_lines(keys_of(before), keys);
  std::vector<NewLine> lines;
  lines.reserve(after.size());
  for (size_t i = 0; i < after.size(); ++i) {
    const uint32_t node = kept[i] == kNone ? kNone : nodes[kept[i]];
    const bool is_new = kept[i] == kNone;
    lines.push_back({std::string(after[i]), keys[i],
                     is_new          ? edit
                     : node == kNone ? kNone
                                     : lines_[node].edit,
                     !is_new && node != kNone && lines_[node].is_rewrite});
  }
  return lines;
}

bool FileHistory::is_at(uint32_t first, Lines text, TextPlace& place) const {
  if (first == kNone || !lines_[first].is_live) return false;
  const std::string& front = lines_[first].text;
  place.first = place.last = first;
  if (text.size() == 1) {
    const size_t at = front.find(text[0]);
    if (at == std::string::npos) return false;
    place.before = front.substr(0, at);
    place.behind = front.substr(at + text[0].size());
    return true;
  }
  if (!front.ends_with(text[0])) return false;
  place.before = front.substr(0, front.size() - text[0].size());
  for (size_t i = 1; i < text.size(); ++i) {
    place.last = index_[place.last].next;
    if (place.last == kNone || !lines_[place.last].is_live) return false;
    const std::string& line = lines_[place.last].text;
    if (i + 1 < text.size() ? line != text[i] : !line.starts_with(text[i])) return false;
  }
  place.behind = lines_[place.last].text.substr(text.back().size());
  return true;
}

std::vector<uint32_t> FileHistory::lines_with_words_of(std::string_view text, bool is_everywhere) {
  for (; words_.done < lines_.size(); ++words_.done)
    if (lines_[words_.done].is_live)
      for_each_word(lines_[words_.done].text, false,
                    [&](uint64_t word) { words_.lines[word].push_back(words_.done); });
  const std::vector<uint32_t>* fewest = nullptr;
  const auto consider = [&](uint64_t word) {
    const auto found = words_.lines.find(word);
    static const std::vector<uint32_t> kNowhere;
    const std::vector<uint32_t>* lines = found == words_.lines.end() ? &kNowhere : &found->second;
    if (fewest == nullptr || lines->size() < fewest->size()) fewest = lines;
  };
  for_each_word(text, true, consider);
  if (fewest != nullptr) return *fewest;
  // All of it is one word, or a part of one.
  if (!is_everywhere) for_each_word(text, false, consider);
  return fewest == nullptr || fewest->empty() ? live_ : *fewest;
}

std::vector<FileHistory::TextPlace> FileHistory::places_of(Lines text, bool is_everywhere) {
  // The whole line of which there are fewest; a first or last one may be a part of a line.
  size_t anchor = SIZE_MAX;
  std::span<const uint32_t> nodes;
  const auto consider = [&](size_t i) {
    const LineKeys keys = keys_of_line(text[i]);
    if (keys.folded == 0) return;
    const std::span<const uint32_t> alike = index_.with(keys.folded);
    if (anchor == SIZE_MAX || alike.size() < nodes.size()) anchor = i, nodes = alike;
  };
  for (size_t i = 1; i + 1 < text.size(); ++i) consider(i);
  const bool has_inner = anchor != SIZE_MAX;
  if (!has_inner) consider(0);
  std::vector<uint32_t> by_words;
  std::vector<TextPlace> places;
  const auto look = [&](std::span<const uint32_t> among, size_t line, size_t most) {
    size_t looked = 0;
    for (size_t k = among.size(); k-- > 0 && looked < most; ++looked) {
      uint32_t first = among[k];
      for (size_t i = 0; i < line && first != kNone; ++i) first = index_[first].previous;
      TextPlace place;
      if (!is_at(first, text, place)) continue;
      places.push_back(std::move(place));
      if (!is_everywhere) return;
    }
  };
  if (anchor != SIZE_MAX) look(nodes, anchor, is_everywhere ? SIZE_MAX : kMostLookedAt);
  if (has_inner || (!places.empty() && !is_everywhere)) return places;
  for (size_t line = 0; line < text.size() && places.empty(); ++line) {
    by_words = lines_with_words_of(text[line], is_everywhere);
    look(by_words, line, SIZE_MAX);
  }
  return places;
}

bool FileHistory::replace_at_place(uint32_t edit, const TextEdit& change) {
  // A text that ends in a line break ends before the next line, not in it.
  const bool both_end = change.before.ends_with('\n') && change.after.ends_with('\n');
  const bool cuts_end = change.before.ends_with('\n') && !both_end;
  const std::vector<std::string_view> before = lines_of(change.before);
  if (cuts_end && !change.after.empty()) return false;  // joins two lines: rare
  std::vector<TextPlace> places = places_of(before, change.is_everywhere);
  std::unordered_set<uint32_t> done;
  bool is_placed = false;
  for (TextPlace& place : places) {
    if (!lines_[place.first].is_live || !done.insert(place.first).second) continue;
    if ((change.has_whole_lines || change.before.ends_with('\n')) && !place.behind.empty())
      continue;
    if (change.has_whole_lines && !place.before.empty()) continue;
    is_placed = true;
    std::vector<uint32_t> nodes;
    std::vector<std::string_view> now;
    for (uint32_t node = place.first;; node = index_[node].next) {
      nodes.push_back(node);
      now.push_back(lines_[node].text);
      if (node == place.last) break;
    }
    std::string text = place.before;
    if (change.is_everywhere && before.size() == 1) {
      const std::string& line = lines_[place.first].text;
      text.clear();
      size_t from = 0;
      for (size_t at; (at = line.find(before[0], from)) != std::string::npos;
           from = at + before[0].size())
        text += line.substr(from, at - from) + change.after;
      text += line.substr(from);
    } else {
      text += change.after + place.behind;
      // The line break at its end begins a line of its own.
      if (place.behind.empty() && change.after.ends_with('\n') && !both_end) text += '\n';
    }
    const bool is_gone = text.empty();  // else there is an empty line
    std::vector<std::string_view> after = lines_of(text);
    if (is_gone && !change.has_whole_lines && !cuts_end) after.emplace_back();
    const std::vector<NewLine> lines = changed(edit, now, nodes, after);
    const uint32_t previous = index_[place.first].previous, next = index_[place.last].next;
    for (const uint32_t node : nodes) end(node);
    const auto [first, last] = add_chain(lines);
    index_.join(previous, first == kNone ? next : first);
    if (last != kNone) index_.join(last, next);
  }
  return is_placed;
}

void FileHistory::replace_apart(uint32_t edit, const TextEdit& change) {
  const std::vector<std::string_view> before = lines_of(change.before),
                                      after = lines_of(change.after);
  const std::vector<LineKeys> keys = keys_of(before);
  std::vector<uint32_t> nodes;
  index_.align(
      std::span(keys), LineIndex::By::folded,
      [&](size_t, uint32_t node) { return lines_[node].is_live; }, nodes);
  const std::vector<NewLine> lines = changed(edit, before, nodes, after);
  const uint32_t previous =
      nodes.empty() || nodes.front() == kNone ? kNone : index_[nodes.front()].previous;
  const uint32_t next = nodes.empty() || nodes.back() == kNone ? kNone : index_[nodes.back()].next;
  for (const uint32_t node : nodes)
    if (node != kNone) end(node);
  const auto [first, last] = add_chain(lines);
  if (first == kNone) return index_.join(previous, next);
  if (previous != kNone) index_.join(previous, first);
  if (next != kNone) index_.join(last, next);
  if (change.has_whole_lines) return;
  lines_[first].is_open_before = previous == kNone;
  lines_[last].is_open_behind = next == kNone;
}

uint32_t FileHistory::writers_with(uint64_t key) const {
  const auto found = written_.find(key);
  return found == written_.end() ? 0 : found->second.second;
}

void FileHistory::find_parts(Lines lines, const Accepts& accepts, std::vector<uint32_t>& found,
                             std::vector<bool>& is_part) const {
  constexpr size_t kShortestPart = 12;  // bytes: shorter ones are in many lines
  const auto fits = [&](uint32_t node, std::string_view line) {
    const Line& part = lines_[node];
    const std::string_view text = part.text;
    if (part.is_open_before && part.is_open_behind) return line.find(text) != line.npos;
    return part.is_open_before ? line.ends_with(text) : line.starts_with(text);
  };
  const auto take = [&](size_t line, uint32_t node) {
    found[line] = node;
    is_part[line] = true;
  };
  std::unordered_set<uint32_t> taken(found.begin(), found.end());
  const auto is_free = [&](size_t line, uint32_t node) {
    return node != kNone && lines_[node].is_live && lines_[node].edit != kNone &&
           (lines_[node].is_open_before || lines_[node].is_open_behind) &&
           !lines_[node].text.empty() && !taken.contains(node) && accepts(line, lines_[node].edit);
  };
  // The ends of runs that were found.
  for (size_t i = 0; i < lines.size(); ++i) {
    if (found[i] == kNone || is_part[i]) continue;
    for (const int step : {-1, 1}) {
      const size_t line = i + static_cast<size_t>(step);
      const uint32_t node = step < 0 ? index_[found[i]].previous : index_[found[i]].next;
      if (line < lines.size() && found[line] == kNone && is_free(line, node) &&
          fits(node, lines[line])) {
        taken.insert(node);
        take(line, node);
      }
    }
  }
  // Texts within one line: where there is one line alone that has them.
  std::unordered_map<uint64_t, std::vector<uint32_t>> parts;
  for (const uint32_t node : live_)
    if (lines_[node].is_open_before && lines_[node].is_open_behind &&
        lines_[node].text.size() >= kShortestPart && is_free(0, node))
      for_each_word(lines_[node].text, true, [&](uint64_t word) { parts[word].push_back(node); });
  if (parts.empty()) return;
  std::unordered_map<uint32_t, std::vector<size_t>> fitting;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (found[i] != kNone) continue;
    std::unordered_set<uint32_t> tried;
    for_each_word(lines[i], false, [&](uint64_t word) {
      const auto with = parts.find(word);
      if (with == parts.end() || with->second.size() > kMostLookedAt) return;
      for (const uint32_t node : with->second)
        if (tried.insert(node).second && fits(node, lines[i]) && is_free(i, node))
          fitting[node].push_back(i);
    });
  }
  for (const uint32_t node : live_)
    if (const auto at = fitting.find(node); at != fitting.end() && at->second.size() == 1)
      if (found[at->second.front()] == kNone) take(at->second.front(), node);
}

std::vector<LineOrigin> FileHistory::origins_of(Lines lines, const Accepts& accepts) {
  const std::vector<LineKeys> keys = keys_of(lines);
  std::vector<uint32_t> found;
  std::vector<bool> is_loose(lines.size()), is_replaced(lines.size()), is_part(lines.size());
  const auto takes = [&](bool is_live) {
    return [&, is_live](size_t line, uint32_t node) {
      const Line& one = lines_[node];
      return one.is_live == is_live && (one.edit == kNone || accepts(line, one.edit));
    };
  };
  /// Aligns, and marks what was not found before.
  const auto align = [&](LineIndex::By by, bool is_live, std::vector<bool>* mark) {
    const std::vector<uint32_t> before = found;
    index_.align(std::span(keys), by, takes(is_live), found);
    for (size_t i = 0; mark != nullptr && i < lines.size(); ++i)
      if (before[i] == kNone && found[i] != kNone) (*mark)[i] = true;
  };
  align(LineIndex::By::folded, true, nullptr);
  align(LineIndex::By::loose, true, &is_loose);
  find_parts(lines, accepts, found, is_part);
  align(LineIndex::By::folded, false, &is_replaced);

  std::unordered_map<uint64_t, uint32_t> alike;
  for (const LineKeys& line : keys) ++alike[line.folded];
  std::vector<LineOrigin> origins(lines.size());
  for (size_t i = 0, run = 0; i < lines.size(); i += run) {
    for (run = 1; i + run < lines.size() && found[i] != kNone && found[i + run] != kNone &&
                  index_[found[i + run - 1]].next == found[i + run];)
      ++run;
    for (size_t k = i; found[i] != kNone && k < i + run; ++k) {
      const Line& line = lines_[found[k]];
      const uint32_t writers = writers_with(index_[found[k]].keys.folded);
      origins[k] = {.edit = line.edit,
                    .run = static_cast<uint32_t>(run),
                    .rivals = writers - std::min(writers, 1U),
                    .length = keys[k].length,
                    .is_only_one = alike[keys[k].folded] == 1,
                    .is_context = line.edit == kNone,
                    .is_replaced = is_replaced[k],
                    .is_reformatted = is_loose[k],
                    .is_part = is_part[k],
                    .is_rewrite = line.is_rewrite};
    }
  }
  return origins;
}

}  // namespace xtrace
