#include "join_page/script.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string shortened(std::string_view script) {
  std::vector<Token> tokens = tokens_of(script);
  name_globals(tokens);
  name_properties(tokens);
  name_texts(tokens);
  shorten_names(tokens);
  functions_first(tokens);
  write_shorter(tokens);
  return joined(tokens);
}

}  // namespace

TEST_CASE("comments and white space go, and words stay apart") {
  CHECK(shortened("f( 1 ); // one\n/* two\n lines */ return  typeof x;") ==
        "f(1);return typeof x;");
  CHECK(shortened("a = b + +c; d = e - -f") == "a=b+ +c;d=e- -f");
}

TEST_CASE("a line's end stays where it may end a statement") {
  CHECK(shortened("x = f()\ny = 2\n") == "x=f()\ny=2");
  CHECK(shortened("x = [\n  1,\n  2\n]") == "x=[1,2]");
}

TEST_CASE("functions stand first, as arrows where they have no this") {
  CHECK(shortened("let total = 0;\nasync function twice(a, b) {\n  return a * b;\n}\nf();") ==
        "let ab=async(a,b)=>a*b,aa=0;f();");
  CHECK(shortened("function none() { return { a: 1 }; }\n") == "let aa=()=>{return{a:1}};");
  CHECK(shortened("function last() { return f(), 1; }\n") == "let aa=()=>{return f(),1};");
  CHECK(shortened("function own() { return this.a; }\n") == "function aa(){return this.a}");
}

TEST_CASE("texts, patterns and templates stay as they are") {
  CHECK(shortened("f('// no  comment', \"it's\")") == "f('// no  comment',\"it's\")");
  CHECK(shortened("x.replace(/[/ ]'\\//g, '')") == "x.replace(/[/ ]'\\//g,'')");
  CHECK(shortened("y = a / b / c") == "y=a/b/c");
  CHECK(shortened("const name = 1; f(`${ name }  {${ name + `${ name }` }}`)") ==
        "let aa=1;f(`${aa}  {${aa+`${aa}`}}`)");
}

TEST_CASE("names of the script are shortened, wherever they are used") {
  CHECK(shortened("let total = 0;\nfunction add(amount) { total += amount; }\nadd(2);") ==
        "let aa=a=>{ab+=a},ab=0;aa(2);");
  CHECK(shortened("const big = (first, [second], { third }) => first + second + third;") ==
        "let aa=(a,[b],{third:c})=>a+b+c;");
}

TEST_CASE("parameters are shortened whatever is the default of the last one") {
  CHECK(shortened("const big = (first, { second = 2 }, third = '') => first + second + third;") ==
        "let aa=(a,{second:b=2},c='')=>a+b+c;");
}

TEST_CASE("keys of objects and members stay as they are") {
  CHECK(shortened("const size = 1;\nf({ size, of: size, size() { return size; } }, a.size);") ==
        "let aa=1;f({size:aa,of:aa,size(){return aa}},a.size);");
  CHECK(shortened("const { size, of = 2 } = x;\ng(size, of);") ==
        "let{size:aa,of:of=2}=x;g(aa,of);");
  CHECK(shortened("let rows = 1;\nconst f = () => { rows = 2; }, g = ({ rows = 3 }) => rows;") ==
        "let aa=1,ab=()=>{aa=2},ac=({rows:aa=3})=>aa;");
  CHECK(shortened("class Box {\n  size = 1;\n  add(much) { this.size = much; }\n}\n") ==
        "class Box{size=1;add(much){this.size=much}}");
  CHECK(shortened("const size = 1;\nf({ class: 'a' }, { size: 2 });") ==
        "let aa=1;f({class:'a'},{size:2});");
}

TEST_CASE("names that are taken stay what they are") {
  CHECK(shortened("const one = aa, two = one;") == "let ab=aa,ac=ab;");
  // A statement of a condition is none of its own.
  CHECK(shortened("while (f(x));\nif (y) { g(); }") == "while(f(x));if(y){g()}");
}

TEST_CASE("what is often taken from the browser gets a name") {
  CHECK(shortened("x = Math.max(1, Math.max(2, 3));") == "let aa=Math.max;x=aa(1,aa(2,3));");
  CHECK(shortened("x = y === null ? null : z;") == "let aa=null;x=y===aa?aa:z;");
}

TEST_CASE("a text that is often used gets a name, and no key does") {
  CHECK(shortened("f('status', 'status', 'a', 'a'); g({ 'status': 'status' });") ==
        "let aa='status';f(aa,aa,'a','a');g({'status':aa});");
  CHECK(shortened("f(x ? 'status' : 'status', \"status\");") ==
        "f(x?'status':'status',\"status\");");
}

TEST_CASE("a text that does not end is told") {
  CHECK_THROWS(tokens_of("f('a"));
  CHECK_THROWS(tokens_of("f(`a${b}"));
  CHECK_THROWS(tokens_of("/* a"));
}

TEST_CASE("long names of properties that are used often are spelt once") {
  CHECK(
      shortened("f(a.textContent, b.textContent, c?.textContent);\nd.textContent = e.textContent;\n"
                "g.textContent.on();") ==
      "let aa='textContent';f(a[aa],b[aa],c?.textContent);d[aa]=e[aa];g[aa].on();");
  // A loop asks often.
  CHECK(shortened("f(a.length, b.length, c.length, d.length, e.length, g.length);\n"
                  "while (a.length > b.length) f();") ==
        "let aa='length';f(a[aa],b[aa],c[aa],d[aa],e[aa],g[aa]);while(a.length>b.length)f();");
  CHECK(shortened("f(a.filter, b.filter, c.filter, d.filter, e.filter);\n"
                  "g(x.timed, x.timed, x.timed, x.timed, x.timed, x.timed, x.timed);") ==
        "let aa='filter';f(a[aa],b[aa],c[aa],d[aa],e[aa]);"
        "g(x.timed,x.timed,x.timed,x.timed,x.timed,x.timed,x.timed);");
}
