#include "doc/document.h"

#include <utility>

namespace xtrace {

void Entries::add(Text key, Cell value) {
  items.emplace_back(key, value);
}

RoleColumns::RoleColumns(std::span<const Column> columns) {
  at_.fill(kNone);
  for (size_t i = columns.size(); i-- > 0;) at_[static_cast<size_t>(columns[i].role)] = i;
  at_[static_cast<size_t>(Role::none)] = kNone;
}

const Cell& RoleColumns::in(std::span<const Cell> row, Role role, Role otherwise) const {
  static const Cell kNothing;
  const size_t at = at_[static_cast<size_t>(has(role) ? role : otherwise)];
  return at < row.size() ? row[at] : kNothing;
}

std::string_view text_of(const Cell& cell) {
  const Text* text = std::get_if<Text>(&cell);
  return text != nullptr ? text->view() : std::string_view();
}

CellArena::CellArena() = default;
CellArena::~CellArena() = default;

const Texts* CellArena::keep(Texts texts) {
  return &texts_.emplace_back(std::move(texts));
}

const TextLists* CellArena::keep(TextLists lists) {
  return &text_lists_.emplace_back(std::move(lists));
}

const Integers* CellArena::keep(Integers numbers) {
  return &integers_.emplace_back(std::move(numbers));
}

const Table* CellArena::keep(Table table) {
  return &tables_.emplace_back(std::move(table));
}

const Entries* CellArena::keep(Entries entries) {
  return &entries_.emplace_back(std::move(entries));
}

void CellArena::clear() {
  texts_.clear();
  text_lists_.clear();
  integers_.clear();
  tables_.clear();
  entries_.clear();
}

Document::Document(std::string_view view) : view_(view), arena_(std::make_unique<CellArena>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

void Document::add(Section section) {
  sections_.push_back(std::move(section));
}

void Document::add(Record record) {
  sections_.emplace_back(std::move(record));
}

void Document::add(Table table) {
  sections_.emplace_back(std::move(table));
}

void Document::add(Stream stream) {
  sections_.emplace_back(std::move(stream));
}

void Document::add(Drawing drawing) {
  sections_.emplace_back(std::move(drawing));
}

void Document::add(Outline outline) {
  sections_.emplace_back(std::move(outline));
}

void Document::add(Group group) {
  sections_.emplace_back(std::move(group));
}

void Document::add(SpanStream spans) {
  sections_.emplace_back(std::move(spans));
}

void Document::close(Closing closing) {
  closing_ = std::move(closing);
}

}  // namespace xtrace
