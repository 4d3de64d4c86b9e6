#include "graph_files.h"

#include <cctype>
#include <set>
#include <stdexcept>

#include "base/text.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

void require(bool sound, const std::string& what) {
  if (!sound) throw std::runtime_error(what);
}

bool is_xml(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  XmlElement read() {
    constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    require(skip(kHead), "no declaration");
    XmlElement root = element();
    skip("\n");
    require(text_.empty(), "something behind the root");
    return root;
  }

 private:
  bool skip(std::string_view part) {
    if (!text_.starts_with(part)) return false;
    text_.remove_prefix(part.size());
    return true;
  }

  std::string name() {
    size_t length = 0;
    while (length < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[length])) ||
                                     text_[length] == '.' || text_[length] == '_'))
      ++length;
    require(length > 0, "no name");
    std::string found(text_.substr(0, length));
    text_.remove_prefix(length);
    return found;
  }

  /// What precedes `end`, which is `"` or `<`.
  std::string content(char end) {
    std::string content;
    while (!text_.empty() && text_.front() != end) {
      require(text_.front() != '<' && !text_.starts_with("]]>"), "markup in a text");
      if (text_.front() == '&') {
        content += reference();
        continue;
      }
      Decoded next = decode(text_);
      require(next.character != U'\uFFFD' || text_.starts_with("\uFFFD"), "broken UTF-8");
      require(is_xml(next.character), "a character that XML does not allow");
      require(end != '"' || next.character >= 0x20, "white space that becomes a blank");
      content += text_.substr(0, next.length);
      text_.remove_prefix(next.length);
    }
    require(!text_.empty(), "the end is missing");
    return content;
  }

  char reference() {
    constexpr std::pair<std::string_view, char> kKnown[] = {
        {"&amp;", '&'}, {"&lt;", '<'},   {"&gt;", '>'},  {"&quot;", '"'},
        {"&#9;", '\t'}, {"&#10;", '\n'}, {"&#13;", '\r'}};
    for (auto [reference, character] : kKnown)
      if (skip(reference)) return character;
    throw std::runtime_error("an unknown reference");
  }

  XmlElement element() {
    require(skip("<"), "no element");
    XmlElement element{name(), {}, {}, {}};
    while (skip(" ")) {
      std::string key = name();
      require(skip("=\""), "no value of " + key);
      require(element.attributes.emplace(key, content('"')).second, "twice: " + key);
      skip("\"");
    }
    if (skip("/>")) return element;
    require(skip(">"), "no end of <" + element.name);
    while (true) {
      element.text += content('<');
      if (skip("</" + element.name + ">")) return element;
      element.children.push_back(this->element());
    }
  }

  std::string_view text_;
};

/// A value as its declared type says.
Json typed(const std::string& text, const std::string& type) {
  if (type == "string") return text;
  if (type == "boolean") {
    require(text == "true" || text == "false", "no boolean: " + text);
    return text == "true";
  }
  Json number = Json::parse(text);
  require(type == "long" ? number.is_number_integer() : number.is_number(), "no number: " + text);
  return number;
}

Json taken(Json& fields, const char* key) {
  Json value = fields.at(key);
  require(value.is_string() && value != "", std::string("no ") + key);
  fields.erase(key);
  return value;
}

void check(const GraphFile& graph) {
  std::set<std::string> ids;
  for (const auto* elements : {&graph.nodes, &graph.edges, &graph.groups})
    for (const auto& [id, fields] : *elements) require(ids.insert(id).second, "twice: " + id);
  for (const auto& [id, fields] : graph.edges)
    for (const char* end : {"source", "target"})
      require(graph.nodes.contains(fields.at(end)), "an end that is no node");
}

void add(std::map<std::string, Json>& elements, Json id, Json fields) {
  require(elements.emplace(id, std::move(fields)).second, "twice: " + id.dump());
}

}  // namespace

XmlElement read_xml(std::string_view text) {
  return XmlReader(text).read();
}

GraphFile read_graphml(std::string_view text) {
  XmlElement root = read_xml(text);
  require(root.name == "graphml" &&
              root.attributes.at("xmlns") == "http://graphml.graphdrawing.org/xmlns",
          "no GraphML");
  std::map<std::string, const XmlElement*> keys;
  GraphFile graph;
  for (const XmlElement& child : root.children) {
    if (child.name == "key") {
      require(keys.emplace(child.attributes.at("id"), &child).second, "a key twice");
      continue;
    }
    require(child.name == "graph" && child.attributes.at("edgedefault") == "directed", "no graph");
    for (const XmlElement& element : child.children) {
      if (element.name == "data") continue;  // of the graph
      Json fields = Json::object();
      for (const XmlElement& value : element.children) {
        const XmlElement& key = *keys.at(value.attributes.at("key"));
        require(key.attributes.at("for") == element.name, "a key of something else");
        const std::string& name = key.attributes.at("attr.name");
        require(!fields.contains(name), "twice: " + name);
        fields[name] = typed(value.text, key.attributes.at("attr.type"));
      }
      if (element.name == "edge")
        for (const char* end : {"source", "target"}) fields[end] = element.attributes.at(end);
      add(element.name == "node" ? graph.nodes : graph.edges, element.attributes.at("id"), fields);
    }
  }
  check(graph);
  return graph;
}

GraphFile read_cytoscape(std::string_view text) {
  require(text.find('<') == std::string_view::npos, "a text that can end a script element");
  Json file = Json::parse(text);
  GraphFile graph;
  for (const char* list : {"nodes", "edges"})
    for (Json& element : file.at("elements").at(list)) {
      Json fields = element.at("data");
      std::string classes = element.value("classes", "");
      for (const auto& [key, value] : fields.items())
        require(key.find('.') == std::string::npos, "a dot in " + key);
      Json id = taken(fields, "id");
      if (!classes.empty()) fields["classes"] = classes;
      bool is_group = classes == "group";
      add(*list == 'e' ? graph.edges : is_group ? graph.groups : graph.nodes, id, fields);
    }
  check(graph);
  for (const auto* elements : {&graph.nodes, &graph.groups})
    for (const auto& [id, fields] : *elements)
      require(!fields.contains("parent") || graph.groups.contains(fields["parent"]),
              "a parent that is no group");
  return graph;
}

GraphFile read_d3(std::string_view text) {
  require(text.find('<') == std::string_view::npos, "a text that can end a script element");
  Json file = Json::parse(text);
  GraphFile graph;
  for (Json fields : file.at("nodes")) {
    Json id = taken(fields, "id");
    for (const char* own : {"index", "x", "y", "vx", "vy", "fx", "fy"})
      require(!fields.contains(own), "a field of d3");
    add(graph.nodes, id, fields);
  }
  for (Json fields : file.at("links")) {
    Json id = taken(fields, "key");
    add(graph.edges, id, fields);
  }
  check(graph);
  return graph;
}

}  // namespace xtrace
