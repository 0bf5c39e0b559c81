import { z } from "zod";
import project from "@/deno.json" with { type: "json" };
import type { ErrorCode } from "@/lib/core/errors.ts";
import type { Endpoint, EndpointSpec } from "./endpoint.ts";
import { STATUS, statusText } from "./envelope.ts";

/** The version of the interface, which is not the program's. */
const INTERFACE_VERSION = "2.0.0";

/** One path of the API as the description writes it, and the handler that knows its methods. */
export interface ApiRoute {
  readonly path: string;
  readonly handler: { readonly byMethod: Readonly<Record<string, unknown>> };
}

type Spec = EndpointSpec<unknown, unknown, unknown>;
type Json = Record<string, unknown>;

const errorSchema = z.object({
  statusCode: z.int(),
  error: z.string(),
  message: z.string(),
  errors: z.array(
    z.object({ code: z.string(), path: z.array(z.union([z.string(), z.int()])), message: z.string() }),
  )
    .optional(),
}).meta({ id: "Error" });

/** The description of these routes in OpenAPI 3.1.1, from the schemas that handle their requests. */
export function describeApi(routes: readonly ApiRoute[], baseUrl: string): Json {
  const schemas = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  const toRef = (schema: z.ZodType) => toSchemaRef(schema, schemas);
  for (const { path, handler } of routes) {
    const operations = Object.entries(handler.byMethod)
      .flatMap(([method, endpoint]) =>
        isEndpoint(endpoint) ? [[method.toLowerCase(), endpoint.spec] as const] : []
      )
      .map(([method, spec]) => [method, describeOperation(spec, `${method} ${path}`, toRef)]);
    paths[path] = Object.fromEntries(operations);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Sotto",
      summary: "Zero-width short URLs",
      version: INTERFACE_VERSION,
      description: `Served by Sotto ${project.version}.`,
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      securitySchemes: {
        bearerKey: { type: "http", scheme: "bearer", description: "Where the operator set a key" },
      },
    },
  };
}

function isEndpoint(handler: unknown): handler is Endpoint {
  return typeof handler === "function" && "spec" in handler;
}

function describeOperation(spec: Spec, name: string, toRef: (schema: z.ZodType) => Json): Json {
  const operation: Json = {
    operationId: name.replace(/[^a-z0-9]+/gi, "_").replace(/_+$/, ""),
    summary: spec.summary,
    parameters: [...describeParameters("path", spec.path), ...describeParameters("query", spec.query)],
    responses: { ...describeSuccess(spec, toRef), ...describeRefusals(spec.refusals ?? [], toRef) },
    // Without a key where the operator set none, with one where he did.
    security: spec.takesBearerKey ? [{}, { bearerKey: [] }] : [],
  };
  if (spec.description !== undefined) operation["description"] = spec.description;
  if (spec.body !== undefined) {
    operation["requestBody"] = {
      required: true,
      content: { "application/json": { schema: toRef(spec.body) } },
    };
  }
  return operation;
}

function describeParameters(place: "path" | "query", schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

function describeSuccess(
  { success, also = {}, isDefaultAnswer }: Spec,
  toRef: (schema: z.ZodType) => Json,
): Json {
  const { status, description, schema } = success;
  const answer: Json = { description };
  if (schema !== undefined) answer["content"] = { "application/json": { schema: toRef(schema) } };
  const others = Object.entries(also).map(([other, text]) => [other, { description: text }]);
  return { [isDefaultAnswer ? "default" : status]: answer, ...Object.fromEntries(others) };
}

function describeRefusals(refusals: readonly ErrorCode[], toRef: (schema: z.ZodType) => Json): Json {
  return Object.fromEntries(refusals.map((code) => [STATUS[code], {
    description: statusText(STATUS[code]),
    content: { "application/json": { schema: toRef(errorSchema) } },
  }]));
}

/** A schema as JSON; its named parts are put among the components and referred to. */
function toSchemaRef(schema: z.ZodType, schemas: Map<string, Json>): Json {
  const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { io: "output" });
  for (const [name, part] of Object.entries($defs)) {
    if (typeof part === "object") schemas.set(name, { ...part });
  }
  return typeof json.$ref === "string" ? { $ref: componentRef(json.$ref) } : json;
}

function componentRef(ref: string): string {
  return ref.replace("#/$defs/", "#/components/schemas/");
}
