#include "planter/planting.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace xtrace {

namespace {

using Tree = nlohmann::ordered_json;
using std::string_view;

constexpr string_view kAny = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr string_view kHex = "0123456789abcdef";
constexpr string_view kConsonants = "bcdfghjkmnpqrstvwxz";

uint64_t number_of(string_view text) {
  uint64_t number = 14695981039346656037u;
  for (char c : text) number = (number ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return number;
}

/// A kind of secret: its core is between what it is known by. Put together at run time only, so
/// that no scanner takes this file for a leak.
struct SecretKind {
  std::vector<const char*> before;
  size_t length;
  string_view of;
  const char* after;
};

const std::vector<SecretKind>& secret_kinds() {
  static const std::vector<SecretKind> kinds = {
      {{"sk-", "ant-", "api03-"}, 93, kAny, "AA"},
      {{"sk-", "ant-", "oat01-"}, 93, kAny, "AA"},
      {{"sk-", "proj-"}, 74, kAny, "T3BlbkFJ"},
      {{"sk-", "or-v1-"}, 64, kHex, ""},
      {{"AK", "IA"}, 16, kUpper, ""},
      {{"gh", "p_"}, 36, kAny, ""},
      {{"glp", "at-"}, 20, kAny, ""},
      {{"xo", "xb-", "123456789012-123456789012-"}, 24, kAny, ""},
      {{"AI", "za"}, 35, kAny, ""},
      {{"sk_", "live_"}, 24, kAny, ""},
      {{"hf", "_"}, 34, kAny, ""},
      {{"npm", "_"}, 36, kAny, ""},
      {{"postgres", "://app:"}, 14, kAny, "@db.internal:5432/prod"},
      {{"Authorization: ", "Bearer "}, 40, kAny, ""},
      {{"export DB_", "PASSWORD="}, 20, kAny, ""},
      {{"pass", "word = \""}, 14, kAny, "\""},
      {{""}, 12, kConsonants, "@mail.example.com"},
      {{"/home/"}, 10, kConsonants, "/.ssh/config"},
      {{"/Users/"}, 10, kConsonants, "/src/main.py"},
      {{"-----BEGIN RSA ", "PRIVATE KEY-----\n"}, 64, kAny, "\n-----END RSA PRIVATE KEY-----"},
  };
  return kinds;
}

/// What a name may be that means harm to who shows it.
constexpr string_view kHostile[] = {
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x1b]8;;https://evil.example\x07x\x1b]8;;\x07",
    "\23331m",
    "\xc2\23331m",
    "good\rforged",
    "x\nforged line",
    "a\b\bb\x0b\x0c\x7f",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"; rm -rf / #",
    "$(touch /tmp/x)`id`",
    "x\"]; evil [label=\"y",
    "ends with \\",
    "\\N \\G \\\"];a->b;\"",
    "x\"] --> evil[\"y",
    "end",
    "%%{init: {}}%%",
    "a|b|c",
    "#quot;#35;",
    "x'}) DETACH DELETE (n) //",
    "\\u0027}) DELETE (n) //",
    "]]></data><node id=\"evil\"/>",
    "&xxe; &#0;",
    "=cmd|' /C calc'!A0",
    "safe\xe2\x80\xaetxt.exe",
    "a\xe2\x81\246b\xe2\x81\xa9\xe2\x80\x8f",
    "a\xe2\x80\x8b\xef\xbb\277b",
    "a\xe2\x80\250b\xe2\x80\xa9",
    "\xef\xbf\xbe\xef\xbf\xbf",
    "\xf3\xa0\x81\x81",
    "../../../../etc/passwd",
    "--format=json",
    "",
    "   ",
    "%s%n{0}{}",
    "__proto__",
    "[REDACTED:email]",
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
};

/// Values of these keys are payload, however short.
const std::set<string_view> kPayload = {
    "text",    "content",     "contents", "prompt",  "thinking", "reasoning", "arguments",
    "args",    "input",       "inputs",   "output",  "outputs",  "result",    "results",
    "stdout",  "stderr",      "answer",   "command", "question", "system",    "instructions",
    "thought", "observation", "summary",  "snippet"};

/// Arguments that name a place or an agent, where models may write a sentence: payload as well.
const std::set<string_view> kPlaces = {"file_path",     "filePath", "path",
                                       "filename",      "url",      "host",
                                       "notebook_path", "dir_path", "subagent_type"};

/// Words that formats are known by, or that something else in them refers to.
bool is_structural(string_view value) {
  return value.size() < 80 && value.find_first_of(" \n\t") == string_view::npos;
}

}  // namespace

/// The walk through one record.
struct Planting::Json {
  Planting& planting;

  std::string told(string_view text, const std::string& where) {
    const std::string secret = planting.secret(where);
    const std::string word = planting.word(where);
    const std::string harm = planting.hostile();
    std::string all(text);
    switch (planting.pick(5)) {
      case 0: return all + ' ' + word + " (" + secret + ") " + harm;
      case 1: return all + ' ' + word + "\xef\xbc\x9a" + secret + "\xe3\x80\x82" + harm;
      case 2: return secret + '\n' + word + ' ' + all;
      case 3: return word + " {\"k\": \"" + Tree(secret).dump().substr(1) + "} " + all;
      default: return all + '\n' + word + ' ' + secret + '.' + harm;
    }
  }

