import { z } from "zod";

/** Part of the API's description, as JSON. */
export type Json = Record<string, unknown>;

/** Turns schemas into JSON and gathers their named parts, which the description then refers to. */
export interface SchemaBook {
  /** What a client is sent. */
  toAnswer(schema: z.ZodType): Json;
  /** What a client sends. */
  toRequest(schema: z.ZodType): Json;
  /** The named parts so far. */
  components(): Json;
}

/** An empty book; a schema is named by its `id` in `meta`, in requests with the ending `Input`. */
export function createSchemaBook(): SchemaBook {
  const named = new Map<string, string>();
  const toJson = (schema: z.ZodType, io: "input" | "output"): Json => {
    const ending = io === "input" ? "Input" : "";
    const { $schema: _, $defs = {}, ...json } = relocate(z.toJSONSchema(schema, { io }), ending);
    for (const [name, part] of Object.entries($defs)) keep(named, name + ending, JSON.stringify(part));
    return json;
  };
  return {
    toAnswer: (schema) => toJson(schema, "output"),
    toRequest: (schema) => toJson(schema, "input"),
    components: () => Object.fromEntries([...named].map(([name, text]) => [name, JSON.parse(text)])),
  };
}

/** Two schemas of one name would make one of them wrong, so that is said while the description is made. */
function keep(named: Map<string, string>, name: string, text: string): void {
  const before = named.get(name);
  if (before !== undefined && before !== text) throw new Error(`Two different schemas are named ${name}`);
  named.set(name, text);
}

interface WithDefinitions extends Json {
  readonly $defs?: Readonly<Record<string, unknown>>;
}

/** The same schema with its references to named parts pointing at the components, at every depth. */
function relocate(schema: object, ending: string): WithDefinitions {
  const text = JSON.stringify(schema).replaceAll(
    /"\$ref":"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"$ref":"#/components/schemas/${name}${ending}"`,
  );
  return JSON.parse(text);
}
