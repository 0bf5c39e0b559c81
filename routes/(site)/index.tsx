import { page } from "fresh";
import { Home } from "@/components/home/Home.tsx";
import { readBearer } from "@/lib/api/principal.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { type HomeData, loadHome, shortenFromForm } from "@/lib/pages/home.ts";
import { alsoForm, methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";
import { requireShortenKey, shorten } from "@/lib/links/actions.ts";
import { longUrlSchema, shortenedUrlSchema } from "@/lib/links/params.ts";

const shortenEndpoint = endpoint({
  summary: "Shorten a URL",
  description: "Stores the long URL byte for byte under a new id. The same URL gets a new id each time.",
  body: longUrlSchema,
  success: { status: 201, description: "The new short URL", schema: shortenedUrlSchema },
  refusals: [
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "CONTENT_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "UNPROCESSABLE",
    "RATE_LIMIT_HIT",
    "UNAVAILABLE",
  ],
  rateLimit: "shorten",
  takesBearerKey: true,
  isOpenToOrigins: true,
  authorize: ({ state, req }) => requireShortenKey(state.app.links, readBearer(req)),
}, ({ app, body }) => shorten(app.links, body.url));

export const handler = methods<HomeData>({
  GET: async (ctx) => page(await loadHome(ctx)),
  POST: alsoForm(shortenEndpoint, async (ctx) => {
    const outcome = await shortenFromForm(ctx);
    return outcome.isDone ? ctx.redirect(outcome.location, 303) : page(outcome.data, outcome);
  }),
});

export default define.page<typeof handler>(({ data }) => <Home {...data} />);
