import { z } from "zod";
import { RESERVED_SEGMENTS } from "@/lib/links/alphabet.ts";
import type { ApiDescription, Schema, WalkedOperation } from "@/tests/helpers/api_walk.ts";
import { toZod } from "@/tests/helpers/described_schema.ts";
import type { Answer } from "./exchange.ts";
import type { FuzzRequest } from "./request.ts";

/** Paths of the API with protocols of their own, whose refusals have other shapes. */
const OTHER_PROTOCOLS = /^\/api\/v1\/(tus|calls\/videoprovider\/(register|complete))(\/|$)/;
const chatError = z.object({
  result: z.literal("error"),
  msg: z.string().min(1),
  code: z.string().regex(/^[A-Z_]+$/),
});
const chatSuccess = z.object({ result: z.literal("success"), msg: z.literal("") });
const linksError = z.object({ statusCode: z.int(), error: z.string().min(1), message: z.string().min(1) });

/** Checks answers against the rules of both APIs and against the description. */
export class AnswerChecks {
  readonly #schemas = new Map<Schema, z.ZodType>();
  readonly #operations: readonly { readonly pattern: RegExp; readonly operation: WalkedOperation }[];

  constructor(private readonly description: ApiDescription) {
    // Paths without variables come first, as in the server.
    const sorted = description.operations.toSorted((one, other) =>
      variables(one.path) - variables(other.path)
    );
    this.#operations = sorted.map((operation) => ({ operation, pattern: toPattern(operation.path) }));
  }

  /** Returns what is wrong with an answer; null when nothing is. */
  findProblem(request: FuzzRequest, answer: Answer): string | null {
    const { status, headers } = answer;
    if (status === 0) return request.isMalformed ? null : "the connection was closed without an answer";
    if (status >= 500) return `status ${status}`;
    if (!headers.has("x-request-id")) {
      return mayBreakHttp(request) ? null : "an answer without X-Request-Id";
    }
    if (request.method === "HEAD") return null;
    // Segments such as %2e%2e lead to another path.
    const path = URL.parse(`http://localhost${request.target}`)?.pathname ?? request.target;
    return this.#checkShape(path, answer) ?? this.#checkDescription(request.method, path, answer);
  }

  #checkShape(path: string, { status, headers, body }: Answer): string | null {
    if (!path.startsWith("/api/") || OTHER_PROTOCOLS.test(path) || status === 204 || status === 302) {
      return null;
    }
    if (!isJson(headers)) return `the API answered with the type ${headers.get("content-type")}`;
    const content = parse(body);
    const expected = status >= 400 ? chatError : chatSuccess;
    return explain("the envelope", expected.safeParse(content));
  }

  #checkDescription(method: string, path: string, { status, headers, body }: Answer): string | null {
    const operation = this.#operations.find(({ pattern, operation }) =>
      operation.method === method && pattern.test(path) &&
      !(operation.path.startsWith("/{") && isReserved(path))
    )?.operation;
    // The address of an operation of links may also be that of a page with a form, which leads elsewhere.
    const isOfPage = status === 303 && !path.startsWith("/api/");
    if (operation === undefined || status === 405 || isOfPage) return null;
    const described = operation.responses[status] ?? operation.responses["default"];
    if (described === undefined) return isUsual(status) ? null : `status ${status} is not described`;
    if (!isJson(headers)) return null;
    if (status >= 400 && !path.startsWith("/api/")) {
      return explain("the error", linksError.safeParse(parse(body)));
    }
    const schema = described.content?.["application/json"]?.schema;
    return schema === undefined
      ? null
      : explain("the described schema", this.#toZod(schema).safeParse(parse(body)));
  }

  #toZod(schema: Schema): z.ZodType {
    const known = this.#schemas.get(schema);
    if (known !== undefined) return known;
    const created = toZod(schema, this.description.schemas);
    this.#schemas.set(schema, created);
    return created;
  }
}

/** Refusals that come before a request reaches its operation. */
function isUsual(status: number): boolean {
  return [304, 400, 408, 413, 415, 429].includes(status);
}

function explain(what: string, { error }: { readonly error?: z.ZodError | undefined }): string | null {
  if (error === undefined) return null;
  const [first] = error.issues;
  return `${what} does not match: ${first?.path.join(".")}: ${first?.message}`;
}

/** Whether the first segment of a path belongs to a page, so that no short id has it. */
function isReserved(path: string): boolean {
  return RESERVED_SEGMENTS.includes(path.split("/")[1] ?? "");
}

function variables(path: string): number {
  return path.split("{").length;
}

function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("{path}", ".+").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function isJson(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether the server's HTTP library may refuse a request before the application sees it. */
function mayBreakHttp({ isMalformed, target, headers, method }: FuzzRequest): boolean {
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
  return isMalformed || size > 30_000 || !/^[\x21-\x7e]+$/.test(target) || !/^[A-Z]+$/.test(method) ||
    headers.some(([, value]) => !/^[\x20-\x7e\t]*$/.test(value));
}
