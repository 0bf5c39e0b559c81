import { type FunctionComponent, isValidElement, type JSX } from "preact";
import type { BuildCache } from "./build/build_cache.ts";
import type { ResolvedFreshConfig } from "./config.ts";
import { renderPage } from "./render/render_page.ts";
import { withoutSkipped, type Wrappers } from "./render/wrappers.ts";
import type { LayoutConfig, Middleware } from "./types.ts";

/** One step of a route's chain, and the wrappers that pages rendered by it get. */
export interface Step<State> {
  run: Middleware<State>;
  wrappers: Wrappers<State>;
}

/** What the app knows about a request before its first middleware runs. */
export interface Exchange<State> {
  req: Request;
  /** The request's URL with doubled slashes collapsed. */
  url: URL;
  info: Deno.ServeHandlerInfo;
  config: ResolvedFreshConfig;
  buildCache: BuildCache<State>;
  route: string | null;
  params: Record<string, string>;
  /** The last step must not call `next()`. */
  steps: readonly Step<State>[];
}

/** The part of a context that only this package sees. */
export interface ContextInternals<State> {
  readonly buildCache: BuildCache<State>;
  /** The nonce of the inline scripts and styles of the page rendered last. */
  nonce: string | null;
}

/** Another name of `Context`, kept for older code. */
export type FreshContext<State = unknown> = Context<State>;

/** Everything a middleware or handler knows about one request, and the ways to answer it. */
export class Context<State> {
  readonly config: ResolvedFreshConfig;
  readonly req: Request;
  readonly url: URL;
  /** The pattern of the matched route, or null. */
  readonly route: string | null;
  readonly params: Record<string, string>;
  readonly info: Deno.ServeHandlerInfo;
  readonly isPartial: boolean = false;
  /** Shared by all steps of this request. */
  readonly state: State = {} as State;
  data: unknown = undefined;
  /** The error that was thrown, in error pages and outer middlewares; null otherwise. */
  error: unknown = null;
  /** What a layout or the app wrapper wraps. */
  Component: FunctionComponent = () => null;

  readonly #steps: readonly Step<State>[];
  #position = -1;
  readonly #internals: ContextInternals<State>;

  constructor(exchange: Exchange<State>) {
    this.config = exchange.config;
    this.req = exchange.req;
    this.url = exchange.url;
    this.route = exchange.route;
    this.params = exchange.params;
    this.info = exchange.info;
    this.#steps = exchange.steps;
    this.#internals = { buildCache: exchange.buildCache, nonce: null };
  }

  /** Reaches the internals of a context; for this package only. */
  static internals<State>(ctx: Context<State>): ContextInternals<State> {
    return ctx.#internals;
  }

  /** Runs the next middleware or the handler. */
  next: () => Promise<Response> = () => {
    const from = this.#position;
    const step = this.#steps[++this.#position];
    if (step === undefined) {
      throw new Error("ctx.next() was called by the last step");
    }
    let result;
    try {
      result = step.run(this);
    } catch (error) {
      return Promise.reject(this.#failed(from, error));
    }
    if (result instanceof Promise) {
      return result.then(
        (response) => {
          this.#position = from;
          return response;
        },
        (error) => {
          throw this.#failed(from, error);
        },
      );
    }
    this.#position = from;
    return Promise.resolve(result);
  };

  #failed(position: number, error: unknown): unknown {
    this.#position = position;
    this.error = error;
    return error;
  }

  /** A redirect to a URL or path; a path never leaves this site, however many slashes it starts with. */
  redirect(pathOrUrl: string, status = 302): Response {
    return new Response(null, {
      status,
      headers: { location: localTarget(pathOrUrl) },
    });
  }

  /** The HTML of an element inside the layouts and the app wrapper. */
  render(vnode: JSX.Element | null, init: ResponseInit = {}, config: LayoutConfig = {}): Promise<Response> {
    if (vnode !== null && !isValidElement(vnode)) {
      throw new Error("ctx.render() takes a JSX element or null");
    }
    const wrappers = this.#steps[this.#position]?.wrappers ??
      { app: null, layouts: [] };
    return renderPage(this, {
      vnode,
      init,
      wrappers: withoutSkipped(wrappers, config),
      internals: this.#internals,
    });
  }

  /** A plain text response. */
  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }

  /** An HTML response of ready-made text. */
  html(content: string, init?: ResponseInit): Response {
    const headers = new Headers(init?.headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(content, { ...init, headers });
  }

  /** A JSON response. */
  json(content: unknown, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  /** A response streamed from an iterable, or from a function that gives one; text is encoded. */
  stream<U extends string | Uint8Array>(
    stream:
      | Iterable<U>
      | AsyncIterable<U>
      | (() => Iterable<U> | AsyncIterable<U>),
    init?: ResponseInit,
  ): Response {
    const chunks = typeof stream === "function" ? stream() : stream;
    return new Response(ReadableStream.from(encodeChunks(chunks)), init);
  }
}

async function* encodeChunks<U extends string | Uint8Array>(
  chunks: Iterable<U> | AsyncIterable<U>,
): AsyncGenerator<Uint8Array<ArrayBufferLike>> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
  }
}

function localTarget(pathOrUrl: string): string {
  if (pathOrUrl === "/" || !pathOrUrl.startsWith("/")) return pathOrUrl;
  const end = pathOrUrl.search(/[?#]/);
  const path = end === -1 ? pathOrUrl : pathOrUrl.slice(0, end);
  return path.replaceAll(/\/+/g, "/") + pathOrUrl.slice(path.length);
}
