import assert from "node:assert/strict";
import { parse, parseDocument } from "yaml";
import { z } from "zod";
import { PROJECT, taskFlags } from "@/tests/helpers/server.ts";

const compose = z.object({
  services: z.record(z.string(), z.object({ image: z.string(), read_only: z.literal(true) })),
});

const readText = (path: string) => Deno.readTextFileSync(PROJECT + path);

/** Returns the command that an installed server is started with: the words from `run` to `main.ts`. */
function installedCommand(path: string): string[] {
  const text = readText(path);
  const [line = ""] = /^(?:ExecStart=|CMD )(?=.*\brun\b).*$/m.exec(text) ?? [];
  const words = line.startsWith("CMD ")
    ? z.array(z.string()).parse(JSON.parse(line.slice(4)))
    : line.split(" ");
  return words.slice(words.indexOf("run"));
}

Deno.test("the YAML files have no errors and no warnings", () => {
  for (const path of ["deploy/alerts.yaml", "deploy/compose.yaml", "deploy/prometheus.yaml"]) {
    const { errors, warnings } = parseDocument(readText(path));
    assert.deepEqual([errors, warnings], [[], []], path);
  }
});

Deno.test("the unit and the image start the server with the permissions of `deno task start`", () => {
  const granted = (flags: readonly string[]) =>
    flags.filter((flag) => flag.startsWith("--allow-")).map((flag) => flag.split("=")[0]).toSorted();
  const documented = /deno (run --no-prompt .* main\.ts)$/m.exec(readText("docs/deploying.md"))?.[1] ?? "";
  for (const path of ["deploy/sotto.service", "deploy/Dockerfile"]) {
    const command = installedCommand(path);
    assert.deepEqual(granted(command), granted(taskFlags("start", "main.ts")), path);
    const flags = command.filter((word) => word !== "--cached-only");
    assert.deepEqual(flags.toSorted(), documented.split(" ").toSorted(), path);
  }
});

Deno.test("`sotto-admin` has the permissions of `deno task admin`", () => {
  const permissions = (text: string) => [...text.matchAll(/--allow-\w+\b\S*/g)].map(([flag]) => flag);
  const flags = taskFlags("admin", "lib/cli/main.ts");
  assert.deepEqual(permissions(readText("deploy/sotto-admin")), permissions(flags.join(" ")));
});

Deno.test("images are named with a version and without a registry", () => {
  const bases = [...readText("deploy/Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image);
  const { services } = compose.parse(parse(readText("deploy/compose.yaml")));
  const { sotto, ...others } = services;
  assert.equal(sotto?.image, "sotto");
  for (const image of [...bases, ...Object.values(others).map((service) => service.image)]) {
    assert.match(image, /^(?:[a-z]+\/)?[a-z]+:\d+\.\d+\.\d+$/);
  }
});
