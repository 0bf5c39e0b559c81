import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import type { Mail } from "@/lib/mail/mail.ts";
import { createMailTransport } from "@/lib/mail/transport.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { composeInvitation, createTestClock, FROM, startSmtp } from "@/tests/casts/mail_cast.ts";

const MAIL_DIR = "/nowhere/at/all";

/** Sends one mail to an empty folder and reads the file. */
async function writeOne(mail: Mail, from = FROM) {
  await using folder = await createTestFolder();
  const mailDir = `${folder.path}/data/mail`;
  const clock = createTestClock();
  await createMailTransport({ smtpUrl: null, mailDir }, clock).send(mail, from, "0123abcd");
  const [file, ...more] = [...Deno.readDirSync(mailDir)];
  assert.deepEqual(more, []);
  const path = `${mailDir}/${file?.name}`;
  const raw = Deno.readFileSync(path);
  const text = new TextDecoder().decode(raw);
  return {
    name: file?.name ?? "",
    mode: Deno.statSync(path).mode,
    raw: text,
    email: await PostalMime.parse(raw),
  };
}

Deno.test("createMailTransport() writes each message to a file without an SMTP server", async () => {
  const mail = composeInvitation("noor@example.com", "Zoë Åström 🐘");
  const { name, mode, raw, email } = await writeOne(mail);
  assert.match(name, /^2026-11-21T11-00-00\.000Z-000001-[0-9a-f]{8}\.eml$/);
  if (mode !== null) assert.equal(mode & 0o777, 0o600);
  assert.deepEqual(email.from, { address: "noreply@sotto.example", name: "Sotto" });
  assert.deepEqual(email.to, [{ address: "noor@example.com", name: "Zoë Åström 🐘" }]);
  assert.equal(email.subject, mail.subject);
  assert.equal(email.date, "2026-11-21T11:00:00.000Z");
  assert.equal(email.messageId, "<0123abcd@sotto.example>");
  assert.equal(email.text?.trim(), mail.text.trim());
  assert.equal(email.html?.trim(), mail.html.trim());
  assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
  assert.match(raw, /^Content-Type: multipart\/alternative;/m);
  assert.doesNotMatch(raw, /(?<!\r)\n/);
  assert.ok(raw.split("\r\n").every((line) => line.length <= 998));
});

Deno.test("createMailTransport() writes files that sort in sending order", async () => {
  await using folder = await createTestFolder();
  const clock = createTestClock();
  const transport = createMailTransport({ smtpUrl: null, mailDir: folder.path }, clock);
  for (const name of ["a", "b", "c"]) await transport.send(composeInvitation(`${name}@example.com`), FROM);
  clock.time += 1;
  await transport.send(composeInvitation("d@example.com"), FROM);
  const names = [...Deno.readDirSync(folder.path)].map(({ name }) => name).sort();
  const emails = await Promise.all(
    names.map((name) => PostalMime.parse(Deno.readFileSync(`${folder.path}/${name}`))),
  );
  assert.deepEqual(
    emails.map(({ to }) => to?.[0]?.address),
    ["a", "b", "c", "d"].map((name) => `${name}@example.com`),
  );
  assert.equal(new Set(emails.map(({ messageId }) => messageId)).size, 4);
});

Deno.test("createMailTransport() rejects if a file cannot be written", async () => {
  await using folder = await createTestFolder();
  Deno.writeTextFileSync(`${folder.path}/mail`, "not a folder");
  const transport = createMailTransport({ smtpUrl: null, mailDir: `${folder.path}/mail` });
  await assert.rejects(transport.send(composeInvitation("noor@example.com"), FROM));
});

