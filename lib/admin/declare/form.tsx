import type { ComponentChildren, JSX } from "preact";
import { mapValues } from "es-toolkit/object/mapValues";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm, type AdminFormProps } from "@/components/admin/AdminForm.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { AppError } from "@/lib/core/errors.ts";
import { statusOf } from "@/lib/api/envelope.ts";
import type { UploadLimit } from "@/lib/api/fields.ts";
import { toPageProblem } from "@/lib/pages/form_problems.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { type AdminAction, type Done, FormRefusal, readAll } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { atRevision, REVISION_FIELD, revisionOf } from "../revision.ts";

/** A value that can be chosen in a field. */
export interface Option {
  /** Id of a record, or another value; empty for none. */
  readonly id: number | string;
  readonly name: string;
  readonly note?: string | undefined;
  readonly isDisabled?: boolean;
}

/** A field of a form. */
export interface Field<Value> {
  /** Size limit of a field for a file. */
  readonly upload?: UploadLimit;
  /**
   * Reads the value of a submitted form.
   * @throws FormRefusal for a value that cannot be read.
   */
  read(submitted: FormFields, name: string, request: AdminRequest): Value | Promise<Value>;
  /** Returns the problem of a value, or null. */
  check?(value: Value, request: AdminRequest): string | null;
  /** Renders the field with the submitted value, else the stored one. */
  View(props: FieldProps<Value>): JSX.Element | null;
}

/** Props of a rendered field. */
export interface FieldProps<Value> {
  readonly name: string;
  readonly state: FormState;
  readonly stored: Value | undefined;
  /** Options that depend on data. */
  readonly options: readonly Option[];
}

/** Values of a form's fields, by the names that they are sent with. */
export type Values = Readonly<Record<string, unknown>>;

/** Fields with these values. */
export type FieldsOf<V extends Values> = { readonly [Name in keyof V]: Field<V[Name]> };

/** Options of fields by name, where they depend on data. */
export type FieldOptions<V extends Values> = { readonly [Name in keyof V]?: readonly Option[] };

