#include "input/reader.h"

#include <algorithm>
#include <new>

#include "base/digits.h"
#include "base/hash.h"
#include "base/newlines.h"
#include "input/calls/exchange.h"
#include "input/common/record_context.h"
#include "input/common/values.h"
#include "input/looks_like.h"
#include "input/spans/envelope.h"
#include "input/transcripts/part.h"

namespace xtrace {

namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string describe(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR: return "not valid UTF-8";
    case simdjson::DEPTH_ERROR: return "nested more than 1024 levels deep";
    case simdjson::UNESCAPED_CHARS: return "control character inside a string";
    case simdjson::UNCLOSED_STRING: return "cut off inside a string";
    case simdjson::STRING_ERROR: return "invalid escape in a string";
    case simdjson::NUMBER_ERROR: return "invalid or too large number";
    case simdjson::CAPACITY: return "longer than 4 GB";
    default: return "not valid JSON";
  }
}

/// The code unit of a `\uXXXX` at `text[at]`, or -1.
int unit_at(std::string_view text, size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (size_t i = at + 2; i < at + 6; ++i) {
    if (hex_digit(text[i]) < 0) return -1;
    unit = unit * 16 + hex_digit(text[i]);
  }
  return unit;
}

/// Replaces the halves of surrogate pairs that stand alone, as JavaScript writes them, by U+FFFD.
/// Returns how many there were.
size_t mend_surrogates(std::string& text) {
  size_t mended = 0;
  for (size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    int unit = unit_at(text, at);
    if (unit < 0) {
      at += 2;  // the escaped character may be a backslash
      continue;
    }
    bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
    int next = high ? unit_at(text, at + 6) : -1;
    if (high && next >= 0xdc00 && next < 0xe000) {
      at += 12;
      continue;
    }
    if (high || low) {
      text.replace(at, 6, "\\ufffd");
      ++mended;
    }
    at += 6;
  }
  return mended;
}

/// Puts blanks in place of comments and of commas behind which a list or an object ends, so that
/// everything else stays where it is. Returns how many there were.
size_t blank_comments(std::string& text) {
  size_t blanked = 0, comma = std::string::npos;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == '/' && (next == '/' || next == '*')) {
      size_t end = next == '/' ? text.find('\n', at) : text.find("*/", at + 2);
      end = end == std::string::npos ? text.size() : end + (next == '/' ? 0 : 2);
      std::fill(text.begin() + static_cast<ptrdiff_t>(at),
                text.begin() + static_cast<ptrdiff_t>(end), ' ');
      ++blanked;
      at = end - 1;
    } else if (c == '"') {
      comma = std::string::npos;
      while (++at < text.size() && text[at] != '"')
        if (text[at] == '\\') ++at;
    } else if (c == ',') {
      comma = at;
    } else if ((c == '}' || c == ']') && comma != std::string::npos) {
      text[comma] = ' ';
      comma = std::string::npos;
      ++blanked;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      comma = std::string::npos;
    }
  }
  return blanked;
}

/// Blanks, and NUL bytes of a file that was extended before it was written.
constexpr std::string_view kBetweenRecords("\0 \t\r", 4);

/// An object in a damaged line.
struct WholeObject {
  size_t begin = 0, end = 0;
  bool is_in_string = false;  ///< where the text is read as beginning within one
};

/// Where the last object ends that is whole and is in the list that begins here, or in one of the
/// object that does; npos: there is none.
size_t end_of_last_item(std::string_view text) {
  std::string open;
  size_t found = std::string_view::npos;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      while (++at < text.size() && text[at] != '"')
        if (text[at] == '\\') ++at;
    } else if (c == '{' || c == '[') {
      open += c;
    } else if (c == '}' || c == ']') {
      if (open.empty()) return std::string_view::npos;
      open.pop_back();
      if (c == '}' && (open == "{[" || open == "[")) found = at + 1;
    }
  }
  return found;
}

