import type { Words } from "@/lib/ui/words/catalogue.ts";

/** What a field of this type holds, in plain words. */
export function typeName({ profileFields: text }: Words, type: number): string {
  return new Map(Object.entries(text.types)).get(String(type))?.name ?? text.unknownType;
}