/** Specification of a form. */
interface FormSpec<V extends Values> {
  /** Name of the form on its page, sent as the field `action`. */
  readonly action: string;
  /** Label of the button, which names the effect. */
  readonly button?: Phrase;
  /** Invalid values are refused at their fields, which keep what was entered. */
  readonly fields?: FieldsOf<V>;
  /**
   * Reads the stored values; null when the record is gone. The form then carries their revision, and is refused when
   * they changed meanwhile.
   */
  readonly stored?: (request: AdminRequest) => Promise<Partial<V> | null>;
  /**
   * Reads what the field `seen` is the revision of, where that is not only the fields' values; null when it is gone. The
   * page renders the field.
   */
  readonly revision?: (request: AdminRequest) => Promise<unknown>;
  /** Fields by the parameter that a refusal names, where the names differ; `__all__` names all of them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Field that shows invalid values that name no field. */
  readonly refusedAt?: keyof V & string;
  /** Returns problems by field that `run` does not find, or finds in other words. */
  readonly check?: (
    values: V,
    request: AdminRequest,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Performs the action; `submitted` also has the values that are not declared. */
  readonly run: (request: AdminRequest, values: V, submitted: FormFields) => Promise<Done | Response>;
}

/** A form of an admin page. */
export interface PageForm<V extends Values> extends AdminAction, Pick<FormSpec<V>, "button"> {
  /** Renders the fields by name, with the values of a refused form, else the stored ones. */
  renderFields(
    state: FormState,
    stored: Partial<V>,
    options?: FieldOptions<V>,
  ): Readonly<Record<keyof V & string, JSX.Element>>;
  /** Returns the revision of stored values; null for a form that does not carry it. */
  toRevision(stored: Partial<V>): string | null;
}

/** Declares a form: it reads its fields, refuses at them, and renders them with `Form`. */
export function form<V extends Values = Record<never, never>>(spec: FormSpec<V>): PageForm<V> {
  const { action, button, fields, stored, check, run } = spec;
  const names = {
    __all__: "form",
    ...mapValues({ ...fields }, (_, name) => String(name)),
    ...spec.parameters,
  };
  const read = spec.revision ?? (stored && (async (request: AdminRequest) => {
    const values = await stored(request);
    return values && Object.values(values);
  }));
  const submit = async (request: AdminRequest, submitted: FormFields): Promise<Done | Response> => {
    const values = await readFields(fields, submitted, request);
    const problems = await check?.(values, request) ?? {};
    if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
    try {
      return await run(request, values, submitted);
    } catch (error) {
      throw atFields(error, names, spec.refusedAt);
    }
  };
  const uploaded = Object.values<Field<unknown>>({ ...fields }).find(({ upload }) => upload !== undefined);
  return {
    action,
    upload: uploaded?.upload,
    ...(button === undefined ? {} : { button }),
    renderFields: (...rendered) => renderFields(fields, ...rendered),
    toRevision: (values) => stored === undefined ? null : revisionOf(Object.values(values)),
    run: read === undefined ? submit : atRevision(read, submit),
  };
}

/**
 * Reads all fields.
 * @throws FormRefusal with the problem of each invalid one.
 */
async function readFields<V extends Values>(
  fields: FieldsOf<V> | undefined,
  submitted: FormFields,
  request: AdminRequest,
): Promise<V>;
async function readFields(
  fields: Readonly<Record<string, Field<unknown>>> = {},
  submitted: FormFields,
  request: AdminRequest,
): Promise<Values> {
  return await readAll(fields, async (field, name) => {
    const value = await field.read(submitted, name, request);
    const problem = field.check?.(value, request) ?? null;
    if (problem !== null) throw new FormRefusal({ [name]: problem });
    return value;
  });
}

type Rendered<V extends Values> = Parameters<PageForm<V>["renderFields"]>;

function renderFields<V extends Values>(
  fields: FieldsOf<V> | undefined,
  ...rendered: Rendered<V>
): ReturnType<PageForm<V>["renderFields"]>;
function renderFields(
  fields: Readonly<Record<string, Field<unknown>>> = {},
  ...[state, stored, options = {}]: Rendered<Values>
): Readonly<Record<string, JSX.Element>> {
  return mapValues(
    fields,
    ({ View }, name) => (
      <View key={name} name={name} state={state} stored={stored[name]} options={options[name] ?? []} />
    ),
  );
}

/** Converts a refusal that names parameters to one of their fields; others stay as they are. */
function atFields(
  error: unknown,
  fields: Readonly<Record<string, string>>,
  refusedAt: string | undefined,
): unknown {
  if (!(error instanceof AppError) || statusOf(error) >= 500) return error;
  const toField = (name: string) => Object.hasOwn(fields, name) ? fields[name] : undefined;
  const errors = error.details.extra?.["errors"];
  if (typeof errors === "object" && errors !== null) {
    const problems = Object.entries(errors).map(([name, messages]) => [
      toField(name) ?? name,
      Array.isArray(messages) ? messages.join(" ") : String(messages),
    ]);
    return problems.length === 0 ? error : new FormRefusal(Object.fromEntries(problems));
  }
  const field = toField(error.field ?? "") ?? (error.code === "BAD_REQUEST" ? refusedAt : undefined);
  return field === undefined ? error : new FormRefusal({ [field]: toPageProblem(error) });
}

interface FormProps<V extends Values> extends Pick<AdminFormProps, "look" | "id" | "hidden" | "beside"> {
  readonly of: PageForm<V>;
  /** Stored values; empty fields for none. */
  readonly stored?: Partial<V>;
  readonly options?: FieldOptions<V>;
  /** Arranges the fields; below each other by default. */
  readonly children?: (fields: Readonly<Record<keyof V & string, JSX.Element>>) => ComponentChildren;
}

/** Renders a declared form: general problem, fields and button. */
export function Form<V extends Values>(
  { of, stored, hidden, options, children, ...others }: FormProps<V>,
) {
  const { t } = useAdmin();
  const state = useFormState(of);
  const fields = of.renderFields(state, stored ?? {}, options);
  const revision = of.toRevision(stored ?? {});
  return (
    <AdminForm
      state={state}
      button={t(of.button ?? "")}
      hidden={{ ...hidden, ...(revision === null ? {} : { [REVISION_FIELD]: revision }) }}
      takesFile={of.upload !== undefined}
      {...others}
    >
      {children === undefined ? <Stack>{Object.values(fields)}</Stack> : children(fields)}
    </AdminForm>
  );
}

function Stack({ children }: { children: readonly JSX.Element[] }) {
  return children.length === 0 ? null : <div class="grid max-w-[40rem] gap-4">{children}</div>;
}
