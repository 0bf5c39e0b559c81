import type { Step } from "../context.ts";
import type { Wrappers } from "../render/render_page.ts";
import type { Middleware, Route, RouteComponent } from "../types.ts";
import { Router } from "./router.ts";
import { answerWith, createStep, errorBoundary, throwNotFound } from "./steps.ts";

/** Steps that a request runs: the matched route's, or the root's. */
export interface Resolution<State> {
  route: string | null;
  params: Record<string, string>;
  steps: readonly Step<State>[];
}

/** Settings of a folder of routes; replaced as a whole, so that routes registered earlier do not see changes. */
interface FolderContents<State> {
  readonly middlewares: readonly Middleware<State>[];
  readonly layout: RouteComponent<State> | null;
  readonly errorRoute: Route<State> | null;
  readonly app: RouteComponent<State> | null;
}

const EMPTY = { middlewares: [], layout: null, errorRoute: null, app: null };

/** A route, or the function that the first request calls to load it. */
type MaybeLazyRoute<State> = Route<State> | (() => Promise<Route<State>>);

/** All steps that a request of one route passes. */
interface Chain<State> {
  /** Null until the route is loaded. */
  steps: readonly Step<State>[] | null;
  /** Loads the route; a failure to load is thrown by the last step. */
  load(): Promise<readonly Step<State>[]>;
}

/** The routes of an app. Folders are named by their path below the route folder, "" for the folder itself. */
export class RouteTable<State> {
  readonly #router = new Router<Chain<State>>();
  readonly #folders = new Map<string, FolderContents<State>>();

  /** Appends middlewares of a folder. */
  use(folder: string, middlewares: readonly Middleware<State>[]): void {
    const before = this.#folders.get(folder)?.middlewares ?? [];
    this.set(folder, { middlewares: [...before, ...middlewares] });
  }

  /** Sets components of a folder. */
  set(folder: string, change: Partial<FolderContents<State>>): void {
    this.#folders.set(folder, { ...EMPTY, ...this.#folders.get(folder), ...change });
  }

  /** Adds a route with a pattern, unless that has one already. */
  add(pattern: string, folder: string, route: MaybeLazyRoute<State>): void {
    const { steps, wrappers } = this.#stepsOf(folder);
    const complete = (loaded: Route<State>) => [
      ...steps,
      createStep((ctx) => answerWith(ctx, loaded), wrappers),
    ];
    const chain: Chain<State> = {
      steps: typeof route === "function" ? null : complete(route),
      load: async () => {
        if (typeof route !== "function") return complete(route);
        try {
          return chain.steps = complete(await route());
        } catch (error) {
          return [...steps, createStep(() => Promise.reject(error), wrappers)];
        }
      },
    };
    this.#router.add(pattern, chain);
  }

  /** Returns the function that finds the steps for a path; only the root's run when no route answers it. */
  finish(): (pathname: string) => Resolution<State> | Promise<Resolution<State>> {
    const { steps, wrappers } = this.#stepsOf("");
    const unmatched = [...steps, createStep<State>(throwNotFound, wrappers)];
    return (pathname) => {
      const { pattern: route, item: chain, params } = this.#router.match(pathname);
      if (chain === null) return { route, params, steps: unmatched };
      if (chain.steps !== null) return { route, params, steps: chain.steps };
      return chain.load().then((steps) => ({ route, params, steps }));
    };
  }

  /** The steps of the error pages and middlewares from the root to a folder, and the wrappers of what comes after. */
  #stepsOf(folder: string): { steps: Step<State>[]; wrappers: Wrappers<State> } {
    const steps: Step<State>[] = [];
    let wrappers: Wrappers<State> = { app: null, layouts: [] };
    for (const { index } of `${folder}/`.matchAll(/\//g)) {
      const contents = this.#folders.get(folder.slice(0, index));
      if (contents === undefined) continue;
      const { app, layout, errorRoute, middlewares } = contents;
      wrappers = {
        app: app ?? wrappers.app,
        layouts: layout === null ? wrappers.layouts : [...wrappers.layouts, layout],
      };
      if (errorRoute !== null) steps.push(createStep(errorBoundary(errorRoute), wrappers));
      for (const run of middlewares) steps.push(createStep(run, wrappers));
    }
    return { steps, wrappers };
  }
}
