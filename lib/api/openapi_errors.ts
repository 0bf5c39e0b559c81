import { z } from "zod";
import { type ErrorCode, STATUS } from "@/lib/core/errors.ts";
import { statusText } from "./envelope.ts";
import type { DescribedContent, DescribedOperation, Json, SchemaBook } from "./openapi_schemas.ts";

const codes = Object.keys(STATUS);

const chatErrorSchema = z.looseObject({
  result: z.literal("error"),
  msg: z.string().meta({ description: "The error message." }),
  code: z.enum(codes).meta({ description: "The error code." }),
}).meta({ id: "ChatError", description: "An error. Some codes have additional members." });

const OTHERS =
  "Any other error: 405 with `allowed_methods` for an unsupported method, and 500 for a fault of the server.";

/** Describes the refusals of an operation of the chat API, whose codes are listed by status. */
export function describeChatErrors(
  byStatus: ReadonlyMap<number, readonly ErrorCode[]>,
  book: SchemaBook,
): DescribedOperation["responses"] {
  const refusals = [...byStatus].map(([status, listed]) => {
    const sorted = listed.toSorted();
    const name = `Chat${status}.${sorted.join(".")}`;
    return [status, book.toResponse(name, () => describeRefusal(status, sorted, book))];
  });
  const others = () => ({ description: OTHERS, content: toContent(book.toResponseSchema(chatErrorSchema)) });
  return { ...Object.fromEntries(refusals), default: book.toResponse("ChatError", others) };
}

function describeRefusal(status: number, listed: readonly ErrorCode[], book: SchemaBook): DescribedContent {
  const narrowed = { type: "object", properties: { code: { enum: listed } } };
  return {
    description: `${statusText(status)}: ${listed.map((code) => `\`${code}\``).join(", ")}`,
    content: toContent({ allOf: [book.toResponseSchema(chatErrorSchema), narrowed] }),
  };
}

const linksErrorSchema = z.object({
  statusCode: z.int(),
  error: z.string(),
  message: z.string(),
  errors: z.array(
    z.object({ code: z.string(), path: z.array(z.union([z.string(), z.int()])), message: z.string() }),
  )
    .optional(),
}).meta({ id: "Error" });

/** Describes the refusals of an operation outside the chat API. */
export function describeLinksErrors(
  statuses: readonly number[],
  book: SchemaBook,
): DescribedOperation["responses"] {
  const refusals = statuses.map((status) => {
    const describe = () => ({
      description: statusText(status),
      content: toContent(book.toResponseSchema(linksErrorSchema)),
    });
    return [status, book.toResponse(`Error${status}`, describe)];
  });
  return Object.fromEntries(refusals);
}

function toContent(schema: Json): NonNullable<DescribedContent["content"]> {
  return { "application/json": { schema } };
}
