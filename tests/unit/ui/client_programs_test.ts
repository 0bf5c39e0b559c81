import assert from "node:assert/strict";
import { quoteForShell } from "@/lib/core/task_command.ts";
import { CLIENT_PROGRAMS, fillIn } from "@/lib/ui/client_programs.ts";
import { withPrograms } from "@/tests/helpers/clients_document.ts";
import { readSource } from "@/tests/helpers/sources.ts";

const VALUES = {
  address: "https://a.example",
  email: "o'neil@a.example",
  login: "o'neil@a.example",
  key: 'k"',
};

Deno.test("docs/clients.md has the programs of the page “Connect an app”; `deno task programs` writes them", () => {
  const { text } = readSource("docs/clients.md");
  const words = (document: string) => document.split(/\s+/);
  assert.deepEqual(words(text), words(withPrograms(text)));
});

Deno.test("every program has its own anchor", () => {
  const ids = CLIENT_PROGRAMS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("values in steps are quoted as the language of the step requires", () => {
  assert.equal(fillIn("-u {{login}}:{{key}}", VALUES, "sh"), `-u 'o'\\''neil@a.example':'k"'`);
  assert.equal(fillIn('key = "{{key}}"', VALUES, "python"), 'key = "k\\""');
  assert.equal(fillIn("`{{address}}` {{other}}", VALUES), "`https://a.example` {{other}}");
  assert.equal(quoteForShell("KEY=/a b"), "'KEY=/a b'");
});
