import { z } from "zod";
import type { ErrorCode } from "@/lib/core/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import { STATUS, statusText } from "./envelope.ts";
import type { Json, SchemaBook } from "./openapi_schemas.ts";

type Spec = Endpoint["spec"];

const errorSchema = z.object({
  statusCode: z.int(),
  error: z.string(),
  message: z.string(),
  errors: z.array(
    z.object({ code: z.string(), path: z.array(z.union([z.string(), z.int()])), message: z.string() }),
  )
    .optional(),
}).meta({ id: "Error" });

/** Whether a handler is an endpoint of the shortener or of the server's operation. */
export function isEndpoint(handler: unknown): handler is Endpoint {
  return typeof handler === "function" && "spec" in handler;
}

/** Describes an operation of the shortener or of the server's operation. */
export function describeLinksOperation(spec: Spec, book: SchemaBook): Json {
  const operation: Json = {
    summary: spec.summary,
    parameters: [...describeParameters("path", spec.path), ...describeParameters("query", spec.query)],
    responses: { ...describeSuccess(spec, book), ...describeRefusals(spec.refusals ?? [], book) },
    // The key is optional: whether one is required depends on the configuration.
    security: spec.takesBearerKey ? [{}, { bearerKey: [] }] : [],
  };
  if (spec.description !== undefined) operation["description"] = spec.description;
  if (spec.body !== undefined) {
    operation["requestBody"] = {
      required: true,
      content: { "application/json": { schema: book.toAnswer(spec.body) } },
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

function describeSuccess({ success, also = {}, isDefaultAnswer }: Spec, book: SchemaBook): Json {
  const { status, description, schema } = success;
  const answer: Json = { description };
  if (schema !== undefined) answer["content"] = { "application/json": { schema: book.toAnswer(schema) } };
  const others = Object.entries(also).map(([other, text]) => [other, { description: text }]);
  return { [isDefaultAnswer ? "default" : status]: answer, ...Object.fromEntries(others) };
}

function describeRefusals(refusals: readonly ErrorCode[], book: SchemaBook): Json {
  return Object.fromEntries(refusals.map((code) => [STATUS[code], {
    description: statusText(STATUS[code]),
    content: { "application/json": { schema: book.toAnswer(errorSchema) } },
  }]));
}