Deno.test("createMailTransport() does not allow header injection", async () => {
  const mail: Mail = {
    to: { name: 'Noor"\r\nBcc: x@y.example\r\n <z@y.example>, "', address: "noor@example.com" },
    subject: "Hi\r\nBcc: x@y.example\r\n\r\n<script>",
    text: "Bcc: x@y.example",
    html: "<p>Bcc: x@y.example</p>",
  };
  const { email } = await writeOne(mail);
  const names = [
    "auto-submitted",
    "content-type",
    "date",
    "from",
    "message-id",
    "mime-version",
    "subject",
    "to",
  ];
  assert.deepEqual(email.headers.map(({ key }) => key).sort(), names);
  assert.deepEqual(email.to?.map(({ address }) => address), ["noor@example.com"]);
  assert.equal(email.bcc, undefined);
});

Deno.test("createMailTransport() refuses multiple addresses in one", async () => {
  await using smtp = await startSmtp();
  for (const smtpUrl of [null, smtp.url]) {
    const transport = createMailTransport({ smtpUrl, mailDir: MAIL_DIR });
    for (const address of ["noor@example.com\r\nBcc: x@y.example", "noor@example.com, x@y.example", ""]) {
      const mail = { ...composeInvitation("noor@example.com"), to: { name: "Noor", address } };
      await assert.rejects(transport.send(mail, FROM), { code: "BAD_REQUEST" });
    }
  }
  assert.equal(smtp.received.length, 0);
});

Deno.test("createMailTransport() uses STARTTLS if the server offers it", async () => {
  await using smtp = await startSmtp();
  const mail = composeInvitation("noor@example.com", "محمد");
  await createMailTransport({ smtpUrl: smtp.url, mailDir: MAIL_DIR }).send(mail, FROM, "77");
  const [message] = smtp.received;
  assert.equal(smtp.received.length, 1);
  assert.equal(message?.isEncrypted, true);
  assert.deepEqual(message?.recipients, ["noor@example.com"]);
  assert.equal(message?.sender, "noreply@sotto.example");
  assert.equal(message?.email.to?.[0]?.name, "محمد");
  assert.equal(message?.email.text?.trim(), mail.text.trim());
  assert.match(message?.head ?? "", /^Message-ID: <77@sotto\.example>\r$/m);
});

Deno.test("createMailTransport() sends without encryption and with TLS from the start", async () => {
  for (const options of [{ disabledCommands: ["STARTTLS"] }, { secure: true }]) {
    await using smtp = await startSmtp(options);
    const mail = composeInvitation("noor@example.com");
    await createMailTransport({ smtpUrl: smtp.url, mailDir: MAIL_DIR }).send(mail, FROM);
    assert.deepEqual(smtp.received.map(({ isEncrypted }) => isEncrypted), ["secure" in options]);
  }
});

Deno.test("createMailTransport() refuses an untrusted certificate", async () => {
  await using smtp = await startSmtp();
  const smtpUrl = `smtp://127.0.0.1:${smtp.port}`;
  const transport = createMailTransport({ smtpUrl, mailDir: MAIL_DIR });
  await assert.rejects(transport.send(composeInvitation("noor@example.com"), FROM));
  assert.equal(smtp.received.length, 0);
});

Deno.test("createMailTransport() signs in with the user and password of the URL", async () => {
  await using smtp = await startSmtp({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (password === "p@ss/word") done(null, { user: username });
      else done(new Error("wrong"));
    },
  });
  const send = (password: string) => {
    const smtpUrl = smtp.url.replace("//", `//sotto%40example.com:${encodeURIComponent(password)}@`);
    return createMailTransport({ smtpUrl, mailDir: MAIL_DIR }).send(composeInvitation("a@example.com"), FROM);
  };
  await send("p@ss/word");
  assert.deepEqual(smtp.received.map(({ user }) => user), ["sotto@example.com"]);
  await assert.rejects(send("other"), { code: "EAUTH" });
});

Deno.test("createMailTransport() times out on a silent server", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept();
  const smtpUrl = `smtp://127.0.0.1:${listener.addr.port}?greetingTimeout=100`;
  const transport = createMailTransport({ smtpUrl, mailDir: MAIL_DIR });
  await assert.rejects(transport.send(composeInvitation("a@example.com"), FROM), { code: "ETIMEDOUT" });
  (await accepted).close();
});
