import { z } from "zod";
import type { Param } from "@/lib/chat/organization/params/param.ts";
import { type Access, listRefusals } from "./access.ts";
import type { ApiEndpoint } from "./api_endpoint.ts";
import { describeChatErrors } from "./openapi_errors.ts";
import type {
  DescribedContent,
  DescribedOperation,
  DescribedParameter,
  Json,
  SchemaBook,
} from "./openapi_schemas.ts";
import { sessionCookieName } from "./cookies.ts";

type Spec = ApiEndpoint["apiSpec"];

/** Types whose JSON looks the same as their text. */
const PLAIN_TYPES: readonly string[] = ["integer", "number", "boolean"];

/** Description of the callers that an endpoint accepts. */
const CALLERS: Readonly<Record<Access, string>> = {
  public: "Anyone can call this, without an account.",
  anyone: "All users can call this, including bots and guests.",
  anyone_or_spectator:
    "All users can call this, including bots and guests. If the organization allows spectators, no " +
    "credentials are needed to read channels that are open to the web.",
  human: "All users except bots can call this, including guests.",
  bot: "Only bots can call this.",
  human_or_admin_bot:
    "All users except bots can call this, including guests; so can bots that are administrators.",
  member: "All users except guests can call this, including bots.",
  human_member: "All users except guests and bots can call this.",
  admin: "Administrators and owners of the organization can call this.",
  human_admin: "Administrators and owners of the organization can call this, except bots.",
  owner: "Owners of the organization can call this.",
  incoming_webhook: "Only incoming webhook bots can call this.",
};

const successSchema = z.object({ result: z.literal("success"), msg: z.literal("") });

const ignoredSchema = z.array(z.string()).optional().meta({
  description: "Unsupported parameters, in alphabetical order; omitted when there are none.",
});

/** Whether a handler is an endpoint of the chat API. */
export function isApiEndpoint(handler: unknown): handler is ApiEndpoint {
  return typeof handler === "function" && "apiSpec" in handler;
}

/** A body with a file under any field name. */
const UPLOAD_BODY: DescribedContent = {
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: { file: { type: "string", format: "binary" } },
        required: ["file"],
      },
    },
  },
};

/** Describes an operation of the chat API; `method` is in lower case. */
export function describeChatOperation(
  spec: Spec,
  { method, path, book }: { method: string; path: string; book: SchemaBook },
): DescribedOperation {
  const fields = Object.entries(spec.params).flatMap(([name, param]) => describeFields(name, param, book));
  const isInQuery = method === "get" || method === "delete" || spec.json !== undefined;
  const { description } = spec;
  return {
    summary: spec.summary,
    description: [...description === undefined ? [] : [description], CALLERS[spec.access]].join("\n\n"),
    parameters: [...describeSegments(spec, path), ...isInQuery ? fields.map(toQueryParameter) : []],
    ...(isInQuery || fields.length === 0 ? {} : { requestBody: toForm(fields) }),
    ...(spec.upload === undefined && spec.isStreamed !== true ? {} : { requestBody: UPLOAD_BODY }),
    ...(spec.json === undefined ? {} : { requestBody: toJsonRequest(book.toRequestSchema(spec.json)) }),
    responses: {
      200: describeSuccess(spec, book),
      ...describeChatErrors(listRefusals(spec, method), book),
    },
    security: describeSecurity(spec),
  };
}

function toJsonRequest(schema: Json): DescribedContent {
  return { required: true, content: { "application/json": { schema } } };
}

/** Describes the variable segments of a path: ids, and texts such as addresses and names. */
function describeSegments({ ids = [] }: Spec, path: string): DescribedParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: ids.includes(name) ? { type: "integer", format: "int64", minimum: 0 } : { type: "string" },
  }));
}

/** A parameter, wherever it is sent. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Json;
}

/** Describes a parameter, and its older name as a deprecated one. */
function describeFields(name: string, param: Param<unknown>, book: SchemaBook): Field[] {
  const field = describeField(name, param, book);
  if (param.alias === undefined) return [field];
  const schema = { ...field.schema, description: `Older name of \`${name}\`.`, deprecated: true };
  return [field, { ...field, name: param.alias, isRequired: false, schema }];
}

function describeField(name: string, param: Param<unknown>, book: SchemaBook): Field {
  const { fallback, description } = param;
  const schema = describeValue(param, book.toRequestSchema(param.schema));
  if (description !== undefined) schema["description"] = description;
  return { name, isRequired: fallback === undefined && param.alias === undefined, schema };
}

/**
 * Describes the value of a parameter. Lists, objects and choices between types are texts, most of them with JSON:
 * generated clients would write their elements in ways of their own.
 */
function describeValue({ encoding, fallback }: Param<unknown>, value: Json): Json {
  const preset = fallback?.value;
  const isJson = encoding === "json";
  const types = isJson ? PLAIN_TYPES : [...PLAIN_TYPES, "string"];
  if (types.includes(String(value["type"]))) {
    return { ...value, ...(preset === undefined ? {} : { default: preset }) };
  }
  return {
    type: "string",
    ...(isJson ? { contentMediaType: "application/json" } : {}),
    contentSchema: value,
    ...(preset === undefined ? {} : { default: isJson ? JSON.stringify(preset) : String(preset) }),
  };
}

function toQueryParameter(
  { name, isRequired, schema: { description, ...schema } }: Field,
): DescribedParameter {
  return {
    name,
    in: "query",
    required: isRequired,
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

/** Describes an urlencoded form. Generators do not read a second media type, such as multipart, of one body. */
function toForm(fields: readonly Field[]): DescribedContent {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
  return {
    required: required.length > 0,
    content: { "application/x-www-form-urlencoded": { schema } },
  };
}

function describeSuccess({ success }: Spec, book: SchemaBook): DescribedContent {
  const shape = { ...success?.shape, ignored_parameters_unsupported: ignoredSchema };
  return {
    description: "Success",
    content: { "application/json": { schema: book.toResponseSchema(successSchema.extend(shape)) } },
  };
}

/** Describes the credentials that operations accept; under https, the cookie has another name. */
export function describeSecuritySchemes(isHttps: boolean): Json {
  return {
    bearerKey: { type: "http", scheme: "bearer", description: "Where the operator set a key" },
    apiKey: { type: "http", scheme: "basic", description: "An account's API address and its API key" },
    sessionCookie: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookieName(isHttps),
      description: "A browser's session, in requests from pages of the same origin " +
        "(`Sec-Fetch-Site: same-origin`, or a matching `Origin`) without an `Authorization` header",
    },
    webhookKey: {
      type: "apiKey",
      in: "query",
      name: "api_key",
      description: "The API key of an incoming webhook bot",
    },
    serverKey: {
      type: "http",
      scheme: "basic",
      description: "The id and the key of a server that is registered for push notifications",
    },
  };
}

/** Lists the alternative credentials of an operation of the chat API; an empty object stands for none. */
function describeSecurity({ access, needsKey, isForServers }: Spec): readonly Json[] {
  if (isForServers === true) return [{ serverKey: [] }];
  if (access === "public") return [];
  if (access === "incoming_webhook") return [{ webhookKey: [] }, { apiKey: [] }];
  // Bots have no sessions.
  const takesSession = needsKey !== true && access !== "bot";
  return [
    ...(access === "anyone_or_spectator" ? [{}] : []),
    { apiKey: [] },
    ...(takesSession ? [{ sessionCookie: [] }] : []),
  ];
}