  std::string named(string_view name, const std::string& where) {
    switch (planting.pick(4)) {
      case 0: return std::string(name) + '_' + planting.secret(where);
      case 1: return planting.secret(where);
      case 2: return std::string(name) + planting.hostile();
      default: return planting.pick(8) > 0 ? planting.hostile() : std::string(5000, 'L');
    }
  }

  /// What is in a string as text may be JSON, or events that a server sent.
  std::string inner(const std::string& text, const std::string& where) {
    if (text.starts_with('{') || text.starts_with('[')) {
      Tree tree = Tree::parse(text, nullptr, false);
      if (!tree.is_discarded()) {
        visit(tree, where, false);
        return tree.dump(-1, ' ', false, Tree::error_handler_t::replace);
      }
    }
    if (text.starts_with("data:") || text.starts_with("event:")) {
      std::string all;
      for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size() - 1);
        std::string line = text.substr(at, end + 1 - at);
        if (line.starts_with("data: {")) {
          Tree tree = Tree::parse(line.substr(6), nullptr, false);
          if (!tree.is_discarded()) {
            visit(tree, where, false);
            line = "data: " + tree.dump(-1, ' ', false, Tree::error_handler_t::replace) + '\n';
          }
        }
        all += line;
        at = end + 1;
      }
      return all;
    }
    return told(text, where);
  }

  void visit(Tree& tree, const std::string& where, bool is_payload) {
    if (tree.is_object()) {
      const std::string of = attribute_of(tree);
      for (auto& [key, value] : tree.items()) {
        const bool is_own = of.empty() || key == "key" || key == "name";
        visit(value, fmt::format("{}/{}", where, is_own ? key : of),
              kPayload.contains(key) && !value.is_structured());
      }
    } else if (tree.is_array()) {
      for (Tree& value : tree)
        visit(value, where, is_payload || (!value.is_structured() && last_is_payload(where)));
    } else if (tree.is_string()) {
      const auto& text = tree.get_ref<const std::string&>();
      if (is_place(where) && planting.turn_ % 2 == 0)
        tree = "what " + planting.word(where) + " is, and why: I think so";
      else if (!is_structural(text) || text.starts_with('{'))
        tree = inner(text, where);
      else if (is_payload && planting.turn_ % 2 == 0)
        tree = told(text, where);
      else if (planting.turn_ > 0 && number_of(where) % (kTurns - 1) == planting.turn_ - 1)
        tree = named(text, where);
    }
  }

  static bool is_place(string_view where) {
    const size_t last = where.rfind('/');
    const string_view around = where.substr(0, last);
    return kPlaces.contains(where.substr(last + 1)) &&
           (around.ends_with("/input") || around.ends_with("arguments") ||
            around.ends_with("/args"));
  }

  static bool last_is_payload(const std::string& where) {
    return kPayload.contains(string_view(where).substr(where.rfind('/') + 1));
  }

  /// Of `{"key": "agent.name", "value": "Ida"}`, the key.
  static std::string attribute_of(const Tree& tree) {
    if (!tree.contains("value")) return {};
    for (const char* key : {"key", "name"})
      if (tree.contains(key) && tree[key].is_string()) return tree[key];
    return {};
  }
};

Planting::Planting(string_view name, unsigned turn)
    : chance_(number_of(name) + turn), turn_(turn) {}

std::string Planting::letters(size_t count, string_view of) {
  std::string text;
  for (; count > 0; --count) text += of[pick(of.size())];
  return text;
}

std::string Planting::word(const std::string& where) {
  planted_.push_back({Planted::Kind::word, "zq" + letters(12, kConsonants), where});
  return planted_.back().core;
}

std::string Planting::secret(const std::string& where) {
  const SecretKind& kind = secret_kinds()[pick(secret_kinds().size())];
  std::string all;
  for (const char* part : kind.before) all += part;
  // Neither a word nor a number alone.
  const std::string core =
      letters(kind.length - 2, kind.of) + (kind.of == kConsonants ? "xq" : "7b");
  planted_.push_back(
      {Planted::Kind::secret, kind.of == kUpper ? letters(kind.length, kUpper) : core, where});
  return all + planted_.back().core + kind.after;
}

std::string Planting::hostile() {
  return std::string(kHostile[pick(std::size(kHostile))]);
}

std::string Planting::plant(string_view log) {
  Json walk{*this};
  auto dumped = [](const Tree& tree) {
    return tree.dump(-1, ' ', false, Tree::error_handler_t::replace);
  };
  Tree whole = Tree::parse(log, nullptr, false);
  if (whole.is_structured()) {
    walk.visit(whole, "", false);
    return dumped(whole) + '\n';
  }
  std::string all;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const string_view line = log.substr(at, end - at);
    Tree tree = Tree::parse(line, nullptr, false);
    if (tree.is_structured()) {
      walk.visit(tree, "", false);
      all += dumped(tree);
    } else if (line.empty() || line.find_first_of("{\"[") != string_view::npos ||
               line.starts_with('>') || line.starts_with("#### /")) {
      all += line;  // of a document with comments, or torn; or notes of a program
    } else {
      std::string told = walk.told(line, "line");
      std::replace(told.begin(), told.end(), '\n', ' ');  // a line each is what such logs are of
      all += told;
    }
    all += '\n';
    at = end + 1;
  }
  return all;
}

}  // namespace xtrace
