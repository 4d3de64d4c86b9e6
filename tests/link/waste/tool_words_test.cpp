#include "link/waste/tool_words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("names of tools tell whether they change something") {
  CHECK(classify_tool_name("Edit").changes);
  CHECK(classify_tool_name("mcp__shop__order").changes);
  CHECK_FALSE(classify_tool_name("Read").changes);
  CHECK_FALSE(classify_tool_name("mcp__shop__list_orders").changes);
  CHECK_FALSE(classify_tool_name("TodoWrite").edits);
  CHECK(classify_tool_name("write_file").edits);
  CHECK(classify_tool_name("read_file").reads_files);
  CHECK(classify_tool_name("BashOutput").polls);
}

TEST_CASE("names of tools are compared by whole words, those of servers not at all") {
  for (const char* changes :
       {"KillShell", "add_labels", "create_account", "mcp__github__submit_review",
        "mcp__openapi__create_order", "mcp__outlook__create_rule", "mcp__spreadsheet__append_row",
        "update_budget", "update_models", "create_view", "get_or_create", "mcp__list__book"})
    CHECK(classify_tool_name(changes).changes);
  for (const char* looks : {"mcp__editor__get_page", "list-orders", "ListOrders", "getPRStatus",
                            "LSTool", "webfetch", "todowrite", "update_plan", "fetch_credits"})
    CHECK_FALSE(classify_tool_name(looks).changes);
  CHECK(classify_tool_name("multiedit").edits);
  CHECK(classify_tool_name("str_replace_editor").edits);
  CHECK(classify_tool_name("str_replace_editor").reads_files);
  CHECK_FALSE(classify_tool_name("review").reads_files);
  CHECK_FALSE(classify_tool_name("credit_account").edits);
  CHECK_FALSE(classify_tool_name("await_output_of_pollen").edits);
  CHECK_FALSE(classify_tool_name("waiter").polls);
}
