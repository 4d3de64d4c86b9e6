#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// An element of an XML document.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< its own, without that of the elements in it
  std::vector<XmlElement> children;
};

/// Reads well-formed XML 1.0 without comments, doctypes and processing instructions, none of which
/// xtrace writes; throws at anything else, such as a character that XML does not allow.
XmlElement read_xml(std::string_view text);

/// A graph file, as those who open it see it.
struct GraphFile {
  std::map<std::string, nlohmann::json> nodes, edges;  ///< by id; fields
  std::map<std::string, nlohmann::json> groups;

  bool operator==(const GraphFile&) const = default;
};

/// Read what xtrace wrote. Throw where a reader could stumble: ids that come twice or are missing,
/// ends and parents that are no nodes, values that are not of the type declared.
GraphFile read_graphml(std::string_view text);
GraphFile read_cytoscape(std::string_view text);
GraphFile read_d3(std::string_view text);

}  // namespace xtrace
