#pragma once

#include <string_view>

namespace xtrace {

// The meanings of the signs of a timeline, as the legends of pages and pictures say it.

inline constexpr std::string_view kFailedWords = "failed";
inline constexpr std::string_view kToolWords = "tool running";
inline constexpr std::string_view kToolFailedWords = "tool failed";
inline constexpr std::string_view kRetryWords = "retry";
inline constexpr std::string_view kBackwardsWords = "ends before it starts";
inline constexpr std::string_view kPathWords = "critical path";
inline constexpr std::string_view kSpawnWords = "starts an agent";
inline constexpr std::string_view kReportWords = "report";
inline constexpr std::string_view kResultWords = "result, cause";
inline constexpr std::string_view kErrorWords = "result that is an error";
inline constexpr std::string_view kContinuationWords = "continuation";
inline constexpr std::string_view kGuessedWords = "inferred, with confidence";
inline constexpr std::string_view kDoubtfulWords = "doubtful, with confidence";

}  // namespace xtrace
