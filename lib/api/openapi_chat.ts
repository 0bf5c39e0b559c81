import { z } from "zod";
import type { Param, Params } from "@/lib/chat/params/param.ts";
import type { ErrorCode } from "@/lib/core/errors.ts";
import type { ApiEndpoint } from "./api_endpoint.ts";
import { STATUS, statusText } from "./envelope.ts";
import type { Json, SchemaBook } from "./openapi_schemas.ts";
import type { Access } from "./access.ts";

type Spec = ApiEndpoint["apiSpec"];

/** Description of the callers that an endpoint accepts. */
const CALLERS: Readonly<Record<Access, string>> = {
  public: "Anybody may call this, without an account.",
  anyone: "Everyone with an account may call this, bots and guests included.",
  anyone_or_spectator:
    "Everyone with an account may call this, bots and guests included. Where the organization " +
    "lets spectators read, no credentials are needed for what is said in channels that are open to the web.",
  human: "People may call this, guests included; bots may not.",
  human_or_admin_bot: "People may call this, guests included, and bots that administer the organization.",
  member: "Everyone but guests may call this; bots may.",
  human_member: "People who are no guests may call this; bots may not.",
  admin: "Administrators of the organization may call this, owners among them.",
  human_admin: "Administrators of the organization who are people may call this; bots may not.",
  owner: "Owners of the organization may call this.",
};

/** Credentials of an operation that differ from the default. */
const SECURITY: Readonly<Partial<Record<Access, readonly Json[]>>> = {
  public: [],
  anyone_or_spectator: [{}, { apiKey: [] }],
};

const codes = Object.entries(STATUS).map(([code]) => code);

const errorSchema = z.looseObject({
  result: z.literal("error"),
  msg: z.string().meta({ description: "What is wrong, in a sentence." }),
  code: z.enum(codes).meta({ description: "What is wrong, for programs." }),
}).meta({ id: "ChatError", description: "A refusal; some codes bring further members." });

const successSchema = z.object({ result: z.literal("success"), msg: z.literal("") });

const ignoredSchema = z.array(z.string()).optional().meta({
  description: "Parameters that nobody asked for, in alphabetical order; left out when there are none.",
});

/** Whether a handler is an endpoint of the chat API. */
export function isApiEndpoint(handler: unknown): handler is ApiEndpoint {
  return typeof handler === "function" && "apiSpec" in handler;
}

/** A body with a file under any field name. */
const UPLOAD_BODY: Json = {
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
): Json {
  const fields = Object.entries(spec.params).map(([name, param]) => describeField(name, param, book));
  const isInQuery = method === "get" || method === "delete";
  const { description } = spec;
  return {
    summary: spec.summary,
    description: [...description === undefined ? [] : [description], CALLERS[spec.access]].join("\n\n"),
    parameters: [...describeSegments(spec, path), ...isInQuery ? fields.map(toQueryParameter) : []],
    ...(isInQuery || fields.length === 0 ? {} : { requestBody: toForm(fields) }),
    ...(spec.upload === undefined && spec.isStreamed !== true ? {} : { requestBody: UPLOAD_BODY }),
    responses: { 200: describeSuccess(spec, book), ...describeRefusals(spec, book) },
    security: SECURITY[spec.access] ?? [{ apiKey: [] }],
  };
}

/** Describes the variable segments of a path: ids, and texts such as addresses and names. */
function describeSegments({ ids = [] }: Spec, path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: ids.includes(name) ? { type: "integer", minimum: 0 } : { type: "string" },
  }));
}

/** A parameter, wherever it is sent. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether its text is JSON; numbers and booleans look the same either way. */
  readonly isJson: boolean;
  readonly schema: Json;
}

function describeField(name: string, param: Param<unknown>, book: SchemaBook): Field {
  const { fallback, description, encoding } = param;
  const schema = book.toRequest(param.schema);
  if (fallback?.value !== undefined) schema["default"] = fallback.value;
  if (description !== undefined) schema["description"] = description;
  const isPlain = ["integer", "number", "boolean"].includes(String(schema["type"]));
  return {
    name,
    isRequired: fallback === undefined,
    isJson: encoding === "json" && !isPlain,
    schema,
  };
}

function toQueryParameter({ name, isRequired, isJson, schema: { description, ...schema } }: Field): Json {
  return {
    name,
    in: "query",
    required: isRequired,
    ...(description === undefined ? {} : { description }),
    ...(isJson ? { content: { "application/json": { schema } } } : { schema }),
  };
}

function toForm(fields: readonly Field[]): Json {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const form: Json = {
    schema: {
      type: "object",
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
  };
  const json = fields.filter(({ isJson }) => isJson);
  if (json.length > 0) {
    form["encoding"] = Object.fromEntries(
      json.map(({ name }) => [name, { contentType: "application/json" }]),
    );
  }
  return {
    required: required.length > 0,
    content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form },
  };
}

function describeSuccess({ success }: Spec, book: SchemaBook): Json {
  const shape = { ...success?.shape, ignored_parameters_unsupported: ignoredSchema };
  return {
    description: "Success",
    content: { "application/json": { schema: book.toAnswer(successSchema.extend(shape)) } },
  };
}

/** Describes the refusals of every endpoint and those of this one; all others come under `default`. */
function describeRefusals(spec: Spec, book: SchemaBook): Json {
  const isAny = (test: (param: Param<unknown>) => boolean) => hasParam(spec.params, test);
  const all: ErrorCode[] = [
    ...(spec.access === "public" ? [] : signInRefusals),
    ...(isAny(() => true) ? ["BAD_REQUEST" as const] : []),
    ...(isAny(({ fallback }) => fallback === undefined) ? ["REQUEST_VARIABLE_MISSING" as const] : []),
    ...(/^(human_)?admin$|^owner$/.test(spec.access) ? ["UNAUTHORIZED_PRINCIPAL" as const] : []),
    ...spec.refusals ?? [],
    "RATE_LIMIT_HIT",
  ];
  const content = { "application/json": { schema: book.toAnswer(errorSchema) } };
  const byStatus = Map.groupBy(new Set(all), (code) => STATUS[code]);
  const refusals = [...byStatus].map(([status, list]) => [
    status,
    { description: `${statusText(status)}: ${list.map((code) => `\`${code}\``).join(", ")}`, content },
  ]);
  return { ...Object.fromEntries(refusals), default: { description: OTHERS, content } };
}

const signInRefusals: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "INVALID_API_KEY",
  "USER_DEACTIVATED",
  "REALM_DEACTIVATED",
  "NONEXISTENT_SUBDOMAIN",
  "BAD_REQUEST",
];

const OTHERS =
  "Any other refusal: 405 with `allowed_methods` for another method, 409 when others keep changing " +
  "the same thing, 413 for too large a body, 500, and 503 while the server stops or has too much to do.";

function hasParam(params: Params, test: (param: Param<unknown>) => boolean): boolean {
  return Object.values(params).some(test);
}
