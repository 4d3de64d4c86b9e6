#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Rows of Azure Monitor (Application Insights), where Semantic Kernel, AutoGen and the agents of
// Azure AI Foundry are traced, as Log Analytics exports them, or in the names of older queries:
//
//   {"Type": "AppDependencies"|"AppRequests", "TimeGenerated", "Id", "OperationId", "ParentId",
//    "Name", "DurationMs", "Success", "ResultCode", "AppRoleName", "Properties": {tags} or JSON}
//   {"itemType": "dependency"|"request", "timestamp", "id", "operation_Id", "operation_ParentId",
//    "name", "duration" (ms), "success", "resultCode", "cloud_RoleName", "customDimensions"}
//
// https://learn.microsoft.com/azure/azure-monitor/reference/tables/appdependencies (read 2026-11)

namespace {

constexpr TagShape kAzureTags[] = {
    {"", "AppRoleName|cloud_RoleName", "service.name"},
    {"", "Success|success", "success"},
};

constexpr json::Path kAzureAttributes[] = {"Properties|customDimensions"};

constexpr SpanShape kAzureRow = {
    .id = "Id|id",
    .trace = "OperationId|operation_Id",
    .parent = "ParentId|operation_ParentId",
    .name = "Name|name",
    .began = "TimeGenerated|timestamp",
    .tags = kAzureTags,
    .result = "ResultCode|resultCode|DurationMs|duration",
    .length = "DurationMs|duration",
    .length_unit = 1'000'000,
    .attributes = kAzureAttributes,
};

bool fits_azure(json::element record) {
  json::element value;
  const std::string kind = json::text_on(record, "Type|itemType|$table");
  return is_one_of(kind, {"AppDependencies", "AppRequests", "dependency", "request"}) &&
         json::follow(record, kAzureRow.id, value) && json::follow(record, kAzureRow.trace, value);
}

void read_azure(json::element record, std::string_view, const Extent& at, RecordContext& context) {
  ShapedSpans(kAzureRow, context).read(record, at);
}

}  // namespace

extern constinit const Format kAzureMonitor = {
    .name = "azure-monitor",
    .summary = "rows of Azure Monitor: dependencies and requests of Application Insights",
    .fits = fits_azure,
    .needs = "Id OperationId|operation_Id Type|itemType|$table",
    .read = read_azure,
};

}  // namespace xtrace
