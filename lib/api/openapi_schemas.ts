import { isDeepStrictEqual } from "node:util";
import { uniqWith } from "es-toolkit/array/uniqWith";
import { z } from "zod";

/** A part of the API description, as JSON. */
export type Json = Record<string, unknown>;

/** A part of the description with media types: a body, a response, or a parameter that is JSON. */
export interface DescribedContent {
  readonly [member: string]: unknown;
  readonly content?: Readonly<Record<string, Json>>;
}

/** A parameter of a path or a query. */
export interface DescribedParameter extends DescribedContent {
  readonly name: string;
}

/** An operation. */
export interface DescribedOperation {
  readonly [member: string]: unknown;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: DescribedContent;
  readonly responses: Readonly<Record<string, DescribedContent>>;
}

/** Converts schemas to JSON and collects the named schemas and responses that the description refers to. */
export interface SchemaBook {
  /** Converts the schema of a response. */
  toResponseSchema(schema: z.ZodType): Json;
  /** Converts the schema of a request. */
  toRequestSchema(schema: z.ZodType): Json;
  /** Returns a reference to the response of a name, which `describe` returns when it is new. */
  toResponse(name: string, describe: () => DescribedContent): DescribedContent;
  /** Returns the response that a reference names; a response itself is returned as it is. */
  findResponse(response: DescribedContent): DescribedContent;
  /** Returns the named schemas and responses collected so far. */
  components(): { readonly schemas: Json; readonly responses: Json };
}

const RESPONSES = "#/components/responses/";

/**
 * Creates an empty book. A schema is named by the `id` of its `meta`, in requests with the suffix `Input`.
 */
export function createSchemaBook(): SchemaBook {
  const named = new Map<string, string>();
  const responses = new Map<string, DescribedContent>();
  const toJson = (schema: z.ZodType, io: "input" | "output"): Json => {
    const ending = io === "input" ? "Input" : "";
    const { $schema: _, $defs = {}, ...json } = relocate(toJsonSchema(schema, io), ending);
    for (const [name, part] of Object.entries($defs)) keep(named, name + ending, JSON.stringify(part));
    return json;
  };
  return {
    toResponseSchema: (schema) => toJson(schema, "output"),
    toRequestSchema: (schema) => toJson(schema, "input"),
    toResponse: (name, describe) => {
      responses.getOrInsertComputed(name, describe);
      return { $ref: RESPONSES + name };
    },
    findResponse: (response) => responses.get(String(response["$ref"]).slice(RESPONSES.length)) ?? response,
    components: () => ({
      schemas: Object.fromEntries([...named].map(([name, text]) => [name, JSON.parse(text)])),
      responses: Object.fromEntries(responses),
    }),
  };
}

/** Converts a schema to one that generators of clients read; a value that is transformed is described as it is sent. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const isTransformed = zodSchema instanceof z.ZodPipe && zodSchema.out instanceof z.ZodTransform;
      if (isTransformed && zodSchema.in instanceof z.ZodType) {
        const { $schema: _, ...sent } = toJsonSchema(zodSchema.in, io);
        Object.assign(jsonSchema, sent);
      }
      simplify(jsonSchema);
    },
  });
}

/**
 * Replaces tuples by lists of their length, gives integers their size, and removes what repeats the rest: patterns of
 * formats, and names of properties that are any text.
 */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  const { prefixItems, propertyNames } = schema;
  if (prefixItems !== undefined) {
    const items = uniqWith(prefixItems, isDeepStrictEqual).filter((item) => typeof item !== "boolean");
    schema.items = { anyOf: items };
    schema.minItems = schema.maxItems = prefixItems.length;
    delete schema.prefixItems;
  }
  if (schema.type === "integer") schema.format = "int64";
  if (schema.format !== undefined) delete schema.pattern;
  if (isDeepStrictEqual(propertyNames, { type: "string" })) delete schema.propertyNames;
}

/** Two schemas of one name would make one of them wrong, so describing the API fails. */
function keep(named: Map<string, string>, name: string, text: string): void {
  const before = named.get(name);
  if (before !== undefined && before !== text) throw new Error(`Two different schemas are named ${name}`);
  named.set(name, text);
}

interface WithDefinitions extends Json {
  readonly $defs?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the schema with its references to named components, at every depth, pointing at the book's
 * components.
 */
function relocate(schema: object, ending: string): WithDefinitions {
  const text = JSON.stringify(schema).replaceAll(
    /"\$ref":"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"$ref":"#/components/schemas/${name}${ending}"`,
  );
  return JSON.parse(text);
}
