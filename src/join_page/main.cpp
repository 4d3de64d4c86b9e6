// join_page OUTPUT FRAME FILE...: of styles (.css) and scripts (.js), of which those after a `+`
// are for some pages alone, writes a file of C++ that holds what all pages have in common. The
// program that reads it is built without node or any other tool for the web, so this does what
// little of theirs a page of less than 100 kB needs.

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "base/base64.h"
#include "base/sha256.h"
#include "join_page/script.h"
#include "join_page/style.h"

namespace xtrace {

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return text.str();
}

std::string constant(std::string_view name, std::string_view text) {
  return "const std::string_view " + std::string(name) + " = R\"page(" + std::string(text) +
         ")page\";\n";
}

/// With its hash: to compute one takes a program more memory than a small page.
std::string source(std::string_view name, std::string_view text) {
  return "const PageSource " + std::string(name) + " = {R\"page(" + std::string(text) +
         ")page\",\n\"'sha256-" + base64(sha256_bytes_of(text)) + "'\"};\n";
}

/// In a function of its own, so that a page has no names but those that it wants known.
std::string shortened(std::string_view script) {
  std::vector<Token> tokens = tokens_of(script);
  name_globals(tokens);
  shorten_names(tokens);
  functions_first(tokens);
  write_shorter(tokens);
  return "(()=>{'use strict';" + joined(tokens) + "})();\n";
}

void join(const std::vector<std::string>& words) {
  std::string style, script, longer;
  for (std::string file : std::vector(words.begin() + 2, words.end())) {
    const bool is_for_some = file.starts_with('+');
    if (is_for_some) file.erase(0, 1);
    const std::string text = read(file) + '\n';
    if (file.ends_with(".css")) {
      style += text;
      continue;
    }
    longer += text;
    if (!is_for_some) script += text;
  }
  std::ofstream out(words[0]);
  out << "#include \"render/html/assets.h\"\n\nnamespace xtrace {\n\n"
      << constant("kPageFrame", read(words[1]))
      << source("kPageStyle", shortened_style(with_both_themes(with_hues(style))))
      << source("kPageScript", shortened(script))
      << source("kPageScriptOfAnswers", shortened(longer)) << "\n}  // namespace xtrace\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + words[0]);
}

}  // namespace

}  // namespace xtrace

int main(int count, char** words) {
  try {
    if (count < 4) throw std::runtime_error("which output, frame, styles and scripts?");
    xtrace::join({words + 1, words + count});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "join_page: " << error.what() << '\n';
    return 1;
  }
}
