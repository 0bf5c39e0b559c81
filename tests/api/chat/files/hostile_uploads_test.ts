import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { basic, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { download, upload } from "@/tests/casts/files_cast.ts";

const SCRIPT = "<script>alert(1)</script>";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`;
const POLYGLOT = "GIF89a/*\0\0*/=1;alert(1)";

const FILES: readonly [name: string, type: string, content: string, shown: "inline" | "attachment"][] = [
  ["a.html", "text/html", SCRIPT, "attachment"],
  ["a.png", "text/html", SCRIPT, "attachment"],
  // Parts without a type are plain text, which is displayed inline.
  ["a.html", "", SCRIPT, "inline"],
  ["a.svg", "image/svg+xml", SVG, "attachment"],
  ["a.svg", "image/svg+xml; charset=utf-8", SVG, "attachment"],
  ["a.xhtml", "application/xhtml+xml", SVG, "attachment"],
  ["a.xml", "text/xml", SVG, "attachment"],
  ["a.js", "text/javascript", POLYGLOT, "attachment"],
  ["a.gif", "image/gif", POLYGLOT, "inline"],
  ["a.txt", "text/plain", SCRIPT, "inline"],
  ["a.png", "image/png", SCRIPT, "inline"],
  ["a.pdf", "application/pdf", "%PDF-1.4", "inline"],
];

Deno.test("no file can run scripts in a browser, whatever its name and declared type", async () => {
  await using chat = await startChat();
  for (const [name, type, content, shown] of FILES) {
    const { status, body } = await send(chat, part(`filename="${name}"`, content, type));
    assert.equal(status, 200, `${name} ${type}: ${JSON.stringify(body)}`);
    const file = await download(chat, chat.member, body["url"]);
    const header = (of: string) => file.headers.get(of) ?? "";
    assert.equal(await file.text(), content);
    assert.match(header("content-disposition"), new RegExp(`^${shown}; filename=`), `${name} ${type}`);
    assert.equal(header("x-content-type-options"), "nosniff");
    assert.match(header("content-security-policy"), /^default-src 'none';/);
    assert.ok(!header("content-security-policy").includes("script-src"));
    if (type !== "application/pdf") assert.match(header("content-security-policy"), /sandbox$/);
    assert.match(header("cache-control"), /^private/);
    assert.equal(header("cross-origin-resource-policy"), "same-origin");
  }
});

const NAMES: readonly [sent: string, shown: string][] = [
  ["../../../etc/passwd", "passwd"],
  ["..\\\\..\\\\boot.ini", "boot.ini"],
  ["%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"],
  ["%252e%252e%252fpasswd", "%2e%2e%2fpasswd"],
  ["a%0d%0aset-cookie: x=1.txt", "aset-cookie: x=1.txt"],
  ["a%00.png", "a.png"],
  ["a%E2%80%AEgpj.exe", "agpj.exe"],
  ["a[1](javascript:alert(1)).txt", "a[1](javascript:alert(1)).txt"],
  ["100%.txt", "100%.txt"],
  ["%ff%fe.txt", "%ff%fe.txt"],
  ["<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"],
  ["ü".repeat(300) + ".txt", "ü".repeat(251) + ".txt"],
  ["/", "uploaded-file"],
];

Deno.test("hostile names become safe paths and headers, and the file can be downloaded", async () => {
  await using chat = await startChat();
  for (const [sent, shown] of NAMES) {
    const { status, body } = await send(chat, part(`filename="${sent}"`, "x", "text/html"));
    assert.equal(status, 200, sent);
    assert.equal(body["filename"], shown);
    const url: string = body["url"];
    assert.match(url, /^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/[\p{L}\p{M}\p{N}_.-]+$/u);
    assert.ok(!url.split("/").includes("..") && url.length < 400);
    for (const address of [url, encodeURI(url)]) {
      const file = await download(chat, chat.member, address);
      assert.equal(file.status, 200, address);
      assert.match(file.headers.get("content-disposition") ?? "", /^attachment; filename[*]?=[^\r\n\0]+$/);
      assert.equal(file.headers.get("set-cookie"), null);
      await file.body?.cancel();
    }
  }
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

const field = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
const END = "--b--\r\n";
const HELLO = part('filename="a.txt"', "hello", "text/plain");

const BODIES: readonly [what: string, body: string, status: number, msg?: string][] = [
  ["no parts", END, 400, "You must specify a file to upload"],
  ["nothing", "", 400],
  ["fields alone", field("a") + field("b") + END, 400, "You must specify a file to upload"],
  ["a part without end", HELLO.replace(/\r\n$/, ""), 400],
  ["headers without end", '--b\r\ncontent-disposition: form-data; name="f"; filename="a"', 400],
  ["headers of a megabyte", `--b\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n\r\n${END}`, 400],
  ["1000 tiny parts", Array.from({ length: 1000 }, (_, at) => field(`f${at}`)).join("") + END, 400],
  ["1000 files", HELLO.repeat(1000) + END, 400, "You may only upload one file at a time"],
  ["two files", HELLO + HELLO + END, 400, "You may only upload one file at a time"],
  ["another boundary", HELLO.replaceAll("--b", "--c") + END.replaceAll("--b", "--c"), 400],
  ["a file among fields", field("a") + HELLO + field("b") + END, 200],
];

Deno.test("bodies without exactly one file are refused and leave nothing stored", async () => {
  await using chat = await startChat();
  let kept = 0;
  for (const [what, body, status, msg] of BODIES) {
    const answer = await sendRaw(chat, body);
    assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    if (msg !== undefined) assert.equal(answer.body["msg"], msg, what);
    if (status === 200) kept++;
    const chunks = chat.services.store.kv.list({ prefix: [chat.realm.id, "upload_chunk"] });
    assert.equal((await Array.fromAsync(chunks)).length, kept, what);
  }
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("a nested multipart is stored as a file, and a file needs no name", async () => {
  await using chat = await startChat();
  const inner = '--c\r\ncontent-disposition: file; filename="x.html"\r\n\r\n<script>\r\n--c--';
  const nested = await send(chat, part('filename="n"', inner, "multipart/mixed; boundary=c"));
  assert.equal(nested.status, 200);
  const file = await download(chat, chat.member, nested.body["url"]);
  assert.equal(await file.text(), inner);
  assert.match(file.headers.get("content-disposition") ?? "", /^attachment/);
  const nameless = await upload(chat, chat.member, { name: "", content: "x" });
  assert.deepEqual([nameless.status, nameless.body["filename"]], [200, "uploaded-file"]);
});

Deno.test("a body is refused if its declared length or its actual size is too large", async () => {
  await using chat = await startChat({ env: { UPLOAD_MAX_MIB: "1" } });
  const response = await sendRaw(chat, HELLO + END, { "content-length": String(50 * 1024 * 1024) });
  assert.equal(response.status, 400);
  assert.match(response.body["msg"], /^File is larger than/);
  const large = part('filename="a"', "x".repeat(1024 * 1024 + 1), "text/plain") + END;
  const hidden = await sendRaw(chat, large, { "content-length": "10" });
  assert.equal(hidden.status, 400);
  assert.match(hidden.body["msg"], /^File is larger than/);
  const boundaries = ["multipart/form-data", "multipart/form-data; boundary=", "text/plain; boundary=b"];
  for (const type of boundaries) {
    assert.equal((await sendRaw(chat, HELLO + END, { "content-type": type })).status, 400, type);
  }
  assert.deepEqual((await chat.call(chat.member, "GET /attachments")).body["attachments"], []);
});

function part(filename: string, content: string, type: string): string {
  const declared = type === "" ? "" : `content-type: ${type}\r\n`;
  return `--b\r\ncontent-disposition: form-data; name="f"; ${filename}\r\n${declared}\r\n${content}\r\n`;
}

function send(chat: TestChat, file: string) {
  return sendRaw(chat, file + END);
}

async function sendRaw(chat: TestChat, body: string, more: Record<string, string> = {}) {
  const headers = {
    authorization: basic(chat.member.email, chat.member.apiKey),
    "content-type": "multipart/form-data; boundary=b",
    ...more,
  };
  const init = { method: "POST", body: new TextEncoder().encode(body), headers };
  const response = await chat.request("/api/v1/user_uploads", init);
  return { status: response.status, body: await response.json() };
}
