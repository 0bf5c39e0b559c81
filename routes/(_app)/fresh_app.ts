import { App } from "fresh";
import type { Services, State } from "../services/services.ts";

/** Creates the app that serves the files below `routes/` with the given services. */
export function createFreshApp(services: Services): App<State> {
  return new App<State>()
    .use((ctx) => {
      ctx.state.app = services;
      return ctx.next();
    })
    .fsRoutes();
}
