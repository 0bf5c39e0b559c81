import { App } from "fresh";
import type { Services, State } from "./services.ts";

/** The app whose routes are the files below `routes/`, with the services that they work with. */
export function createFreshApp(services: Services): App<State> {
  return new App<State>()
    .use((ctx) => {
      ctx.state.app = services;
      return ctx.next();
    })
    .fsRoutes();
}
