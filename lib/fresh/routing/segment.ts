import { withoutSkipped, type Wrappers } from "../render/wrappers.ts";
import type { RouteComponent } from "../render/components.ts";
import type { LayoutConfig } from "../layout_config.ts";
import type { MaybeLazyMiddleware, Route } from "../types.ts";
import { errorBoundary } from "./endpoint.ts";
import { createStep, type Step } from "./step.ts";

interface SegmentContents<State> {
  readonly middlewares: readonly MaybeLazyMiddleware<State>[];
  readonly layout: {
    component: RouteComponent<State>;
    config: LayoutConfig | undefined;
  } | null;
  readonly errorRoute: Route<State> | null;
  readonly app: RouteComponent<State> | null;
}

/** Contents of the segments from the root to a route at its registration. */
export type SegmentPath<State> = readonly SegmentContents<State>[];

/** One part of the path tree, with the middlewares, layout and error page set for it. */
export class Segment<State> {
  readonly #parent: Segment<State> | null;
  readonly #children = new Map<string, Segment<State>>();
  #contents: SegmentContents<State> = {
    middlewares: [],
    layout: null,
    errorRoute: null,
    app: null,
  };

  constructor(parent: Segment<State> | null = null) {
    this.#parent = parent;
  }

  /** The segment of a path below this one, made if it is new. */
  at(path: string): Segment<State> {
    const folders = path.replace(/\/?\*$/, "").split("/");
    return folders.reduce<Segment<State>>((segment, part) => segment.#child(part), this);
  }

  #child(part: string): Segment<State> {
    if (part === "") return this;
    const child = this.#children.get(part) ?? new Segment(this);
    this.#children.set(part, child);
    return child;
  }

  /** Adds to the segment; routes registered earlier do not see it. */
  set(change: Partial<SegmentContents<State>>): void {
    this.#contents = { ...this.#contents, ...change };
  }

  /** Appends middlewares; routes registered earlier do not see them. */
  use(middlewares: readonly MaybeLazyMiddleware<State>[]): void {
    this.set({ middlewares: [...this.#contents.middlewares, ...middlewares] });
  }

  /** The contents of all segments from the root to this one, as they are now. */
  path(): SegmentPath<State> {
    const above = this.#parent?.path() ?? [];
    return [...above, this.#contents];
  }
}

/** The steps of a path's middlewares and error pages, and the wrappers of what comes after them. */
export function pathSteps<State>(
  path: SegmentPath<State>,
  notFound: Route<State> | null,
): { steps: Step<State>[]; wrappers: Wrappers<State> } {
  const steps: Step<State>[] = [];
  let wrappers: Wrappers<State> = { app: null, layouts: [] };
  for (const contents of path) {
    wrappers = segmentWrappers(wrappers, contents);
    if (contents.errorRoute !== null || notFound !== null) {
      steps.push(createStep(errorBoundary({ errorRoute: contents.errorRoute, notFound }), wrappers));
    }
    for (const run of contents.middlewares) steps.push(createStep(run, wrappers));
  }
  return { steps, wrappers };
}

function segmentWrappers<State>(
  inherited: Wrappers<State>,
  { app, layout }: SegmentContents<State>,
): Wrappers<State> {
  const withApp = app === null ? inherited : { ...inherited, app };
  if (layout === null) return withApp;
  const base = withoutSkipped(withApp, layout.config);
  return { app: base.app, layouts: [...base.layouts, layout.component] };
}
