import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { errorMessage } from "@/lib/core/errors.ts";
import type { Key } from "./key.ts";

const tracer = trace.getTracer("sotto.store");

/**
 * Makes each call of a store a span of the request that made it; a call that combines those of several requests
 * belongs to the first of them. Spans name the kind of the records and never their keys, which may be secret.
 * Returns the same store.
 */
export function traceCalls(kv: Deno.Kv): Deno.Kv {
  const [get, getMany, list, atomic] = [
    kv.get.bind(kv),
    kv.getMany.bind(kv),
    kv.list.bind(kv),
    kv.atomic.bind(kv),
  ];
  const traced: Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic"> = {
    get: <T>(...args: Parameters<typeof get>) => trackCall(startSpan("get", args[0]), () => get<T>(...args)),
    getMany: <T extends readonly unknown[]>(
      keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
      options?: { consistency?: Deno.KvConsistencyLevel },
    ) => {
      const span = startSpan("get_many", keys[0], { "db.operation.batch.size": keys.length });
      return trackCall(span, () => getMany<T>(keys, options));
    },
    list: <T>(...args: Parameters<typeof list>) => {
      const [selector] = args;
      const key = "prefix" in selector ? selector.prefix : selector.start;
      return trackListing(startSpan("list", key), list<T>(...args));
    },
    atomic() {
      const operation = atomic();
      const commit = operation.commit.bind(operation);
      return Object.assign(operation, { commit: () => trackCall(startSpan("commit"), commit) });
    },
  };
  return Object.assign(kv, traced);
}

function startSpan(operation: string, key?: Key, attributes: Attributes = {}): Span {
  const kind = key?.find((part) => typeof part === "string");
  return tracer.startSpan(kind === undefined ? operation : `${operation} ${kind}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      "db.system.name": "deno_kv",
      "db.operation.name": operation,
      ...(kind === undefined ? {} : { "db.collection.name": kind }),
      ...attributes,
    },
  });
}

/** Makes a call and ends its span. */
async function trackCall<T>(span: Span, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    reportFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Ends the span when the listing ends, or its reader leaves it. */
function trackListing<T>(span: Span, listing: Deno.KvListIterator<T>): Deno.KvListIterator<T> {
  const next = listing.next.bind(listing);
  return Object.assign(listing, {
    async next() {
      try {
        const step = await next();
        if (step.done === true) span.end();
        return step;
      } catch (error) {
        reportFailure(span, error);
        span.end();
        throw error;
      }
    },
    return(value?: unknown) {
      span.end();
      return Promise.resolve({ done: true as const, value });
    },
  });
}

function reportFailure(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) });
}
