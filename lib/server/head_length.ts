import type { ServeHandler } from "./guard.ts";

/** Returns a response to HEAD with the length that GET has, which is known unless the body is a stream of pieces. */
export async function withLength(response: Response): Promise<Response> {
  const { body, headers } = response;
  if (body === null || headers.has("content-length")) return response;
  const reader = body.getReader();
  const first = await reader.read();
  const isWhole = first.done || (await reader.read()).done;
  await reader.cancel();
  if (isWhole) headers.set("content-length", String(first.value?.length ?? 0));
  return new Response(null, response);
}

/**
 * Wraps a handler so that responses to HEAD name no length when theirs is unknown: the runtime writes 0 for one without
 * a body.
 */
export function withoutZeroLength(handler: ServeHandler): ServeHandler {
  const answerHead: ServeHandler = async (request, info) => {
    const response = await handler(request, info);
    if (response.status !== 200 || response.headers.has("content-length")) return response;
    return new Response(new ReadableStream({ start: (controller) => controller.close() }), response);
  };
  return (request, info) => request.method === "HEAD" ? answerHead(request, info) : handler(request, info);
}
