import { HttpError } from "../runtime/http_error.ts";
import { withoutSkipped, type Wrappers } from "../render/wrappers.ts";
import type { Lazy, MaybeLazyMiddleware, Middleware, Route } from "../types.ts";
import { answerWith } from "./endpoint.ts";
import { pathSteps, type SegmentPath } from "./segment.ts";
import { createStep, type Step } from "./step.ts";

/** End of a chain: middlewares, or a route that may have to be loaded first. */
export type ChainEnd<State> =
  | { middlewares: readonly MaybeLazyMiddleware<State>[] }
  | { route: Route<State> | Lazy<Route<State>> };

/** All steps a request of one route passes, put together when the first such request comes. */
export class Chain<State> {
  readonly #path: SegmentPath<State>;
  readonly #end: ChainEnd<State>;
  /** The steps, once they are known. */
  steps: readonly Step<State>[] | null = null;

  constructor(path: SegmentPath<State>, end: ChainEnd<State>) {
    this.#path = path;
    this.#end = end;
  }

  /** Loads a lazy route and puts the steps together; a failure to load is thrown by the last step. */
  async prepare(notFound: Route<State> | null): Promise<readonly Step<State>[]> {
    const { steps, wrappers } = pathSteps(this.#path, notFound);
    try {
      const endSteps = await this.#endSteps(wrappers);
      this.steps = [...steps, ...endSteps, createStep(throwNotFound, wrappers)];
      return this.steps;
    } catch (error) {
      return [...steps, createStep(() => Promise.reject(error), wrappers)];
    }
  }

  async #endSteps(inherited: Wrappers<State>): Promise<Step<State>[]> {
    if ("middlewares" in this.#end) {
      return this.#end.middlewares.map((run) => createStep(run, inherited));
    }
    const source = this.#end.route;
    const route = typeof source === "function" ? await source() : source;
    const wrappers = withoutSkipped(inherited, route.config);
    const run: Middleware<State> = (ctx) => answerWith(ctx, route, { status: 200, otherwise: ctx.next });
    return [createStep(run, wrappers)];
  }
}

/** The end of every chain: nothing answered. */
export function throwNotFound(): never {
  throw new HttpError(404);
}
