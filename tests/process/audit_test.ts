import assert from "node:assert/strict";
import { PROJECT } from "@/tests/helpers/server.ts";

/** Address of the bulk endpoint, below the registry's. */
const ADVISORIES = "/-/npm/v1/security/advisories/bulk";

/** Runs the audit against a registry that reports a vulnerability of one locked package; null for one without a list. */
async function audit(severity: string | null): Promise<{ code: number; output: string }> {
  await using registry = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      if (severity === null || new URL(request.url).pathname !== ADVISORIES) {
        return new Response(null, { status: 404 });
      }
      const [name = ""] = Object.keys(await request.json());
      const advisory = { id: 1, url: "https://example.com/1", title: "A hole", severity, cwe: [] };
      return Response.json({ [name]: [{ ...advisory, vulnerable_versions: "<1000.0.0" }] });
    },
  );
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", "audit"],
    cwd: PROJECT,
    env: { NPM_CONFIG_REGISTRY: `http://127.0.0.1:${registry.addr.port}/`, NO_COLOR: "1" },
  }).output();
  return { code, output: new TextDecoder().decode(stdout) };
}

Deno.test("the audit fails for a known vulnerability of high severity, and names the package", async () => {
  const { code, output } = await audit("high");
  assert.equal(code, 1);
  assert.match(output, /A hole[^]*Package: +\S+/);
});

Deno.test("the audit reports a known vulnerability of lower severity and succeeds", async () => {
  const { code, output } = await audit("moderate");
  assert.equal(code, 0);
  assert.match(output, /1 moderate/);
});

Deno.test("the audit says in one line that a registry has no list of vulnerabilities, and succeeds", async () => {
  const { code, output } = await audit(null);
  assert.equal(code, 0);
  assert.equal(output, "Known vulnerabilities were not checked: the registry did not answer the audit.\n");
});
