import type { AppError } from "@/lib/core/errors.ts";
import { STATUS } from "../api/envelope.ts";

/** Data of a page that answers a form, with the status and headers of the response. */
export interface PageOutcome<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the page that shows a refusal: with the refusal's status and, where there is one, the time to wait. */
export function refusedPage<Data>(data: Data, { code, details }: AppError): PageOutcome<Data> {
  const { retryAfter } = details;
  const headers = retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) };
  return { data, status: STATUS[code], headers };
}
