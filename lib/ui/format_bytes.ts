import type { Translate } from "./translate.ts";

/** Phrases by the size of their unit in bytes. */
const UNITS = {
  1073741824: "{amount} GiB",
  1048576: "{amount} MiB",
  1024: "{amount} KiB",
  1: "{amount} bytes",
} as const;
const SIZES = [1_073_741_824, 1_048_576, 1024, 1] as const;

/** Formats a number of bytes in the largest unit that it fills. */
export function formatBytes(t: Translate, bytes: number): string {
  const unit = unitOfBytes(bytes);
  return t(UNITS[unit], { amount: Math.round(bytes / unit * 10) / 10 });
}

/** Returns the size of the largest unit that a number of bytes fills. */
export function unitOfBytes(bytes: number): typeof SIZES[number] {
  return SIZES.find((size) => bytes >= size) ?? 1;
}
