import assert from "node:assert/strict";
import { settled } from "./wait.ts";

/** A server-sent event. */
export interface StreamEvent {
  readonly type: string;
  readonly id: string;
  // deno-lint-ignore no-explicit-any
  readonly data: any;
}

/** Reads the server-sent events of a response. */
export class StreamReader {
  readonly #chunks: AsyncIterator<string>;
  #text = "";
  /** Id of the last event read, from which a browser would continue. */
  last = "";

  constructor(readonly response: Response) {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.ok(response.body !== null);
    this.#chunks = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  }

  /** Returns the next event other than a heartbeat; null when the stream ends or breaks off. */
  async next(): Promise<StreamEvent | null> {
    for (;;) {
      const event = await this.any();
      if (event?.type !== "here") return event;
    }
  }

  /** Returns the next event of any type; null when the stream ends or breaks off. */
  async any(): Promise<StreamEvent | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end < 0) {
        // A stream that breaks off has ended as well.
        const next = this.#chunks.next().catch(() => ({ done: true, value: "" }) as const);
        const chunk = await settled("the stream goes on or ends", next);
        if (chunk.done) return null;
        this.#text += chunk.value;
        continue;
      }
      const event = parse(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 2);
      if (event === null) continue;
      this.last = event.id;
      return event;
    }
  }

  /** Returns the data of the next messages. */
  async take(count: number): Promise<StreamEvent["data"][]> {
    const data: unknown[] = [];
    while (data.length < count) {
      const event = await this.next();
      assert.equal(event?.type, "message", JSON.stringify(event));
      assert.equal(event?.id, String(event?.data.id));
      data.push(event?.data);
    }
    return data;
  }

  /** Returns all events up to the end of the stream. */
  async rest(): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    for (let event = await this.next(); event !== null; event = await this.next()) events.push(event);
    return events;
  }

  /** Cancels the stream. */
  async leave(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function parse(block: string): StreamEvent | null {
  const fields = new Map(
    block.split("\n").filter((line) => !line.startsWith(":")).map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const data = fields.get("data");
  if (data === undefined) return null;
  return { type: fields.get("event") ?? "message", id: fields.get("id") ?? "", data: JSON.parse(data) };
}
