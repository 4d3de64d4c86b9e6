// join_page OUTPUT FRAME FILE...: of styles (.css) and scripts (.js) writes a file of C++ that
// holds what all pages have in common. Scripts after a `+` are for pages of answers other than the
// graph; of those after a `=` each is a picture of some answers, and their pages have no other one.
// `!PICTURE,PICTURE:FILE` is a script for all pages but those of these pictures.
// The program that reads it is built without node or any other tool for the web, so this does what
// little of theirs a page of less than 100 kB needs.

#include <filesystem>
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

std::string literal(std::string_view text) {
  return "R\"page(" + std::string(text) + ")page\"";
}

/// With its hash: to compute one takes a program more memory than a small page.
std::string source_of(std::string_view text) {
  return "{" + literal(text) + ",\n\"'sha256-" + base64(sha256_bytes_of(text)) + "'\"}";
}

/// In a function of its own, so that a page has no names but those that it wants known.
std::string shortened(std::string_view script) {
  std::vector<Token> tokens = tokens_of(script);
  name_globals(tokens);
  name_properties(tokens);
  name_texts(tokens);
  shorten_names(tokens);
  functions_first(tokens);
  write_shorter(tokens);
  return "(()=>{'use strict';" + joined(tokens) + "})();\n";
}

/// Takes the mark off a word: is its file for the page of this picture, or of none (`graph`)?
bool take_mark(std::string& word, std::string_view picture) {
  const char mark = word.front();
  if (mark == '!') {
    const size_t colon = word.find(':');
    if (colon == word.npos) throw std::runtime_error("on all pages but which? " + word);
    std::istringstream left_out(word.substr(1, colon - 1));
    word.erase(0, colon + 1);
    for (std::string name; std::getline(left_out, name, ',');)
      if (name == picture) return false;
    return true;
  }
  if (mark != '+' && mark != '=') return true;
  word.erase(0, 1);
  return mark == '+' ? picture != "graph" : std::filesystem::path(word).stem() == picture;
}

std::string script_of(const std::vector<std::string>& files, std::string_view picture) {
  std::string script;
  for (std::string file : files)
    if (take_mark(file, picture) && file.ends_with(".js")) script += read(file) + '\n';
  return shortened(script);
}

/// The sources of one kind of page.
std::string sources_of(const std::string& frame, const std::string& style,
                       const std::vector<std::string>& files, const std::string& picture) {
  const std::string script = script_of(files, picture);
  return "{" + literal(picture) + ",\n" + source_of(style_for(style, frame + script)) + ",\n" +
         source_of(script) + "}";
}

void join(const std::vector<std::string>& words) {
  const std::vector files(words.begin() + 2, words.end());
  const std::string frame = read(words[1]);
  std::string style;
  for (const std::string& file : files)
    if (file.ends_with(".css")) style += read(file) + '\n';
  style = shortened_style(with_both_themes(with_hues(style)));
  std::string sources = sources_of(frame, style, files, "graph");
  for (const std::string& file : files)
    if (file.starts_with('='))
      sources += ",\n" + sources_of(frame, style, files, std::filesystem::path(file).stem());
  std::ofstream out(words[0]);
  out << "#include \"render/html/assets.h\"\n\nnamespace xtrace {\n\n"
      << "const std::string_view kPageFrame = " << literal(frame) << ";\n"
      << "static const PageSources kAll[] = {\n"
      << sources << "};\n"
      << "const std::span<const PageSources> kPageSources = kAll;\n"
      << "\n}  // namespace xtrace\n";
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
