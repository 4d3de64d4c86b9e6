#include "settings/suite_format.h"

namespace xtrace {

namespace {

// Beside the readers in this folder: what they take, it has.
constexpr std::string_view kFormat = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "xtrace suite",
  "description": "Expectations of agents for xtrace eval, in YAML or JSON. An evaluation set of the Agent Development Kit (eval_cases) also works.",
  "type": "object",
  "required": ["scenarios"],
  "additionalProperties": false,
  "properties": {
    "name": {"type": "string", "minLength": 1, "description": "name of the suite"},
    "scenarios": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/scenario"}},
    "weights": {"$ref": "#/definitions/weights"},
    "pass": {"$ref": "#/definitions/pass"},
    "fail_if": {"$ref": "#/definitions/fail_if"}
  },
  "definitions": {
    "claim_kind": {
      "enum": ["tests_pass", "build_passes", "types_check", "lint_clean", "checks_pass", "no_errors", "fixed", "implemented", "done", "committed", "pushed", "request_opened"]
    },
    "weights": {
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "description": "weights of the dimensions; default 1",
      "properties": {
        "tool_usage": {"type": "number", "minimum": 0},
        "decision_quality": {"type": "number", "minimum": 0},
        "error_handling": {"type": "number", "minimum": 0},
        "limits": {"type": "number", "minimum": 0}
      }
    },
    "pass": {
      "description": "minimum scores for a scenario to pass; default 1. A single number applies to all dimensions together",
      "anyOf": [
        {
          "type": "number",
          "minimum": 0,
          "maximum": 1,
          "description": "minimum for all dimensions together"
        },
        {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "properties": {
            "tool_usage": {"type": "number", "minimum": 0, "maximum": 1},
            "decision_quality": {"type": "number", "minimum": 0, "maximum": 1},
            "error_handling": {"type": "number", "minimum": 0, "maximum": 1},
            "limits": {"type": "number", "minimum": 0, "maximum": 1},
            "overall": {"type": "number", "minimum": 0, "maximum": 1}
          }
        }
      ]
    },
    "fail_if": {
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "description": "maximum increase over a baseline, relative or absolute: +20% or +5",
      "properties": {
        "cost": {"$ref": "#/definitions/bound", "description": "+20%, or +0.05 (dollars)"},
        "calls": {"$ref": "#/definitions/bound", "description": "+20%, or +5"},
        "tokens": {"$ref": "#/definitions/bound", "description": "+20%, or +5000"},
        "duration": {"$ref": "#/definitions/bound", "description": "+20%, +500ms or +2s"},
        "errors": {"$ref": "#/definitions/bound", "description": "+0, or +2"}
      }
    },
    "scenario": {
      "type": "object",
      "required": ["id"],
      "additionalProperties": false,
      "properties": {
        "id": {"type": "string", "minLength": 1, "description": "id, unique in the suite"},
        "description": {"type": "string", "minLength": 1, "description": "description shown in the report"},
        "match": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "part of the input that the scenario judges; default: the only one. * matches anything, and each match is a trial",
          "properties": {
            "session": {"type": "string", "minLength": 1},
            "run": {"type": "string", "minLength": 1},
            "query": {"type": "string", "minLength": 1},
            "agent": {"type": "string", "minLength": 1},
            "file": {"type": "string", "minLength": 1}
          }
        },
        "each": {
          "enum": ["once", "session", "run", "query", "file"],
          "description": "unit of a trial; limits apply to each trial"
        },
        "pass_rate": {
          "type": "number",
          "minimum": 0,
          "maximum": 1,
          "description": "minimum share of trials that must pass"
        },
        "tools": {
          "description": "expected tool uses; a plain list means contains-in-order",
          "anyOf": [
            {"type": "array", "items": {"$ref": "#/definitions/tool"}},
            {
              "type": "object",
              "required": ["calls"],
              "additionalProperties": false,
              "properties": {
                "order": {
                  "enum": ["exact-order", "contains-in-order", "same-tools", "contains-any-order"]
                },
                "calls": {"type": "array", "items": {"$ref": "#/definitions/tool"}},
                "weight": {
                  "type": "number",
                  "minimum": 0,
                  "description": "weight within its dimension; default 1"
                }
              }
            }
          ]
        },
        "forbidden": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "uses that fail the scenario regardless of its scores",
          "properties": {
            "tools": {
              "description": "names; * matches anything",
              "anyOf": [
                {"type": "string"},
                {"type": "array", "minItems": 1, "items": {"type": "string"}}
              ]
            },
            "paths": {
              "description": "delegation chains: user → * → resource:db",
              "anyOf": [
                {"type": "string"},
                {"type": "array", "minItems": 1, "items": {"type": "string"}}
              ]
            },
            "calls": {
              "type": "array",
              "minItems": 1,
              "items": {"$ref": "#/definitions/tool"},
              "description": "tools with arguments, or rules of Claude Code: Bash(git push:*)"
            }
          }
        },
        "preceded": {
          "type": "array",
          "minItems": 1,
          "description": "tools that may be used only after another one",
          "items": {
            "type": "object",
            "required": ["tool", "by"],
            "additionalProperties": false,
            "properties": {
              "tool": {
                "$ref": "#/definitions/tool",
                "description": "tool that needs another one first; * matches anything; also with arguments, or a rule of Claude Code: Bash(git commit:*)"
              },
              "by": {
                "description": "tools; one of them must be used before",
                "anyOf": [
                  {"$ref": "#/definitions/tool"},
                  {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/tool"}}
                ]
              },
              "same_target": {"type": "boolean", "description": "requires the same file or URL"},
              "weight": {
                "type": "number",
                "minimum": 0,
                "description": "weight within its dimension; default 1"
              }
            }
          }
        },
        "confirm": {
          "description": "sensitive tools: before each use, the last message of the user must give consent",
          "anyOf": [{"type": "string"}, {"type": "array", "minItems": 1, "items": {"type": "string"}}]
        },
        "declared_arguments": {"type": "boolean", "description": "requires arguments to match the tool schema in the request"},
        "errors": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "properties": {
            "handled": {
              "type": "boolean",
              "description": "requires each failure to be retried, or followed by a successful step"
            },
            "no_retry_of": {
              "description": "HTTP statuses that must not be retried; true: 400, 401, 403, 404",
              "anyOf": [
                {"type": "boolean"},
                {
                  "type": "array",
                  "minItems": 1,
                  "items": {"type": "integer", "minimum": 400, "maximum": 599}
                }
              ]
            },
            "retries": {
              "type": "object",
              "additionalProperties": false,
              "minProperties": 1,
              "properties": {
                "max_attempts": {"type": "integer", "minimum": 0},
                "initial_delay": {"$ref": "#/definitions/length"},
                "max_delay": {"$ref": "#/definitions/length"},
                "backoff_factor": {
                  "type": "number",
                  "minimum": 0,
                  "description": "each wait as a multiple of the one before"
                },
                "jitter": {
                  "type": "number",
                  "minimum": 0,
                  "maximum": 1,
                  "description": "tolerance for a wait, as a share of it; default 0.25"
                },
                "expected": {"type": "boolean", "description": "requires at least one retry"}
              }
            }
          }
        },
        "limits": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "upper limits",
          "properties": {
            "calls": {"type": "number", "minimum": 0, "description": "model calls"},
            "tool_calls": {"type": "number", "minimum": 0, "description": "tool uses"},
            "depth": {"type": "number", "minimum": 0, "description": "number of actors below the user"},
            "tokens": {"type": "number", "minimum": 0, "description": "tokens of all kinds"},
            "cost_usd": {"type": "number", "minimum": 0, "description": "dollars"},
            "time": {"$ref": "#/definitions/length"},
            "errors": {"type": "number", "minimum": 0, "description": "failures of models and tools"}
          }
        },
        "claims": {
          "description": "claims of replies that end turns, such as that tests pass, compared with the tool results before them. supported: each is shown; not_contradicted: none is contradicted",
          "anyOf": [
            {"enum": ["supported", "not_contradicted"]},
            {
              "type": "object",
              "required": ["are"],
              "additionalProperties": false,
              "properties": {
                "are": {"enum": ["supported", "not_contradicted"]},
                "kinds": {
                  "description": "kinds of claims to check; default: all",
                  "anyOf": [
                    {"$ref": "#/definitions/claim_kind"},
                    {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/claim_kind"}}
                  ]
                },
                "weight": {"type": "number", "minimum": 0, "description": "weight within its dimension; default 1"}
              }
            }
          ]
        },
        "decision": {
          "type": "array",
          "minItems": 1,
          "description": "expected decision, read from the last use of a tool or from the last reply",
          "items": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "tool": {"type": "string", "minLength": 1, "description": "name of the tool; its last use is read"},
              "argument": {
                "type": "string",
                "minLength": 1,
                "description": "argument of the tool; default: all arguments"
              },
              "answer": {"const": true, "description": "reads the last reply"},
              "grounded": {
                "description": "true: numbers with what they count, names and quotations must occur in a tool result or prompt; or a pattern that finds claims",
                "anyOf": [{"const": true}, {"type": "string"}]
              },
              "may_claim_nothing": {"type": "boolean", "description": "if true, a text without such claims passes"},
              "rubric": {
                "type": "string",
                "minLength": 1,
                "description": "name of a score given by a judge"
              },
              "at_least": {"type": "number", "minimum": 0, "description": "minimum score"},
              "of": {
                "type": "number",
                "minimum": 0,
                "description": "highest possible score; default 1"
              },
              "label": {
                "description": "accepted labels of the judge",
                "anyOf": [
                  {"type": "string"},
                  {"type": "array", "minItems": 1, "items": {"type": "string"}}
                ]
              },
              "weight": {
                "type": "number",
                "minimum": 0,
                "description": "weight within its dimension; default 1"
              },
              "is": {"$ref": "#/definitions/is"},
              "one_of": {"$ref": "#/definitions/one_of"},
              "matches": {"$ref": "#/definitions/matches"},
              "mentions": {"$ref": "#/definitions/mentions"},
              "mentions_not": {"$ref": "#/definitions/mentions_not"}
            }
          }
        },
        "weights": {"$ref": "#/definitions/weights"},
        "pass": {"$ref": "#/definitions/pass"},
        "fail_if": {"$ref": "#/definitions/fail_if"}
      }
    },
    "tool": {
      "anyOf": [
        {
          "type": "string",
          "minLength": 1,
          "description": "name of the tool; * matches anything"
        },
        {
          "type": "object",
          "required": ["name"],
          "additionalProperties": false,
          "properties": {
            "name": {"type": "string", "minLength": 1, "description": "name of the tool; * matches anything"},
            "note": {"type": "string", "minLength": 1, "description": "meaning of the patterns, for verdicts on forbidden calls and preceded"},
            "target": {
              "type": "string",
              "minLength": 1,
              "description": "pattern that must match part of the file or URL that the tool is used on"
            },
            "arguments": {
              "type": "object",
              "minProperties": 1,
              "description": "by path (findings.0, options.depth): a value or a requirement; `schema` is a JSON Schema for all arguments",
              "properties": {"schema": {"type": "object", "minProperties": 1}},
              "additionalProperties": {"$ref": "#/definitions/requirement"}
            }
          }
        }
      ]
    },
    "requirement": {
      "description": "an exact value, or a requirement",
      "anyOf": [
        {"type": ["string", "number", "boolean"]},
        {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "properties": {
            "is": {"$ref": "#/definitions/is"},
            "one_of": {"$ref": "#/definitions/one_of"},
            "matches": {"$ref": "#/definitions/matches"},
            "mentions": {"$ref": "#/definitions/mentions"},
            "mentions_not": {"$ref": "#/definitions/mentions_not"}
          }
        }
      ]
    },
    "is": {"type": ["string", "number", "boolean"], "description": "the exact value"},
    "one_of": {
      "type": "array",
      "minItems": 1,
      "items": {"type": ["string", "number", "boolean"]},
      "description": "one of these values"
    },
    "matches": {
      "type": "string",
      "minLength": 1,
      "description": "regular expression (RE2) that must match part of the value"
    },
    "mentions": {
      "description": "patterns that must all match",
      "anyOf": [
        {"type": "string"},
        {"type": "array", "minItems": 1, "items": {"type": "string"}}
      ]
    },
    "mentions_not": {
      "description": "patterns that must not match",
      "anyOf": [
        {"type": "string"},
        {"type": "array", "minItems": 1, "items": {"type": "string"}}
      ]
    },
    "length": {"description": "500ms, 30s, or a number of seconds", "type": ["string", "number"]},
    "bound": {"type": ["string", "number"]}
  }
}
)json";

}  // namespace

std::string_view suite_format() {
  return kFormat;
}

}  // namespace xtrace
