import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import type { LinkifierFields } from "@/lib/chat/linkifiers/model/linkifier.ts";
import { parseJson } from "@/lib/core/parse_json.ts";

const optionalText = z.string().trim().nullish().transform((text) => text || null);
const linkifier = z.object({
  pattern: z.string().trim(),
  url_template: z.string().trim(),
  example_input: optionalText,
  reverse_template: optionalText,
  alternative_url_templates: z.array(z.string().trim()).default([]),
});
/** The file that the list exports, or the list alone. */
const exported = z.union([z.object({ linkifiers: z.array(linkifier) }), z.array(linkifier)]);

/** Rows of a CSV file, by the names in its first row. */
const rows = z.array(z.record(z.string(), z.string()));

/**
 * Parses linkifiers from JSON as the list exports them, or from CSV whose first row names the columns. Returns
 * null for any other text.
 */
export function parseLinkifiers(text: string): readonly LinkifierFields[] | null {
  const json = parseJson(text);
  if (json !== undefined && json !== null) {
    const parsed = exported.safeParse(json).data;
    return parsed === undefined ? null : "linkifiers" in parsed ? parsed.linkifiers : parsed;
  }
  return parseCsv(text);
}

function parseCsv(text: string): readonly LinkifierFields[] | null {
  const [first = ""] = text.trim().split(/[\r\n]/, 1);
  const delimiter = ["\t", ";", ","].find((one) => first.includes(one)) ?? ",";
  const columns = (names: string[]) => names.map((name) => name.trim().toLowerCase());
  try {
    const skipped = { skip_empty_lines: true, skip_records_with_empty_values: true };
    const parsed = rows.parse(parse(text.trim(), { bom: true, columns, delimiter, ...skipped }));
    const found = z.array(linkifier).safeParse(parsed.map(toFields)).data;
    return found === undefined || found.length === 0 ? null : found;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

/** Converts a row; alternative templates are separated by blanks, which no URL contains. */
function toFields(row: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const alternatives = row["alternative_url_templates"]?.split(/\s+/).filter((text) => text !== "");
  return { ...row, alternative_url_templates: alternatives ?? [] };
}
