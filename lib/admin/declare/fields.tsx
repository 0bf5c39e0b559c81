import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { CharacterCountHint } from "@/components/admin/CharacterCountHint.tsx";
import {
  CheckField,
  CheckList,
  FileInput,
  SelectField,
  TextArea,
  TextInput,
} from "@/components/admin/fields.tsx";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import type { UploadLimit } from "@/lib/api/fields.ts";
import { MIB } from "@/lib/chat/organization/files/model.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { parseLocal, toLocal } from "@/lib/core/clock.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { CHARACTERS_OVER } from "@/lib/ui/texts.ts";
import { FormRefusal } from "../admin_page.ts";
import { findPeople, readPeopleInput } from "../people/find_people.ts";
import type { FormFields } from "../form_fields.ts";
import type { Field, FieldProps, Option } from "./form.tsx";

/** Label and hint of a field. */
interface FieldTexts {
  readonly label: Phrase;
  readonly hint?: Phrase;
}

/** Returns the texts of a field in the user's language, and the other props of its component. */
function useField<Value>(field: FieldProps<Value>, { label, hint }: FieldTexts, shown?: ComponentChildren) {
  const { t } = useAdmin();
  const note = useStored(field);
  const main = shown ?? (hint === undefined ? undefined : t(hint));
  const { name, state } = field;
  return { name, state, label: t(label), hint: note === "" ? main : <>{main} {note}</> };
}

/** Returns the stored value in a form that is refused because others changed it, where the form has another one. */
function useStored<Value>({ name, state, stored, options }: FieldProps<Value>): string {
  const { t } = useAdmin();
  if (!state.isOutdated || stored === undefined || Array.isArray(stored)) return "";
  const isFlag = typeof stored === "boolean";
  const value = isFlag ? t(stored ? "Yes" : "No") : String(stored ?? "");
  if (
    isFlag ? state.isTicked(name, false) === stored : state.value(name).replaceAll("\r\n", "\n") === value
  ) return "";
  const shown = options.find(({ id }) => String(id) === value)?.name ?? value;
  return t("Stored now: {value}", { value: shown === "" ? "–" : shown });
}

interface TextSpec extends FieldTexts {
  /** Maximum length in code points, which is `{count}` in the hint. */
  readonly max?: number;
  /** Shows the number of characters left when few are. */
  readonly countsDown?: boolean;
  /** Number of lines of a field with several. */
  readonly rows?: number;
  /** A password is a new one, which can be shown while it is typed. */
  readonly type?: "text" | "email" | "password" | "url" | "number" | "date" | "datetime-local";
  readonly isMono?: boolean;
  /** Takes the focus, unless another field was refused. */
  readonly takesFocus?: boolean;
  /** Keeps the blanks around the text. */
  readonly keepsBlanks?: boolean;
  /** Keeps NUL characters, for names, whose rules refuse them. */
  readonly isExact?: boolean;
}

/** A field for text. */
export function text(spec: TextSpec): Field<string> {
  return {
    read: (submitted, name) => {
      const value = spec.isExact ? submitted.exact(name) : submitted.text(name);
      return spec.keepsBlanks ? value : value.trim();
    },
    check: (value, { t }) => {
      const count = spec.max === undefined ? 0 : codePointLength(value) - spec.max;
      return count > 0 ? t(CHARACTERS_OVER, { count }) : null;
    },
    View: (field) => <TextField {...field} spec={spec} />,
  };
}

function TextField({ stored, spec, ...field }: FieldProps<string> & { readonly spec: TextSpec }) {
  const { t } = useAdmin();
  const { hint, max = 0, type = "text", isMono = false } = spec;
  const shown = hint !== undefined && spec.countsDown
    ? <CharacterCountHint text={hint} fieldId={field.name} limit={max} />
    : hint && t(hint, { count: max });
  const props = {
    ...{ ...useField({ ...field, stored }, spec, shown), stored, isMono },
    ...(type === "password" ? { showText: t("Show"), autocomplete: "new-password" } : {}),
  };
  const isFirst = spec.takesFocus && Object.keys(field.state.problems).length === 0;
  return spec.rows === undefined
    ? <TextInput {...props} type={type} {...(isFirst ? { takesFocus: true } : {})} />
    : <TextArea {...props} rows={spec.rows} />;
}

