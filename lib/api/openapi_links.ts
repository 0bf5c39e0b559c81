import type { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { describeLinksErrors } from "./openapi_errors.ts";
import {
  type DescribedOperation,
  type DescribedParameter,
  type SchemaBook,
  toJsonSchema,
} from "./openapi_schemas.ts";
import { listRefusalStatuses } from "./access.ts";

type Spec = Endpoint["spec"];

/** Whether a handler is an endpoint of the shortener or of the server's operation. */
export function isEndpoint(handler: unknown): handler is Endpoint {
  return typeof handler === "function" && "spec" in handler;
}

/** Describes an operation of the shortener or of the server's operation. */
export function describeLinksOperation(spec: Spec, book: SchemaBook): DescribedOperation {
  const { summary, description, body } = spec;
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [...describeParameters("path", spec.path), ...describeParameters("query", spec.query)],
    ...(body === undefined ? {} : {
      requestBody: {
        required: true,
        content: { "application/json": { schema: book.toResponseSchema(body) } },
      },
    }),
    responses: { ...describeSuccess(spec, book), ...describeLinksErrors(listRefusalStatuses(spec), book) },
    security: describeKeys(spec),
  };
}

function describeKeys({ takesBearerKey, isForManagers }: Spec): DescribedOperation["security"] {
  if (isForManagers) return [{ bearerKey: [] }, { apiKey: [] }];
  // The key is optional: whether one is required depends on the configuration.
  return takesBearerKey ? [{}, { bearerKey: [] }] : [];
}

function describeParameters(position: "path" | "query", schema: z.ZodType | undefined): DescribedParameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, "input");
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: position,
    required: required.includes(name),
    schema: property,
  }));
}

function describeSuccess(
  { success, also = {}, isDefaultResponse }: Spec,
  book: SchemaBook,
): DescribedOperation["responses"] {
  const { status, description, schema } = success;
  const described = {
    description,
    ...(schema === undefined
      ? {}
      : { content: { "application/json": { schema: book.toResponseSchema(schema) } } }),
  };
  const others = Object.entries(also).map(([other, text]) => [other, { description: text }]);
  return { [isDefaultResponse ? "default" : status]: described, ...Object.fromEntries(others) };
}
