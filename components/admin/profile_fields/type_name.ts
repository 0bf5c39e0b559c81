import type { Messages } from "@/lib/ui/messages/catalogue.ts";

/** Returns the name of a field type. */
export function typeName({ profileFields: text }: Messages, type: number): string {
  return new Map(Object.entries(text.types)).get(String(type))?.name ?? text.unknownType;
}
