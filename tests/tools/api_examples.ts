// Writes the examples of `/openapi.json` from the answers of a real server.
import { startExampleCast } from "@/tests/casts/api_examples/cast.ts";
import { listOperationExamples } from "@/tests/casts/api_examples/list_examples.ts";
import { sendExample } from "@/tests/casts/api_examples/send_example.ts";

const FILE = new URL("../../lib/api/openapi_examples.json", import.meta.url);

await using cast = await startExampleCast();
const description = await (await cast.request("/openapi.json")).json();
const examples: [string, unknown][] = [];
for (const example of listOperationExamples(cast)) {
  examples.push([example.operation, await sendExample(cast, description, example)]);
}
examples.sort(([one], [other]) => one < other ? -1 : 1);
const text = JSON.stringify(Object.fromEntries(examples), null, 2);
await Deno.writeTextFile(FILE, `${text.replaceAll(/[^ -~\n]/g, toEscape)}\n`);

/** Returns the escape of a code unit, because short ids are invisible. */
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
