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
      parameters.map((parameter: Schema) => [parameter["name"], toTyped(parameter, values)]),
    ),
    body: fields.length === 0 ? null : toShownBody(fields),
    status: response.status,
    type,
    answer: readAnswer(type, text, adapt),
  });
}

/** Returns the value of a parameter: of a text parameter as a text, such as an id in a path. */
function toTyped({ name, schema }: Schema, values: OperationExample["values"]): unknown {
  return schema?.type === "string" ? String(values[name]) : values[name];
}

function toShownBody(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(([name, value]) => [name, value instanceof Blob ? "(the bytes of the file)" : value]),
  );
}

function setParameter(url: URL, { name, in: place, content }: Schema, value: unknown): void {
  const text = content === undefined && typeof value !== "object" ? String(value) : JSON.stringify(value);
  if (place === "query") return url.searchParams.set(name, text);
  const encoded = text.split("/").map(encodeURIComponent).join("/");
  url.pathname = decodeURI(url.pathname).replace(`{${name}}`, encoded);
}

function toBody({ requestBody }: Schema, fields: ReadonlyMap<string, unknown>): BodyInit | null {
  if (fields.size === 0) return null;
  const { content } = requestBody;
  if (content["application/json"] !== undefined) return JSON.stringify(Object.fromEntries(fields));
  const form = content["application/x-www-form-urlencoded"];
  const body = form === undefined ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) {
    const isJson = typeof value !== "string" || form?.encoding?.[name] !== undefined;
    if (value instanceof Blob && body instanceof FormData) body.append(name, value, "picture.png");
    else body.append(name, isJson ? JSON.stringify(value) : value);
  }
  return body;
}

function readAnswer(type: string, text: string, adapt: (body: Record<string, unknown>) => unknown): unknown {
  if (type === "application/json") return adapt(JSON.parse(text));
  return type.startsWith("text/") ? text.split("\n").slice(0, 3).join("\n") : null;
}
