import { Fragment } from "preact";
import { CharacterCountHint } from "@/components/admin/CharacterCountHint.tsx";
import { CheckField, CheckList, SelectField, TextArea, TextInput } from "@/components/admin/fields.tsx";
import type { FormState } from "@/components/admin/form_state.ts";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { parseLocal, toLocal } from "@/lib/core/clock.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { findPeople, readPeopleInput } from "../people/find_people.ts";
import type { FormFields } from "../form_fields.ts";
import type { Field, Option } from "./form.tsx";
import { useTexts } from "./page.tsx";

interface TextSpec {
  readonly label: Phrase;
  /** `{count}` is the maximum length. */
  readonly hint?: Phrase;
  /** Maximum length in code points. */
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
    check: (value, request) => spec.max === undefined ? null : findExcess(request, value, spec.max),
    render: (name, state, stored) => (
      <TextField key={name} name={name} state={state} stored={stored} spec={spec} />
    ),
  };
}

/** Returns the problem of a text that is longer than a number of code points, or null. */
function findExcess({ messages, t }: AdminRequest, value: string, max: number): string | null {
  const count = codePointLength(value) - max;
  return count > 0 ? t(messages.common.charactersOver, { count }) : null;
}

interface RenderedField<Value, Spec> {
  readonly name: string;
  readonly state: FormState;
  readonly stored: Value | undefined;
  readonly spec: Spec;
}

function TextField({ name, state, stored, spec }: RenderedField<string, TextSpec>) {
  const { t, text: hint } = useTexts(spec.hint);
  const props = {
    name,
    state,
    stored,
    label: t(spec.label),
    hint: hint === undefined || spec.max === undefined
      ? hint === undefined ? undefined : t(hint)
      : spec.countsDown
      ? <CharacterCountHint text={hint} fieldId={name} limit={spec.max} />
      : t(hint, { count: spec.max }),
    isMono: spec.isMono ?? false,
    ...(spec.type === "password" ? { showText: t("Show"), autocomplete: "new-password" } : {}),
  };
  const isFirst = spec.takesFocus && Object.keys(state.problems).length === 0;
  return spec.rows === undefined
    ? <TextInput {...props} type={spec.type ?? "text"} {...(isFirst ? { takesFocus: true } : {})} />
    : <TextArea {...props} rows={spec.rows} />;
}

/** A field for a whole number, or none. */
export function count(spec: { readonly label: Phrase; readonly hint: Phrase }): Field<number | null> {
  return {
    read: (submitted, name, { t }) => {
      const value = submitted.int(name);
      if (value !== null || submitted.text(name).trim() === "") return value;
      throw new FormRefusal({ [name]: t("Enter a whole number.") });
    },
    check: () => null,
    render: (name, state, stored) => (
      <TextField
        key={name}
        name={name}
        state={state}
        stored={String(stored ?? "")}
        spec={{ ...spec, type: "number" }}
      />
    ),
  };
}

/** A field for a time in the user's time zone, in milliseconds since 1970 UTC, or none. */
export function moment(spec: { readonly label: Phrase; readonly hint: Phrase }): Field<number | null> {
  return {
    read: (submitted, name, { t, timeZone }) => {
      const value = submitted.text(name).trim();
      const time = value.includes("T") ? parseLocal(value, timeZone) : Number.NaN;
      if (value !== "" && Number.isNaN(time)) {
        throw new FormRefusal({ [name]: t("Enter a date and a time.") });
      }
      return value === "" ? null : time;
    },
    check: () => null,
    render: (name, state, stored = null) => (
      <MomentField key={name} name={name} state={state} stored={stored} spec={spec} />
    ),
  };
}

function MomentField(
  { stored, spec, ...field }: RenderedField<number | null, { label: Phrase; hint: Phrase }>,
) {
  const { timeZone } = useTexts(null);
  const local = typeof stored === "number" ? toLocal(stored, timeZone) : "";
  return <TextField {...field} stored={local} spec={{ ...spec, type: "datetime-local" }} />;
}

/** A checkbox. */
export function flag(spec: { readonly label: Phrase; readonly hint?: Phrase }): Field<boolean> {
  return {
    read: (submitted, name) => submitted.flag(name),
    check: () => null,
    render: (name, state, stored) => (
      <FlagField key={name} name={name} state={state} stored={stored} spec={spec} />
    ),
  };
}

function FlagField(
  { name, state, stored = false, spec }: RenderedField<boolean, { label: Phrase; hint?: Phrase }>,
) {
  const { t } = useTexts(null);
  const hint = spec.hint === undefined ? undefined : t(spec.hint);
  return <CheckField name={name} state={state} stored={stored} label={t(spec.label)} hint={hint} />;
}