/** A field for a whole number, or none. */
export function count(spec: FieldTexts): Field<number | null> {
  return {
    read: (submitted, name, { t }) => {
      const value = submitted.int(name);
      if (value !== null || submitted.text(name).trim() === "") return value;
      throw new FormRefusal({ [name]: t("Enter a whole number.") });
    },
    View: ({ stored, ...field }) => (
      <TextField {...field} stored={String(stored ?? "")} spec={{ ...spec, type: "number" }} />
    ),
  };
}

/** A field for a time in the user's time zone, in milliseconds since 1970 UTC, or none. */
export function moment(spec: FieldTexts): Field<number | null> {
  return {
    read: (submitted, name, { t, timeZone }) => {
      const value = submitted.text(name).trim();
      const time = value.includes("T") ? parseLocal(value, timeZone) : Number.NaN;
      if (value !== "" && Number.isNaN(time)) {
        throw new FormRefusal({ [name]: t("Enter a date and a time.") });
      }
      return value === "" ? null : time;
    },
    View: ({ stored = null, ...field }) => {
      const { timeZone } = useAdmin();
      const local = stored === null ? "" : toLocal(stored, timeZone);
      return <TextField {...field} stored={local} spec={{ ...spec, type: "datetime-local" }} />;
    },
  };
}

/** A checkbox. */
export function flag(spec: FieldTexts): Field<boolean> {
  return {
    read: (submitted, name) => submitted.flag(name),
    View: (field) => <CheckField {...useField(field, spec)} stored={field.stored ?? false} />,
  };
}

interface FileSpec extends FieldTexts {
  /** Types and endings of the files to choose from. */
  readonly accept: string;
  /** Problem of a form without a file. */
  readonly missing: Phrase;
  readonly upload: UploadLimit;
}

/** A field for the only file of its page, whose maximum size in MiB is `{count}` in the hint. */
export function file({ accept, missing, upload, ...texts }: FileSpec): Field<Uint8Array> {
  return {
    upload,
    read: ({ files }, name, { t }) => {
      // A form without a chosen file sends an empty one.
      const chosen = files.find(({ length }) => length > 0);
      if (chosen === undefined) throw new FormRefusal({ [name]: t(missing) });
      return chosen;
    },
    View: (field) => {
      const hint = useAdmin().t(texts.hint ?? "", { count: upload.maxBytes / MIB });
      return <FileInput {...useField(field, texts, hint)} accept={accept} />;
    },
  };
}

/** A field for a picture. */
export function picture(texts: FieldTexts): Field<Uint8Array> {
  return file({
    ...texts,
    accept: "image/png,image/gif,image/jpeg,image/webp",
    missing: "Choose a picture.",
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
  });
}

/** A field for people by their names, addresses or ids, one on each line. */
export function people(
  spec: FieldTexts & {
    readonly rows?: number;
    /** Problem of a field that names nobody. */
    readonly missing?: Phrase;
  },
): Field<readonly UserRecord[]> {
  const { rows, missing } = spec;
  return {
    read: async (submitted, name, request) =>
      await findPeople(request, readPeopleInput(submitted, name), name),
    check: (found, { t }) => found.length === 0 && missing !== undefined ? t(missing) : null,
    View: (field) => <PeopleField {...useField(field, spec)} {...(rows === undefined ? {} : { rows })} />,
  };
}

