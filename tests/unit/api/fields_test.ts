import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readRequest } from "@/lib/api/fields.ts";
import { toBodySource } from "@/tests/helpers/body_source.ts";

const FORM = "application/x-www-form-urlencoded";

function request(method: string, body: BodyInit | null, type?: string): Request {
  const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
  return new Request("http://localhost/", { method, body, headers });
}

async function read(sent: Request, query = ""): Promise<[string, string][]> {
  return [...(await readRequest(toBodySource(sent), new URLSearchParams(query))).fields];
}

Deno.test("readRequest() reads the query of every method, and no body of GET", async () => {
  for (const method of ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"]) {
    assert.deepEqual(await read(request(method, null), "a=1&b=%20&a=2"), [["a", "2"], ["b", " "]], method);
  }
});

Deno.test("readRequest() prefers the body over the query", async () => {
  for (const method of ["POST", "PATCH", "DELETE"]) {
    const fields = await read(request(method, "b=body&c=3", FORM), "a=1&b=query");
    assert.deepEqual(fields, [["a", "1"], ["b", "body"], ["c", "3"]], method);
  }
});

Deno.test("readRequest() accepts an empty value", async () => {
  assert.deepEqual(await read(request("POST", "a=&b", FORM)), [["a", ""], ["b", ""]]);
  assert.deepEqual(await read(request("POST", "", FORM), "a=1"), [["a", "1"]]);
});

Deno.test("readRequest() reads any form, urlencoded or multipart", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 });
  const forms = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 8 });
  await fc.assert(fc.asyncProperty(forms, async (entries) => {
    const urlencoded = new URLSearchParams(entries);
    const expected = entries.map(([name, value]) => [name, value]);
    assert.deepEqual(await read(request("POST", urlencoded.toString(), FORM)), expected);
    // Line ends become CRLF, as the standard requires; special characters in a part's header are escaped
    // differently by each client. No parameter name contains any of them.
    const plain = entries.map(([name, value]): [string, string] => [`n${plainText(name)}`, plainText(value)]);
    const form = new FormData();
    for (const [name, value] of plain) form.set(name, value);
    assert.deepEqual(new Map(await read(request("POST", form))), new Map(plain));
  }));
});

function plainText(text: string): string {
  return text.normalize("NFD").replace(/[\r\n"\\%=;,]/g, "");
}

Deno.test("readRequest() refuses any malformed body, and never fails otherwise", async () => {
  const types = fc.constantFrom(
    FORM,
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=",
    "multipart/form-data;",
    "application/json",
  );
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), types, async (bytes, type) => {
    try {
      await read(request("POST", new Uint8Array(bytes), type));
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === "BAD_REQUEST", String(error));
    }
  }));
});

Deno.test("readRequest() accepts a thousand fields, and no more", async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join("&");
  assert.equal((await read(request("POST", fields(1000), FORM))).length, 1000);
  await assert.rejects(read(request("POST", fields(1001), FORM)), { code: "BAD_REQUEST" });
  await assert.rejects(read(request("POST", fields(600), FORM), fields(601).replaceAll("f", "g")), {
    code: "BAD_REQUEST",
  });
});

Deno.test("readRequest() returns plain keys only, whatever the names", async () => {
  const sent = request("POST", "__proto__=1&constructor=2", FORM);
  const { fields } = await readRequest(toBodySource(sent), new URLSearchParams());
  assert.deepEqual([...fields], [["__proto__", "1"], ["constructor", "2"]]);
});
