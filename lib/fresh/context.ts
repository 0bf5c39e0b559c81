import { type FunctionComponent, isValidElement, type JSX } from "preact";
import type { BuildAssets } from "./build/build_assets.ts";
import type { LayoutConfig, ResolvedFreshConfig } from "./config.ts";
import { parseRequestUrl } from "./routing/request_url.ts";

/** An element to render, with the response that it belongs to. */
interface RenderRequest {
  vnode: JSX.Element | null;
  init: ResponseInit;
  config: LayoutConfig;
}

type Run<State, Outcome> = (ctx: Context<State>) => Outcome | Promise<Outcome>;

/** A step of a route's chain as a context runs it. */
export interface ContextStep<State> {
  /** Answers the request, or loads the function that takes the place of this one. */
  run: Run<State, Response | Run<State, Response>>;
  /** Renders an element inside the wrappers of this step. */
  render(ctx: Context<State>, request: RenderRequest): Promise<Response>;
}

/** A request before its first middleware runs. */
export interface Exchange<State> {
  req: Request;
  info: Deno.ServeHandlerInfo;
  config: ResolvedFreshConfig;
  buildCache: BuildAssets;
  route: string | null;
  params: Record<string, string>;
  /** The last step must not call `next()`. */
  steps: readonly ContextStep<State>[];
}

/** Another name of `Context`, kept for older code. */
export type FreshContext<State = unknown> = Context<State>;

/** Everything a middleware or handler knows about one request, and the ways to answer it. */
export class Context<State> {
  readonly config: ResolvedFreshConfig;
  readonly req: Request;
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
  /** Content that a layout or the app wrapper wraps. */
  Component: FunctionComponent = renderNothing;

  readonly #steps: readonly ContextStep<State>[];
  #position = -1;
  readonly #buildCache: BuildAssets;
  #url: URL | null = null;

  constructor(exchange: Exchange<State>) {
    this.config = exchange.config;
    this.req = exchange.req;
    this.route = exchange.route;
    this.params = exchange.params;
    this.info = exchange.info;
    this.#steps = exchange.steps;
    this.#buildCache = exchange.buildCache;
  }

  /** The request's URL with doubled slashes collapsed; parsed when it is first read. */
  get url(): URL {
    return this.#url ??= parseRequestUrl(this.req.url);
  }

  /** Returns the islands and files of the build; for this package only. */
  static buildCacheOf<State>(ctx: Context<State>): BuildAssets {
    return ctx.#buildCache;
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
        (outcome) => {
          this.#position = from;
          return typeof outcome === "function" ? this.#runLoaded(step, outcome) : outcome;
        },
        (error) => {
          throw this.#failed(from, error);
        },
      );
    }
    this.#position = from;
    return typeof result === "function" ? this.#runLoaded(step, result) : Promise.resolve(result);
  };

  /** Runs the step anew, which was the next one, with the function that it has loaded. */
  #runLoaded(step: ContextStep<State>, loaded: Run<State, Response>): Promise<Response> {
    step.run = loaded;
    return this.next();
  }

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
    const step = this.#steps[this.#position];
    if (step === undefined) throw new Error("ctx.render() was called outside of a step");
    return step.render(this, { vnode, init, config });
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

function renderNothing(): null {
  return null;
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