/// Finds the objects that are whole, and in no other whole one; whoever reads them has to check
/// that they are JSON. `begins_in_string`: the text begins within a string.
std::vector<WholeObject> find_whole_objects(std::string_view text, bool begins_in_string) {
  bool is_in_string = begins_in_string;
  std::vector<WholeObject> found;
  std::vector<size_t> open;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;  // what is taken for a gap may be a string
    } else if (is_in_string) {
      if (c == '"') is_in_string = false;
    } else if (c == '"') {
      is_in_string = true;
    } else if (c == '{') {
      open.push_back(at);
    } else if (c == '}' && !open.empty()) {
      const size_t begin = open.back();
      open.pop_back();
      while (!found.empty() && found.back().begin > begin) found.pop_back();
      found.push_back({begin, at + 1, begins_in_string});
    }
  }
  return found;
}

/// May a value after this text be nested in it, as an item or a member is?
bool may_be_nested(std::string_view before) {
  const size_t last = before.find_last_not_of(kBetweenRecords);
  return last != std::string_view::npos &&
         std::string_view("[,:").find(before[last]) != std::string_view::npos;
}

bool is_comma(std::string_view text) {
  const size_t at = text.find_first_not_of(kBetweenRecords);
  return at != std::string_view::npos && text[at] == ',' &&
         text.find_last_not_of(kBetweenRecords) == at;
}

const char* what_was_read(size_t records) {
  return records == 1 ? "not valid JSON before the last record of the line, which is used"
                      : "not valid JSON before the last records of the line, which are used";
}

/// What xtrace wrote and cannot read back.
std::string unknown_shape(json::element record) {
  if (!json::text_at(record, "schema").starts_with("xtrace.")) {
    const std::string_view known = looks_like(record);
    return std::string(known.empty() ? kUnknownShape : known);
  }
  return "xtrace output, not a log; pass the original log";
}

}  // namespace

/// With the padding that parsing needs.
std::string_view Reader::copied(std::string_view record) {
  copied_.reserve(record.size() + simdjson::SIMDJSON_PADDING);
  copied_.assign(record);
  return copied_;
}

void Reader::read_line(std::string_view text, Extent at, LineEnding ending, bool may_change) {
  std::string_view record = without_blanks(text);
  if (record.empty()) return;
  if (shard_->keeps_digests()) shard_->keep_digest(sample_hash_of(record));
  at.offset += static_cast<uint64_t>(record.data() - text.data());
  at.length = static_cast<uint32_t>(record.size());
  if (cut_known_ && read_known(record, at)) return;
  if (may_change) record = copied(record);
  MessageId unheard_of = shard_->next_message();
  if (read_value(record, at)) {
    // A conversation that is met for the first time may never come again: keeping its first request
    // would cost half as much as parsing it.
    if (cut_known_ && asked_.first() < unheard_of) known_.remember(record, asked_);
    return;
  }
  if (!read_mended(record, at)) read_pieces(record, at, ending);
}

/// Of a record that failed for halves of surrogate pairs, or for what people write into JSON that
/// they keep by hand, everything else is kept.
bool Reader::read_mended(std::string_view text, Extent at) {
  const bool has_halves = error_ == simdjson::STRING_ERROR;
  const bool may_be_written = error_ == simdjson::TAPE_ERROR;
  if (!has_halves && !may_be_written) return false;
  simdjson::error_code whole = error_;
  mended_.assign(text);
  size_t count = has_halves ? mend_surrogates(mended_) : blank_comments(mended_);
  mended_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  const uint64_t skipped = shard_->skipped();
  if (count > 0 && read_value(mended_, at, /*is_mended=*/true)) {
    if (shard_->skipped() > skipped) return true;  // no record of ours, so nothing to be mended
    shard_->complain(Complaint::Kind::repaired, at,
                     has_halves ? "incomplete surrogate pair read as U+FFFD"
                                : "comments or trailing commas, which are not valid JSON");
    return true;
  }
  error_ = whole;
  return false;
}

