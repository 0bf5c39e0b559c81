import { z } from "zod";
import type { Schema } from "./api_walk.ts";

/** Converts a JSON schema of the API description, which may refer to its named schemas, to a schema that validates. */
export function toZod(schema: Schema, schemas: Readonly<Record<string, Schema>>): z.ZodType {
  const whole = JSON.stringify({ ...schema, $defs: schemas })
    .replaceAll("#/components/schemas/", "#/$defs/")
    // Zod takes integers for safe ones only, which the anchor of the newest messages exceeds.
    .replaceAll('"type":"integer"', '"type":"number","multipleOf":1');
  return z.fromJSONSchema(JSON.parse(whole));
}
