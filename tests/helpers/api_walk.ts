import { mapValues } from "es-toolkit/object/mapValues";
import { jsonBody, startTestApp, type TestApp } from "./app.ts";
import { basic, type TestUser } from "./chat.ts";

/** A JSON schema of the API description. */
// deno-lint-ignore no-explicit-any
export type Schema = Record<string, any>;

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
  /** Whether its body is a multipart form with a file. */
  readonly takesFile: boolean;
  /** The described answers, by status or `default`. */
  readonly responses: Readonly<Record<string, Schema>>;
}

/** A request of a walk: the operation, the name of its probed parameter, and the values by name. */
export interface WalkedRequest {
  readonly operation: WalkedOperation;
  readonly probed: string;
  readonly values: ReadonlyMap<string, unknown>;
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
    /** The named schemas. */
    readonly schemas: Readonly<Record<string, Schema>>,
  ) {}

  /** Reads the description of a server in this process, once for each test process. */
  static read(): Promise<ApiDescription> {
    return served ??= readServed();
  }

  /** Reads the document at `/openapi.json`. */
  static parse({ paths, components }: Schema): ApiDescription {
    const operations = Object.entries<Schema>(paths).flatMap(([path, methods]) =>
      Object.entries<Schema>(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        params: [...listParameters(operation), ...listFormFields(operation, components.schemas)],
        takesFile: isUpload(operation),
        responses: mapValues(
          operation["responses"] ?? {},
          (response: Schema) => components.responses?.[response["$ref"]?.split("/").at(-1)] ?? response,
        ),
      }))
    );
    return new ApiDescription(operations, components.schemas);
  }

  /**
   * Lists requests of every operation in which one parameter after the other holds a leaf of the probed kind;
   * required parameters have usual values.
   */
  listRequests(
    probed: keyof Leaves,
    leaves: Leaves,
    usual: Readonly<Record<string, unknown>>,
  ): readonly WalkedRequest[] {
    const leaf = JSON.stringify(leaves[probed]);
    return this.operations.flatMap((operation) => {
      const required = this.#requiredValues(operation, usual);
      return operation.params.flatMap((param) =>
        this.variants(param.schema, leaves).filter((value) => JSON.stringify(value).includes(leaf)).map((
          value,
        ) => ({
          operation,
          probed: param.name,
          values: new Map<string, unknown>([...required, [param.name, value]]),
        }))
      );
    });
  }

  #requiredValues({ params }: WalkedOperation, usual: Readonly<Record<string, unknown>>) {
    const leaves = { text: "roses", integer: 1 };
    return params.filter(({ name, isRequired }) => isRequired || name === "topic").map(({ name, schema }) =>
      [name, usual[name] ?? this.variants(schema, leaves)[0]] as const
    );
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

/** The description that a server in this process serves, which takes some 150 ms to compute. */
let served: Promise<ApiDescription> | undefined;

async function readServed(): Promise<ApiDescription> {
  await using app = await startTestApp();
  return ApiDescription.parse(await (await app.request("/openapi.json")).json());
}

function listParameters({ parameters = [] }: Schema): WalkedParam[] {
  return parameters.map(({ name, in: place, required, schema }: Schema) => ({
    name,
    in: place,
    isRequired: required === true,
    ...readValue(schema),
  }));
}

/** Returns the schema of a value, which may be in a text, and whether the text is JSON. */
function readValue(schema: Schema): Pick<WalkedParam, "isJson" | "schema"> {
  return {
    isJson: schema["contentMediaType"] === "application/json",
    schema: schema["contentSchema"] ?? schema,
  };
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
    ...readValue(property),
  }));
}

/** Whether the body of an operation is described as a file, without other fields. */
function isUpload({ requestBody }: Schema): boolean {
  const form = requestBody?.content["multipart/form-data"];
  return form?.schema.properties.file !== undefined;
}

/** Sends a request of a walk; a null caller sends no credentials. */
export async function sendWalked(
  app: Pick<TestApp, "request">,
  caller: TestUser | null,
  walked: WalkedRequest,
): Promise<Response> {
  const { path, init } = buildRequest(walked);
  const headers = new Headers(init.headers);
  if (caller !== null) headers.set("authorization", basic(caller.email, caller.apiKey));
  return await app.request(path, { ...init, headers });
}

/** Builds the URL path and the body of a request; parameters without a value are left out. */
function buildRequest(
  { operation: { method, path, params }, values }: WalkedRequest,
): { readonly path: string; readonly init: RequestInit } {
  if (path === "/") return { path, init: jsonBody(Object.fromEntries(values)) };
  const [query, form] = [new URLSearchParams(), new URLSearchParams()];
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