/** A choice among values that are known in advance; `otherwise` is the value of a form without a known one. */
export function choice<Value extends string>(
  spec: FieldTexts & {
    readonly options: Readonly<Record<Value, Phrase>>;
    readonly otherwise: NoInfer<Value>;
  },
): Field<Value> {
  const isKnown = (value: string): value is Value => Object.hasOwn(spec.options, value);
  return {
    read: (submitted, name) => {
      const value = submitted.text(name);
      return isKnown(value) ? value : spec.otherwise;
    },
    View: (field) => {
      const { t } = useAdmin();
      const options = Object.entries<Phrase>(spec.options).map(([id, label]) => ({ id, name: t(label) }));
      return (
        <SelectField
          {...useField({ ...field, options }, spec)}
          stored={field.stored ?? spec.otherwise}
          choices={options.map(toChoice)}
        />
      );
    },
  };
}

/** A choice of one of the records that `Form` gets as `options`: its id, or null where `none` is offered. */
export function record(spec: FieldTexts & { readonly none: Phrase }): Field<number | null>;
/** A choice of one of the records that `Form` gets as `options`; without one, `missing` is the problem. */
export function record(
  spec: FieldTexts & { readonly missing: Phrase; readonly empty?: Phrase },
): Field<number>;
export function record(
  spec: FieldTexts & { readonly none?: Phrase; readonly missing?: Phrase; readonly empty?: Phrase },
): Field<number | null> {
  const { none, missing, empty } = spec;
  return {
    read: (submitted, name) => submitted.int(name),
    check: (value, { t }) => value === null && missing !== undefined ? t(missing) : null,
    View: (field) => {
      const { t } = useAdmin();
      if (field.options.length === 0 && empty !== undefined) return <p class="text-soft">{t(empty)}</p>;
      const choices = field.options.map(toChoice);
      return (
        <SelectField
          {...useField(field, spec)}
          stored={String(field.stored ?? "")}
          choices={none === undefined ? choices : [{ value: "", label: t(none) }, ...choices]}
        />
      );
    },
  };
}

function toChoice({ id, name, note, isDisabled = false }: Option) {
  return { value: String(id), label: name, note, isDisabled };
}

/** Checkboxes for the records that `Form` gets as `options`; the value are the ids of those chosen. */
export function records(spec: FieldTexts & { readonly empty: Phrase }): Field<readonly number[]> {
  return {
    read: (submitted, name) => submitted.ints(name),
    View: (field) => (
      <CheckList
        {...useField(field, spec)}
        empty={useAdmin().t(spec.empty)}
        stored={field.stored?.map(String) ?? []}
        choices={field.options.map(toChoice)}
      />
    ),
  };
}

/** A field that the page renders itself, such as a hidden one. */
export function rendered<Value>(read: (submitted: FormFields, name: string) => Value): Field<Value> {
  return { read, View: () => null };
}

/** A field that is read only where a choice has this value, because it is hidden elsewhere; there it is null. */
export function whenChosen<Value>(choice: string, chosen: string, field: Field<Value>): Field<Value | null> {
  const { View } = field;
  return {
    read: async (submitted, name, request) => {
      if (submitted.text(choice) !== chosen) return null;
      const value = await field.read(submitted, name, request);
      const problem = field.check?.(value, request) ?? null;
      if (problem !== null) throw new FormRefusal({ [name]: problem });
      return value;
    },
    View: ({ stored, ...props }) => <View {...props} stored={stored ?? undefined} />,
  };
}

/** The fields of a name and a description, with their maximum lengths in code points. */
export function nameFields(
  limits: { readonly name: number; readonly description: number },
  descriptionHint: Phrase,
  options: { readonly keepsBlanks?: boolean } = {},
): { readonly name: Field<string>; readonly description: Field<string> } {
  return {
    name: text({
      label: "Name",
      hint: "Up to {count} characters.",
      max: limits.name,
      countsDown: true,
      isExact: true,
      ...options,
    }),
    description: text({
      label: "Description",
      hint: descriptionHint,
      max: limits.description,
      countsDown: true,
      rows: 2,
      keepsBlanks: true,
    }),
  };
}