bool Reader::read_cut_off(std::string_view text, Extent at) {
  const size_t end = end_of_last_item(text);
  if (end == std::string_view::npos) return false;
  mended_ = std::string(text.substr(0, end)) + (text.starts_with('[') ? "]" : "]}");
  mended_.reserve(mended_.size() + simdjson::SIMDJSON_PADDING);
  json::element root;
  if (!parse(mended_, root)) return false;
  const Format* format = format_for(root);
  if (format == nullptr || format->say == nullptr) return false;
  at.length = static_cast<uint32_t>(end);
  read_record(root, mended_, at);
  Extent cut = at;
  cut.offset += text.size();
  cut.length = 0;
  cut.line += static_cast<uint32_t>(count_newlines(text));
  shard_->complain(Complaint::Kind::damaged, cut,
                   "the document is cut off here; the content before it is used");
  return true;
}

/// Two objects on one line are normal where writers did not wait for each other.
void Reader::read_pieces(std::string_view text, Extent at, LineEnding ending) {
  simdjson::error_code whole = error_;
  size_t values = 0, behind = 0;
  bool nothing_else = split_values(text, [&](std::string_view value, size_t offset) {
    ++values;
    behind = offset + value.size();
  });
  std::string_view rest = without_blanks(text.substr(behind));
  bool torn = !nothing_else && ending != LineEnding::whole &&
              (rest.starts_with('{') || rest.starts_with('['));
  const bool is_damaged = !torn && !nothing_else;
  if (!torn && values < (nothing_else ? 2 : 1)) {
    const bool is_cut_off = whole == simdjson::TAPE_ERROR && !nothing_else;
    const size_t read = read_behind_damage(text, at, false);
    return shard_->complain(Complaint::Kind::damaged, at,
                            read > 0     ? what_was_read(read)
                            : is_cut_off ? "not valid JSON: cut off, or unbalanced brackets"
                                         : describe(whole));
  }
  simdjson::error_code failed = simdjson::SUCCESS;
  split_values(text, [&](std::string_view value, size_t offset) {
    Extent piece = at;
    piece.offset += offset;
    piece.length = static_cast<uint32_t>(value.size());
    if (read_value(value, piece) || read_mended(value, piece)) return;
    failed = error_;
    if (!is_damaged) shard_->complain(Complaint::Kind::damaged, piece, describe(failed));
  });
  if (torn && ending == LineEnding::torn)
    shard_->complain(Complaint::Kind::unfinished, at,
                     "the last line is incomplete (is the file still being written?)");
  if (!is_damaged) return;
  if (failed) behind = 0;  // where the damaged value ends nobody knows
  at.offset += behind;
  at.length -= static_cast<uint32_t>(behind);
  const size_t read = read_behind_damage(text.substr(behind), at, behind > 0);
  shard_->complain(Complaint::Kind::damaged, at,
                   read > 0 ? what_was_read(read)
                   : failed ? describe(failed)
                            : "not valid JSON after a record of the line, which is used");
}

/// A writer that was stopped leaves the beginning of a record on the line of the next ones, or NUL
/// bytes if the file was extended before it was written. Where the beginning was cut off inside a
/// string, quotes after it open what they would close. Objects inside the cut record are no
/// records; a comma separates an object from the record before it, if there is one.
size_t Reader::read_behind_damage(std::string_view text, Extent at, bool follows_record) {
  std::vector<WholeObject> found = find_whole_objects(text, false);
  const auto plain = static_cast<std::ptrdiff_t>(found.size());
  std::ranges::copy(find_whole_objects(text, true), std::back_inserter(found));
  std::ranges::inplace_merge(found, found.begin() + plain, {}, &WholeObject::begin);
  size_t records = 0, end = 0;
  for (const WholeObject& piece : found) {
    if (piece.begin < end) continue;
    const std::string_view before = text.substr(end, piece.begin - end);
    const bool is_next = (follows_record || records > 0) && is_comma(before);
    if (!piece.is_in_string && !is_next && may_be_nested(before)) continue;
    const std::string_view value = text.substr(piece.begin, piece.end - piece.begin);
    json::element root;
    if (!parse(value, root) || (forced_ == nullptr && format_of(root) == nullptr)) continue;
    Extent place = at;
    place.offset += piece.begin;
    place.length = static_cast<uint32_t>(value.size());
    read_record(root, value, place);
    end = piece.end;
    ++records;
  }
  return records;
}

