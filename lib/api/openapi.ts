import type { Services } from "@/lib/services/services.ts";
import { camelCase } from "es-toolkit/string/camelCase";
import project from "@/deno.json" with { type: "json" };
import type { PathHandler } from "./methods.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { describeChatOperation, describeSecuritySchemes, isApiEndpoint } from "./openapi_chat.ts";
import { describeLinksOperation, isEndpoint } from "./openapi_links.ts";
import { addExample, type SentExamples } from "./openapi_examples.ts";
import { createSchemaBook, type DescribedOperation, type Json, type SchemaBook } from "./openapi_schemas.ts";
import { describeTags, tagOf } from "./openapi_tags.ts";

/** Version of the API, which differs from the program's. */
const INTERFACE_VERSION = "2.0.0";

/** A path of the API as the description writes it, with its handler. */
export interface ApiRoute {
  readonly path: string;
  readonly handler: Pick<PathHandler<unknown>, "byMethod" | "isOldName">;
}

/** Lists the routes of the server that have endpoints, in the order of their paths. */
export async function listApiRoutes({ listRoutes }: Services): Promise<ApiRoute[]> {
  const routes = await Promise.all((await listRoutes()).map(async ({ path, load }) => {
    const handler = readPathHandler(await load());
    return handler === null ? [] : [{ path, handler }];
  }));
  return routes.flat();
}

/** Returns the handler of a route's module; null when it has no endpoints. */
export function readPathHandler(module: unknown): PathHandler<unknown> | null {
  const isRoute = typeof module === "object" && module !== null && "handler" in module;
  return isRoute && hasEndpoints(module.handler) ? module.handler : null;
}

function hasEndpoints(handler: unknown): handler is PathHandler<unknown> {
  return typeof handler === "function" && "byMethod" in handler && typeof handler.byMethod === "object" &&
    Object.values(handler.byMethod ?? {}).some((method) => isApiEndpoint(method) || isEndpoint(method));
}

/** Settings of a description. */
interface DescriptionSettings {
  /** Public address of the server. */
  readonly baseUrl: string;
  /** Examples by operation. */
  readonly examples?: SentExamples;
}

/**
 * Describes routes in OpenAPI 3.1.1, from the schemas that handle their requests. The event loop takes its
 * turn after each route.
 */
export async function describeApi(
  routes: readonly ApiRoute[],
  { baseUrl, examples = {} }: DescriptionSettings,
): Promise<Json> {
  const book = createSchemaBook();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = describePath(route, book, examples);
    await yieldToEventLoop();
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Sotto",
      summary: "Zero-width short URLs, and team chat",
      version: INTERFACE_VERSION,
      description: `Served by Sotto ${project.version}.`,
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: describeTags(routes.map(({ path }) => path)),
    paths,
    components: {
      ...book.components(),
      securitySchemes: describeSecuritySchemes(baseUrl.startsWith("https:")),
    },
  };
}

function describePath({ path, handler }: ApiRoute, book: SchemaBook, examples: SentExamples): Json {
  const tag = tagOf(path);
  const marks = {
    ...(tag === undefined ? {} : { tags: [tag] }),
    ...(handler.isOldName ? { deprecated: true } : {}),
  };
  const operations = Object.entries(handler.byMethod).flatMap(([name, endpoint]) => {
    const method = name.toLowerCase();
    const operation = describeOperation(endpoint, { method, path, book });
    if (operation === null) return [];
    const shown = addExample(operation, examples[`${name} ${path}`], book);
    return [[method, { operationId: toOperationId(name, path), ...marks, ...shown }]];
  });
  return Object.fromEntries(operations);
}

function describeOperation(
  endpoint: unknown,
  target: { method: string; path: string; book: SchemaBook },
): DescribedOperation | null {
  if (isApiEndpoint(endpoint)) return describeChatOperation(endpoint.apiSpec, target);
  return isEndpoint(endpoint) ? describeLinksOperation(endpoint.spec, target.book) : null;
}

/** Returns an id such as `getUsersByUserId`, which generated clients call the operation by. */
function toOperationId(method: string, path: string): string {
  const name = path === "/" ? "root" : path.replace(/^\/api\/v1\//, "/").replaceAll("{", "by ");
  return camelCase(`${method} ${name}`);
}
