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

constexpr RecordPattern kAzureRecords[] = {
    "Type|itemType|$table=AppDependencies|AppRequests|dependency|request Id|id "
    "OperationId|operation_Id"};

constexpr SpanShape kAzureRow = {
    .when = kAzureRecords,
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

}  // namespace

extern constinit const Format kAzureMonitor = format_of_spans<kAzureRow>(
    "azure-monitor", "rows of Azure Monitor: dependencies and requests of Application Insights",
    "Id OperationId|operation_Id Type|itemType|$table");

}  // namespace xtrace