/** A field for people by their names, addresses or ids, one on each line. */
export function people(
  spec: { readonly label: Phrase; readonly hint?: Phrase; readonly rows?: number },
): Field<readonly UserRecord[]> {
  return {
    read: async (submitted, name, request) =>
      await findPeople(request, readPeopleInput(submitted, name), name),
    check: () => null,
    render: (name, state) => (
      <PeopleRow
        key={name}
        name={name}
        state={state}
        stored={undefined}
        spec={spec}
      />
    ),
  };
}

function PeopleRow(
  { name, state, spec }: RenderedField<undefined, { label: Phrase; hint?: Phrase; rows?: number }>,
) {
  const { t } = useTexts(null);
  return (
    <PeopleField
      name={name}
      state={state}
      label={t(spec.label)}
      hint={spec.hint === undefined ? undefined : t(spec.hint)}
      {...(spec.rows === undefined ? {} : { rows: spec.rows })}
    />
  );
}

interface ChoiceSpec {
  readonly label: Phrase;
  readonly hint?: Phrase;
}

/** A choice among values that are known in advance; `otherwise` is the value of a form without a known one. */
export function choice<Value extends string>(
  spec: ChoiceSpec & {
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
    check: () => null,
    render: (name, state, stored = spec.otherwise) => (
      <StaticChoice key={name} name={name} state={state} stored={stored} spec={spec} />
    ),
  };
}

function StaticChoice(
  props: RenderedField<string, ChoiceSpec & { readonly options: Readonly<Record<string, Phrase>> }>,
) {
  const { t } = useTexts(null);
  const options = Object.entries(props.spec.options).map(([id, name]) => ({ id, name: t(name) }));
  return <ChoiceField {...props} options={options} />;
}

/** A choice of one of the records that `Form` gets as `options`: its id, or null where `none` is offered. */
export function record(spec: ChoiceSpec & { readonly none: Phrase }): Field<number | null>;
/** A choice of one of the records that `Form` gets as `options`; without one, `missing` is the problem. */
export function record(
  spec: ChoiceSpec & { readonly missing: Phrase; readonly empty?: Phrase },
): Field<number>;
export function record(
  spec: ChoiceSpec & { readonly none?: Phrase; readonly missing?: Phrase; readonly empty?: Phrase },
): Field<number | null> {
  return {
    read: (submitted, name) => submitted.int(name),
    check: (value, { t }) => value === null && spec.missing !== undefined ? t(spec.missing) : null,
    render: (name, state, stored, options = []) => (
      <ChoiceField key={name} name={name} state={state} stored={stored} spec={spec} options={options} />
    ),
  };
}

function ChoiceField({ name, state, stored, spec, options }: RenderedChoice<number | string | null>) {
  const { t } = useTexts(null);
  if (options.length === 0 && spec.empty !== undefined) return <p class="text-soft">{t(spec.empty)}</p>;
  return (
    <SelectField
      name={name}
      state={state}
      label={t(spec.label)}
      hint={spec.hint === undefined ? undefined : t(spec.hint)}
      stored={String(stored ?? "")}
      choices={[
        ...(spec.none === undefined ? [] : [{ value: "", label: t(spec.none) }]),
        ...options.map(toChoice),
      ]}
    />
  );
}

interface RenderedChoice<Value> extends
  RenderedField<
    Value,
    ChoiceSpec & { readonly none?: Phrase; readonly empty?: Phrase }
  > {
  readonly options: readonly Option[];
}

function toChoice({ id, name, note, isDisabled = false }: Option) {
  return { value: String(id), label: name, note, isDisabled };
}

/** Checkboxes for the records that `Form` gets as `options`; the value are the ids of those chosen. */
export function records(spec: ChoiceSpec & { readonly empty: Phrase }): Field<readonly number[]> {
  return {
    read: (submitted, name) => submitted.ints(name),
    check: () => null,
    render: (name, state, stored = [], options = []) => (
      <RecordList key={name} name={name} state={state} stored={stored} spec={spec} options={options} />
    ),
  };
}

function RecordList({ name, state, stored, spec, options }: RenderedChoice<readonly number[]>) {
  const { t } = useTexts(null);
  return (
    <CheckList
      name={name}
      state={state}
      label={t(spec.label)}
      hint={spec.hint === undefined ? undefined : t(spec.hint)}
      empty={t(spec.empty ?? "")}
      stored={stored?.map(String) ?? []}
      choices={options.map(toChoice)}
    />
  );
}

/** A field that the page renders itself, such as a hidden one. */
export function rendered<Value>(read: (submitted: FormFields, name: string) => Value): Field<Value> {
  return { read, check: () => null, render: (name) => <Fragment key={name} /> };
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
