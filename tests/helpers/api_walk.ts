import { startTestApp } from "./app.ts";

/** A JSON schema of the API description. */
// deno-lint-ignore no-explicit-any
type Schema = Record<string, any>;

/** A parameter of an operation. */
export interface WalkedParam {
  readonly name: string;
  readonly in: "path" | "query" | "form";
  readonly isRequired: boolean;
  /** Whether the value is sent as JSON even if it is a text. */
  readonly isJson: boolean;
  readonly schema: Schema;
}

/** An operation of the API description. */
export interface WalkedOperation {
  readonly method: string;
  readonly path: string;
  readonly params: readonly WalkedParam[];
}

/** Values of a schema's texts and integers that are not chosen from a list. */
export interface Leaves {
  readonly text: string;
  readonly integer: number;
}

/** The operations of `/openapi.json`, with the schemas that they refer to. */
export class ApiDescription {
  private constructor(
    readonly operations: readonly WalkedOperation[],
    private readonly schemas: Readonly<Record<string, Schema>>,
  ) {}

  /** Reads the description of a server. */
  static async read(): Promise<ApiDescription> {
    await using app = await startTestApp();
    const { paths, components } = await (await app.request("/openapi.json")).json();
    const operations = Object.entries<Schema>(paths).flatMap(([path, methods]) =>
      Object.entries<Schema>(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        params: [...listParameters(operation), ...listFormFields(operation, components.schemas)],
      }))
    );
    return new ApiDescription(operations, components.schemas);
  }

  /**
   * Returns values that match a schema in its different ways: with each alternative of a choice, in each member
   * of an object.
   */
  variants(schema: Schema, leaves: Leaves): unknown[] {
    const { $ref, anyOf, oneOf, type, items, properties } = schema;
    if (typeof $ref === "string") {
      return this.variants(this.schemas[$ref.split("/").at(-1) ?? ""] ?? {}, leaves);
    }
    const choices: Schema[] | undefined = anyOf ?? oneOf;
    if (choices !== undefined) return choices.flatMap((choice) => this.variants(choice, leaves));
    if (schema["const"] !== undefined) return [schema["const"]];
    if (schema["enum"] !== undefined) return [schema["enum"][0]];
    if (type === "array") return this.variants(items ?? {}, leaves).map((item) => [item]);
    if (type === "object") return this.#objects(properties ?? {}, schema, leaves);
    const scalars: Readonly<Record<string, unknown>> = { integer: leaves.integer, boolean: true, null: null };
    return [typeof type === "string" && Object.hasOwn(scalars, type) ? scalars[type] : leaves.text];
  }

  #objects(properties: Schema, { additionalProperties }: Schema, leaves: Leaves): unknown[] {
    const members = Object.entries<Schema>(properties).map(([name, schema]) =>
      [name, this.variants(schema, leaves)] as const
    );
    const others = typeof additionalProperties === "object"
      ? this.variants(additionalProperties, leaves).map((value) => ({ [leaves.text]: value }))
      : [];
    const first = Object.fromEntries(members.map(([name, values]) => [name, values[0]]));
    return [
      ...members.flatMap(([name, values]) => values.map((value) => ({ ...first, [name]: value }))),
      ...others,
    ];
  }
}

function listParameters({ parameters = [] }: Schema): WalkedParam[] {
  return parameters.map(({ name, in: place, required, schema, content }: Schema) => ({
    name,
    in: place,
    isRequired: required === true,
    isJson: content !== undefined,
    schema: schema ?? content["application/json"].schema,
  }));
}

function listFormFields({ requestBody }: Schema, schemas: Readonly<Record<string, Schema>>): WalkedParam[] {
  const content: Schema = requestBody?.content ?? {};
  const form = content["application/x-www-form-urlencoded"] ?? content["application/json"];
  if (form === undefined) return [];
  const { $ref } = form.schema;
  const schema: Schema = typeof $ref === "string" ? schemas[$ref.split("/").at(-1) ?? ""] ?? {} : form.schema;
  return Object.entries<Schema>(schema["properties"] ?? {}).map(([name, property]) => ({
    name,
    in: "form" as const,
    isRequired: schema["required"]?.includes(name) === true,
    isJson: form.encoding?.[name]?.contentType === "application/json",
    schema: property,
  }));
}

/** Builds the URL path and the form of an operation from values by parameter name; others are left out. */
export function buildRequest(
  { method, path, params }: WalkedOperation,
  values: ReadonlyMap<string, unknown>,
): { readonly path: string; readonly init: RequestInit } {
  const query = new URLSearchParams();
  const form = new URLSearchParams();
  let filled = path;
  for (const param of params) {
    const value = values.get(param.name);
    if (value === undefined) continue;
    const text = typeof value === "string" && !param.isJson ? value : JSON.stringify(value);
    if (param.in === "path") filled = filled.replace(`{${param.name}}`, encodeURIComponent(text));
    else (param.in === "query" ? query : form).set(param.name, text);
  }
  const search = query.size === 0 ? "" : `?${query}`;
  return { path: filled + search, init: form.size === 0 ? { method } : { method, body: form } };
}
