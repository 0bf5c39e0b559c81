import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { AnswerChecks } from "@/tests/fuzz/checks.ts";
import { escape, toBody } from "@/tests/fuzz/encodings.ts";
import { KnownIds, placeholder } from "@/tests/fuzz/known_ids.ts";
import { toMessage, toRequest } from "@/tests/fuzz/request.ts";
import { Secrets } from "@/tests/fuzz/secrets.ts";
import { readForms } from "@/tests/fuzz/page_requests.ts";
import { ApiDescription } from "@/tests/helpers/api_walk.ts";

const SCHEMA = {
  type: "object",
  properties: { result: { const: "success" }, id: { $ref: "#/components/schemas/Id" } },
  required: ["result", "id"],
};
const description = ApiDescription.parse({
  paths: {
    "/api/v1/things/{thing_id}": {
      get: { responses: { 200: { content: { "application/json": { schema: SCHEMA } } } } },
    },
  },
  components: { schemas: { Id: { type: "integer" } } },
});

/** Returns what the checks find about an answer to `GET /api/v1/things/1`. */
function judge(status: number, body: unknown, headers: HeadersInit = { "x-request-id": "1" }): string | null {
  const request = toRequest({ target: "/api/v1/things/1" });
  const answer = { status, headers: new Headers(headers), body: JSON.stringify(body) };
  answer.headers.set("content-type", "application/json");
  return new AnswerChecks(description).findProblem(request, answer);
}

Deno.test("checks accept answers as described, and name what is wrong with others", () => {
  const success = { result: "success", msg: "", id: 1 };
  const refusal = { result: "error", msg: "No", code: "BAD_REQUEST" };
  assert.equal(judge(200, success), null);
  assert.equal(judge(400, refusal), null);
  assert.equal(judge(500, refusal), "status 500");
  assert.equal(judge(0, ""), "the connection was closed without an answer");
  assert.equal(judge(200, success, {}), "an answer without X-Request-Id");
  assert.match(judge(400, { statusCode: 400, error: "Bad Request", message: "No" }) ?? "", /envelope/);
  assert.match(judge(200, { ...success, id: "1" }) ?? "", /described schema does not match: id/);
  assert.equal(judge(418, refusal), "status 418 is not described");
});

Deno.test("checks compare an answer with the operation that a path with dot segments leads to", () => {
  const answer = { status: 404, headers: new Headers({ "x-request-id": "1" }), body: "" };
  const judgePath = (target: string) =>
    new AnswerChecks(description).findProblem(toRequest({ target }), answer);
  assert.match(judgePath("/api/v1/things/1") ?? "", /type/);
  assert.equal(judgePath("/api/v1/things/%2e%2e/../../../x"), null);
});

Deno.test("secrets are found in the log, and in answers to those who may not have them", () => {
  const secrets = new Secrets();
  secrets.addHidden("hidden");
  secrets.addLogged("invitation");
  secrets.addKey("key of owner", "owner");
  assert.equal(secrets.findInLog("a line\nwith an invitation"), "invitation");
  assert.equal(secrets.findInLog("key of owner"), "key of owner");
  assert.equal(secrets.findInLog("nothing"), null);
  const find = (target: string, caller: "owner" | "member", text: string) =>
    secrets.findInAnswer({ target, caller }, text);
  assert.equal(find("/api/v1/users", "member", "key of owner"), "key of owner");
  assert.equal(find("/api/v1/users", "owner", "key of owner, invitation"), null);
  assert.equal(find("/api/v1/fetch_api_key", "member", "key of owner"), null);
  assert.equal(find("/api/v1/fetch_api_key", "owner", "hidden"), "hidden");
});

Deno.test("placeholders survive every encoding and become remembered ids", () => {
  const ids = new KnownIds();
  ids.rememberAnswer("/api/v1/messages", { id: 5, messages: [{ id: 6, sender_id: 7 }] });
  ids.remember("email", "owner@example.com");
  const message = placeholder("message", 0);
  const email = String(placeholder("email", 3));
  for (const encoding of ["urlencoded", "multipart", "json"] as const) {
    const { body } = toBody([["ids", JSON.stringify([message])], ["email", email]], encoding);
    assert.match(ids.resolve(body), /6/);
    assert.ok(ids.resolve(body).includes("owner@example.com"), encoding);
  }
  assert.equal(
    ids.resolve(`${placeholder("user", 9)} ${placeholder("draft", 0)}`),
    `7 ${placeholder("draft", 0)}`,
  );
});

Deno.test("requests are written with their exact bytes", () => {
  assert.equal(escape("a\udcff é"), "a%ff%20%c3%a9");
  const request = toRequest({ method: "POST", target: "/\udcff", body: "ab\udc80c", isChunked: true });
  assert.equal(
    Buffer.from(toMessage(request)).toString("latin1"),
    "POST /\xff HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n3\r\nb\x80c\r\n0\r\n\r\n",
  );
});

Deno.test("the forms of a page are read with their fields and values", () => {
  const html =
    '<form method="post" data-action="x" action="/a?b=1&amp;c=2"><input type="hidden" name="action" value="save">' +
    '<select name="role"><option value="400">Member</option><option value="600">Guest</option></select>' +
    '<textarea name="text">a &lt; b</textarea></form><form method="get"><input name="q"></form>';
  assert.deepEqual(readForms(html, "/page"), [{
    action: "/a?b=1&c=2",
    isMultipart: false,
    fields: [
      { name: "action", values: ["save"] },
      { name: "role", values: ["400", "600"] },
      { name: "text", values: ["a < b"] },
    ],
  }]);
});
