import type { Formatter, Phrase } from "./formatter.ts";

const SIZES = [1_073_741_824, 1_048_576, 1024, 1] as const;

/** Formats a number of bytes in the largest unit that it fills; `units` are phrases by their size in bytes. */
export function formatBytes(
  formatter: Formatter,
  units: Readonly<Record<typeof SIZES[number], Phrase>>,
  bytes: number,
): string {
  const unit = unitOfBytes(bytes);
  return formatter.t(units[unit], { amount: Math.round(bytes / unit * 10) / 10 });
}

/** Returns the size of the largest unit that a number of bytes fills. */
export function unitOfBytes(bytes: number): typeof SIZES[number] {
  return SIZES.find((size) => bytes >= size) ?? 1;
}
