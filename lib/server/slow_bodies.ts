import type { Clock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { openPieceReader, type PieceReader } from "@/lib/core/piece_reader.ts";
import type { CapacityClient, Slot } from "./capacity.ts";

/** Time after which a body that still arrives may be given up, in milliseconds. */
const PATIENCE_MS = 2000;
/** Rate at which a body is never given up, in bytes a millisecond. */
const FAST_RATE = 16;
/** Bytes that are read at a time for readers without memory of their own. */
const PIECE_BYTES = 64 * 1024;
/** Bodies of one client that are given up in a second: a client that sends them anew must not cost much. */
const MAX_GIVEN_UP = 8;
const SECOND_MS = 1000;

/** A body that is arriving. */
interface ArrivingBody {
  readonly slot: Slot;
  readonly startedAt: number;
  bytes: number;
  giveUp: () => void;
}

/** The bodies that are arriving; the slowest gives its place to another request when there is none left. */
export class SlowBodies {
  readonly #arriving = new Set<ArrivingBody>();
  /** Bodies given up in the current second, by client. */
  readonly #givenUp = new Map<string, number>();
  #second = 0;

  constructor(private readonly clock: Pick<Clock, "monotonic">) {}

  /** Returns a request with the same body, which may be given up while it arrives. */
  watch(request: Request, slot: Slot): Request {
    const { body } = request;
    if (body === null) return request;
    const arriving = { slot, startedAt: this.clock.monotonic(), bytes: 0, giveUp: () => {} };
    this.#arriving.add(arriving);
    return new Request(request, { body: this.#count(body, arriving) });
  }

  /** Forgets the body of a request that was answered. */
  forget(slot: Slot): void {
    for (const arriving of this.#arriving) if (arriving.slot === slot) this.#arriving.delete(arriving);
  }

  /**
   * Gives up the slowest body of a client, or of all of them, and frees its place; false when none is slow, or when
   * enough were given up in this second.
   */
  giveUpSlowest(client: CapacityClient | null): boolean {
    const name = client?.group ?? "";
    const now = this.clock.monotonic();
    const second = Math.floor(now / SECOND_MS);
    if (second !== this.#second) this.#givenUp.clear();
    this.#second = second;
    const givenUp = this.#givenUp.get(name) ?? 0;
    const slowest = givenUp >= MAX_GIVEN_UP ? null : this.#findSlowest(client, now);
    if (slowest === null) return false;
    this.#givenUp.set(name, givenUp + 1);
    this.#arriving.delete(slowest);
    slowest.giveUp();
    slowest.slot[Symbol.dispose]();
    return true;
  }

  #findSlowest(client: CapacityClient | null, now: number): ArrivingBody | null {
    let slowest: { readonly body: ArrivingBody; readonly rate: number } | null = null;
    for (const body of this.#arriving) {
      const age = now - body.startedAt;
      const rate = body.bytes / age;
      if (age < PATIENCE_MS || rate >= (slowest?.rate ?? FAST_RATE)) continue;
      if (client === null || body.slot.client.group === client.group) slowest = { body, rate };
    }
    return slowest?.body ?? null;
  }

  /** Passes a body on and counts its bytes; fails when it is given up. */
  #count(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    arriving: ArrivingBody,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const forget = () => this.#arriving.delete(arriving);
    let reader: PieceReader | null = null;
    return new ReadableStream({
      type: "bytes",
      autoAllocateChunkSize: PIECE_BYTES,
      start(controller) {
        arriving.giveUp = () => {
          controller.error(new AppError("REQUEST_TIMEOUT", "The body arrived too slowly."));
          (reader ?? body).cancel().catch(() => {});
        };
      },
      async pull(controller) {
        reader ??= openPieceReader(body);
        const toView = () => toFreeBytes(controller);
        try {
          const piece = await reader.read(toView);
          arriving.bytes += piece.length;
          if (piece.length === 0) {
            forget();
            controller.close();
          }
          passOn(piece, controller, reader);
        } catch (error) {
          forget();
          reader.cancel().catch(() => {});
          throw error;
        }
      },
      async cancel(reason) {
        forget();
        await (reader ?? body).cancel(reason);
      },
    });
  }
}

/** Returns the memory of the read that waits for bytes. */
function toFreeBytes({ byobRequest }: ReadableByteStreamController): Uint8Array<ArrayBuffer> {
  const view = byobRequest?.view ?? null;
  if (view === null) return new Uint8Array(PIECE_BYTES);
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Gives bytes to the read that waits for them; an empty piece at the end lets it end as well. */
function passOn(
  piece: Uint8Array<ArrayBuffer>,
  controller: ReadableByteStreamController,
  { isInPlace }: PieceReader,
): void {
  if (isInPlace) controller.byobRequest?.respondWithNewView(piece);
  else if (piece.length > 0) controller.enqueue(piece);
  else controller.byobRequest?.respond(0);
}
