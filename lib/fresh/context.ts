import { isValidElement, type JSX } from "preact";
import type { BuildAssets } from "./build/build_assets.ts";
import { parseRequestUrl } from "./routing/request_url.ts";

/** A step of a route's chain as a context runs it. */
export interface Step<State> {
  run(ctx: Context<State>): Response | Promise<Response>;
  /** Renders an element inside the wrappers of this step. */
  render(ctx: Context<State>, vnode: JSX.Element | null, init: ResponseInit): Promise<Response>;
}

/** A request before its first middleware runs. */
interface Exchange<State> {
  req: Request;
  info: Deno.ServeHandlerInfo;
  /** Null for an app that was not built. */
  buildCache: BuildAssets | null;
  route: string | null;
  params: Record<string, string>;
  /** The last step must not call `next()`. */
  steps: readonly Step<State>[];
}

/** Everything a middleware or handler knows about one request, and the ways to answer it. */
export class Context<State> {
  readonly req: Request;
  /** The pattern of the matched route, or null. */
  readonly route: string | null;
  readonly params: Record<string, string>;
  readonly info: Deno.ServeHandlerInfo;
  /** Shared by all steps of this request. */
  readonly state: State = {} as State;

  readonly #steps: readonly Step<State>[];
  #position = -1;
  readonly #buildCache: BuildAssets | null;
  #url: URL | null = null;

  constructor(exchange: Exchange<State>) {
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
  static buildCacheOf<State>(ctx: Context<State>): BuildAssets | null {
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
      this.#position = from;
      return Promise.reject(error);
    }
    if (!(result instanceof Promise)) {
      this.#position = from;
      return Promise.resolve(result);
    }
    return result.then(
      (response) => {
        this.#position = from;
        return response;
      },
      (error) => {
        this.#position = from;
        throw error;
      },
    );
  };

  /** A redirect to a URL or path; a path never leaves this site, however many slashes it starts with. */
  redirect(pathOrUrl: string, status = 302): Response {
    return new Response(null, {
      status,
      headers: { location: localTarget(pathOrUrl) },
    });
  }

  /** The HTML of an element inside the layouts and the app wrapper. */
  render(vnode: JSX.Element | null, init: ResponseInit = {}): Promise<Response> {
    if (vnode !== null && !isValidElement(vnode)) {
      throw new Error("ctx.render() takes a JSX element or null");
    }
    const step = this.#steps[this.#position];
    if (step === undefined) throw new Error("ctx.render() was called outside of a step");
    return step.render(this, vnode, init);
  }
}

function localTarget(pathOrUrl: string): string {
  if (pathOrUrl === "/" || !pathOrUrl.startsWith("/")) return pathOrUrl;
  const end = pathOrUrl.search(/[?#]/);
  const path = end === -1 ? pathOrUrl : pathOrUrl.slice(0, end);
  return path.replaceAll(/\/+/g, "/") + pathOrUrl.slice(path.length);
}
