# For Homebrew on Linux; scripts/dist/formula replaces the names between @.
class Xtrace < Formula
  desc "Offline trace analyzer for the logs AI agents leave behind"
  homepage "@XTRACE_HOMEPAGE@"
  url "@XTRACE_URL@/xtrace-@XTRACE_VERSION@-linux-x86_64.tar.gz"
  version "@XTRACE_VERSION@"
  sha256 "@XTRACE_SHA256@"
  license "MIT"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    bin.install "xtrace"
    man1.install "xtrace.1"
    doc.install "README.md", "LICENSE", "THIRD-PARTY"
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
