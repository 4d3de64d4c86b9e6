#include "input/spans/span_side.h"

#include <catch2/catch.hpp>

namespace xtrace {

namespace {

bool by_operation(std::string_view operation) {
  return is_seen_by_callee({.operation = operation, .from = "agent:desk", .to = "agent:reader"});
}

bool by_service(std::string_view service) {
  return is_seen_by_callee(
      {.operation = "POST /run", .service = service, .from = "agent:desk", .to = "agent:desk-two"});
}

}  // namespace

TEST_CASE("the words of a mesh for a direction tell on which side a proxy stands") {
  for (const char* words : {"inbound:reader", "ingress", "Ingress reader.local", "INBOUND",
                            "inbound|8080||reader", "router inbound|8080|| egress"})
    CHECK(by_operation(words));
  for (const char* words : {"outbound:reader", "egress", "egress reader.local", "outbound",
                            "outbound|80||reader.svc", "router outbound|80||reader.svc egress",
                            "router reader egress", "async outbound|80||x egress", "POST /ingress"})
    CHECK_FALSE(by_operation(words));
}

TEST_CASE("the direction or the cluster of a proxy tells it where the operation does not") {
  CHECK(is_seen_by_callee({.operation = "/run", .direction = "inbound"}));
  CHECK(is_seen_by_callee({.operation = "reader:80/*", .cluster = "inbound|80||"}));
  SpanSide out{.operation = "reader:80/*", .cluster = "outbound|80||reader"};
  out.kind = SpanKind::server;  // a word for the direction is the more particular one
  CHECK_FALSE(is_seen_by_callee(out));
  out.cluster = {};
  CHECK(is_seen_by_callee(out));
}

TEST_CASE("a proxy beside one of the two actors stands on its side") {
  CHECK_FALSE(by_service("desk"));
  CHECK_FALSE(by_service("desk.prod"));
  CHECK(by_service("desk-two"));
  CHECK(by_service("desk-two-proxy"));
  CHECK_FALSE(by_service("desktop"));
  CHECK_FALSE(by_service("sidecar"));
  SpanSide talks_to{.operation = "call", .peer = "desk", .service = "proxy"};
  talks_to.from = "agent:desk";
  talks_to.to = "agent:reader";
  CHECK(is_seen_by_callee(talks_to));
  talks_to.peer = "reader";
  CHECK_FALSE(is_seen_by_callee(talks_to));
}

}  // namespace xtrace
