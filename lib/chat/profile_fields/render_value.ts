import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import type { ChatApp } from "../app.ts";
import { renderAbout } from "../rendering/render_about.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "./profile_field.ts";

/** The html of a text value, which mentions nobody; null for fields of other types. */
export function renderValue(
  { app, realm }: { app: Pick<ChatApp, "config">; realm: RealmRecord },
  { type }: ProfileFieldRecord,
  value: string,
): string | null {
  const isText = type === FIELD_TYPE.shortText || type === FIELD_TYPE.longText;
  return isText ? renderAbout(value, realmUrl(app, realm)) : null;
}
