import { yieldToEventLoop } from "./yield_to_event_loop.ts";

/** Number of values that are converted before the event loop takes its turn. */
const SLICE = 500;

/**
 * Converts values in slices, between which the event loop takes its turn; few values are converted at once.
 * @param slice number of values of a slice; fewer for a costly conversion.
 */
export async function mapInSlices<T, R>(
  values: Iterable<T>,
  convert: (value: T) => R,
  slice = SLICE,
): Promise<R[]> {
  const converted: R[] = [];
  for (const value of values) {
    if (converted.length > 0 && converted.length % slice === 0) await yieldToEventLoop();
    converted.push(convert(value));
  }
  return converted;
}
