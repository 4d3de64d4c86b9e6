#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "made_secret.h"
#include "render/exported.h"
#include "sqlite/sqlite_file.h"

using namespace xtrace;

namespace {

using Row = std::vector<std::string>;

/// An answer as a database that SQL is asked of.
class Asked {
 public:
  explicit Asked(std::string_view view, const std::string& log)
      : bytes_(exported(view, "sqlite", log)),
        file_(SqliteFile::open_bytes(bytes_, "answer").value()) {}

  std::vector<Row> operator()(const std::string& sql) {
    INFO(sql);
    SqliteFile::Statement select = file_.prepare(sql);
    REQUIRE(select != nullptr);
    std::vector<Row> rows;
    int step = 0;
    while ((step = sqlite3_step(select.get())) == SQLITE_ROW) {
      Row& row = rows.emplace_back();
      for (int i = 0; i < sqlite3_column_count(select.get()); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(select.get(), i));
        row.emplace_back(text == nullptr ? "NULL" : text);
      }
    }
    REQUIRE(step == SQLITE_DONE);
    return rows;
  }
  std::string one(const std::string& sql) {
    const std::vector<Row> rows = (*this)(sql);
    REQUIRE(rows.size() == 1);
    return rows[0][0];
  }

 private:
  std::string bytes_;
  SqliteFile file_;
};

std::string trip() {
  return project_file("fixtures/trip.jsonl");
}

/// The questions of the manual, by their words.
std::map<std::string, std::string> questions() {
  std::istringstream manual(project_file("man/sql.md"));
  std::map<std::string, std::string> found;
  std::string words;
  bool is_sql = false;
  for (std::string line; std::getline(manual, line);) {
    if (line.starts_with("```")) is_sql = line == "```sql";
    if (!is_sql) continue;
    if (line.starts_with("-- "))
      words = line.substr(3);
    else if (!words.empty())
      found[words] += line + "\n";
  }
  return found;
}

}  // namespace

TEST_CASE("a database holds the nodes and edges that JSON has") {
  Asked ask("dag", trip());
  const nlohmann::json json = nlohmann::json::parse(exported("dag", "json", trip()));
  const std::vector<Row> nodes = ask("SELECT id, at, model, tokens_total FROM nodes ORDER BY row");
  REQUIRE(nodes.size() == json["nodes"].size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const nlohmann::json& node = json["nodes"][i];
    const nlohmann::json tokens = node.value("tokens", nlohmann::json::object());
    const nlohmann::json total = tokens.value("total", nlohmann::json());
    CHECK(nodes[i] ==
          Row{node["id"], node["at"], node["model"], total.is_null() ? "NULL" : total.dump()});
  }
  const std::vector<Row> edges = ask("SELECT source, target, type FROM edges ORDER BY row");
  REQUIRE(edges.size() == json["edges"].size());
  for (size_t i = 0; i < edges.size(); ++i)
    CHECK(edges[i] ==
          Row{json["edges"][i]["source"], json["edges"][i]["target"], json["edges"][i]["type"]});
  size_t uses = 0;
  for (const nlohmann::json& node : json["nodes"])
    if (node.contains("tool_uses")) uses += node["tool_uses"].size();
  CHECK(ask.one("SELECT count(*) FROM tools") == std::to_string(uses));
  CHECK(ask.one("SELECT value FROM answer WHERE key = 'schema'") == "xtrace.dag/1");
  CHECK(ask.one("PRAGMA integrity_check") == "ok");
}

TEST_CASE("sums in SQL are those of the answer") {
  Asked ask("dag", trip());
  const std::string cost = ask.one("SELECT cost_usd FROM sessions");
  CHECK(cost == "0.1175772");
  for (const char* view : {"calls", "turns", "models"})
    CHECK(ask.one(std::string("SELECT round(sum(cost_usd), 9) FROM ") + view) == cost);
  CHECK(ask.one("SELECT sum(calls) FROM turns") == ask.one("SELECT count(*) FROM calls"));
}

TEST_CASE("each question of the manual has an answer in SQL") {
  Asked ask("dag", trip());
  const std::map<std::string, std::string> asked = questions();
  REQUIRE(asked.size() == 10);
  for (const auto& [words, sql] : asked) {
    INFO(words);
    CHECK(!ask(sql).empty());
  }
}

TEST_CASE("a lookup by id, session or edge goes by an index") {
  Asked ask("dag", trip());
  for (const char* sql :
       {"SELECT * FROM nodes WHERE id = 'a'", "SELECT * FROM nodes WHERE session = 'a'",
        "SELECT * FROM edges WHERE source = 'a'", "SELECT * FROM edges WHERE target = 'a'",
        "SELECT * FROM tools WHERE nodes_row = 1"}) {
    const std::vector<Row> plan = ask(std::string("EXPLAIN QUERY PLAN ") + sql);
    REQUIRE(plan.size() == 1);
    CHECK_THAT(plan[0][3], Catch::Contains("USING INDEX"));
  }
}

TEST_CASE("equal answers are equal databases") {
  const std::string hostile = project_file("fixtures/hostile.jsonl");
  for (const std::string& log : {trip(), hostile})
    CHECK(exported("dag", "sqlite", log) == exported("dag", "sqlite", log));
}

TEST_CASE("any answer is a database, with its rows as tables") {
  CHECK(Asked("stats", trip()).one("SELECT count(*) FROM models") == "2");
  CHECK(Asked("list", trip()).one("PRAGMA integrity_check") == "ok");
  Asked trust("trust", project_file("fixtures/trust.json"));
  CHECK(trust.one("SELECT count(*) FROM trust_chain") == "7");
  CHECK(Asked("dag", project_file("fixtures/mesh.json")).one("PRAGMA integrity_check") == "ok");
}

TEST_CASE("a database holds no secret") {
  const std::string secret = "ghp_" + body(36);
  std::string log = trip();
  for (size_t at = 0; (at = log.find("notes/wishes.md", at)) != std::string::npos;)
    log.replace(at, 15, secret + ".md");
  REQUIRE(log.find(secret) != std::string::npos);
  const std::string bytes = exported("dag", "sqlite", log);
  CHECK(bytes.find(secret) == std::string::npos);
  CHECK(bytes.find("[REDACTED:") != std::string::npos);
}
