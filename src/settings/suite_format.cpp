#include "settings/suite_format.h"

namespace xtrace {

namespace {

// Beside the readers in this folder: what they take, it has.
constexpr std::string_view kFormat = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "xtrace suite",
  "description": "What is expected of agents, for xtrace eval. YAML or JSON. An evaluation set of the Agent Development Kit (eval_cases) is a suite too.",
  "type": "object",
  "required": ["scenarios"],
  "additionalProperties": false,
  "properties": {
    "name": {"type": "string", "minLength": 1, "description": "of the suite"},
    "scenarios": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/scenario"}},
    "weights": {
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "description": "of the dimensions; 1 where nothing is said",
      "properties": {
        "tool_usage": {"type": "number", "minimum": 0},
        "decision_quality": {"type": "number", "minimum": 0},
        "error_handling": {"type": "number", "minimum": 0},
        "limits": {"type": "number", "minimum": 0}
      }
    },
    "pass": {
      "description": "the least scores with which a scenario passes; 1 where nothing is said. A number is of all dimensions together",
      "anyOf": [
        {
          "type": "number",
          "minimum": 0,
          "maximum": 1,
          "description": "of all dimensions together"
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
      "description": "how much worse than a baseline it may be: +20%, or +5 of what it counts",
      "properties": {
        "cost": {"$ref": "#/definitions/bound", "description": "+20%, or +0.05 dollars"},
        "calls": {"$ref": "#/definitions/bound", "description": "+20%, or +5"},
        "tokens": {"$ref": "#/definitions/bound", "description": "+20%, or +5000"},
        "duration": {"$ref": "#/definitions/bound", "description": "+20%, +500ms or +2s"},
        "errors": {"$ref": "#/definitions/bound", "description": "+0, or +2"}
      }
    }
  },
  "definitions": {
    "scenario": {
      "type": "object",
      "required": ["id"],
      "additionalProperties": false,
      "properties": {
        "id": {"type": "string", "minLength": 1, "description": "unique in the suite"},
        "description": {"type": "string", "minLength": 1, "description": "for people"},
        "match": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "which part of the input it is about; without it, the only one there is. * stands for anything, and makes each that fits a trial",
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
          "description": "what is tried by itself; limits are of each"
        },
        "pass_rate": {
          "type": "number",
          "minimum": 0,
          "maximum": 1,
          "description": "the least share of trials that pass"
        },
        "tools": {
          "description": "the tools that are used; a list is contains-in-order",
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
                  "description": "within its dimension; 1 where nothing is said"
                }
              }
            }
          ]
        },
        "forbidden": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "what fails a scenario, whatever else is right",
          "properties": {
            "tools": {
              "description": "names; * stands for anything in them",
              "anyOf": [
                {"type": "string"},
                {"type": "array", "minItems": 1, "items": {"type": "string"}}
              ]
            },
            "paths": {
              "description": "chains of delegation: user → * → resource:db",
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
          "description": "tools that another one has to be used before",
          "items": {
            "type": "object",
            "required": ["tool", "by"],
            "additionalProperties": false,
            "properties": {
              "tool": {"type": "string", "minLength": 1, "description": "* stands for anything in it"},
              "by": {
                "description": "one of these",
                "anyOf": [
                  {"type": "string"},
                  {"type": "array", "minItems": 1, "items": {"type": "string"}}
                ]
              },
              "same_target": {"type": "boolean", "description": "on the same file or address"},
              "weight": {
                "type": "number",
                "minimum": 0,
                "description": "within its dimension; 1 where nothing is said"
              }
            }
          }
        },
        "confirm": {
          "description": "sensitive tools: before each use the last word of the user is a consent",
          "anyOf": [{"type": "string"}, {"type": "array", "minItems": 1, "items": {"type": "string"}}]
        },
        "declared_arguments": {"type": "boolean", "description": "arguments fit the schema that the request declares"},
        "errors": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "properties": {
            "handled": {
              "type": "boolean",
              "description": "what failed is tried again, or followed by a step that goes well"
            },
            "no_retry_of": {
              "description": "statuses of HTTP that trying again cannot help; true: 400, 401, 403, 404",
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
                  "description": "each wait is so many times the one before"
                },
                "jitter": {
                  "type": "number",
                  "minimum": 0,
                  "maximum": 1,
                  "description": "by which share a wait may be shorter or longer; 0.25 where nothing is said"
                },
                "expected": {"type": "boolean", "description": "there must be one"}
              }
            }
          }
        },
        "limits": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "the most it may take",
          "properties": {
            "calls": {"type": "number", "minimum": 0, "description": "of models"},
            "tool_calls": {"type": "number", "minimum": 0, "description": "uses of tools"},
            "depth": {"type": "number", "minimum": 0, "description": "actors below the user"},
            "tokens": {"type": "number", "minimum": 0, "description": "of all kinds"},
            "cost_usd": {"type": "number", "minimum": 0, "description": "dollars"},
            "time": {"$ref": "#/definitions/length"}
          }
        },
        "decision": {
          "type": "array",
          "minItems": 1,
          "description": "what is decided: read from a tool's last use, or from the last answer",
          "items": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "tool": {"type": "string", "minLength": 1, "description": "its last use is read"},
              "argument": {
                "type": "string",
                "minLength": 1,
                "description": "of the tool; without it, all of them"
              },
              "answer": {"const": true, "description": "the last answer is read"},
              "grounded": {
                "description": "true: numbers with what they are of, names and quotations are told by a tool result or prompt; or a pattern of what is claimed",
                "anyOf": [{"const": true}, {"type": "string"}]
              },
              "may_claim_nothing": {"type": "boolean", "description": "a text without such claims is as expected"},
              "rubric": {
                "type": "string",
                "minLength": 1,
                "description": "the name of a score that a judge gave"
              },
              "at_least": {"type": "number", "minimum": 0, "description": "of the score"},
              "of": {
                "type": "number",
                "minimum": 0,
                "description": "the best score there is; 1 where nothing is said"
              },
              "label": {
                "description": "the judge's word is one of these",
                "anyOf": [
                  {"type": "string"},
                  {"type": "array", "minItems": 1, "items": {"type": "string"}}
                ]
              },
              "weight": {
                "type": "number",
                "minimum": 0,
                "description": "within its dimension; 1 where nothing is said"
              },
              "is": {"type": ["string", "number", "boolean"], "description": "the very value"},
              "one_of": {
                "type": "array",
                "minItems": 1,
                "items": {"type": ["string", "number", "boolean"]},
                "description": "one of these"
              },
              "matches": {
                "type": "string",
                "minLength": 1,
                "description": "a regular expression (RE2) that is found in it"
              },
              "mentions": {
                "description": "patterns, each found in it",
                "anyOf": [
                  {"type": "string"},
                  {"type": "array", "minItems": 1, "items": {"type": "string"}}
                ]
              },
              "mentions_not": {
                "description": "patterns, none found in it",
                "anyOf": [
                  {"type": "string"},
                  {"type": "array", "minItems": 1, "items": {"type": "string"}}
                ]
              }
            }
          }
        },
        "weights": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "description": "of the dimensions; 1 where nothing is said",
          "properties": {
            "tool_usage": {"type": "number", "minimum": 0},
            "decision_quality": {"type": "number", "minimum": 0},
            "error_handling": {"type": "number", "minimum": 0},
            "limits": {"type": "number", "minimum": 0}
          }
        },
        "pass": {
          "description": "the least scores with which a scenario passes; 1 where nothing is said. A number is of all dimensions together",
          "anyOf": [
            {
              "type": "number",
              "minimum": 0,
              "maximum": 1,
              "description": "of all dimensions together"
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
          "description": "how much worse than a baseline it may be: +20%, or +5 of what it counts",
          "properties": {
            "cost": {"$ref": "#/definitions/bound", "description": "+20%, or +0.05 dollars"},
            "calls": {"$ref": "#/definitions/bound", "description": "+20%, or +5"},
            "tokens": {"$ref": "#/definitions/bound", "description": "+20%, or +5000"},
            "duration": {"$ref": "#/definitions/bound", "description": "+20%, +500ms or +2s"},
            "errors": {"$ref": "#/definitions/bound", "description": "+0, or +2"}
          }
        }
      }
    },
    "tool": {
      "anyOf": [
        {
          "type": "string",
          "minLength": 1,
          "description": "its name; * stands for anything in it"
        },
        {
          "type": "object",
          "required": ["name"],
          "additionalProperties": false,
          "properties": {
            "name": {"type": "string", "minLength": 1, "description": "* stands for anything in it"},
            "target": {
              "type": "string",
              "minLength": 1,
              "description": "a pattern that is found in the file or address it works on"
            },
            "arguments": {
              "type": "object",
              "minProperties": 1,
              "description": "by path (findings.0, options.depth): a value, or how it has to be; `schema` is a JSON Schema of all of them",
              "properties": {"schema": {"type": "object", "minProperties": 1}},
              "additionalProperties": {"$ref": "#/definitions/requirement"}
            }
          }
        }
      ]
    },
    "requirement": {
      "description": "a value that has to be it, or how it has to be",
      "anyOf": [
        {"type": ["string", "number", "boolean"]},
        {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "properties": {
            "is": {"type": ["string", "number", "boolean"], "description": "the very value"},
            "one_of": {
              "type": "array",
              "minItems": 1,
              "items": {"type": ["string", "number", "boolean"]},
              "description": "one of these"
            },
            "matches": {
              "type": "string",
              "minLength": 1,
              "description": "a regular expression (RE2) that is found in it"
            },
            "mentions": {
              "description": "patterns, each found in it",
              "anyOf": [
                {"type": "string"},
                {"type": "array", "minItems": 1, "items": {"type": "string"}}
              ]
            },
            "mentions_not": {
              "description": "patterns, none found in it",
              "anyOf": [
                {"type": "string"},
                {"type": "array", "minItems": 1, "items": {"type": "string"}}
              ]
            }
          }
        }
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
