import assert from "node:assert/strict";
import type { History, Operation } from "./history.ts";
import { ask, type Reply, type Sender } from "./messages_traffic.ts";
import type { Random } from "./traffic.ts";

/** Bytes of a part of a resumable upload, which has two. */
const PART = 40_000;

/** Channel of a client's messages, and its shared history and random numbers. */
export interface MixedWork {
  readonly history: History;
  readonly random: Random;
  readonly channelId: number;
}

/** A resumable upload that goes on with the next server. */
interface ResumableUpload {
  readonly name: string;
  readonly path: string;
}

type NamedOperation = Pick<Operation, "kind" | "name" | "value">;

/**
 * A client that sends operations of every kind, each after the last one's answer. One that is answered 503 may have been
 * carried out or not, like one without an answer; the client goes on.
 */
export class MixedClient {
  #url = "";
  #isLost = false;
  #sent = 0;
  /** Messages that were acknowledged, by their names. */
  readonly #messages: { readonly name: string; readonly id: number; edits: number; reactions: number }[] = [];
  #upload: ResumableUpload | null = null;

  constructor(readonly number: number, readonly sender: Sender, private readonly work: MixedWork) {}

  /** Sends operations to a server until the connection is lost. */
  async runUntilLost(url: string): Promise<void> {
    this.#url = url;
    this.#isLost = false;
    await this.#resume();
    while (!this.#isLost) await this.#step();
  }

  #step(): Promise<void> {
    const at = this.work.random();
    if (at < 0.35 || this.#messages.length === 0) return this.#send();
    if (at < 0.5) return this.#edit();
    if (at < 0.62) return this.#react();
    if (at < 0.72) return this.#uploadWhole();
    if (at < 0.84) return this.#uploadPart();
    return at < 0.92 ? this.#invite() : this.#setStatus();
  }

  async #send(): Promise<void> {
    const name = this.#newName("m");
    const to = String(this.work.channelId);
    const params = { type: "channel", to, topic: `topic ${this.number % 3}`, content: name };
    const reply = await this.#call({ kind: "message", name, value: name }, "POST /messages", params);
    if (reply === null) return;
    this.#messages.push({ name, id: JSON.parse(reply.text).id, edits: 0, reactions: 0 });
  }

  async #edit(): Promise<void> {
    const message = this.#pick();
    const value = `${message.name} edit ${++message.edits}`;
    const path = `PATCH /messages/${message.id}`;
    const operation = { kind: "edit", name: message.name, value };
    await this.#call(operation, path, { content: value });
  }

  async #react(): Promise<void> {
    const message = this.#pick();
    const isAdded = message.reactions++ % 2 === 0;
    const path = `${isAdded ? "POST" : "DELETE"} /messages/${message.id}/reactions`;
    const operation = { kind: "reaction", name: message.name, value: isAdded ? "1" : "0" };
    const reply = await this.#call(operation, path, { emoji_name: "tada" });
    // Without an acknowledgment it is not known which of both comes next.
    if (reply === null) this.#messages.splice(this.#messages.indexOf(message), 1);
  }

  async #uploadWhole(): Promise<void> {
    const name = `${this.#newName("f")}.txt`;
    const body = new FormData();
    body.append("file", new Blob([name.repeat(2000)]), name);
    await this.#call({ kind: "file", name, value: "" }, "POST /user_uploads", body);
  }

  async #uploadPart(): Promise<void> {
    if (this.#upload !== null) return await this.#sendPart(this.#upload, PART);
    const name = `${this.#newName("r")}.txt`;
    const headers = { "upload-length": String(2 * PART), "upload-metadata": `filename ${btoa(name)}` };
    const reply = await this.#tus("POST", "/api/v1/tus", { headers });
    if (reply === null) return;
    assert.equal(reply.status, 201, await reply.text());
    const path = new URL(reply.headers.get("location") ?? "").pathname;
    const begun = await this.#tus("PATCH", path, { headers: toPartHeaders(0), body: toContent(name) });
    if (begun === null) return;
    assert.equal(begun.status, 204);
    this.#upload = { name, path };
  }

  async #sendPart({ name, path }: ResumableUpload, from: number): Promise<void> {
    this.#upload = null;
    const operation = this.#begin({ kind: "file", name, value: "" });
    const response = await this.#tus("PATCH", path, { headers: toPartHeaders(from), body: toContent(name) });
    if (response === null) return;
    this.work.history.end(operation, { status: response.status, text: await response.text() });
  }

  /** Asks how much of an upload the next server has: the acknowledged part. */
  async #resume(): Promise<void> {
    if (this.#upload === null) return;
    let response: Response | null = null;
    while (response === null && !this.#isLost) response = await this.#tus("HEAD", this.#upload.path, {});
    if (response === null) return;
    assert.equal(response.headers.get("upload-offset"), String(PART), "an acknowledged part is stored");
  }

  async #invite(): Promise<void> {
    const name = `${this.#newName("i")}@example.com`;
    const params = { invitee_emails: name, stream_ids: "[]" };
    await this.#call({ kind: "invitation", name, value: "" }, "POST /invites", params);
  }

  async #setStatus(): Promise<void> {
    // Of the connections of one user, one sets the status.
    if (this.number >= 3) return await this.#send();
    const value = this.#newName("s");
    const operation = { kind: "status", name: String(this.sender.id), value };
    await this.#call(operation, "POST /users/me/status", { status_text: value });
  }

  #newName(prefix: string): string {
    return `${prefix}${this.number}x${this.#sent++}`;
  }

  #pick() {
    const message = this.#messages[Math.floor(this.work.random() * this.#messages.length)];
    assert.ok(message !== undefined);
    return message;
  }

  #begin(operation: NamedOperation): Operation {
    return this.work.history.begin({ client: this.number, ...operation });
  }

  /** Sends an operation and records its acknowledgment; null when none came. */
  async #call(
    named: NamedOperation,
    endpoint: string,
    params: Readonly<Record<string, string>> | FormData,
  ): Promise<Reply | null> {
    const operation = this.#begin(named);
    const [method = "", path = ""] = endpoint.split(" ");
    const body = params instanceof FormData ? params : new URLSearchParams(params);
    const { authorization } = this.sender;
    const reply = await ask(`${this.#url}/api/v1${path}`, { method, headers: { authorization }, body });
    if (!this.#isAnswered(reply)) return null;
    this.work.history.end(operation, reply);
    return reply;
  }

  /** Sends a step of a resumable upload; null when it was not acknowledged. */
  async #tus(method: string, path: string, { headers, body }: RequestInit): Promise<Response | null> {
    const own = { authorization: this.sender.authorization, "tus-resumable": "1.0.0", ...Object(headers) };
    let answered: Response | null = null;
    try {
      const response = await fetch(this.#url + path, { method, headers: own, body: body ?? null });
      const text = await response.text();
      const { status } = response;
      answered = new Response(status === 204 ? null : text, { status, headers: response.headers });
    } catch {
      // The connection was lost before the whole answer came.
    }
    return this.#isAnswered(answered) ? answered : null;
  }

  /** Whether an answer says what became of a request; notes that the connection was lost when there is none. */
  #isAnswered<Answer extends { readonly status: number }>(answer: Answer | null): answer is Answer {
    if (answer === null) this.#isLost = true;
    return answer !== null && answer.status !== 503;
  }
}

function toPartHeaders(from: number): Readonly<Record<string, string>> {
  return { "upload-offset": String(from), "content-type": "application/offset+octet-stream" };
}

/** Returns the content of each part of a file. */
export function toContent(name: string): string {
  return name.repeat(Math.ceil(PART / name.length)).slice(0, PART);
}
