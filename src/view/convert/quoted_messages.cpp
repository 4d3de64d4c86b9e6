#include "view/convert/quoted_messages.h"

#include "view/common/field.h"
#include "view/common/shown_arguments.h"

namespace xtrace {

namespace {

/// Parts of messages in the words of OpenTelemetry (input/spans/span_quotes.h).
struct PartRow {
  Text type;
  Cell content{}, id{}, name{}, arguments{}, response{};
};
constexpr Field<PartRow> kParts[] = {
    {{"type", ""}, member<&PartRow::type>},
    {{"content", ""}, member<&PartRow::content>},
    {{"id", ""}, member<&PartRow::id>},
    {{"name", ""}, member<&PartRow::name>},
    {{"arguments", ""}, member<&PartRow::arguments>},
    {{"response", ""}, member<&PartRow::response>},
};
struct MessageRow {
  Text role;
  const Table* parts;
};
constexpr Field<MessageRow> kMessages[] = {
    {{"role", ""}, member<&MessageRow::role>},
    {{"parts", ""}, member<&MessageRow::parts>},
};

void add_part(const Quote& quote, Door& door, Table& parts) {
  Cell id = known(door.name_once(quote.tool_use));
  switch (quote.kind) {
    case Quote::Kind::text:
      if (Text said = door.payload(quote.text); !said.empty())
        add_fields(kParts, {.type = "text", .content = said}, parts);
      break;
    case Quote::Kind::tool_use:
      add_fields(kParts,
                 {.type = "tool_call",
                  .id = id,
                  .name = known(door.name_once(quote.tool)),
                  .arguments = known(shown_arguments(door, quote.text))},
                 parts);
      break;
    case Quote::Kind::tool_result:
      add_fields(
          kParts,
          {.type = "tool_call_response", .id = id, .response = known(door.payload(quote.text))},
          parts);
      break;
    case Quote::Kind::thought: break;
  }
}

}  // namespace

Cell quoted_messages(const std::vector<Quote>& quotes, bool is_answer, Door& door,
                     CellArena& arena) {
  Table messages = table_of<kMessages>({}), parts = table_of<kParts>({});
  std::string_view role;
  auto close = [&] {
    if (parts.rows() > 0)
      add_fields(kMessages, {Door::own(role), arena.keep(std::move(parts))}, messages);
    parts = table_of<kParts>({});
  };
  for (const Quote& quote : quotes) {
    if (quote.is_answer != is_answer) continue;
    const bool is_result = quote.kind == Quote::Kind::tool_result;
    std::string_view said_by = is_answer ? "assistant" : is_result ? "tool" : "user";
    if (said_by != role) close();
    role = said_by;
    add_part(quote, door, parts);
  }
  close();
  return some(std::move(messages), arena);
}

}  // namespace xtrace
