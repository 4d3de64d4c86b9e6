// join_page ESBUILD OUTPUT FRAME FILE...: writes a C++ file with the styles (.css) and scripts
// (.js) that all pages share, minified by the program ESBUILD. Scripts after a `+` are for pages of
// answers other than the graph; each after a `=` is a picture of one answer, and other pages omit
// it. `!PICTURE,PICTURE:FILE` is a script for all pages except those of these pictures, and
// `~PICTURE,PICTURE:FILE` one for the large pages of these pictures, which have all panes.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "base/base64.h"
#include "base/sha256.h"
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

/// `file` with that content, minified.
std::string minified(const std::string& esbuild, const std::filesystem::path& file,
                     std::string_view content) {
  std::ofstream(file) << content;
  std::filesystem::path small = file;
  small.replace_filename("minified_" + file.filename().string());
  const std::string command = "\"" + esbuild +
                              "\" --minify --charset=utf8 --log-level=warning --outfile=\"" +
                              small.string() + "\" \"" + file.string() + "\"";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  return read(small.string());
}

/// A kind of page: of what answer, `graph` for that alone, and whether it has all panes.
struct Kind {
  std::string picture;
  bool is_large = false;
};

/// Takes the pictures off a word, `PICTURE,PICTURE:FILE`: is this one among them?
bool take_pictures(std::string& word, std::string_view picture) {
  const size_t colon = word.find(':');
  if (colon == word.npos) throw std::runtime_error("of which pictures? " + word);
  std::istringstream names(word.substr(0, colon));
  word.erase(0, colon + 1);
  bool is_among = false;
  for (std::string name; std::getline(names, name, ',');) is_among |= name == picture;
  return is_among;
}

/// Takes the mark off a word: is its file for a page of this kind?
bool take_mark(std::string& word, const Kind& kind) {
  const char mark = word.front();
  if (mark != '!' && mark != '~' && mark != '+' && mark != '=') return true;
  word.erase(0, 1);
  if (mark == '!') return !take_pictures(word, kind.picture);
  if (mark == '~') return take_pictures(word, kind.picture) && kind.is_large;
  return mark == '+' ? kind.picture != "graph" : std::filesystem::path(word).stem() == kind.picture;
}

/// Functions of the outermost level as arrows, which take 8 bytes less each, before all else, since
/// an arrow is unknown before its line. Those with `this` stay. Lines are as scripts/check has
/// them: such a function begins and ends at the beginning of a line.
std::string functions_first(const std::string& script) {
  static const std::regex head("(async )?function (\\w+)(\\(.*\\)) \\{");
  std::string functions, rest, line;
  std::istringstream lines(script);
  while (std::getline(lines, line)) {
    std::smatch found;
    if (!std::regex_match(line, found, head)) {
      rest += line + '\n';
      continue;
    }
    std::string body;
    for (std::string inner; std::getline(lines, inner) && inner != "}";) body += inner + '\n';
    if (body.find("this.") != body.npos)
      functions.append(line).append("\n").append(body).append("}\n");
    else
      functions +=
          "const " + found.str(2) + " = " + found.str(1) + found.str(3) + " => {\n" + body + "};\n";
  }
  return functions + rest;
}

/// What a script does only where pages have another part, `typeof NAME === 'function'`, without
/// what this page does not have.
std::string without_absent_parts(const std::string& script) {
  static const std::regex asked("typeof (\\w+) === 'function'");
  std::string present;
  auto last = script.cbegin();
  for (std::sregex_iterator at(script.begin(), script.end(), asked), end; at != end; ++at) {
    const std::string name = (*at)[1];
    const bool is_there = script.find(std::string("function ").append(name) + "(") != script.npos ||
                          script.find(std::string("const ").append(name) + " =") != script.npos;
    present.append(last, (*at)[0].first).append(is_there ? "true" : "false");
    last = (*at)[0].second;
  }
  return present.append(last, script.cend());
}

/// In a function of its own, so that the page has no global names but those it wants. `let` takes 2
/// bytes less than `const`, which the type checker has verified.
std::string script_of(const std::vector<std::string>& files, const Kind& kind) {
  static const std::regex constant("\\bconst ");
  std::string script;
  for (std::string file : files)
    if (take_mark(file, kind) && file.ends_with(".js")) script += read(file) + '\n';
  script = functions_first(without_absent_parts(script));
  return "(()=>{'use strict';\n" + std::regex_replace(script, constant, "let ") + "})();\n";
}

struct Build {
  std::string esbuild, output, frame;
  std::vector<std::string> files;

  std::filesystem::path beside_output(const std::string& name) const {
    return std::filesystem::path(output).replace_filename(name);
  }
  /// The sources of one kind of page.
  std::string sources_of(const std::string& style, const Kind& kind) const {
    const std::string file = kind.picture + (kind.is_large ? "_large.js" : ".js");
    const std::string script = minified(esbuild, beside_output(file), script_of(files, kind));
    return "{" + literal(kind.picture) + ", " + (kind.is_large ? "true" : "false") + ",\n" +
           source_of(style_for(style, frame + script)) + ",\n" + source_of(script) + "}";
  }
  /// The small page and, if it has scripts of its own, the large one.
  std::string all_sources_of(const std::string& style, const std::string& picture) const {
    const std::string small = sources_of(style, {picture});
    const bool has_own = std::any_of(files.begin(), files.end(), [&](std::string file) {
      return file.starts_with('~') && take_mark(file, {picture, true});
    });
    return has_own ? small + ",\n" + sources_of(style, {picture, true}) : small;
  }
};

void join(const Build& build) {
  std::string style;
  for (const std::string& file : build.files)
    if (file.ends_with(".css")) style += read(file) + '\n';
  style =
      minified(build.esbuild, build.beside_output("page.css"), with_both_themes(with_hues(style)));
  std::string sources = build.all_sources_of(style, "graph");
  for (const std::string& file : build.files)
    if (file.starts_with('='))
      sources += ",\n" + build.all_sources_of(style, std::filesystem::path(file).stem());
  std::ofstream out(build.output);
  out << "#include \"render/html/assets.h\"\n\nnamespace xtrace {\n\n"
      << "const std::string_view kPageFrame = " << literal(build.frame) << ";\n"
      << "static const PageSources kAll[] = {\n"
      << sources << "};\n"
      << "const std::span<const PageSources> kPageSources = kAll;\n"
      << "\n}  // namespace xtrace\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + build.output);
}

}  // namespace

}  // namespace xtrace

int main(int count, char** words) {
  try {
    if (count < 5) throw std::runtime_error("usage: join_page ESBUILD OUTPUT FRAME FILE...");
    xtrace::join({words[1], words[2], xtrace::read(words[3]), {words + 4, words + count}});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "join_page: " << error.what() << '\n';
    return 1;
  }
}
