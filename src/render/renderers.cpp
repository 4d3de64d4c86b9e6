#include "render/renderer.h"

namespace xtrace {

// Each is defined in the file that writes it.
extern const Renderer kTextRenderer, kJsonRenderer, kCsvRenderer, kMarkdownRenderer, kDotRenderer,
    kMermaidRenderer, kSequenceRenderer, kBothRenderer, kCypherRenderer, kGraphmlRenderer,
    kCytoscapeRenderer, kD3Renderer, kJunitRenderer, kSarifRenderer, kOtlpRenderer, kJaegerRenderer,
    kAtifRenderer, kHtmlRenderer, kSvgRenderer, kSqliteRenderer, kOtlpProtoRenderer,
    kPerfettoRenderer, kFoldedRenderer;

std::span<const Renderer> renderers() {
  static const Renderer kRenderers[] = {
      kTextRenderer,    kJsonRenderer,     kCsvRenderer,       kMarkdownRenderer,  kDotRenderer,
      kMermaidRenderer, kSequenceRenderer, kBothRenderer,      kHtmlRenderer,      kSvgRenderer,
      kCypherRenderer,  kGraphmlRenderer,  kCytoscapeRenderer, kD3Renderer,        kJunitRenderer,
      kSarifRenderer,   kSqliteRenderer,   kOtlpRenderer,      kOtlpProtoRenderer, kJaegerRenderer,
      kAtifRenderer,    kPerfettoRenderer, kFoldedRenderer};
  return kRenderers;
}

}  // namespace xtrace
