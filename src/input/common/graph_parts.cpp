#include "input/common/graph_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "base/number.h"

namespace xtrace {

namespace {

constexpr size_t kMostParams = 200;  // more are no parameters but data

/// Is it something said, and no id?
bool is_sentence(std::string_view text) {
  constexpr size_t kLongestId = 128;
  return text.size() > kLongestId || text.find_first_of(" \t\n") != std::string_view::npos;
}

void read_texts(json::element list, std::vector<std::string>& texts) {
  auto add = [&](json::element item) {
    std::string name = name_of(item);
    json::fields(item, [&](std::string_view key, json::element value) {
      if (is_key(key, "unitid") || (name.empty() && is_key(key, "id"))) name = name_of(value);
    });
    if (!name.empty() && !is_sentence(name)) texts.push_back(std::move(name));
  };
  if (json::is_array(list))
    json::items(list, add);
  else
    add(list);
}

void read_orders(json::element list, std::vector<int64_t>& orders) {
  json::items(list, [&](json::element item) {
    if (int64_t order = json::count(item, 0); order > 0) orders.push_back(order);
  });
}

VisitedNode read_node(json::element record, std::string_view label) {
  VisitedNode node;
  node.stated = stated_label(record);
  node.label = label;
  node.id = name_of(record);
  if (is_sentence(node.id)) {
    node.text = std::move(node.id);
    node.id = fmt::format("{}-{:016x}", label.empty() ? "node" : label, hash_of(node.text));
  }
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "id")
      node.id = name_of(value);
    else if (key == "label" && label.empty())
      node.label = name_of(value);
    else if (key == "type")
      node.type = name_of(value);
    else if (key == "name" || key == "title")
      node.name = name_of(value);
    else if (key == "text" || key == "description" || key == "summary" || key == "content")
      node.text = written(value);
    else if (key == "evidence" || is_key(key, "evidencerefs"))
      read_texts(value, node.evidence);
    else if (key == "steps")
      read_orders(value, node.steps);
    else if (key == "withheld")
      node.is_withheld = json::is_true(value);
    else
      read_label(key, value, node.sensitivity);
  });
  return node;
}

VisitedEdge read_edge(json::element record) {
  VisitedEdge edge;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "from" || key == "source")
      edge.from = name_of(value);
    else if (key == "to" || key == "target")
      edge.to = name_of(value);
    else if (key == "type" || key == "relation" || (key == "label" && edge.type.empty()))
      edge.type = name_of(value);
    else if (key == "evidence" || is_key(key, "evidencerefs"))
      read_texts(value, edge.evidence);
    else if (key == "steps")
      read_orders(value, edge.steps);
  });
  return edge;
}

void read_params(json::element object, const std::string& prefix, int depth,
                 std::vector<Parameter>& params) {
  constexpr int kDeepest = 4;
  json::fields(object, [&](std::string_view key, json::element value) {
    if (params.size() == kMostParams) return;
    std::string name = prefix + std::string(key);
    bool truth = false;
    int64_t whole = 0;
    double real = 0;
    if (json::is_object(value) && depth < kDeepest)
      read_params(value, name + '.', depth + 1, params);
    else if (!value.get_bool().get(truth))
      params.push_back({std::move(name), truth});
    else if (!value.get_int64().get(whole))
      params.push_back({std::move(name), whole});
    else if (!value.get_double().get(real))
      params.push_back({std::move(name), real});
    else
      params.push_back({std::move(name), written(value)});
  });
}

}  // namespace

std::string name_of(json::element value) {
  int64_t number = 0;
  if (!value.get_int64().get(number)) return std::to_string(number);
  return std::string(json::text(value));
}

void read_params(json::element object, std::vector<Parameter>& params) {
  read_params(object, {}, 0, params);
}

bool read_evidence_field(std::string_view key, json::element value, EvidenceRef& evidence) {
  if (key == "type" || key == "kind")
    evidence.type = name_of(value);
  else if (is_key(key, "docid") || is_key(key, "documentid"))
    evidence.doc_id = name_of(value);
  else if (is_key(key, "unitid") || is_key(key, "textunitid") || is_key(key, "chunkid"))
    evidence.unit_id = name_of(value);
  else if (is_key(key, "communityid"))
    evidence.community_id = name_of(value);
  else if (key == "page" || is_key(key, "pagenumber"))
    evidence.page = json::count(value, kNoCount);
  else if (key == "heading" || key == "title" || key == "section")
    evidence.heading = name_of(value);
  else if (is_key(key, "timerange"))
    evidence.time_range = name_of(value);
  else if (key == "url" || key == "uri" || key == "source")
    evidence.url = name_of(value);
  else if (key == "text" || key == "content" || key == "quote" || key == "snippet")
    evidence.text = written(value);
  else if (key == "withheld")
    evidence.is_withheld = json::is_true(value);
  else if (double score = 0; key == "score" && !value.get_double().get(score))
    evidence.score = score;
  else
    return read_label(key, value, evidence.sensitivity);
  return true;
}

void read_evidence(json::element list, std::vector<EvidenceRef>& evidence) {
  json::items(list, [&](json::element item) {
    EvidenceRef ref;
    ref.stated = stated_label(item);
    ref.unit_id = name_of(item);  // a bare id
    if (is_sentence(ref.unit_id)) ref.text = std::exchange(ref.unit_id, {});
    json::fields(item, [&](std::string_view key, json::element value) {
      if (read_evidence_field(key, value, ref)) return;
      if (key == "id" || key == "marker" || key == "ref") ref.id = name_of(value);
    });
    evidence.push_back(std::move(ref));
  });
}

bool read_graph_list(std::string_view key, json::element list, StepRecord& step) {
  struct Kind {
    std::string_view key, label;
  };
  constexpr Kind kKinds[] = {{"nodes", ""},
                             {"entities", "Entity"},
                             {"claims", "Claim"},
                             {"textunits", "TextUnit"},
                             {"units", "TextUnit"},
                             {"communities", "Community"},
                             {"documents", "Document"}};
  if (!json::is_array(list)) return false;
  if (is_key(key, "edges") || is_key(key, "relations") || is_key(key, "relationships")) {
    json::items(list, [&](json::element item) { step.edges.push_back(read_edge(item)); });
    return true;
  }
  for (const Kind& kind : kKinds) {
    if (!is_key(key, kind.key)) continue;
    json::items(list,
                [&](json::element item) { step.nodes.push_back(read_node(item, kind.label)); });
    return true;
  }
  return false;
}

void read_subgraph(json::element subgraph, StepRecord& step) {
  json::fields(subgraph, [&](std::string_view key, json::element value) {
    read_graph_list(key, value, step);
  });
}

int64_t read_dollars(json::element value, double per_dollar) {
  double dollars = -1;
  if (json::is_string(value))  // as decimals are written where floating point would not do
    dollars = number_of<double>(json::text(value)).value_or(-1);
  else if (value.get_double().get(dollars))
    return kNoCount;
  dollars /= per_dollar;
  if (!(dollars >= 0 && dollars <= kMostDollars)) return kNoCount;
  return std::llround(dollars * 1e9);
}

}  // namespace xtrace
