import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { readExamples, type SentExample } from "@/lib/api/openapi_examples.ts";
import { type ExampleCast, startExampleCast } from "@/tests/casts/api_examples/cast.ts";
import { listOperationExamples } from "@/tests/casts/api_examples/list_examples.ts";
import { sendExample } from "@/tests/casts/api_examples/send_example.ts";
import type { Schema } from "@/tests/helpers/api_walk.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { toZod } from "@/tests/helpers/described_schema.ts";

const RENEW = "run `deno task examples` and review the changes of lib/api/openapi_examples.json";

async function readDescription(app: Pick<ExampleCast, "request">): Promise<Schema> {
  return await (await app.request("/openapi.json")).json();
}

/** Lists the operations of a description by method and path. */
function listOperations({ paths }: Schema): readonly (readonly [string, Schema])[] {
  return Object.entries<Schema>(paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) =>
      [`${method.toUpperCase()} ${path}`, operation] as const
    )
  );
}

/** Returns where schemas and examples are: the media types of a body or a response, or a parameter itself. */
function listMedia(part: Schema): readonly (readonly [type: string, media: Schema])[] {
  return Object.entries<Schema>(part["content"] ?? { parameter: part });
}

/** Returns the JSON in the texts of an example, with its schemas. */
function listContents({ schema, example }: Schema): Schema[] {
  if (schema?.contentMediaType !== undefined && example !== undefined) {
    return [{ schema: schema.contentSchema, example: JSON.parse(example) }];
  }
  return Object.entries<Schema>(schema?.properties ?? {})
    .flatMap(([name, property]) => listContents({ schema: property, example: example?.[name] }));
}

/** Returns JSON with the names of types in place of its values. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).sort().map(([name, member]) => [name, toShape(member)]));
}

/** Lists the parts of an operation that lack an example: required parameters, bodies and the answer. */
function listMissing(operation: Schema, { status }: SentExample): string[] {
  const { parameters, requestBody, responses } = operation;
  const required = [...parameters.filter((parameter: Schema) => parameter["required"])];
  if (requestBody?.required === true) required.push({ name: "the body", ...requestBody });
  const missing = required.filter((part) => listMedia(part).some(([, media]) => !("example" in media)))
    .map(({ name }) => name);
  const answer: Schema = responses[status] ?? responses["default"];
  const isShown = listMedia(answer).every(([type, media]) => "example" in media || type.startsWith("image/"));
  return isShown ? missing : [...missing, "the answer"];
}

Deno.test("every operation of /openapi.json has an example of its request and its answer", async () => {
  await using app = await startTestApp();
  const description = await readDescription(app);
  const { valid, errors } = await new Validator().validate(structuredClone(description));
  assert.deepEqual([valid, errors], [true, undefined]);
  const examples = await readExamples();
  const operations = listOperations(description);
  assert.deepEqual(Object.keys(examples), operations.map(([name]) => name).sort(), RENEW);
  const problems = operations.flatMap(([name, operation]) => {
    const example = examples[name];
    return example === undefined ? [] : listMissing(operation, example).map((part) => `${name}: ${part}`);
  });
  assert.deepEqual(problems, []);
});

Deno.test("the examples of /openapi.json match their described schemas", async () => {
  await using app = await startTestApp();
  const description = await readDescription(app);
  const problems = listOperations(description).flatMap(([name, operation]) => {
    const { parameters, requestBody, responses } = operation;
    const parts: Schema[] = [...parameters, requestBody ?? {}, ...Object.values<Schema>(responses)];
    const media = parts.flatMap(listMedia).map(([, one]) => one);
    return [...media, ...media.flatMap(listContents)].flatMap(({ schema, example }) => {
      if (schema === undefined || example === undefined) return [];
      const { error } = toZod(schema, description["components"].schemas).safeParse(example);
      return error === undefined ? [] : [`${name}: ${error.issues[0]?.path.join(".")} ${error.message}`];
    });
  });
  assert.deepEqual(problems, []);
});

Deno.test("the requests of the examples are answered as /openapi.json shows", async () => {
  await using cast = await startExampleCast();
  const description = await readDescription(cast);
  const examples = await readExamples();
  for (const example of listOperationExamples(cast)) {
    const { operation, status: expected = 200 } = example;
    const { answer, ...request } = await sendExample(cast, description, example);
    assert.equal(request.status, expected, `${operation}: ${JSON.stringify(answer)}`);
    const { answer: shown, ...shownRequest } = examples[operation] ?? assert.fail(`${operation}: ${RENEW}`);
    assert.deepEqual(request, shownRequest, `${operation}: ${RENEW}`);
    assert.deepEqual(toShape(answer), toShape(shown), `${operation}: ${RENEW}`);
  }
});
