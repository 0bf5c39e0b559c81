import assert from "node:assert/strict";
import { App, HttpError } from "fresh";
import { client, withProject } from "@/tests/casts/fresh_project_cast.ts";

const ERROR_FILE = `export default () => <p>error page</p>;`;

/** Returns the source of a route file that throws. */
function throwing(expression: string): string {
  return `import { HttpError } from "fresh"; export const handler = () => { throw ${expression}; };`;
}

Deno.test("the error page keeps the status of an HttpError, and is sent with 500 for any other error", async () => {
  const files = {
    "routes/_error.jsx": ERROR_FILE,
    "routes/gone.js": throwing(`new HttpError(410, "gone")`),
    "routes/broken.js": throwing(`new Error("broken")`),
  };
  await withProject(files, async ({ get }) => {
    const gone = await get("/gone");
    assert.equal(gone.status, 410);
    assert.match(await gone.text(), /error page/);
    const broken = await get("/broken");
    assert.equal(broken.status, 500);
    assert.match(await broken.text(), /error page/);
  });
});

Deno.test("the error page nearest to the route handles the error, inside layouts and app wrapper", async () => {
  const files = {
    "routes/_app.jsx": `export default ({ Component }) => <html><body><header /><Component /></body></html>;`,
    "routes/_error.jsx": `export default () => <p>outer</p>;`,
    "routes/area/_layout.jsx": `export default ({ Component }) => <main><Component /></main>;`,
    "routes/area/_error.jsx": `export default () => <p>inner</p>;`,
    "routes/area/broken.js": throwing(`new Error("broken")`),
  };
  await withProject(files, async ({ text }) => {
    assert.match(await text("/area/broken"), /<header><\/header><main><p>inner<\/p><\/main>/);
    assert.match(await text("/missing"), /<header><\/header><p>outer<\/p>/);
  });
});

Deno.test("without an error page the response is the message, or the status text if it is empty", async () => {
  const app = new App()
    .route("/message", {
      handler: () => {
        throw new HttpError(403, "not for you");
      },
    })
    .route("/empty", {
      handler: () => {
        throw new HttpError(403);
      },
    })
    .route("/secret", {
      handler: () => {
        throw new Error("secret");
      },
    });
  const { get, text } = client(app);
  assert.equal((await get("/message")).status, 403);
  assert.equal(await text("/message"), "not for you");
  assert.equal(await text("/empty"), "Forbidden");
  assert.equal(await text("/secret"), "Internal server error");
  assert.equal((await get("/missing")).status, 404);
});

Deno.test("routes registered before fsRoutes() do not get the error pages of files", async () => {
  const fail = () => {
    throw new HttpError(418, "teapot");
  };
  const makeApp = () =>
    new App().route("/before", { handler: fail }).fsRoutes().route("/after", { handler: fail });
  await withProject({ "routes/_error.jsx": ERROR_FILE }, async ({ text }) => {
    assert.equal(await text("/before"), "teapot");
    assert.match(await text("/after"), /error page/);
  }, makeApp);
});

Deno.test("onError() accepts a handler", async () => {
  const app = new App()
    .onError("*", { handler: () => new Response("caught", { status: 500 }) })
    .route("/", {
      handler: () => {
        throw new Error("it");
      },
    });
  assert.equal(await client(app).text("/"), "caught");
});

Deno.test("a route that cannot be loaded, or has a handler of two arguments, shows the error page", async () => {
  const files = {
    "routes/_error.jsx": ERROR_FILE,
    "routes/wide.js": `export const handler = (request, ctx) => new Response("x");`,
    "routes/failing.js": `throw new Error("at load"); export const handler = () => {};`,
  };
  await withProject(files, async ({ get }) => {
    assert.equal((await get("/wide")).status, 500);
    const failing = await get("/failing");
    assert.equal(failing.status, 500);
    assert.match(await failing.text(), /error page/);
  });
});
