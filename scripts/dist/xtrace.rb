# For Homebrew on macOS and Linux; scripts/dist/manifests drops this line and replaces the names between @.
class Xtrace < Formula
  desc "Offline trace analyzer for the logs AI agents leave behind"
  homepage "@XTRACE_HOMEPAGE@"
  version "@XTRACE_VERSION@"
  license "MIT"

@SOURCES@

  def install
    if File.exist?("xtrace.wasm")
      libexec.install "xtrace.wasm", *Dir["*.mjs"]
      (bin/"xtrace").write <<~SH
        #!/bin/sh
        exec "#{Formula["node"].opt_bin}/node" "#{libexec}/xtrace-wasm.mjs" "$@"
      SH
      chmod 0755, bin/"xtrace"
    else
      bin.install "xtrace"
    end
    man1.install "xtrace.1"
    doc.install "README.md", "LICENSE", "SECURITY.md", "THIRD-PARTY"
    generate_completions_from_executable(bin/"xtrace", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"calls.jsonl").write <<~JSON
      {"request_id":"a","timestamp":"2026-03-01T09:30:00Z","request":{"model":"m","messages":[{"role":"user","content":"hi"}]},"response":{"content":[{"type":"text","text":"hello"}]}}
    JSON
    assert_match version.to_s, shell_output("#{bin}/xtrace --version")
    assert_match "\"a\"", shell_output("#{bin}/xtrace dag calls.jsonl -f json")
  end
end
