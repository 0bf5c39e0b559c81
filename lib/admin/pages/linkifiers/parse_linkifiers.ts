import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { MAX_IMPORTED_LINKIFIERS } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { type LinkifierFields, MAX_ALTERNATIVES } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { parseJson } from "@/lib/core/parse_json.ts";

/** Cuts a list to one more item than allowed before each item is checked, which takes longer than parsing it. */
const listOf = <T>(item: z.ZodType<T>, max: number) =>
  z.preprocess((list) => Array.isArray(list) ? list.slice(0, max + 1) : list, z.array(item));

const optionalText = z.string().trim().nullish().transform((text) => text || null);
const linkifier = z.object({
  pattern: z.string().trim(),
  url_template: z.string().trim(),
  example_input: optionalText,
  reverse_template: optionalText,
  alternative_url_templates: listOf(z.string().trim(), MAX_ALTERNATIVES).default([]),
});
const linkifiers = listOf(linkifier, MAX_IMPORTED_LINKIFIERS);
/** The file that the list exports, or the list alone. */
const exported = z.union([z.object({ linkifiers }), linkifiers]);

/** Maximum size of the first row, in UTF-16 units: the parser takes long to refuse a row that it did not expect. */
const MAX_HEADER = 1000;
/** Maximum size of a row in bytes, which a linkifier with the longest templates needs. */
const MAX_ROW = 50_000;
/** Rows of a CSV file, by the names in its first row. */
const rows = z.array(z.record(z.string(), z.string()));

/**
 * Parses linkifiers from JSON as the list exports them, or from CSV whose first row names the columns. Returns
 * null for any other text.
 */
export function parseLinkifiers(text: string): readonly LinkifierFields[] | null {
  if (!/^\s*[[{]/.test(text)) return parseCsv(text);
  const parsed = exported.safeParse(parseJson(text)).data;
  return parsed === undefined ? null : "linkifiers" in parsed ? parsed.linkifiers : parsed;
}

function parseCsv(text: string): readonly LinkifierFields[] | null {
  const [first = ""] = text.trim().split(/[\r\n]/, 1);
  if (first.length > MAX_HEADER) return null;
  const delimiter = ["\t", ";", ","].find((one) => first.includes(one)) ?? ",";
  // Other columns are skipped: thousands of them would cost more than the file.
  const columns = (names: string[]) =>
    names.map((name) => name.trim().toLowerCase()).map((name) => name in linkifier.shape && name);
  try {
    // One more than is imported, so that too many are recognized.
    const to = MAX_IMPORTED_LINKIFIERS + 1;
    const skipped = { skip_empty_lines: true, skip_records_with_empty_values: true };
    const options = { bom: true, columns, delimiter, to, max_record_size: MAX_ROW, ...skipped };
    const parsed = rows.parse(parse(text.trim(), options));
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
