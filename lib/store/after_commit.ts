import { AppError } from "@/lib/core/errors.ts";
import { ReadFailure } from "./database.ts";

/**
 * Runs work that follows a committed change, such as a notice or a removal of bytes that a sweep would remove
 * as well. Returns null if the work is refused or the store fails: the change is made, and its caller must not
 * learn that it was refused.
 */
export async function afterCommit<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || error instanceof ReadFailure) return null;
    throw error;
  }
}
