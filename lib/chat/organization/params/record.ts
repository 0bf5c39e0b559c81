import { z } from "zod";
import { isLongerThan } from "@/lib/core/text.ts";
import { MAX_TEXT } from "./param.ts";

/**
 * Returns a schema for objects with any keys of at most `maxKey` code points. Unlike in the records of zod,
 * `__proto__` is a key like any other, and the first problem ends the validation.
 */
export function record<T>(
  value: z.ZodType<T>,
  { maxKey = MAX_TEXT }: { maxKey?: number } = {},
): z.ZodType<Readonly<Record<string, T>>> {
  const shape = z.record(maxKey === MAX_TEXT ? z.string() : z.string().meta({ maxLength: maxKey }), value);
  const { $schema: _, ...json } = z.toJSONSchema(shape, { io: "input" });
  return z.unknown().meta(json).transform((input, { issues }) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      issues.push({ code: "invalid_type", expected: "record", input });
      return z.NEVER;
    }
    const entries: [name: string, value: unknown][] = [];
    for (const [name, sent] of Object.entries(input)) {
      if (isLongerThan(name, maxKey)) {
        issues.push({ code: "invalid_key", origin: "record", issues: [], input: name, path: [name] });
        return z.NEVER;
      }
      const result = value._zod.run({ value: sent, issues: [] }, { reportInput: true });
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      if (result.issues.length > 0) {
        issues.push(...z.core.util.prefixIssues(name, result.issues));
        return z.NEVER;
      }
      entries.push([name, result.value]);
    }
    // Keeps `__proto__`, which an assignment would take for the prototype.
    return Object.fromEntries(entries);
  }).pipe(z.custom<Readonly<Record<string, T>>>());
}