/// False when the line has to be parsed whole: it shares too little with a known one, or is
/// damaged.
bool Reader::read_known(std::string_view text, Extent at) {
  std::optional<KnownLines::Cut> cut = known_.cut(text);
  json::element root;
  if (!cut || !parse(cut->spliced, root)) return false;
  Exchange exchange;
  keys_.set(root);
  const Format* format = forced_ != nullptr ? forced_ : format_of(keys_);
  if (format == nullptr || format->exchange == nullptr) return false;
  format->exchange(root, exchange);
  if (!exchange.has_request || !KnownLines::proves(exchange.request)) return false;
  parsers_.next_record();
  asked_ = known_.asked(*cut);
  shard_->count_format(format->name);
  at.format = index_of(*format);
  RecordContext context{*shard_, parsers_, draft_, asked_, &keys_, sample_hash_of(text)};
  at.keep_check(context.digest);
  add_exchange(exchange, at, context);
  known_.extend(*cut, asked_);
  return true;
}

bool Reader::parse(std::string_view text, json::element& root) {
  if (parser_.capacity() < text.size()) {
    constexpr size_t kHuge = 64 << 20;  // rarer than they are large: no room to spare for the next
    size_t room = text.size() > kHuge ? text.size() : std::max<size_t>(text.size() * 2, 1 << 20);
    error_ = parser_.allocate(room);
    if (error_ == simdjson::MEMALLOC) throw std::bad_alloc();  // what lacks is not the record's
    if (error_) return false;
  }
  error_ = parser_.parse(text.data(), text.size(), false).get(root);
  if (error_ == simdjson::MEMALLOC) throw std::bad_alloc();
  return !error_;
}

bool Reader::read_value(std::string_view text, Extent at, bool is_mended) {
  json::element root;
  if (!parse(text, root)) return false;
  read_record(root, text, at, is_mended);
  return true;
}

const Format* Reader::format_for(json::element root) {
  keys_.set(root);
  if (forced_ == nullptr || json::is_object(root))
    return forced_ != nullptr ? forced_ : format_of(keys_);
  return format_of(keys_) == forced_ ? forced_ : nullptr;  // a list, of which few formats have any
}

bool Reader::begins_list(std::string_view first, bool may_change) {
  json::element root;
  if (may_change) first = copied(first);
  if (!parse(first, root)) return false;
  const Format* format = format_of_list(root);
  return format != nullptr && (forced_ == nullptr || format == forced_);
}

void Reader::read_record(json::element root, std::string_view text, Extent at, bool is_mended) {
  parsers_.next_record();
  asked_ = Asked{};
  const Format* format = format_for(root);
  json::element first;
  if (format == nullptr && json::is_array(root) && !root.at(0).get(first) && json::is_object(first))
    return each_item_of(root, {text, at}, {{}, at}, [&](json::element item, const Part& part) {
      read_record(item, part.text, part.at, is_mended || part.text.empty());
    });  // a batch, as exporters write them, a line each
  if (format == nullptr && !json::is_object(root))
    return shard_->complain(Complaint::Kind::damaged, at, "a record is not an object");
  const auto read_wrapped = [&](json::element item, std::string_view part, const Extent& place) {
    read_record(item, part, place, is_mended || part.empty());
  };
  const bool may_wrap = format == nullptr || (forced_ != nullptr && !fits(*forced_, root));
  if (labels_ && may_wrap) {
    const std::string around = around_;
    around_ = labels_->label_of(root, around);
    const bool is_wrapped = each_wrapped(root, text, at, read_wrapped);
    around_ = around;
    if (is_wrapped) return;
  } else if (may_wrap && each_wrapped(root, text, at, read_wrapped)) {
    return;
  }
  if (format == nullptr)
    return shard_->complain(Complaint::Kind::unknown_record, at, unknown_shape(root));
  if (labels_) labels_->read(root, at, around_);
  shard_->count_format(format->name);
  at.format = index_of(*format);
  RecordContext context{*shard_, parsers_, draft_, asked_, &keys_, sample_hash_of(text)};
  if (!is_mended) at.keep_check(context.digest);
  if (format->read != nullptr) return format->read(root, text, at, context);
  Exchange exchange;
  format->exchange(root, exchange);
  add_exchange(exchange, at, context);
}

}  // namespace xtrace
