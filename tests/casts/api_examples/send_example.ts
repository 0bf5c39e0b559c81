import type { SentExample } from "@/lib/api/openapi_examples.ts";
import type { Schema } from "@/tests/helpers/api_walk.ts";
import type { ExampleCast } from "./cast.ts";
import type { OperationExample } from "./list_examples.ts";
import { normalizeExample } from "./normalize.ts";

/** Sends an example as the description of its operation says, and undoes what it changed. */
export async function sendExample(
  cast: ExampleCast,
  description: Schema,
  { operation, values, authorization, adapt = (body) => body }: OperationExample,
): Promise<SentExample> {
  const [method = "", path = ""] = operation.split(" ");
  const described: Schema = description["paths"][path][method.toLowerCase()];
  const parameters = described["parameters"].filter(({ name }: Schema) => Object.hasOwn(values, name));
  const url = new URL(path, "http://localhost");
  for (const parameter of parameters) setParameter(url, parameter, values[parameter.name]);
  const names = parameters.map(({ name }: Schema) => name);
  const fields = Object.entries(values).filter(([name]) => !names.includes(name));
  const headers: HeadersInit = authorization === null ? {} : { authorization };
  const init = { method, headers: new Headers(headers), body: toBody(described, new Map(fields)) };
  if (typeof init.body === "string") init.headers.set("content-type", "application/json");
  const response = await cast.request(url.pathname + url.search, init);
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const text = new TextDecoder().decode(await response.bytes());
  await cast.restore();
  return normalizeExample({
    parameters: Object.fromEntries(
      parameters.map(({ name, schema }: Schema) => [name, toShown(schema, values[name])]),
    ),
    body: fields.length === 0 ? null : toShownBody(described, fields),
    status: response.status,
    type,
    answer: readAnswer(type, text, adapt),
  });
}

/** Returns the value of a parameter as the description has it: of a text, such as an id in a path, as a text. */
function toShown(schema: Schema, value: unknown): unknown {
  return schema["type"] === "string" ? toText(schema, value) : value;
}

function toText({ contentMediaType }: Schema, value: unknown): string {
  const isJson = typeof value !== "string" || contentMediaType === "application/json";
  return isJson ? JSON.stringify(value) : value;
}

function toShownBody({ requestBody }: Schema, fields: readonly (readonly [string, unknown])[]) {
  const properties = readForm(requestBody)?.schema.properties ?? {};
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      value instanceof Blob ? "(the bytes of the file)" : toShown(properties[name] ?? {}, value),
    ]),
  );
}

function readForm({ content }: Schema): Schema | undefined {
  return content["application/x-www-form-urlencoded"];
}

function setParameter(url: URL, { name, in: place, schema }: Schema, value: unknown): void {
  const text = toText(schema, value);
  if (place === "query") return url.searchParams.set(name, text);
  const encoded = text.split("/").map(encodeURIComponent).join("/");
  url.pathname = decodeURI(url.pathname).replace(`{${name}}`, encoded);
}

function toBody({ requestBody }: Schema, fields: ReadonlyMap<string, unknown>): BodyInit | null {
  if (fields.size === 0) return null;
  if (requestBody.content["application/json"] !== undefined) {
    return JSON.stringify(Object.fromEntries(fields));
  }
  const form = readForm(requestBody);
  const body = form === undefined ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) {
    if (value instanceof Blob && body instanceof FormData) body.append(name, value, "picture.png");
    else body.append(name, toText(form?.["schema"].properties[name] ?? {}, value));
  }
  return body;
}

function readAnswer(type: string, text: string, adapt: (body: Record<string, unknown>) => unknown): unknown {
  if (type === "application/json") return adapt(JSON.parse(text));
  return type.startsWith("text/") ? text.split("\n").slice(0, 3).join("\n") : null;
}
